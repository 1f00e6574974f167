/**
 * Search by keys with narrow grants, in a pod that allows this search. A key finds only records that its grant covers,
 * and gets no other information.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const search = async (caller: Caller, query: string, more: object = {}) => {
  const { body, status } = await caller.send("POST", "/api/hub/knowledge/search", { query, limit: 100, ...more })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}
const found = (result: any): ReadonlyArray<{ readonly id: string; readonly score: number; readonly title: string }> =>
  result.answers.flatMap(({ items }: any) => items)

for (const [where, storage] of storages) {
  describe(`search by keys with narrower grants ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    const ids: Record<string, string> = {}
    const make = async (name: string, entity: object) => {
      const { body, status } = await pod.owner.send("POST", "/api/hub/entities", {
        title: name,
        description: `the anchor of ${name} lies in the harbour`,
        ...entity
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      ids[name] = body.id
      return body
    }
    beforeAll(async () => {
      pod = await aPod(storage, { scopedRetrieval: "on" })
      workspaceId = await pod.aWorkspace(pod.owner, "Quay")
      await make("own note", { profileSlug: "note" })
      await make("own task", { profileSlug: "task" })
      await make("shared note", { profileSlug: "note", workspaceId })
      await make("shared task", { profileSlug: "task", workspaceId, content: "The document speaks of a capstan." })
      await pod.owner.send("POST", "/api/hub/knowledge", { key: "how-to-anchor", value: "Drop the anchor." })
      await pod.owner.send("POST", "/api/hub/memory", { fact: "The anchor is heavy." })
    })
    afterAll(() => pod.stop())

    const grants: ReadonlyArray<readonly [string, () => object, ReadonlyArray<string>]> = [
      ["only notes", () => ({ permissions: ["entity.note.read"] }), ["own note", "shared note"]],
      ["only tasks", () => ({ permissions: ["entity.task.read"] }), ["own task", "shared task"]],
      [
        "only one workspace",
        () => ({ permissions: ["entity.*.read"], workspaceIds: [workspaceId] }),
        ["shared note", "shared task"]
      ],
      ["only one record", () => ({ permissions: ["entity.*.read"], entityIds: [ids["own task"]] }), ["own task"]],
      ["no entity", () => ({ permissions: ["project.read"] }), []]
    ]
    for (const [name, grant, expected] of grants) {
      it(`a search with a key that reads ${name} finds exactly the records that the key may read`, async () => {
        const key = await pod.aKey(pod.owner, { grant: grant() })
        for (const query of [
          "anchor harbour",
          "how do I anchor",
          "what did we say about the anchor",
          "harbuor",
          "anchor -capstan"
        ]) {
          const result = await search(key, query, { compare: true })
          const titles = found(result).map(({ title }) => title)
          assert.sameMembers(titles, query === "harbuor" && expected.length === 0 ? [] : [...expected], query)
          assert.deepStrictEqual(result.degraded, [])
        }
        assert.deepStrictEqual(found(await search(key, "capstan")), [])
        assert.deepStrictEqual((await search(key, "capstna")).understanding.corrected, [])
      })
    }

    it("a search does not show which kinds of entity exist in a workspace, if the key can read no entity there, or only some records", async () => {
      const slug = "zeppelin"
      const made = await pod.owner.send("POST", "/api/hub/profiles", { workspaceId, slug, displayName: slug })
      assert.strictEqual(made.status, 200, JSON.stringify(made.body))
      const elsewhere = await pod.aWorkspace(pod.owner, "Hangar")
      const intentFor = async (caller: Caller, noun: string) =>
        (await search(caller, `which ${noun} are open?`, { parseOnly: true })).intent
      const unknown = await intentFor(pod.owner, "zorbalins")
      assert.notStrictEqual(await intentFor(pod.owner, "zeppelins"), unknown)
      const filed = await pod.owner.send("POST", "/api/hub/projects", { name: "Hull", workspaceId })
      for (const grant of [
        { permissions: ["*"], workspaceIds: [elsewhere] },
        { permissions: ["project.read"] },
        { permissions: ["entity.read"], entityIds: [ids["shared task"]] },
        { permissions: ["*"], projectIds: [filed.body.id] }
      ]) {
        const key = await pod.aKey(pod.owner, { grant })
        assert.strictEqual(await intentFor(key, "zeppelins"), unknown, JSON.stringify(grant))
      }
    })

    it("records that a key cannot read do not change the score of a record that the key can read", async () => {
      const lone = await pod.aPerson()
      const same = { title: "own task", profileSlug: "task", description: "the anchor of own task lies in the harbour" }
      await lone.send("POST", "/api/hub/entities", same)
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.*.read"], entityIds: [ids["own task"]] } })
      for (const query of ["anchor", "where does the anchor of the task lie in the harbour"]) {
        const [scoped, alone] = [await search(key, query), await search(lone, query)]
        assert.deepStrictEqual(
          found(scoped).map(({ score }) => score),
          found(alone).map(({ score }) => score)
        )
        assert.strictEqual(scoped.verdict, alone.verdict)
      }
    })

    it("if a question contains a kind of record that the grant of the key does not cover, the search treats this kind like an unknown kind", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
      assert.deepStrictEqual((await search(key, "list all tasks and notes")).understanding.profileTypes, ["note"])
    })

    it("a search with a key for one workspace is refused if the search asks for another workspace", async () => {
      const key = await pod.aKey(pod.owner, { workspaceId })
      const other = await pod.aWorkspace(pod.owner, "Elsewhere")
      const { status } = await key.send("POST", "/api/hub/knowledge/search", { query: "anchor", workspaceId: other })
      assert.strictEqual(status, 403)
    })

    it("the manifest of the pod says that a search reads only rows that the grant of the key covers", async () => {
      const { body } = await pod.stranger.send("GET", "/api/hub/manifest")
      assert.include(
        JSON.stringify(body),
        "returns the records that the grant covers (entity, facet, document, memory, proposal)"
      )
    })
  })
}
