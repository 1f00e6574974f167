/**
 * The procedure `apiKeys.createForWorkspace` makes keys for one workspace: it has the input of `apiKeys.create`, but
 * the workspace is required.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const nowhere = "0190a0a0-0000-7000-8000-00000000dead"
const scopes = ["hub-protocol.read", "hub-protocol.write"]
const newer = { keyName: "Deploys", scope: scopes, grant: { permissions: ["*"] } }
const older = { name: "Deploys", scopes }

for (const [where, storage] of storages) {
  describe(`the procedure \`apiKeys.createForWorkspace\` ${where}`, () => {
    let pod: TestPod
    let [here, there] = ["", ""]
    beforeAll(async () => {
      pod = await aPod(storage)
      here = await pod.aWorkspace(pod.owner, "Here")
      there = await pod.aWorkspace(pod.owner, "There")
    })
    afterAll(() => pod?.stop())

    const keyCount = async () => (await pod.owner.query("apiKeys.list")).body.result.data.length

    it("the procedure `apiKeys.createForWorkspace` refuses a request without a workspace and a request for a workspace of which the caller is not a member", async () => {
      const before = await keyCount()
      const stranger = await pod.aPerson()
      for (const draft of [newer, older]) {
        for (const workspaceId of [undefined, null, "here"]) {
          const { status } = await pod.owner.mutate("apiKeys.createForWorkspace", { ...draft, workspaceId })
          assert.strictEqual(status, 400, String(workspaceId))
        }
        for (const workspaceId of [here, nowhere]) {
          const { body, status } = await stranger.mutate("apiKeys.createForWorkspace", { ...draft, workspaceId })
          assert.deepStrictEqual([status, body.error.data.reason], [403, "GRANT_TOO_WIDE"])
        }
        const wide = { ...newer, grant: { permissions: ["*.read"] }, workspaceId: here }
        assert.strictEqual((await pod.owner.mutate("apiKeys.createForWorkspace", wide)).status, 400)
      }
      assert.strictEqual(await keyCount(), before)
    })

    it("neither a person's key nor an agent's key can make a key for a workspace", async () => {
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      for (const caller of [agent, await pod.aKey(pod.owner)]) {
        const before = await keyCount()
        const { status } = await caller.mutate("apiKeys.createForWorkspace", { ...newer, workspaceId: here })
        assert.strictEqual(status, 403)
        assert.strictEqual(await keyCount(), before)
      }
    })

    it("the procedure `apiKeys.createForWorkspace` makes a key that reads and writes only in the given workspace, with the older and with the newer form of the input", async () => {
      for (const workspaceId of [here, there]) {
        await pod.owner.send("POST", "/api/hub/entities", { title: workspaceId, workspaceId, profileSlug: "note" })
      }
      for (const draft of [newer, older]) {
        const { body, status } = await pod.owner.mutate("apiKeys.createForWorkspace", { ...draft, workspaceId: here })
        assert.strictEqual(status, 200, JSON.stringify(body))
        const { id, key } = body.result.data
        const caller = pod.as({ authorization: `Bearer ${key}` })
        const listed = await caller.send("GET", "/api/hub/entities")
        const titles = listed.body.map(({ title }: { title: string }) => title)
        assert.include(titles, here)
        assert.notInclude(titles, there)
        const write = (workspaceId: string) =>
          caller.send("POST", "/api/hub/entities", { title: "written", workspaceId, profileSlug: "note" })
        assert.deepStrictEqual([(await write(there)).status, (await write(here)).status], [403, 200])
        const keys = (await pod.owner.query("apiKeys.list")).body.result.data
        assert.strictEqual(keys.find((one: { id: string }) => one.id === id).workspaceId, here)
      }
    })
  })
}
