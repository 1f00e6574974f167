/**
 * `POST /entities/recall` finds entities of all kinds or of one kind by a question. Only a caller who may search
 * everything can use it.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/entities/recall"

for (const [where, storage] of storages) {
  describe(`entities that a question recalls ${where}`, () => {
    let pod: TestPod
    let workspaceId = ""
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      for (const [profileSlug, title, space] of [
        ["note", "Rusty crane on the quay", null],
        ["task", "Paint the rusty crane", null],
        ["note", "Rusty crane of the neighbours", workspaceId]
      ]) {
        await pod.owner.send("POST", "/api/hub/entities", { profileSlug, title, workspaceId: space })
      }
    })
    afterAll(() => pod?.stop())

    const recalled = async (body: object, caller: Caller = pod.owner) => {
      const answer = await caller.send("POST", path, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      assert.hasAllKeys(answer.body, ["entities", "source"])
      assert.strictEqual(answer.body.source, "hybrid")
      return answer.body.entities.map(({ title }: { title: string }) => title).sort()
    }

    it("a request to recall entities is refused if it has no credential, no question, or an invalid limit, kind or workspace", async () => {
      assert.strictEqual((await pod.stranger.send("POST", path, { query: "crane" })).status, 401)
      for (const body of [
        {},
        { query: "" },
        { query: "crane", limit: 0 },
        { query: "crane", limit: 101 },
        { query: "crane", profileSlug: "Note" },
        { query: "crane", profileSlugs: ["note"] },
        { query: "crane", workspaceId: "here" }
      ]) {
        assert.strictEqual((await pod.owner.send("POST", path, body)).status, 400, JSON.stringify(body))
      }
    })

    it("a key with a narrow grant or without the read scope cannot recall entities, and a key for one workspace cannot recall entities of another workspace", async () => {
      for (const order of [
        { grant: { permissions: ["entity.note.read"] } },
        { grant: { permissions: ["entity.read"] } },
        { grant: { permissions: ["*"], workspaceIds: [workspaceId], entityIds: [workspaceId] } }
      ]) {
        const key = await pod.aKey(pod.owner, order)
        const { body, status } = await key.send("POST", path, { query: "crane" })
        assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
      }
      const bound = await pod.aKey(pod.owner, { workspaceId })
      const other = await pod.aWorkspace(pod.owner, "Other")
      assert.strictEqual((await bound.send("POST", path, { query: "crane", workspaceId: other })).status, 403)
      const writer = await pod.aKey(pod.owner, { scope: ["hub-protocol.write"] })
      assert.strictEqual((await writer.send("POST", path, { query: "crane" })).status, 403)
    })

    it("a request to recall entities never returns an entity of another person, whatever workspace or kind of entity it contains", async () => {
      const other = await pod.aPerson()
      for (const more of [{}, { workspaceId }, { profileSlug: "note" }, { workspaceId, profileSlug: "task" }]) {
        assert.deepStrictEqual(await recalled({ query: "rusty crane", ...more }, other), [])
      }
    })

    it("a request to recall entities gets whole entities, and can limit their kind, their workspace and their number", async () => {
      const { body } = await pod.owner.send("POST", path, { query: "rusty crane", limit: 100 })
      const [first] = body.entities
      const { body: read } = await pod.owner.send("GET", `/api/hub/entities/${first.id}`)
      assert.deepStrictEqual(first, read)
      assert.lengthOf(body.entities, 3)
      assert.deepStrictEqual(await recalled({ query: "rusty crane", profileSlug: "task" }), ["Paint the rusty crane"])
      assert.deepStrictEqual(await recalled({ query: "rusty crane", workspaceId }), ["Rusty crane of the neighbours"])
      assert.lengthOf(await recalled({ query: "rusty crane", limit: 1 }), 1)
    })

    it("a filter in the question of a request to recall entities never adds entities of another kind than the requested kind", async () => {
      for (const query of ["rusty crane type:task", 'rusty crane "', 'type:"task" crane -', "kind:task crane"]) {
        for (const title of await recalled({ query, profileSlug: "note" })) assert.notMatch(title, /Paint/, query)
      }
      assert.deepStrictEqual(await recalled({ query: "crane", profileSlug: "no-such-kind" }), [])
    })
  })
}
