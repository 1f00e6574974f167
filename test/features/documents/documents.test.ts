/**
 * Documents end to end, on each storage: who reads them, which revisions are kept, and how concurrent edits are
 * merged.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/documents"

for (const [where, storage] of storages) {
  describe(`documents ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let elsewhere: string
    let agentId: string
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      elsewhere = await pod.aWorkspace(pod.owner, "Elsewhere")
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
    })
    afterAll(() => pod?.stop())

    const make = async (fields: Readonly<Record<string, unknown>> = {}) => {
      const { status, body } = await pod.owner.send("POST", path, { title: "Harbour", content: "wet", ...fields })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const edit = (id: string, fields: object, caller: Caller = pod.owner) =>
      caller.send("PATCH", `${path}/${id}`, fields)
    const idsOf = (listed: ReadonlyArray<{ readonly id: string }>) => listed.map(({ id }) => id)

    it("a person outside the workspace and a key whose grant excludes documents have no access to documents, and an agent without the capability for documents cannot write them", async () => {
      const { id } = await make({ workspaceId })
      const stranger = await pod.aPerson()
      const missing = await stranger.send("GET", `${path}/${pod.ownerId}`)
      assert.strictEqual(missing.status, 404)
      for (const [method, at, body] of [
        ["GET", ""],
        ["GET", "/raw"],
        ["GET", "/revisions"],
        ["GET", "/revisions/1"],
        ["PATCH", "", { baseRevision: 1, title: "x" }],
        ["POST", "/restore-revision", { revision: 1 }],
        ["DELETE", ""]
      ] as const) {
        const answer = await stranger.send(method, `${path}/${id}${at}`, body)
        assert.deepStrictEqual([answer.status, answer.body], [404, missing.body], `${method} ${at}`)
      }
      assert.strictEqual((await stranger.send("POST", path, { workspaceId, title: "x" })).status, 403)
      assert.strictEqual((await stranger.send("GET", `${path}?workspaceId=${workspaceId}`)).status, 403)
      assert.deepStrictEqual((await stranger.send("GET", path)).body, [])

      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["track.read"] } })
      assert.strictEqual((await narrow.send("GET", `${path}/${id}`)).status, 404)
      assert.strictEqual((await narrow.query("documents.getDocument", { documentId: id })).status, 404)
      const reader = await pod.aKey(pod.owner, {
        grant: { permissions: ["document.read"], workspaceIds: [workspaceId] }
      })
      assert.strictEqual((await reader.send("GET", `${path}/${id}`)).status, 200)
      assert.strictEqual((await reader.send("GET", `${path}/${id}/raw`)).status, 200)
      for (const at of ["", `/${id}/revisions`, `/${id}/revisions/1`]) {
        const { body, status } = await reader.send("GET", path + at)
        assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"], at)
      }
      assert.strictEqual((await edit(id, { baseRevision: 1, title: "x" }, reader)).status, 403)
      const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [elsewhere] } })
      assert.strictEqual((await bound.send("GET", `${path}/${id}`)).status, 404)
      assert.strictEqual((await bound.send("POST", path, { workspaceId, title: "x" })).status, 403)
      const viewer = await aColleague(pod, storage, workspaceId, "viewer", "viewer")
      assert.strictEqual((await viewer.send("GET", `${path}/${id}`)).status, 200)
      assert.strictEqual((await edit(id, { baseRevision: 1, title: "x" }, viewer)).status, 403)
      const idle = await pod.owner.mutate("agents.create", { name: "Reader" })
      const incapable = await pod.aKey(pod.owner, { agentId: idle.body.result.data.id })
      assert.strictEqual((await incapable.send("POST", path, { title: "x" })).status, 403)
    })

    it("a document cannot have a person or agent other than the caller as its actor", async () => {
      const stranger = await pod.aPerson()
      const draft = { title: "Named", content: "x" }
      const send = async (named: object) => (await pod.owner.send("POST", path, { ...draft, ...named })).status
      assert.strictEqual(await send({ userId: stranger.id }), 403)
      assert.strictEqual(await send({ agentUserId: stranger.id }), 403)
      assert.strictEqual(await send({ agentUserId: pod.ownerId }), 400)
      assert.strictEqual(await send({ agentUserId: agentId }), 403)
      assert.strictEqual(await send({ agentUserId: null, userId: pod.ownerId }), 200)
      const { id } = await make()
      assert.strictEqual((await edit(id, { baseRevision: 1, title: "x", userId: stranger.id })).status, 403)
    })

    it("the pod refuses a new document without a title, with an unknown type or with content that is too long, and refuses an edit without a base revision", async () => {
      const send = async (body: object) => (await pod.owner.send("POST", path, body)).status
      assert.strictEqual(await send({ content: "x" }), 400)
      assert.strictEqual(await send({ title: "x", type: "exe" }), 400)
      const huge = await pod.owner.send("POST", path, { title: "x", content: "x".repeat(1_000_001) })
      assert.strictEqual(huge.status, 400)
      assert.isBelow(JSON.stringify(huge.body).length, 1000)
      const { content, id } = await make({ content: "é".repeat(1_000_000) })
      assert.lengthOf(content, 1_000_000)
      assert.strictEqual((await edit(id, { title: "No base" })).status, 400)
      assert.strictEqual((await edit(id, { title: "A base to come", baseRevision: 9 })).status, 409)
    })

    it("every write of a document stores a revision with the id of its event, and restoring an old revision adds a new revision", async () => {
      const { id, revision } = await make({ title: "One", content: "first" })
      assert.strictEqual(revision, 1)
      assert.strictEqual((await edit(id, { baseRevision: 1, content: "second" })).body.revision, 2)
      assert.strictEqual((await edit(id, { baseRevision: 2, title: "Two" })).body.revision, 3)
      const { body: kept } = await pod.owner.send("GET", `${path}/${id}/revisions`)
      assert.deepStrictEqual(
        kept.map((each: any) => [each.documentId, each.revision, each.title, each.actorId, "content" in each]),
        [
          [id, 3, "Two", pod.ownerId, false],
          [id, 2, "One", pod.ownerId, false],
          [id, 1, "One", pod.ownerId, false]
        ]
      )
      const { body: first } = await pod.owner.send("GET", `${path}/${id}/revisions/1`)
      assert.deepStrictEqual([first.title, first.content, first.revision], ["One", "first", 1])
      const { body } = await pod.owner.query("events.get", { eventId: kept[1].eventId })
      assert.deepInclude(body.result.data, { type: "document.update", subjectId: id })
      assert.strictEqual((await pod.owner.send("GET", `${path}/${id}/revisions/4`)).status, 404)

      const restored = await pod.owner.send("POST", `${path}/${id}/restore-revision`, { revision: 1 })
      assert.deepInclude(restored.body, { revision: 4, title: "One", content: "first" })
      assert.lengthOf((await pod.owner.send("GET", `${path}/${id}/revisions`)).body, 4)
    })

    it("the pages of a document's revisions show each revision once", async () => {
      const { id } = await make()
      for (let at = 1; at < 6; at++) await edit(id, { baseRevision: at, content: `${at}` })
      const found: Array<number> = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`
        const { body, headers } = await pod.owner.send("GET", `${path}/${id}/revisions?limit=2${more}`)
        found.push(...body.map(({ revision }: { revision: number }) => revision))
        cursor = headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(found, [6, 5, 4, 3, 2, 1])
    })

    it("edits of different fields that start from one revision of a document are merged, and a second edit of the same field is a conflict", async () => {
      const { id } = await make({ title: "Base", content: "base" })
      assert.strictEqual((await edit(id, { baseRevision: 1, title: "Mine" })).status, 200)
      const merged = await edit(id, { baseRevision: 1, content: "theirs" })
      assert.deepInclude(merged.body, { title: "Mine", content: "theirs", revision: 3 })
      const stale = await edit(id, { baseRevision: 1, content: "other", entityId: pod.ownerId })
      assert.deepStrictEqual(
        [stale.status, stale.body.code, stale.body.details],
        [409, "VERSION_CONFLICT", { revision: 3, fields: ["content"] }]
      )
      const { body } = await pod.owner.send("GET", `${path}/${id}`)
      assert.deepInclude(body, { content: "theirs", entityId: null, revision: 3 })
      assert.strictEqual(
        (await edit(id, { baseRevision: 1, content: "theirs" })).status,
        200,
        "writing the same value is no conflict"
      )
    })

    it("when twenty callers edit one revision of a document at the same moment, each successful edit stores one revision, and the edits of both fields are merged", async () => {
      const { id } = await make({ title: "Base", content: "base" })
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          edit(id, { baseRevision: 1, ...(at % 2 === 0 ? { title: `t${at}` } : { content: `c${at}` }) })
        )
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]))
      const { body } = await pod.owner.send("GET", `${path}/${id}`)
      assert.strictEqual(body.revision, won.length + 1)
      assert.match(body.title, /^t/)
      assert.match(body.content, /^c/)
      const { body: kept } = await pod.owner.send("GET", `${path}/${id}/revisions`)
      assert.lengthOf(kept, body.revision)
    })

    it("the pod returns the raw content of a document unchanged, with a media type that a browser does not execute", async () => {
      const html = "<script>alert(1)</script>"
      const raw = async (type: string, content: string | null) => {
        const { id } = await make({ type, content })
        return pod.owner.send("GET", `${path}/${id}/raw`)
      }
      const page = await raw("html", html)
      assert.deepStrictEqual([page.status, page.body], [200, html])
      assert.strictEqual(page.headers.get("content-type"), "text/plain; charset=utf-8")
      assert.strictEqual(page.headers.get("x-content-type-options"), "nosniff")
      const markdown = await raw("markdown", "# Ünï")
      assert.deepStrictEqual(
        [markdown.body, markdown.headers.get("content-type")],
        ["# Ünï", "text/markdown; charset=utf-8"]
      )
      assert.strictEqual((await raw("text", null)).body, "")
      const absent = await pod.owner.send("GET", `${path}/${pod.ownerId}/raw`)
      assert.deepStrictEqual([absent.status, absent.headers.get("content-type")], [404, "application/json"])
    })

    it("a request for a deleted document or its revisions gets 404", async () => {
      const { id } = await make()
      assert.strictEqual((await pod.owner.send("DELETE", `${path}/${id}`)).status, 200)
      for (const at of ["", "/raw", "/revisions", "/revisions/1"]) {
        assert.strictEqual((await pod.owner.send("GET", `${path}/${id}${at}`)).status, 404, at)
      }
      assert.strictEqual((await edit(id, { baseRevision: 1, title: "x" })).status, 404)
    })

    it("a listing of documents leaves out the content of the documents and can be filtered, and the pages of the listing show each document once", async () => {
      const space = await pod.aWorkspace(pod.owner, "Pages")
      const entity = await pod.owner.send("POST", "/api/hub/entities", { workspaceId: space, title: "Harbour" })
      const made: Array<string> = []
      for (let at = 0; at < 5; at++) {
        const entityId = at % 2 === 0 ? entity.body.id : null
        made.push((await make({ workspaceId: space, title: `d${at}`, entityId })).id)
      }
      const found: Array<string> = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`
        const { body, headers } = await pod.owner.send("GET", `${path}?workspaceId=${space}&limit=2${more}`)
        for (const each of body) assert.notProperty(each, "content")
        found.push(...idsOf(body))
        cursor = headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(found, made.toReversed())
      const { body } = await pod.owner.send("GET", `${path}?workspaceId=${space}&entityId=${entity.body.id}`)
      assert.deepStrictEqual(idsOf(body).toSorted(), [made[0], made[2], made[4]].toSorted())
    })
  })
}
