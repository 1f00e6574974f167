/** Proposals end to end, over REST, on each storage: what an agent proposes, and what a person does with it. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Answer, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const ok = ({ body, status }: Answer) => {
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}
const refused = ({ body, status }: Answer, expected: number, code?: string) => {
  assert.strictEqual(status, expected, JSON.stringify(body))
  if (code !== undefined) assert.strictEqual(body.code, code)
  return body
}

for (const [where, storage] of storages) {
  describe(`a proposal ${where}`, () => {
    let pod: TestPod
    let owner: Caller
    let agent: Caller & { readonly id: string }
    let agentId: string
    beforeAll(async () => {
      pod = await aPod(storage)
      owner = pod.owner
      agentId = ok(await owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })).result.data.id
      agent = await pod.aKey(owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const anEntity = async (fields: object = {}) =>
      ok(
        await owner.send("POST", "/api/hub/entities", {
          title: "Plan",
          description: "As it was",
          properties: { due: "Monday", place: "Here" },
          ...fields
        })
      )
    const change = async (id: string, fields: object, by: Caller = agent) => {
      const body = ok(await by.send("PATCH", `/api/hub/entities/${id}`, { reasoning: "It helps.", ...fields }))
      assert.strictEqual(body.status, "proposed", JSON.stringify(body))
      return body.proposalId as string
    }
    const seen = async (id: string) => ok(await owner.send("GET", `/api/hub/proposals/${id}`))
    const decide = (id: string, verb: string, body: object = {}, by: Caller = owner) =>
      by.send("POST", `/api/hub/proposals/${id}/${verb}`, body)
    const entity = async (id: string) => ok(await owner.send("GET", `/api/hub/entities/${id}`))

    describe("refused decisions about a proposal, and refused edits of a proposal", () => {
      it("an agent can approve or revert a proposal neither through REST nor through tRPC", async () => {
        const { id } = await anEntity()
        const proposed = await change(id, { title: "Better" })
        refused(await decide(proposed, "approve", {}, agent), 403, "PEOPLE_ONLY")
        refused(await agent.mutate("proposals.approve", { proposalId: proposed }), 403)
        ok(await decide(proposed, "approve"))
        refused(await decide(proposed, "revert", {}, agent), 403, "PEOPLE_ONLY")
        assert.strictEqual((await entity(id)).title, "Better")
      })

      it("every request to read or decide another person's proposal gets 404, and listings do not count such a proposal", async () => {
        const { id } = await anEntity()
        const proposed = await change(id, { title: "Better" })
        const stranger = await pod.aPerson()
        for (const verb of ["approve", "reject", "revert"]) refused(await decide(proposed, verb, {}, stranger), 404)
        refused(await stranger.send("GET", `/api/hub/proposals/${proposed}`), 404)
        refused(await stranger.send("GET", `/api/hub/proposals/${proposed.slice(0, 12)}`), 404)
        assert.strictEqual(ok(await stranger.send("GET", "/api/hub/proposals?status=all")).total, 0)
      })

      it("the pod refuses an agent's write outside the grant of its key, and creates no proposal", async () => {
        const before = ok(await owner.send("GET", "/api/hub/proposals?status=all")).total
        const narrow = await pod.aKey(owner, { agentId, grant: { permissions: ["entity.task", "proposal"] } })
        const { id } = await anEntity()
        refused(await narrow.send("PATCH", `/api/hub/entities/${id}`, { title: "No" }), 404)
        const writer = await pod.aKey(owner, { agentId, grant: { permissions: ["entity.read", "entity.task"] } })
        refused(await writer.send("PATCH", `/api/hub/entities/${id}`, { title: "No" }), 403, "GRANT_DENIED")
        assert.strictEqual(ok(await owner.send("GET", "/api/hub/proposals?status=all")).total, before)
      })

      it("a proposal cannot be approved after the key that made it was revoked, but can be approved after this key was rotated", async () => {
        const { id } = await anEntity()
        const dead = await pod.aKey(owner, { agentId })
        const proposed = await change(id, { title: "From a dead key" }, dead)
        ok(await owner.mutate("apiKeys.revoke", { keyId: dead.id }))
        refused(await decide(proposed, "approve"), 409, "AUTHORITY_GONE")
        const rotated = await pod.aKey(owner, { agentId })
        const other = await change(id, { title: "From a rotated key" }, rotated)
        ok(await owner.mutate("apiKeys.rotate", { keyId: rotated.id }))
        ok(await decide(other, "approve"))
        assert.strictEqual((await entity(id)).title, "From a rotated key")
      })

      it("a proposal cannot be approved after its agent lost the capability for the write", async () => {
        const { id } = await anEntity()
        const other = ok(await owner.mutate("agents.create", { name: "B", capabilities: ["entity"] })).result.data.id
        const proposed = await change(id, { title: "Too late" }, await pod.aKey(owner, { agentId: other }))
        ok(await owner.mutate("agents.update", { agentId: other, capabilities: ["entity.task"] }))
        refused(await decide(proposed, "approve"), 409, "AUTHORITY_GONE")
      })

      it("a proposal cannot be approved after its agent was removed from the workspace, and the proposal shows this before anybody tries to approve it", async () => {
        const workspaceId = await pod.aWorkspace(owner)
        ok(await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
        const { id } = await anEntity({ workspaceId })
        const proposed = await change(id, { title: "From a removed agent" })
        assert.deepStrictEqual((await seen(proposed)).asker, { mayStill: true, why: null })
        ok(await owner.send("DELETE", `/api/hub/workspaces/${workspaceId}/members/${agentId}`))
        assert.isFalse((await seen(proposed)).asker.mayStill)
        refused(await decide(proposed, "approve"), 409, "AUTHORITY_GONE")
        assert.strictEqual((await entity(id)).title, "Plan")
      })

      it("when an agent asks several times at the same moment to join a workspace, only one proposal is stored", async () => {
        const workspaceId = await pod.aWorkspace(owner)
        const body = { title: "Early", profileSlug: "note", workspaceId }
        const asked = await Promise.all(Array.from({ length: 8 }, () => agent.send("POST", "/api/hub/entities", body)))
        const ids = asked.map((answer) => ok(answer).proposalId)
        assert.lengthOf(new Set(ids), 1, ids.join(" "))
        const waiting = ok(await owner.send("GET", `/api/hub/proposals?status=pending&workspaceId=${workspaceId}`))
        assert.strictEqual(waiting.total, 1)
      })

      it("a person who approves a proposal that another caller edited must send the number or the content hash of its latest revision", async () => {
        const { id } = await anEntity()
        const proposed = await change(id, { title: "First" })
        const { contentHash } = await seen(proposed)
        ok(await agent.send("PATCH", `/api/hub/proposals/${proposed}`, { data: { title: "Second" } }))
        refused(await decide(proposed, "approve"), 409, "CONTENT_CHANGED")
        refused(await decide(proposed, "approve", { contentHash }), 409, "CONTENT_CHANGED")
        refused(await decide(proposed, "approve", { expectedRevision: 1 }), 409, "CONTENT_CHANGED")
        ok(await decide(proposed, "approve", { expectedRevision: 2 }))
        assert.strictEqual((await entity(id)).title, "Second")
      })

      it("the pod refuses an edit of a proposal with unknown fields or invalid values", async () => {
        const { id } = await anEntity()
        const proposed = await change(id, { title: "First" })
        refused(await agent.send("PATCH", `/api/hub/proposals/${proposed}`, { data: { userId: agentId } }), 400)
        refused(await owner.send("PATCH", `/api/hub/proposals/${proposed}`, { data: { title: "" } }), 400)
      })
    })

    it("a proposal changes nothing until a person approves it, and then the pod makes the proposed write once, with the agent as the actor", async () => {
      const { id } = await anEntity()
      const proposed = await change(id, { title: "Better", properties: { due: "Friday" } })
      assert.strictEqual((await entity(id)).title, "Plan")
      const { contentHash, differences, reasoning } = await seen(proposed)
      assert.strictEqual(reasoning, "It helps.")
      assert.deepStrictEqual(
        differences.map(({ path }: { readonly path: ReadonlyArray<string> }) => path.join(".")),
        ["properties.due", "title"]
      )
      const approved = ok(await decide(proposed, "approve", { contentHash }))
      assert.strictEqual(approved.primaryId, id)
      const { title, properties } = await entity(id)
      assert.deepStrictEqual({ title, properties }, { title: "Better", properties: { due: "Friday", place: "Here" } })
      refused(await decide(proposed, "approve", { contentHash }), 409, "PROPOSAL_SETTLED")
      refused(await decide(proposed, "reject"), 409, "PROPOSAL_SETTLED")
      const events = ok(await owner.query("events.list", {})).result.data
      const written = events.find(({ subjectId }: { readonly subjectId: string }) => subjectId === id)
      assert.strictEqual(written.actorId, agentId)
      assert.strictEqual(written.userId, pod.ownerId)
      const approval = events.find(({ id: event }: { readonly id: string }) => event === written.causationId)
      assert.strictEqual(approval.type, "proposal.approve")
      assert.strictEqual(approval.data.contentHash, contentHash)
      assert.strictEqual(approval.actorId, pod.ownerId)
    })

    it("when a person approves a proposal, the pod merges changes of different fields, and reports a conflict for a field that both the proposal and a later write changed", async () => {
      const { id } = await anEntity()
      const proposed = await change(id, { description: "By the agent", properties: { due: "Friday" } })
      ok(
        await owner.send("PATCH", `/api/hub/entities/${id}`, { title: "By the person", properties: { place: "There" } })
      )
      ok(await decide(proposed, "approve"))
      const merged = await entity(id)
      assert.deepStrictEqual(
        [merged.title, merged.description, merged.properties],
        ["By the person", "By the agent", { due: "Friday", place: "There" }]
      )
      const contested = await change(id, { description: "Again by the agent" })
      ok(await owner.send("PATCH", `/api/hub/entities/${id}`, { description: "By the person" }))
      const { details } = refused(await decide(contested, "approve"), 409, "PROPOSAL_CONFLICT")
      assert.deepStrictEqual(details, [
        { path: ["description"], base: "By the agent", current: "By the person", proposed: "Again by the agent" }
      ])
      assert.strictEqual((await entity(id)).description, "By the person")
      assert.strictEqual((await seen(contested)).conflicts.length, 1)
      // The person edits the proposal to resolve the conflict.
      ok(await owner.send("PATCH", `/api/hub/proposals/${contested}`, { data: { description: "By both" } }))
      ok(await decide(contested, "approve"))
      assert.strictEqual((await entity(id)).description, "By both")
    })

    it("a request to approve or reject a proposal needs no body, because every field of the body is optional", async () => {
      const { id } = await anEntity()
      const [one, other] = [await change(id, { title: "First" }), await change(id, { description: "Second" })]
      ok(await owner.send("POST", `/api/hub/proposals/${one}/approve`))
      ok(await owner.send("POST", `/api/hub/proposals/${other}/reject`))
      refused(await owner.send("POST", "/api/hub/entities"), 400)
    })

    it("a listing of proposals reduces a limit above 200 to 200, refuses a limit that is not valid, and ignores the user id of an older client", async () => {
      const page = ok(await owner.send("GET", "/api/hub/proposals?limit=5000"))
      assert.strictEqual(page.limit, 200)
      for (const query of ["limit=0", "limit=1.5", "limit=many"]) {
        refused(await owner.send("GET", `/api/hub/proposals?${query}`), 400)
      }
      ok(await owner.send("GET", "/api/hub/proposals?userId=zz"))
    })

    it("the answer to a write that became a proposal also has the fields that clients expect for this type of record", async () => {
      const asked = ok(await agent.send("POST", "/api/hub/entities", { title: "Asked" }))
      assert.strictEqual(asked.proposedEntityId, asked.proposedId)
      assert.strictEqual(asked.reviewUrl, `http://localhost${asked.reviewPath}`)
      const workspaceId = await pod.aWorkspace(owner)
      ok(await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
      const artifact = { workspaceId, userId: pod.ownerId, kind: "document", title: "Minutes" }
      assert.isNull(ok(await agent.send("POST", "/api/hub/artifacts", artifact)).artifact)
    })

    it("an agent can read why a person rejected its proposal, and can withdraw its own pending proposal", async () => {
      const { id } = await anEntity()
      const proposed = await change(id, { title: "No" })
      ok(await decide(proposed, "reject", { reason: "Not this week.", reasonCode: "not_wanted" }))
      const rejected = ok(await agent.send("GET", `/api/hub/proposals/${proposed}`))
      assert.deepStrictEqual(
        [rejected.status, rejected.statusReason, rejected.reasonCode],
        ["rejected", "Not this week.", "not_wanted"]
      )
      const own = await change(id, { title: "Never mind" })
      ok(await decide(own, "reject", {}, agent))
      assert.strictEqual((await seen(own)).status, "withdrawn")
      refused(await decide(own, "approve"), 409, "PROPOSAL_SETTLED")
    })

    it("when a person reverts a proposal, the pod restores the previous values exactly, or reports which fields have changed since the approval", async () => {
      const { id } = await anEntity()
      const proposed = await change(id, { title: "Better", properties: { due: "Friday" } })
      ok(await decide(proposed, "approve"))
      ok(await owner.send("PATCH", `/api/hub/entities/${id}`, { title: "Best" }))
      const { details } = refused(await decide(proposed, "revert"), 409, "REVERT_CONFLICT")
      assert.deepStrictEqual(details[0].path, ["title"])
      ok(await owner.send("PATCH", `/api/hub/entities/${id}`, { title: "Better" }))
      assert.deepStrictEqual(ok(await decide(proposed, "revert")).reverted, { entityIds: [id] })
      const { title, properties } = await entity(id)
      assert.deepStrictEqual({ title, properties }, { title: "Plan", properties: { due: "Monday", place: "Here" } })
      refused(await decide(proposed, "revert"), 400)
    })

    it("a new record has the id that the agent received before the approval, and when a person reverts the approval, the pod deletes the record", async () => {
      const asked = ok(await agent.send("POST", "/api/hub/entities", { title: "New", profileSlug: "task" }))
      refused(await owner.send("GET", `/api/hub/entities/${asked.proposedId}`), 404)
      ok(await decide(asked.proposalId, "approve"))
      assert.strictEqual((await entity(asked.proposedId)).title, "New")
      ok(await decide(asked.proposalId, "revert"))
      refused(await owner.send("GET", `/api/hub/entities/${asked.proposedId}`), 404)
    })

    it("a proposal to delete a record deletes the record only after the approval, and when a person reverts the approval, the whole record is restored", async () => {
      const { id } = await anEntity()
      const asked = ok(await agent.send("DELETE", `/api/hub/entities/${id}`))
      assert.strictEqual(asked.status, "proposed")
      assert.strictEqual((await entity(id)).title, "Plan")
      ok(await decide(asked.proposalId, "approve"))
      refused(await owner.send("GET", `/api/hub/entities/${id}`), 404)
      ok(await decide(asked.proposalId, "revert"))
      assert.deepStrictEqual((await entity(id)).properties, { due: "Monday", place: "Here" })
    })

    it("a request of an agent to archive a knowledge entry becomes a proposal, but the pod applies the agent's other knowledge writes at once", async () => {
      const key = `deploy.${Math.random()}`
      assert.strictEqual(ok(await agent.send("POST", "/api/hub/knowledge", { key, value: 1 })).key, key)
      const asked = ok(await agent.send("DELETE", `/api/hub/knowledge/${key}`))
      assert.strictEqual(asked.status, "proposed", JSON.stringify(asked))
      assert.strictEqual(ok(await owner.send("GET", `/api/hub/knowledge/${key}`)).status, "active")
      ok(await decide(asked.proposalId, "approve"))
      assert.strictEqual(ok(await owner.send("GET", `/api/hub/knowledge/${key}`)).status, "archived")
      ok(await decide(asked.proposalId, "revert"))
      assert.strictEqual(ok(await owner.send("GET", `/api/hub/knowledge/${key}`)).status, "active")
    })

    it("the data of a proposal say which write was requested: where, of which record, by which request and from which message", async () => {
      const workspaceId = await pod.aWorkspace(owner)
      ok(await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
      const { id } = await anEntity({ workspaceId })
      const updated = await seen(await change(id, { title: "Better" }))
      assert.deepInclude(updated.data, {
        changeType: "update",
        targetType: "entity",
        targetId: id,
        workspaceId,
        requestId: updated.correlationId,
        correlationId: updated.correlationId,
        sourceId: null,
        source: "agent",
        reasoning: "It helps.",
        data: { title: "Better" }
      })
      const draft = { title: "Heard", sourceMessageId: "message-1" }
      const created = await seen(ok(await agent.send("POST", "/api/hub/entities", draft)).proposalId)
      assert.deepInclude(created.data, { changeType: "create", workspaceId: null, sourceId: "message-1" })
    })

    it("the proposal of a document names the expected output of the focus session for which the agent wrote it, and the approved document has no such field", async () => {
      const draft = { title: "Report", content: "Text", expectedLabel: "Weekly report" }
      const asked = ok(await agent.send("POST", "/api/hub/documents", draft))
      assert.include((await seen(asked.proposalId)).data.data, { expectedLabel: "Weekly report" })
      const { primaryId } = ok(await decide(asked.proposalId, "approve"))
      const written = ok(await owner.send("GET", `/api/hub/documents/${primaryId}`))
      assert.include(written, { title: "Report", content: "Text" })
      assert.notProperty(written, "expectedLabel")
      assert.strictEqual((await owner.send("POST", "/api/hub/documents", draft)).status, 200)
    })

    it("a proposal shows the id of the message that led to the proposed record", async () => {
      const workspaceId = await pod.aWorkspace(owner, "Sources")
      ok(await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
      const source = { sourceMessageId: "message-1", workspaceId }
      const ends = [await anEntity({ workspaceId }), await anEntity({ workspaceId, title: "Dock" })].map(({ id }) => id)
      const paths = {
        entities: { title: "From a message", ...source },
        documents: { title: "From a message", content: "Text", ...source },
        relations: { sourceEntityId: ends[0], targetEntityId: ends[1], type: "supports", ...source }
      }
      for (const [path, body] of Object.entries(paths)) {
        const asked = await agent.send("POST", `/api/hub/${path}`, body)
        assert.strictEqual(asked.body.status, "proposed", `${path}: ${JSON.stringify(asked.body)}`)
        assert.strictEqual((await seen(asked.body.proposalId)).sourceMessageId, "message-1", path)
        ok(await decide(asked.body.proposalId, "approve"))
      }
    })

    it("each proposal, even in a list without contents, shows a number from 0 to 1 for how sure the agent is, or null if the content has no such number", async () => {
      const asked = async (fields: object): Promise<string> =>
        ok(await agent.send("POST", "/api/hub/entities", { title: "Sure", profileSlug: "note", ...fields })).proposalId
      const expected = new Map([
        [await asked({}), null],
        [await asked({ properties: { confidence: "high" } }), null],
        [await asked({ properties: { confidence: 40 } }), null],
        [await asked({ properties: { confidence: 0.4 } }), 0.4],
        [await asked({ properties: { confidence: 0 } }), 0]
      ])
      const ids = [...expected.keys()].join(",")
      const { proposals } = ok(await owner.send("GET", `/api/hub/proposals?view=basic&ids=${ids}`))
      assert.lengthOf(proposals, expected.size)
      for (const { confidence, data, id } of proposals) {
        assert.deepStrictEqual([confidence, data], [expected.get(id), undefined])
        assert.strictEqual((await seen(id)).confidence, expected.get(id))
        ok(await decide(id, "reject"))
      }
    })

    it("a proposal can be found by the beginning of its id if no other proposal of the caller has the same beginning", async () => {
      const { id } = await anEntity()
      const proposed = await change(id, { title: "Found" })
      assert.strictEqual(ok(await owner.send("GET", `/api/hub/proposals/${proposed.slice(0, 34)}`)).id, proposed)
      refused(await owner.send("GET", `/api/hub/proposals/${proposed.slice(0, 4)}`), 400)
      refused(await owner.send("GET", "/api/hub/proposals/zzzz"), 400)
    })

    it("a key with a narrow grant reads a proposal only if the grant covers the record that the proposal is about", async () => {
      const note = await anEntity()
      const task = await anEntity({ profileSlug: "task", title: "T" })
      const onNote = await change(note.id, { title: "Note" })
      const onTask = await change(task.id, { title: "Task" })
      const narrow = await pod.aKey(owner, { grant: { permissions: ["proposal.read", "entity.task.read"] } })
      const listed = ok(await narrow.send("GET", "/api/hub/proposals?limit=200")).proposals.map(
        ({ id }: { readonly id: string }) => id
      )
      assert.include(listed, onTask)
      assert.notInclude(listed, onNote)
      refused(await narrow.send("GET", `/api/hub/proposals/${onNote}`), 404)
      const blind = await pod.aKey(owner, { grant: { permissions: ["entity.read"] } })
      assert.strictEqual(ok(await blind.send("GET", "/api/hub/proposals?status=all")).total, 0)
    })

    it("a page of the proposal listing contains a limited number of proposals, the total number of proposals and a cursor for the next page", async () => {
      const { total } = ok(await owner.send("GET", "/api/hub/proposals?status=all&limit=1&view=basic"))
      assert.isAbove(total, 3)
      const ids = new Set<string>()
      let cursor: string | undefined
      do {
        const path = `/api/hub/proposals?status=all&limit=3${cursor === undefined ? "" : `&cursor=${cursor}`}`
        const page = await owner.send("GET", path)
        for (const { id } of ok(page).proposals) ids.add(id)
        cursor = page.headers.get("x-svc-next-cursor") ?? undefined
        assert.strictEqual(page.body.hasMore, cursor !== undefined)
      } while (cursor !== undefined)
      assert.strictEqual(ids.size, total)
    })
  })
}
