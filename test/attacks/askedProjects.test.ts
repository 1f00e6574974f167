/** A search in a project that does not exist finds nothing. The pod does not search all entities instead. */
import { assert, describe, it } from "@effect/vitest"
import { aPod } from "../support/pod.ts"
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
