/** A list or a search in a project that does not exist, or that the caller cannot read, finds nothing. */
import { assert, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aPod } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { anEntity, assertOk, createRecord } from "./attackScene.ts"

describe("attack: a caller searches in a project that does not exist", () => {
  it("a search in a project that does not exist finds no entity, and a search in two projects finds the entities of both projects", async () => {
    const pod = await aPod({ kind: "memory" })
    try {
      const { owner } = pod
      const [one, other] = [
        await createRecord(owner, "projects", { name: "Harbour" }),
        await createRecord(owner, "projects", { name: "Quay" })
      ]
      await anEntity(owner, { title: "Filed here", profileSlug: "task", projectId: one.id })
      await anEntity(owner, { title: "Filed there", profileSlug: "task", projectId: other.id })
      await anEntity(owner, { title: "Filed nowhere", profileSlug: "task" })
      const listed = async (query: string) => {
        const body = assertOk(await owner.send("POST", "/api/hub/knowledge/search", { query }))
        const block = body.answers.find(({ substrate }: { substrate: string }) => substrate === "structured")
        return block.items.map(({ title }: { title: string }) => title).toSorted()
      }
      assert.deepStrictEqual(await listed("show all tasks project:Nowhere"), [])
      assert.deepStrictEqual(await listed("show all tasks project:Harbour"), ["Filed here"])
      assert.deepStrictEqual(await listed("show all tasks project:Harbour project:Quay"), ["Filed here", "Filed there"])
      assert.lengthOf(await listed("show all tasks"), 3)
    } finally {
      await pod.stop()
    }
  })
})

for (const [where, storage] of storages) {
  describe(`attack: a key asks which records are in a project that it cannot read, ${where}`, () => {
    it("a key that cannot read a project finds no entity in it by a list or a search, and a search for the project finds the same as for a missing project", async () => {
      const pod = await aPod(storage)
      try {
        const { owner } = pod
        const project = await createRecord(owner, "projects", { name: "Harbour" })
        const other = await createRecord(owner, "projects", { name: "Quay" })
        const filed = await anEntity(owner, { title: "Filed boat", profileSlug: "note", projectId: project.id })
        assertOk(await owner.send("POST", `/api/hub/projects/${other.id}/entities`, { entityIds: [filed.id] }))
        await anEntity(owner, { title: "Free boat", profileSlug: "note" })
        const searching = ["entity.read", "facet.read", "document.read", "memory.read", "proposal.read"]
        const search = async (grant: object, projectId: string, words: string) => {
          const key = await pod.aKey(owner, { grant })
          const answer = await key.send("POST", "/api/hub/knowledge/search", { query: `boat ${words}`, projectId })
          return assertOk(answer).answers.flatMap(({ items }: { items: ReadonlyArray<{ title: string }> }) =>
            items.map(({ title }) => title)
          )
        }
        const listed = async (grant: object, projectId: string) => {
          const key = await pod.aKey(owner, { grant })
          const rest = assertOk(await key.send("GET", `/api/hub/entities?projectId=${projectId}`))
          const user = assertOk(await key.send("GET", `/api/hub/users/${pod.ownerId}/entities?projectId=${projectId}`))
          const bridge = assertOk(await key.query("entities.getEntities", { projectId })).result.data
          return [rest, user, bridge].map((list: ReadonlyArray<{ readonly id: string }>) => list.map(({ id }) => id))
        }
        const [none, one] = [
          [[], [], []],
          [[filed.id], [filed.id], [filed.id]]
        ]
        assert.deepStrictEqual(await listed({ permissions: ["entity.note.read"] }, project.id), none)
        assert.deepStrictEqual(await listed({ permissions: ["*"], entityIds: [filed.id] }, project.id), none)
        assert.deepStrictEqual(await listed({ permissions: ["*"], projectIds: [other.id] }, project.id), none)
        assert.deepStrictEqual(await listed({ permissions: ["*"], projectIds: [project.id] }, project.id), one)
        assert.deepStrictEqual(await listed({ permissions: ["entity.read", "project.read"] }, project.id), one)
        assert.deepStrictEqual(await search({ permissions: searching }, project.id, ""), [])
        assert.deepStrictEqual(await search({ permissions: [...searching, "project.read"] }, project.id, ""), [
          "Filed boat"
        ])
        for (const words of [`project:${project.id}`, `-project:${project.id}`]) {
          const missing = words.replace(project.id, uuidv7())
          const key = await pod.aKey(owner, { grant: { permissions: searching } })
          const [hidden, absent] = [words, missing].map((query) =>
            key.send("POST", "/api/hub/knowledge/search", { query: `boat ${query}` })
          )
          const items = async (answer: typeof hidden) => assertOk(await answer).answers.map(({ items }: any) => items)
          assert.deepStrictEqual(await items(hidden), await items(absent), words)
        }
      } finally {
        await pod.stop()
      }
    })
  })
}
