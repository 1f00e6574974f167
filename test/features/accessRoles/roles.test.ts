/**
 * Access roles and connections over HTTP: which role a key was made from, how this role has changed since then, and
 * what each key may access.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const data = (answer: { readonly status: number; readonly body: any }) => {
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result.data
}

for (const [where, storage] of storages) {
  describe(`access roles and connections ${where}`, () => {
    let pod: TestPod
    let stranger: Caller
    let agentId: string
    beforeAll(async () => {
      pod = await aPod(storage)
      stranger = await pod.aPerson()
      agentId = data(await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })).id
    })
    afterAll(() => pod?.stop())

    const aRole = async (caller: Caller, permissions: ReadonlyArray<string>) =>
      data(await caller.mutate("roles.create", { name: "Reader", grant: { permissions } }))

    it("a person cannot use, change or list an access role of another person", async () => {
      const role = await aRole(stranger, ["entity.read"])
      const order = { keyName: "k", scope: ["hub-protocol.read"], grant: { permissions: ["*"], roleId: role.id } }
      assert.strictEqual((await pod.owner.mutate("apiKeys.create", order)).status, 400)
      assert.strictEqual((await pod.owner.mutate("roles.update", { roleId: role.id, name: "Mine" })).status, 404)
      assert.notInclude(JSON.stringify(data(await pod.owner.query("roles.list", {}))), role.id)
    })

    it("an agent can list access roles but cannot change a role", async () => {
      const role = await aRole(pod.owner, ["entity.read"])
      const agent = await pod.aKey(pod.owner, { agentId })
      assert.include(JSON.stringify(data(await agent.query("roles.list", {}))), role.id)
      const refused = await agent.mutate("roles.update", { roleId: role.id, name: "Taken" })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.body.error.data.httpStatus, 403)
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
      assert.deepStrictEqual(data(await narrow.query("roles.list", {})), [])
    })

    it("the event of each change of an access role contains the changed fields of the role with their values before and after the change", async () => {
      const role = await aRole(pod.owner, ["entity.note.read"])
      data(await pod.owner.mutate("roles.update", { roleId: role.id, grant: { permissions: ["entity.task.read"] } }))
      data(await pod.owner.mutate("roles.update", { roleId: role.id, name: "Tasks" }))
      const { body } = await pod.owner.send("GET", `/api/hub/events?subjectId=${role.id}`)
      const [renamed, widened, created] = body.map(({ data }: { readonly data: unknown }) => data)
      assert.deepStrictEqual([renamed.before, renamed.after], [{ name: "Reader" }, { name: "Tasks" }])
      assert.deepStrictEqual(widened.before.grant.permissions, ["entity.note.read"])
      assert.deepStrictEqual(widened.after.grant.permissions, ["entity.task.read"])
      assert.deepInclude(created.after, { name: "Reader" })
      assert.isUndefined(created.before)
    })

    it("when a person changes or deletes an access role, the keys that were made from the role keep their grant, and each key shows what happened to the role", async () => {
      const role = await aRole(pod.owner, ["entity.note.read"])
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"], roleId: role.id } })
      const mine = async () =>
        data(await pod.owner.query("apiKeys.list", {})).find(({ id }: { readonly id: string }) => id === key.id)
      assert.deepStrictEqual((await mine()).role, { id: role.id, name: "Reader", isDrifted: false, isDeleted: false })
      data(await pod.owner.mutate("roles.update", { roleId: role.id, grant: { permissions: ["entity.task.read"] } }))
      const drifted = await mine()
      assert.strictEqual(drifted.role.isDrifted, true)
      assert.deepStrictEqual(drifted.grant.permissions, ["entity.note.read"])
      data(await pod.owner.mutate("roles.delete", { roleId: role.id }))
      assert.strictEqual((await mine()).role.isDeleted, true)
      assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
    })

    it("for the key of an agent, the list of connections says in one sentence what the key may access, and only the person who owns the agent can revoke the key there", async () => {
      const agent = await pod.aKey(pod.owner, { agentId, grant: { permissions: ["entity.note"] }, keyName: "scribe" })
      const connections = data(await pod.owner.query("connections.list", {}))
      const found = connections.find(({ keyId }: { readonly keyId: string }) => keyId === agent.id)
      assert.strictEqual(found.heldBy, "agent")
      assert.strictEqual(found.holderName, "Scribe")
      assert.strictEqual(found.summary, "Has only the permissions entity.note.")
      assert.strictEqual((await stranger.mutate("connections.revoke", { keyId: agent.id })).status, 404)
      data(await pod.owner.mutate("connections.revoke", { keyId: agent.id }))
      assert.strictEqual((await agent.send("GET", "/api/hub/entities")).status, 401)
    })
  })
}
