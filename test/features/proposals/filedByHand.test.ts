/**
 * The rules for direct writes also apply to a proposal that an agent creates itself. The tests use private records, and
 * records that only people may write.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/proposals"

for (const [where, storage] of storages) {
  describe(`proposals that an agent creates through the proposals API ${where}`, () => {
    let pod: TestPod
    let agent: Caller
    let agentUserId: string
    beforeAll(async () => {
      pod = await aPod(storage)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentUserId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId: agentUserId })
    })
    afterAll(() => pod?.stop())
    const file = (targetType: string, proposalType: string, data: object, more: object = {}) =>
      agent.send("POST", path, { targetType, proposalType, data, ...more })

    it("attack: an agent cannot create a proposal for an access role or a webhook", async () => {
      const grant = { permissions: ["*"] }
      const { body } = await pod.owner.mutate("roles.create", {
        name: "Reader",
        grant: { permissions: ["entity.read"] }
      })
      const targetId = body.result.data.id
      const url = "https://hooks.example.com"
      for (const [targetType, action, data] of [
        ["role", "create", { name: "Everything", description: null, grant }],
        ["role", "update", { grant }],
        ["role", "delete", {}],
        ["role", "update", { grant: "no grant" }],
        ["webhook", "create", { name: "Out", url, eventTypes: ["*"], secret: "x".repeat(16), active: true }]
      ] as const) {
        const answer = await file(targetType, action, data, action === "create" ? {} : { targetId })
        assert.deepStrictEqual([answer.status, answer.body.code], [403, "PEOPLE_ONLY"], `${targetType} ${action}`)
      }
      assert.strictEqual((await pod.owner.send("GET", `${path}?status=all`)).body.total, 0)
    })

    it("only the owner of a private record can read a proposal about this record, and an admin of the workspace gets 404", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner, "Harbour")
      await pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId, workspaceId })
      const colleague = await aColleague(pod, storage, workspaceId, "admin", "colleague")
      const session = await pod.owner.send("POST", "/api/hub/focus-sessions", { workspaceId, goal: "Think alone" })
      const more = { targetId: session.body.id, workspaceId }
      const filed = await file("focusSession", "update", { goal: "Think aloud" }, more)
      assert.strictEqual(filed.status, 200, JSON.stringify(filed.body))
      assert.strictEqual((await pod.owner.send("GET", `${path}/${filed.body.id}`)).status, 200)
      assert.strictEqual((await colleague.send("GET", `${path}/${filed.body.id}`)).status, 404)
    })
  })
}
