/** Tests which projects a workspace lists, and which entities and documents a project lists as its outputs. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const hub = "/api/hub"

for (const [where, storage] of storages) {
  describe(`a project and the workspaces that use it, ${where}`, () => {
    let pod: TestPod
    beforeAll(async () => void (pod = await aPod(storage)), 60_000)
    afterAll(() => pod?.stop())

    const make = async (path: string, body: object, caller: Caller = pod.owner): Promise<string> => {
      const { body: made, status } = await caller.send("POST", hub + path, body)
      assert.strictEqual(status, 200, JSON.stringify(made))
      return made.id
    }
    const usersOf = async (workspaceId: string, caller: Caller = pod.owner) => {
      const { body } = await caller.send("GET", `${hub}/workspaces`)
      return body.workspaces.find(({ id }: { readonly id: string }) => id === workspaceId).usedByProjectIds
    }
    const outputs = async (id: string, query = "", caller: Caller = pod.owner) => {
      const { body, headers } = await caller.send("GET", `${hub}/projects/${id}/outputs${query}`)
      return { found: body.outputs as ReadonlyArray<any>, next: headers.get("x-svc-next-cursor") }
    }

    it("the project list of a workspace contains the projects that belong to the workspace or have records there, but only those that the reader can access", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner, "Harbour")
      await pod.owner.send("GET", `${hub}/workspaces`)
      assert.deepStrictEqual(await usersOf(workspaceId), [])
      const inside = await make("/projects", { name: "Quay", workspaceId })
      const ofOwn = await make("/projects", { name: "Pier" })
      await make("/projects", { name: "Idle" })
      assert.deepStrictEqual(await usersOf(workspaceId), [inside])
      const entity = await make("/entities", { profileSlug: "note", title: "Berth", workspaceId })
      const filing = { sourceEntityId: entity, targetEntityId: ofOwn, type: "belongs_to_project", workspaceId }
      await make("/relations", filing)
      assert.deepStrictEqual(await usersOf(workspaceId), [inside, ofOwn].toSorted())
      const detail = (await pod.owner.send("GET", `${hub}/workspaces/${workspaceId}`)).body
      assert.deepStrictEqual([detail.entityCount, detail.usedByProjectIds], [1, [inside, ofOwn].toSorted()])
      await pod.owner.send("DELETE", `${hub}/entities/${entity}`)
      assert.deepStrictEqual(await usersOf(workspaceId), [inside])
    })

    it("the outputs of a project are its entities and their documents, listed in pages with the latest change first", async () => {
      const projectId = await make("/projects", { name: "Ferry" })
      const other = await make("/projects", { name: "Lock" })
      const made: Array<string> = []
      for (const at of [0, 1, 2]) {
        made.unshift(await make("/documents", { title: `Plan ${at}`, content: "x", projectId }))
        made.unshift(await make("/entities", { profileSlug: "note", title: `Note ${at}`, projectId }))
      }
      await make("/documents", { title: "Elsewhere", content: "x", projectId: other })
      const whole = await outputs(projectId)
      assert.deepStrictEqual(
        whole.found.map(({ id }) => id),
        made
      )
      assert.deepStrictEqual([whole.found[0].type, whole.found[1].type, whole.next], ["entity", "document", null])
      const paged: Array<string> = []
      for (let cursor: string | null = ""; cursor !== null;) {
        const page = await outputs(projectId, `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
        paged.push(...page.found.map(({ id }) => id))
        cursor = page.next
      }
      assert.deepStrictEqual(paged, made)
      assert.deepStrictEqual(
        (await outputs(projectId, "?limit=2&offset=3")).found.map(({ id }) => id),
        made.slice(3, 5)
      )
      const reader = await pod.aKey(pod.owner, { grant: { permissions: ["project.read", "document.read"] } })
      const seen = await outputs(projectId, "", reader)
      assert.deepStrictEqual(new Set(seen.found.map(({ type }) => type)), new Set(["document"]))
    })
  })
}
