/** How an agent asks for approval before it acts outside the pod, and how a write gets its focus session. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/proposals"

for (const [where, storage] of storages) {
  describe(`approval before an action outside the pod, ${where}`, () => {
    let pod: TestPod
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      const made = await pod.owner.mutate("agents.create", { name: "Builder", capabilities: ["*"] })
      agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
    })
    afterAll(() => pod?.stop())

    const ask = (body: object, caller = agent) => caller.send("POST", `${path}/dev-approval`, body)
    const decide = (id: string, verb: string, caller = pod.owner) => caller.send("POST", `${path}/${id}/${verb}`, {})
    const statusOf = async (id: string) => (await agent.send("GET", `${path}/${id}`)).body.status

    it("only an agent with the needed capability can ask for approval of an action outside the pod", async () => {
      const asked = { title: "Deploy" }
      const refusal = await ask(asked, pod.owner)
      assert.deepStrictEqual([refusal.status, refusal.body.code], [403, "AGENTS_ONLY"])
      const idle = await pod.owner.mutate("agents.create", { name: "Idle", capabilities: ["entity"] })
      const incapable = await pod.aKey(pod.owner, { agentId: idle.body.result.data.id })
      assert.strictEqual((await ask(asked, incapable)).body.code, "CAPABILITY_MISSING")
      for (const body of [{}, { title: "" }, { title: "x".repeat(501) }, { title: "x", command: 1 }]) {
        assert.strictEqual((await ask(body)).status, 400, JSON.stringify(body))
      }
    })

    it("the person who owns an agent sees and decides the agent's request to run a command, the agent cannot approve its own request, and the decision cannot be reverted", async () => {
      const sessionId = uuidv7()
      const asked = { title: "Deploy the tide table", command: "make deploy", details: { commit: "a1" }, sessionId }
      const { body, status } = await ask(asked)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepInclude(body, {
        status: "pending",
        sessionId,
        summary: "Allow the agent an action outside the pod: “Deploy the tide table”, with the command “make deploy”"
      })
      const { body: shown } = await pod.owner.send("GET", `${path}/${body.id}`)
      assert.deepInclude(shown.data.data, { title: "Deploy the tide table", command: "make deploy" })
      assert.strictEqual((await decide(body.id, "approve", agent)).status, 403)
      assert.strictEqual((await decide(body.id, "approve")).status, 200)
      assert.strictEqual(await statusOf(body.id), "approved")
      assert.strictEqual((await decide(body.id, "revert")).status, 501)
      const other = (await ask({ title: "Drop the table" })).body
      assert.strictEqual((await decide(other.id, "reject")).status, 200)
      assert.strictEqual(await statusOf(other.id), "rejected")
    })

    it("the answer to a write that becomes a proposal has the same status and id as the stored proposal", async () => {
      const draft = { targetType: "entity", proposalType: "create", data: { profileSlug: "note", title: "By hand" } }
      const { body } = await agent.send("POST", path, draft)
      assert.deepStrictEqual([body.status, body.id], ["pending", body.proposalId])
      assert.strictEqual(await statusOf(body.id), "pending")
    })

    it("a write belongs to the focus session in the header of the request unless the body contains another focus session, and the pod refuses an invalid header", async () => {
      const [one, other] = [uuidv7(), uuidv7()]
      const write = (body: object, session: string) =>
        agent.send("POST", "/api/hub/entities", { title: "In a session", ...body }, { "x-session-id": session })
      const sessionOf = async (id: string) => (await agent.send("GET", `${path}/${id}`)).body.sessionId
      assert.strictEqual(await sessionOf((await write({}, one)).body.proposalId), one)
      assert.strictEqual(await sessionOf((await write({ sessionId: other }, one)).body.proposalId), other)
      assert.strictEqual((await write({}, "today")).status, 400)
      const { body } = await pod.owner.send("GET", `${path}?sessionId=${one}`)
      assert.strictEqual(body.total, 1)
    })
  })
}
