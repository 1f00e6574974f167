/**
 * Views end to end, on each storage: who reads them, what a new order of the widgets changes, and what an agent may do.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mcp } from "../../doors/surfaces.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/views"

for (const [where, storage] of storages) {
  describe(`views ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let agentId: string
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const make = async (fields: Readonly<Record<string, unknown>> = {}) => {
      const { status, body } = await pod.owner.send("POST", path, { name: "Board", type: "kanban", ...fields })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const idsOf = (listed: ReadonlyArray<{ readonly id: string }>) => listed.map(({ id }) => id)

    it("a person outside the workspace and a key whose grant excludes views have no access to views, and an agent without the capability for views cannot write them", async () => {
      const { id } = await make({ workspaceId })
      const stranger = await pod.aPerson()
      for (const [method, at, body] of [
        ["GET", ""],
        ["PATCH", "", { name: "x" }],
        ["POST", "/arrange", { widgets: [] }],
        ["DELETE", ""]
      ] as const) {
        assert.strictEqual((await stranger.send(method, `${path}/${id}${at}`, body)).status, 404, `${method} ${at}`)
      }
      assert.strictEqual((await stranger.send("POST", path, { workspaceId, name: "x", type: "list" })).status, 403)
      assert.strictEqual((await stranger.send("GET", `${path}?workspaceId=${workspaceId}`)).status, 403)
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["track.read"] } })
      assert.deepStrictEqual((await narrow.send("GET", path)).body, [])
      const reader = await pod.aKey(pod.owner, { grant: { permissions: ["view.read"], workspaceIds: [workspaceId] } })
      assert.include(idsOf((await reader.send("GET", path)).body), id)
      assert.strictEqual((await reader.send("GET", `${path}/${id}`)).body.code, "GRANT_DOOR_UNSUPPORTED")
      assert.strictEqual((await reader.send("POST", `${path}/${id}/arrange`, { widgets: [] })).status, 403)
      const named = await pod.owner.send("POST", path, { name: "x", type: "list", userId: stranger.id })
      assert.strictEqual(named.status, 403)
      const idle = await pod.owner.mutate("agents.create", { name: "Reader" })
      const incapable = await pod.aKey(pod.owner, { agentId: idle.body.result.data.id })
      assert.strictEqual((await incapable.send("POST", path, { name: "x", type: "list" })).status, 403)
    })

    it("a view with an invalid type, name or configuration is refused", async () => {
      for (const fields of [{ type: "pie" }, { name: "" }, { config: [] }]) {
        const { status } = await pod.owner.send("POST", path, { name: "Board", type: "list", ...fields })
        assert.strictEqual(status, 400, JSON.stringify(fields))
      }
    })

    it("when a person arranges a view, the new widgets replace all earlier widgets, and the rest of the view's configuration does not change", async () => {
      const { id, metadata } = await make({ config: { columns: 3, widgets: [{ kind: "old" }] } })
      assert.deepStrictEqual(metadata, {})
      const widgets = [{ kind: "list", width: 2 }, { kind: "note" }]
      const arranged = await pod.owner.send("POST", `${path}/${id}/arrange`, { widgets })
      assert.deepInclude(arranged.body, { config: { columns: 3, widgets }, version: 2 })
      const stale = await pod.owner.send("POST", `${path}/${id}/arrange`, { widgets: [], expectedVersion: 1 })
      assert.strictEqual(stale.status, 409)
      const renamed = await pod.owner.send("PATCH", `${path}/${id}`, { name: "Wall" })
      assert.deepInclude(renamed.body, { name: "Wall", config: { columns: 3, widgets } })
      assert.strictEqual((await pod.owner.send("DELETE", `${path}/${id}`)).status, 200)
      assert.strictEqual((await pod.owner.send("GET", `${path}/${id}`)).status, 404)
    })

    it("REST, tRPC and MCP give the same listing of views, filtered by type and profile", async () => {
      const profiles = await pod.owner.send("GET", "/api/hub/profiles?limit=1")
      const profileId = profiles.body[0].id
      const { id } = await make({ type: "calendar", profileId })
      await make({ type: "calendar" })
      const key = await pod.aKey(pod.owner)
      const filter = { type: "calendar", profileId }
      const { body } = await key.send("GET", `${path}?type=calendar&profileId=${profileId}`)
      const bridged = await key.query("views.listViews", filter)
      const { message } = await mcp(key, "tools/call", { name: "svc_list_views", arguments: filter })
      const listedByTool = (message.result as any).structuredContent.views
      assert.deepStrictEqual([idsOf(body), idsOf(bridged.body.result.data), idsOf(listedByTool)], [[id], [id], [id]])
    })

    it("when an agent arranges a view, the change waits for approval and then has the agent as its actor", async () => {
      const { id } = await make({ config: { columns: 2 } })
      const asked = await agent.send("POST", `${path}/${id}/arrange`, { widgets: [{ kind: "note" }] })
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      assert.strictEqual(
        (await pod.owner.send("POST", `/api/hub/proposals/${asked.body.proposalId}/approve`, {})).status,
        200
      )
      const { body } = await pod.owner.send("GET", `${path}/${id}`)
      assert.deepStrictEqual(body.config, { columns: 2, widgets: [{ kind: "note" }] })
      const events = await pod.owner.query("events.list", { type: "view.update", limit: 100 })
      const event = events.body.result.data.find((each: any) => each.subjectId === id)
      assert.strictEqual(event.actorId, agentId)
    })
  })
}
