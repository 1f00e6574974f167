/** The fields of a listed workspace with which older clients tell members from readers of an open workspace. */
import { assert, it } from "@effect/vitest"
import { describe } from "vitest"
import { aPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

describe.each(storages)("rows of workspaces %s", (_, storage) => {
  it("every listed workspace is one of the caller's memberships, and only members read it", async () => {
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
})
