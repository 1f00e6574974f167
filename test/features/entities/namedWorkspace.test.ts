/**
 * A request to change an entity can name a workspace. The pod then applies the change only if the entity is in this
 * workspace.
 */
import { assert, it } from "@effect/vitest"
import { changeEntity, createEntity, expectRefusal, expectStatus, getEntity, onEachPod } from "./entityScene.ts"

const nowhere = "0190a0a0-0000-7000-8000-00000000dead"

onEachPod("a change of an entity that names a workspace", (scene) => {
  it("if a change of an entity names another space of the caller, the pod gives the same answer as for a missing entity", async () => {
    const { agent, other, owner, pod, workspaceId } = scene()
    const elsewhere = await pod.aWorkspace(owner, "Elsewhere")
    const shared = await expectStatus(200, createEntity(owner, { title: "Shared", workspaceId }))
    const personal = await expectStatus(200, createEntity(owner, { title: "Personal" }))
    const missing = await changeEntity(owner, nowhere, { title: "x", workspaceId })
    const bound = await pod.aKey(owner, { workspaceId: elsewhere })
    for (const [caller, named] of [
      [owner, nowhere],
      [other, workspaceId],
      [bound, workspaceId],
      [bound, null]
    ] as const) {
      for (const id of [shared.id, personal.id, nowhere]) {
        await expectRefusal("WORKSPACE_FORBIDDEN", changeEntity(caller, id, { title: "x", workspaceId: named }))
      }
    }
    for (const [id, named] of [
      [shared.id, elsewhere],
      [shared.id, null],
      [personal.id, workspaceId]
    ] as const) {
      for (const caller of [owner, agent]) {
        const refused = await changeEntity(caller, id, { title: "Moved", workspaceId: named })
        assert.deepStrictEqual([refused.status, refused.body.error], [404, missing.body.error])
      }
    }
    await expectStatus(400, changeEntity(owner, shared.id, { title: "x", workspaceId: "here" }))
    for (const { id, title } of [shared, personal]) {
      assert.deepInclude(await expectStatus(200, getEntity(owner, id)), { title, version: 1 })
    }
    assert.strictEqual((await expectStatus(200, owner.send("GET", "/api/hub/proposals?status=all"))).total, 0)
  })

  it("if a change of an entity contains the id of the workspace of this entity, the pod applies the change, and the workspace id `null` means the personal space", async () => {
    const { owner, workspaceId } = scene()
    const shared = await expectStatus(200, createEntity(owner, { title: "Shared", workspaceId }))
    const personal = await expectStatus(200, createEntity(owner, { title: "Personal" }))
    const changed = await expectStatus(200, changeEntity(owner, shared.id, { title: "New", workspaceId }))
    assert.deepInclude(changed, { title: "New", workspaceId, version: 2 })
    const own = await expectStatus(200, changeEntity(owner, personal.id, { title: "New", workspaceId: null }))
    assert.deepInclude(own, { title: "New", workspaceId: null, version: 2 })
  })
})
