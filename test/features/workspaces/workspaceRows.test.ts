/**
 * A listed workspace has fields for older clients. From these fields a client learns whether the caller is a member of
 * the workspace or only a reader of an open workspace.
 */
import { assert, it } from "@effect/vitest"
import { describe } from "vitest"
import { aPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

describe.each(storages)("the list of workspaces %s", (_, storage) => {
  it("the list of workspaces says for each workspace that the caller is a member and that only members can read it", async () => {
    const pod = await aPod(storage)
    const id = await pod.aWorkspace(pod.owner)
    const expected = { id, role: "owner", accessKind: "member", workspaceVisibility: "members" }
    const listed = await pod.owner.send("GET", "/api/hub/workspaces")
    assert.deepInclude(listed.body.workspaces[0], expected)
    assert.deepInclude((await pod.owner.query("workspaces.list")).body.result.data[0], expected)
    assert.deepInclude((await pod.owner.send("GET", `/api/hub/workspaces/${id}`)).body, expected)
    const other = await pod.aPerson()
    assert.deepStrictEqual((await other.send("GET", "/api/hub/workspaces")).body.workspaces, [])
    await pod.stop()
  })

  it("a workspace has every field that older clients read, and those that this pod does not use are null or empty", async () => {
    const pod = await aPod(storage)
    const id = await pod.aWorkspace(pod.owner)
    const expected = {
      workspaceSubtype: null,
      onboarding: null,
      workspaceCapabilities: [],
      appId: null,
      packageSlug: null,
      packageVersion: null,
      installedPacks: [],
      systemSlug: null
    }
    const listed = await pod.owner.send("GET", "/api/hub/workspaces")
    assert.deepInclude(listed.body.workspaces[0], expected)
    assert.deepInclude((await pod.owner.query("workspaces.list")).body.result.data[0], expected)
    assert.deepInclude((await pod.owner.send("GET", `/api/hub/workspaces/${id}`)).body, expected)
    await pod.stop()
  })
})
