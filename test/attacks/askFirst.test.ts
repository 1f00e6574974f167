/** An agent cannot overwrite what a person wrote, and cannot avoid a rule that requires approval. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Caller } from "../support/pod.ts"
import {
  anAttackScene,
  procedureData,
  eventsOf,
  type AttackScene,
  createRecord,
  assertOk,
  assertProposed,
  proposalCount,
  assertRefused
} from "./attackScene.ts"
import { storages } from "../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`attack: an agent tries to avoid a governance rule that a person made, ${where}`, () => {
    let ground: AttackScene
    beforeAll(async () => {
      ground = await anAttackScene(storage)
    })
    afterAll(() => ground?.pod.stop())

    const settle = async (verb: "approve" | "revert", id: string) =>
      assertOk(await ground.owner.send("POST", `/api/hub/proposals/${id}/${verb}`, {}))
    const at = (key: string, door = "") => `/api/hub/knowledge/${key}${door}?workspaceId=${ground.workspaceId}`
    const entryOf = async (key: string) => assertOk(await ground.owner.send("GET", at(key)))
    const put = (caller: Caller, key: string, body: object) => caller.send("PUT", at(key), body)
    const post = (caller: Caller, key: string, body: object) =>
      caller.send("POST", "/api/hub/knowledge", { key, workspaceId: ground.workspaceId, ...body })
    const versionsOf = async (key: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
      assertOk(await ground.owner.send("GET", at(key, "/versions")))

    /** Runs `work` while a rule of the owner requires approval for the actions that match the pattern. */
    const whileAsked = async (targetPattern: string, work: () => Promise<void>) => {
      const { agentId, owner, workspaceId } = ground
      const rule = { scopeKind: "workspace", workspaceId, targetKind: "action", targetPattern, verdict: "propose" }
      const { id: ruleId } = procedureData(
        await owner.mutate("governanceRules.create", { ...rule, agentUserId: agentId })
      )
      try {
        await work()
      } finally {
        procedureData(await owner.mutate("governanceRules.revoke", { ruleId }))
      }
    }

    it("attack: if a governance rule requires approval, a knowledge entry that an agent creates or changes waits for the approval", async () => {
      const { agent, owner } = ground
      assertOk(await put(agent, "mine", { value: 1 }))
      await whileAsked("entity.*", async () => {
        const kept = assertProposed(await put(agent, "asked", { value: 1 }))
        assertProposed(await post(agent, "posted", { value: 1 }))
        const changed = assertProposed(await put(agent, "mine", { value: 2 }))
        assertRefused(await owner.send("GET", at("asked")), 404)
        assert.strictEqual((await entryOf("mine")).value, 1)
        await settle("approve", kept)
        await settle("approve", changed)
        assert.deepInclude(await entryOf("asked"), { value: 1, author: ground.agentId, version: 1 })
        assert.deepInclude(await entryOf("mine"), { value: 2, author: ground.agentId, version: 2 })
        await settle("revert", changed)
        assert.deepInclude(await entryOf("mine"), { value: 1, author: ground.agentId, version: 3 })
        await settle("revert", kept)
        assert.strictEqual((await entryOf("asked")).status, "archived")
      })
      assertOk(await put(agent, "unasked", { value: 1 }))
      assert.strictEqual((await entryOf("unasked")).value, 1)
    })

    it("attack: if a governance rule requires approval, an agent's message waits for the approval, and the approved message has the agent as its author", async () => {
      const { agent, agentId, owner, workspaceId } = ground
      const { id: threadId } = await createRecord(owner, "threads", { title: "Talk", workspaceId })
      const path = `/api/hub/threads/${threadId}/messages`
      const texts = async () =>
        assertOk(await owner.send("GET", path)).map(
          ({ content }: { readonly content: string }) => content
        ) as Array<string>
      assertOk(await agent.send("POST", path, { role: "assistant", content: "Hello" }))
      await whileAsked("channel.create", async () => {
        const one = assertProposed(await agent.send("POST", path, { role: "assistant", content: "One" }))
        const batch = { messages: ["Two", "Three"].map((content) => ({ role: "assistant", content })) }
        const both = assertProposed(await agent.send("POST", `${path}.batch`, batch))
        assert.deepStrictEqual(await texts(), ["Hello"])
        assertOk(await owner.send("POST", path, { role: "user", content: "Between" }))
        await settle("approve", both)
        await settle("approve", one)
        assert.deepStrictEqual(await texts(), ["One", "Three", "Two", "Between", "Hello"])
        const messages = assertOk(await owner.send("GET", path)) as ReadonlyArray<Record<string, string>>
        assert.deepStrictEqual(
          messages.slice(0, 3).map(({ authorId }) => authorId),
          [agentId, agentId, agentId]
        )
        const detail = assertOk(await owner.send("GET", `/api/hub/proposals/${both}`))
        assert.deepStrictEqual(detail.materializedIds, [messages[2].id, messages[1].id])
        assertRefused(await owner.send("POST", `/api/hub/proposals/${one}/revert`, {}), 501)
      })
      assertOk(await agent.send("POST", path, { role: "assistant", content: "Unasked" }))
      assert.strictEqual((await texts())[0], "Unasked")
    })

    it("attack: if a governance rule requires approval, an event that an agent logs waits for the approval, and the approved event has the agent as its actor", async () => {
      const { agent, agentId, owner, workspaceId } = ground
      const log = (type: string) => agent.mutate("events.log", { type, data: { name: type }, workspaceId })
      procedureData(await log("pump.started"))
      await whileAsked("event.create", async () => {
        const { proposalId, status } = procedureData(await log("pump.stopped"))
        assert.strictEqual(status, "proposed")
        assert.notInclude(
          (await eventsOf(owner)).map(({ type }) => type),
          "pump.stopped"
        )
        await settle("approve", proposalId)
        const event = (await eventsOf(owner)).find(({ type }) => type === "pump.stopped")
        assert.strictEqual(event?.actorId, agentId)
        const detail = assertOk(await owner.send("GET", `/api/hub/proposals/${proposalId}`))
        assert.deepStrictEqual(detail.materializedIds, [event?.id])
        assertRefused(await owner.send("POST", `/api/hub/proposals/${proposalId}/revert`, {}), 501)
      })
    })

    it("attack: an agent never overwrites or restores a knowledge entry that a person wrote, even when a governance rule lets the agent write without approval", async () => {
      const { agent, agentId, owner, workspaceId } = ground
      const rule = { scopeKind: "workspace", workspaceId, targetKind: "action", targetPattern: "*", verdict: "auto" }
      const { id: ruleId } = procedureData(
        await owner.mutate("governanceRules.create", { ...rule, agentUserId: agentId })
      )
      assertOk(await put(owner, "price", { value: 10 }))
      assertOk(await put(owner, "old", { value: "kept" }))
      assertOk(await owner.send("DELETE", at("old")))
      const before = await entryOf("price")
      const over = assertProposed(await put(agent, "price", { value: 0 }))
      assertProposed(await put(agent, "price", { status: "archived" }))
      assertProposed(await agent.send("DELETE", at("price")))
      const revivals = [await put(agent, "old", { value: "mine" }), await post(agent, "old", { value: "mine" })]
      for (const revival of revivals) assertProposed(revival)
      assertRefused(await post(agent, "price", { value: 0 }), 409, "KEY_EXISTS")
      assert.deepStrictEqual(await entryOf("price"), before)
      assert.deepInclude(await entryOf("old"), { value: "kept", status: "archived" })
      // The agent may change an entry without approval as long as the agent was the last writer of the entry.
      assertOk(await put(agent, "notes", { value: 1 }))
      assert.strictEqual(assertOk(await put(agent, "notes", { value: 2 })).value, 2)
      assertOk(await put(owner, "notes", { value: 3 }))
      assertProposed(await put(agent, "notes", { value: 4 }))
      // A person's write in between causes a conflict, and the person's value stays.
      assertOk(await put(owner, "price", { value: 12 }))
      assertRefused(await owner.send("POST", `/api/hub/proposals/${over}/approve`, {}), 409, "PROPOSAL_CONFLICT")
      assert.strictEqual((await entryOf("price")).value, 12)
      procedureData(await owner.mutate("governanceRules.revoke", { ruleId }))
    })

    it("attack: an agent that writes at the same moment as a person never overwrites the value that the person wrote", async () => {
      const { agent, owner } = ground
      for (let round = 0; round < 6; round++) {
        const key = `race-${round}`
        assertOk(await put(agent, key, { value: "agent" }))
        const [theirs] = await Promise.all([
          put(owner, key, { value: "person" }),
          ...Array.from({ length: 4 }, (_, at) => put(agent, key, { value: at }))
        ])
        assertOk(theirs)
        assert.strictEqual((await entryOf(key)).value, "person")
        const versions = await versionsOf(key)
        assert.strictEqual(versions[0].value, "person")
        assert.deepStrictEqual(
          versions.map(({ version }) => version),
          versions.map((_, at) => versions.length - at)
        )
      }
    })

    it("attack: the earlier values of a knowledge entry stay readable after a person or an agent overwrites the entry", async () => {
      const { agent, agentId, owner } = ground
      assertOk(await put(owner, "recipe", { value: "flour" }))
      const over = assertProposed(await put(agent, "recipe", { value: "sand" }))
      await settle("approve", over)
      assertOk(await put(agent, "recipe", { value: "glass" }))
      const versions = await versionsOf("recipe")
      const me = assertOk(await owner.send("GET", "/api/hub/users/me")).id
      assert.deepStrictEqual(
        versions.map(({ actorId, value, version }) => [version, value, actorId]),
        [
          [3, "glass", agentId],
          [2, "sand", agentId],
          [1, "flour", me]
        ]
      )
      const events = new Map((await eventsOf(owner)).map(({ id, ...event }) => [id, event]))
      const { id } = await entryOf("recipe")
      for (const { eventId } of versions) assert.strictEqual(events.get(String(eventId))?.subjectId, id)
      // Neither another person nor a key with a narrow grant can read the versions.
      assertRefused(await ground.victim.send("GET", at("recipe", "/versions")), 403)
      const narrow = await ground.pod.aKey(owner, { grant: { permissions: ["entity.knowledge"] } })
      assertRefused(await narrow.send("GET", at("recipe", "/versions")), 403, "GRANT_DOOR_UNSUPPORTED")
    })

    it("attack: a proposal that an agent creates through the proposals API follows the same rules as a direct write of that agent", async () => {
      const { agent, agentId, owner, workspaceId } = ground
      const file = (data: object, more: object = {}) =>
        agent.send("POST", "/api/hub/proposals", {
          targetType: "knowledge_entry",
          proposalType: "create",
          workspaceId,
          data,
          ...more
        })
      const before = await proposalCount(owner)
      const me = assertOk(await owner.send("GET", "/api/hub/users/me")).id as string
      assertOk(await put(owner, "held", { value: 1 }))
      const { id: targetId } = await entryOf("held")
      for (const data of [{}, { key: "" }, { key: "a", surprise: 1 }, { key: "a", status: "" }]) {
        assertRefused(await file(data), 400)
      }
      assertRefused(await file({ key: "held", value: 2 }), 409, "KEY_EXISTS")
      assertRefused(await file({ key: "a", author: "01900000-0000-7000-8000-000000000000" }), 403, "IDENTITY_FORBIDDEN")
      assertRefused(await file({ key: "other" }, { proposalType: "update", targetId }), 400)
      assertRefused(await file({ value: 1 }, { proposalType: "delete", targetId }), 400)
      const message = { targetType: "message", data: { threadId: targetId, messages: [] } }
      assertRefused(await file({}, message), 400)
      assertRefused(await file({}, { targetType: "message", proposalType: "delete", targetId }), 400)
      assertRefused(
        await file({ type: "access.refused" }, { targetType: "event", data: { type: "access.refused" } }),
        400
      )
      assert.strictEqual(await proposalCount(owner), before)
      const filed = assertOk(await file({ value: 2 }, { proposalType: "update", targetId }))
      await settle("approve", filed.id)
      assert.deepInclude(await entryOf("held"), { value: 2, author: agentId, version: 2 })
      await settle("revert", filed.id)
      assert.deepInclude(await entryOf("held"), { value: 1, author: me, version: 3 })
    })
  })
}
