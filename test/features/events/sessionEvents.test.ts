/**
 * Writes that belong to a focus session: their events contain the id of the session, and a person finds only their own
 * events by this id.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`events of a focus session ${where}`, () => {
    let pod: TestPod
    let workspaceId = ""
    let colleague: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      colleague = await aColleague(pod, storage, workspaceId, "editor", "editor")
    })
    afterAll(() => pod?.stop())

    const write = async (
      method: string,
      path: string,
      body: object,
      { caller = pod.owner, session }: { readonly caller?: Caller; readonly session?: string } = {}
    ) => {
      const headers = session === undefined ? {} : { "x-session-id": session }
      const answer = await caller.send(method, `/api/hub/${path}`, body, headers)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    /**
     * Returns the types of the events of the session, oldest first. REST and the procedure must list the same events.
     */
    const typesOf = async (sessionId: string, caller: Caller = pod.owner) => {
      const { body, status } = await caller.send("GET", `/api/hub/events?sessionId=${sessionId}&limit=200`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      const listed = (await caller.query("events.list", { sessionId, limit: 100 })).body.result.data
      assert.deepStrictEqual(listed, body)
      for (const event of body) assert.strictEqual(event.sessionId, sessionId)
      return body.map(({ type }: { type: string }) => type).toReversed()
    }

    it("a focus session id that is not a UUID is refused in the header, in the body and in the filter of a request", async () => {
      const { status } = await pod.owner.send("POST", "/api/hub/entities", { title: "x" }, { "x-session-id": "today" })
      assert.strictEqual(status, 400)
      assert.strictEqual((await pod.owner.send("POST", "/api/hub/documents", { title: "x", sessionId: 7 })).status, 400)
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/events?sessionId=today")).status, 400)
    })

    it("the events of a write contain the focus session id from the body or else from the header of the request, and no id if the request has none", async () => {
      const [one, other] = [uuidv7(), uuidv7()]
      const { id } = await write("POST", "entities", { title: "Noted", profileSlug: "note" }, { session: one })
      await write("PATCH", `entities/${id}`, { title: "Changed", sessionId: other }, { session: one })
      await write("PATCH", `entities/${id}`, { title: "Changed again" })
      await write("POST", "documents", { title: "Page", content: "text", sessionId: one })
      await write("POST", "tracks", { name: "Track" }, { session: one.toUpperCase() })
      assert.deepStrictEqual(await typesOf(one), ["entity.note.create", "document.create", "track.create"])
      assert.deepStrictEqual(await typesOf(other), ["entity.note.update"])
      const { body } = await pod.owner.send("GET", `/api/hub/events?subjectId=${id}`)
      assert.deepStrictEqual(
        body.map(({ sessionId }: { sessionId?: string }) => sessionId),
        [undefined, other, one]
      )
    })

    it("every event of a write with several parts contains the id of the focus session", async () => {
      const session = uuidv7()
      await write("POST", "entities", { title: "Whole", content: "A text.", workspaceId }, { session })
      assert.sameMembers(await typesOf(session), ["entity.note.create", "document.create"])
    })

    it("the events of a proposal and of its approved write contain the id of the focus session of the request that made the proposal", async () => {
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      const session = uuidv7()
      const { proposalId } = await write("POST", "entities", { title: "Asked" }, { caller: agent, session })
      assert.deepStrictEqual(await typesOf(session), ["proposal.create"])
      await write("POST", `proposals/${proposalId}/approve`, {})
      assert.include(await typesOf(session), "entity.note.create")
    })

    it("if two people write with the id of one focus session, each of them finds only their own events by this id", async () => {
      const session = await write("POST", "focus-sessions", { goal: "Ship it", workspaceId })
      await write("POST", "entities", { title: "Mine", workspaceId }, { session: session.id })
      assert.deepStrictEqual(await typesOf(session.id, colleague), [])
      await write("POST", "entities", { title: "Theirs", workspaceId }, { caller: colleague, session: session.id })
      assert.deepStrictEqual(await typesOf(session.id), ["entity.note.create"])
      assert.deepStrictEqual(await typesOf(session.id, colleague), ["entity.note.create"])
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
      assert.strictEqual((await narrow.send("GET", `/api/hub/events?sessionId=${session.id}`)).status, 403)
    })
  })
}
