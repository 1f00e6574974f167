/**
 * What agents and keys may do with the memory of the person who owns them, which writes of an agent wait for approval,
 * and what a revert undoes.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  anAttackScene,
  procedureData,
  type AttackScene,
  assertOk,
  assertProposed,
  assertRefused
} from "../../attacks/attackScene.ts"
import { mcp } from "../../doors/surfaces.ts"
import type { Caller } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const hub = "/api/hub/memory"
const post = (caller: Caller, path: string, body: unknown) => caller.send("POST", `${hub}${path}`, body)

for (const [where, storage] of storages) {
  describe(`the memory of the person who owns an agent, ${where}`, () => {
    let ground: AttackScene
    beforeAll(async () => {
      ground = await anAttackScene(storage)
    })
    afterAll(() => ground?.pod.stop())

    const texts = async (query = ""): Promise<ReadonlyArray<string>> =>
      assertOk(await ground.owner.send("GET", `${hub}?limit=100&${query}`)).map(
        ({ fact }: { readonly fact: string }) => fact
      )
    const approve = async (id: string) =>
      assertOk(await ground.owner.send("POST", `/api/hub/proposals/${id}/approve`, {}))
    const revert = async (id: string) =>
      assertOk(await ground.owner.send("POST", `/api/hub/proposals/${id}/revert`, {}))
    const tool = async (caller: Caller, name: string, input: object) => {
      const { message } = await mcp(caller, "tools/call", { name, arguments: input })
      // The answer has no type. Each test reads the values that it expects, and asserts on them.
      return message.result?.structuredContent as any
    }

    it("a key with a narrow grant cannot list facts, and a key without the needed permission can neither write, forget nor restore a fact", async () => {
      const { agentId, owner, pod } = ground
      const { body: fact } = await post(owner, "", { fact: "Out of the reach of narrow keys." })
      for (const permissions of [["entity"], ["memory.read"]]) {
        const key = await pod.aKey(owner, { agentId, grant: { permissions } })
        assertRefused(await post(key, "", { fact: "Smuggled in." }), 403)
        assertRefused(await key.send("GET", hub), 403, "GRANT_DOOR_UNSUPPORTED")
        assertRefused(await key.send("DELETE", `${hub}/${fact.id}?userId=${agentId}`), 403)
        assertRefused(await post(key, "/forget", { ids: [fact.id] }), 403)
        assertRefused(await post(key, `/${fact.id}/restore`, {}), 403)
      }
      assert.notInclude(await texts(), "Smuggled in.")
    })

    it("a key that may only create facts gets no information about the existing facts", async () => {
      const { owner, pod } = ground
      await post(owner, "", { fact: "The secret is 42." })
      const key = await pod.aKey(owner, { grant: { permissions: ["memory.create"] } })
      const { body } = await post(key, "", { fact: "the secret is 42" })
      assert.deepInclude(body, { count: 1, fact: "the secret is 42" })
      const entries = [{ action: "forget", target: body.id, content: "" }]
      assertRefused(await post(key, "/writes", { entries }), 403)
    })

    it("an agent without the capability for memory cannot write a fact", async () => {
      const { owner, pod } = ground
      const idle = procedureData(await owner.mutate("agents.create", { name: "Idle", capabilities: ["entity"] })).id
      const key = await pod.aKey(owner, { agentId: idle })
      assertRefused(await post(key, "", { fact: "Nobody asked me." }), 403, "CAPABILITY_MISSING")
      assert.notInclude(await texts(), "Nobody asked me.")
    })

    it("a fact that an agent writes belongs to the person who owns the agent, has the trust `agent`, and needs no approval", async () => {
      const { agent, agentId } = ground
      const { body } = await post(agent, "", { fact: "The tide table is on the wall.", userId: agentId })
      assert.deepInclude(body, { userId: ground.pod.ownerId, actorId: agentId, trust: "agent" })
      assert.include(await texts("trust=agent"), "The tide table is on the wall.")
      assert.deepStrictEqual(assertOk(await agent.send("GET", `${hub}?q=tide+table`))[0].id, body.id)
    })

    it("an agent needs no approval to update a fact that an agent wrote, but an agent's update of a fact that the person stated needs approval and can be reverted", async () => {
      const { agent, owner } = ground
      await post(agent, "/writes", { entries: [{ action: "remember", target: "colour", content: "Blue" }] })
      const own = assertOk(
        await post(agent, "/writes", { entries: [{ action: "update", target: "colour", content: "Red" }] })
      )
      assert.strictEqual(own.facts[0].fact, "[write:update:colour] Red")
      await post(owner, "/writes", { entries: [{ action: "remember", target: "shape", content: "Round" }] })
      const id = assertProposed(
        await post(agent, "/writes", { entries: [{ action: "update", target: "shape", content: "Square" }] })
      )
      assert.notInclude(await texts(), "[write:update:shape] Square")
      await approve(id)
      assert.include(await texts(), "[write:update:shape] Square")
      assert.notInclude(await texts(), "[write:remember:shape] Round")
      await revert(id)
      assert.notInclude(await texts(), "[write:update:shape] Square")
      assert.include(await texts(), "[write:remember:shape] Round")
    })

    it("an agent's request to forget a fact waits for the person's approval, and reverting the approval restores the fact", async () => {
      const { agent, agentId, owner } = ground
      const { body: first } = await post(owner, "", { fact: "The boat is called Marlin." })
      const { body: second } = await post(owner, "", { fact: "The boat sleeps four guests." })
      const one = assertProposed(await agent.send("DELETE", `${hub}/${first.id}?userId=${agentId}`))
      const both = assertProposed(await post(agent, "/forget", { query: "boat" }))
      const mixed = assertProposed(
        await post(agent, "/writes", {
          entries: [
            { action: "remember", target: "boat", content: "Sold" },
            { action: "forget", target: second.id, content: "" }
          ]
        })
      )
      assert.includeMembers([...(await texts())], [first.fact, second.fact])
      await approve(both)
      assert.deepStrictEqual(await texts("q=boat"), [])
      await revert(both)
      assert.sameMembers([...(await texts("q=boat"))], [first.fact, second.fact])
      await approve(mixed)
      assert.sameMembers([...(await texts("q=boat"))], [first.fact, "[write:remember:boat] Sold"])
      await revert(mixed)
      assert.sameMembers([...(await texts("q=boat"))], [first.fact, second.fact])
      await approve(one)
      assert.sameMembers([...(await texts("q=boat"))], [second.fact])
    })

    it("if a write only raised the count of an existing fact, reverting the write lowers the count again and does not remove the fact", async () => {
      const { agent, owner } = ground
      const { body: fact } = await post(owner, "", { fact: "The anchor weighs 12 kilos." })
      const result = await tool(agent, "svc_remember_fact", { fact: "the anchor weighs 12 kilos" })
      const id = result.proposalId
      await approve(id)
      const counted = assertOk(await owner.send("GET", `${hub}?q=anchor`))
      assert.deepStrictEqual([counted[0].id, counted[0].count, counted[0].trust], [fact.id, 2, "person"])
      await revert(id)
      assert.strictEqual(assertOk(await owner.send("GET", `${hub}?q=anchor`))[0].count, 1)
    })

    it("the approval of a fact cannot be reverted if another fact has replaced this fact meanwhile", async () => {
      const { agent, owner } = ground
      const result = await tool(agent, "svc_remember_fact", { fact: "Jonas lives in Kiel." })
      const id = result.proposalId
      await approve(id)
      await post(owner, "", { fact: "Jonas moved to Bremen." })
      assertRefused(await owner.send("POST", `/api/hub/proposals/${id}/revert`, {}), 409, "REVERT_CONFLICT")
      assert.include(await texts(), "Jonas moved to Bremen.")
    })

    it("a proposal about the memory of a person is visible only to that person", async () => {
      const { agent, agentId, owner, victim } = ground
      const { body: fact } = await post(owner, "", { fact: "A private thing." })
      const id = assertProposed(await agent.send("DELETE", `${hub}/${fact.id}?userId=${agentId}`))
      assertRefused(await victim.send("GET", `/api/hub/proposals/${id}`), 404)
      assertRefused(await victim.send("POST", `/api/hub/proposals/${id}/approve`, {}), 404)
    })

    it("an agent's conclusion about a person waits for the person's approval, but a fact is stored at once if the agent says that the person stated it", async () => {
      const { agent, agentId } = ground
      const concluded = await tool(agent, "svc_remember_fact", { fact: "The person dislikes fog.", userId: agentId })
      assert.strictEqual(concluded.status, "proposed")
      const stated = await tool(agent, "svc_remember_fact", { fact: "The person dislikes rain.", userStated: true })
      assert.strictEqual(stated.fact, "The person dislikes rain.")
      assert.deepStrictEqual(await texts("q=dislikes"), ["The person dislikes rain."])
    })

    it("if the tool `remember` is called twice with one idempotency key, the pod writes the fact once and gives the same answer both times", async () => {
      const { agent } = ground
      const short = await mcp(agent, "tools/call", {
        name: "svc_remember_fact",
        arguments: { fact: "Refused.", userStated: true, idempotencyKey: "short" }
      })
      assert.isUndefined(short.message.result?.structuredContent?.fact)
      const stated = { fact: "The person sails on Sundays.", userStated: true, idempotencyKey: "sundays-1" }
      const first = await tool(agent, "svc_remember_fact", stated)
      assert.deepInclude(first, { fact: stated.fact, count: 1 })
      assert.deepStrictEqual(await tool(agent, "svc_remember_fact", stated), first)
      const again = await tool(agent, "svc_remember_fact", { ...stated, idempotencyKey: "sundays-2" })
      assert.deepInclude(again, { id: first.id, count: 2 })
      const concluded = { fact: "The person dislikes hail.", idempotencyKey: "hail-hail" }
      const proposal = await tool(agent, "svc_remember_fact", concluded)
      assert.strictEqual(proposal.status, "proposed")
      assert.deepStrictEqual(await tool(agent, "svc_remember_fact", concluded), proposal)
    })

    it("the recall tool returns the best facts that fit in the requested number of tokens", async () => {
      const { agent, owner } = ground
      for (let at = 0; at < 12; at++) {
        await post(owner, "", { fact: `Lighthouse keeper number ${at}: ${"x".repeat(at * 20)} ${"word ".repeat(60)}` })
      }
      const small = await tool(agent, "svc_recall", { query: "lighthouse keeper", tokenBudget: 200 })
      const { facts, leftOut } = small
      assert.isAtMost(JSON.stringify(facts).length, 4 * 200 + 100)
      assert.strictEqual(facts.length + leftOut, 10)
      assert.isAbove(facts.length, 0)
      const wide = await tool(agent, "svc_recall", { query: "lighthouse keeper", tokenBudget: 20_000, limit: 12 })
      assert.lengthOf(wide.facts, 12)
    })
  })
}
