/**
 * Searches in a project, on each storage: after each change of the project, a search finds exactly the current
 * entities.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type TestPod } from "../../support/pod.ts"
import { onEachStorage } from "../../support/storages.ts"

onEachStorage("searches in a project", (storage) => {
  let pod: TestPod
  beforeAll(async () => void (pod = await aPod(storage)), 60_000)
  afterAll(() => pod?.stop())

  const ok = async (method: string, path: string, body?: object) => {
    const answer = await pod.owner.send(method, `/api/hub/${path}`, body)
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const aNote = (title: string, more: object = {}) =>
    ok("POST", "entities", { profileSlug: "note", title: `harbour ${title}`, forceCreate: true, ...more })
  const titles = async (projectId: string, query = "harbour"): Promise<ReadonlyArray<string>> => {
    const { answers } = await ok("POST", "knowledge/search", { query, projectId, limit: 50 })
    return answers.flatMap(({ items }: { readonly items: ReadonlyArray<any> }) => items.map(({ title }) => title))
  }

  it("after each change of the entities in a project, a search in this project finds exactly the current entities of the project", async () => {
    const { id: projectId } = await ok("POST", "projects", { name: "Harbour" })
    const first = await aNote("first", { projectId })
    const other = await aNote("other")
    const listed = async (...expected: ReadonlyArray<string>) =>
      assert.sameMembers(
        [...(await titles(projectId))],
        expected.map((title) => `harbour ${title}`)
      )
    await listed("first")
    await ok("POST", `projects/${projectId}/entities`, { entityIds: [other.id] })
    await listed("first", "other")
    await aNote("second", { projectId })
    await aNote("outside")
    await listed("first", "other", "second")
    await ok("DELETE", `projects/${projectId}/entities/${other.id}`)
    await listed("first", "second")
    await pod.owner.mutate("events.log", { type: "relation.noted", data: { sourceEntityId: "no id" } })
    await pod.owner.mutate("events.log", { type: "relation.noted", subjectId: other.id, data: {} })
    await listed("first", "second")
    await ok("PATCH", `entities/${first.id}`, { title: "harbour renamed" })
    await ok("DELETE", `entities/${(await aNote("gone", { projectId })).id}`)
    await listed("renamed", "second")
    // A document of an entity belongs to the projects of the entity. A search finds the document as a part of the
    // entity.
    await ok("POST", "documents", { title: "Plan", content: "The quayside is new.", entityId: other.id })
    assert.deepStrictEqual(await titles(projectId, "quayside"), [])
    await ok("POST", `projects/${projectId}/entities`, { entityIds: [other.id] })
    assert.deepStrictEqual(await titles(projectId, "quayside"), ["harbour other"])
    await ok("DELETE", `projects/${projectId}/entities/${other.id}`)
    assert.deepStrictEqual(await titles(projectId, "quayside"), [])
  })
})
