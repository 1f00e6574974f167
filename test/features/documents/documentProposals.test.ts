/** An agent's writes of documents wait for approval. The approved revisions name the agent as their actor. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague, setRole } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/documents"

for (const [where, storage] of storages) {
  describe(`documents and proposals ${where}`, () => {
    let pod: TestPod
    let agentId: string
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const make = async (content: string) => (await pod.owner.send("POST", path, { title: "Harbour", content })).body
    const approve = (proposalId: string) => pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
    const wetToDry = (documentId: string, more: object = {}) => ({
      documentId,
      proposalType: "ai_edit",
      originalContent: "The quay is wet.",
      changes: [{ op: "replace", range: { start: 12, end: 15 }, text: "dry" }],
      proposedContent: "The quay is dry.",
      ...more
    })

    it("an agent's document is created only after a person approves the document, and the actor of the first revision is the agent", async () => {
      const asked = await agent.send("POST", path, { title: "Plan", content: "# Plan" })
      assert.deepStrictEqual([asked.status, asked.body.status], [200, "proposed"], JSON.stringify(asked.body))
      const { proposalId, proposedId } = asked.body
      assert.strictEqual((await pod.owner.send("GET", `${path}/${proposedId}`)).status, 404)
      assert.strictEqual((await approve(proposalId)).status, 200)
      const { body: made } = await pod.owner.send("GET", `${path}/${proposedId}`)
      assert.deepInclude(made, { title: "Plan", content: "# Plan", revision: 1, userId: pod.ownerId })
      const { body: kept } = await pod.owner.send("GET", `${path}/${proposedId}/revisions`)
      assert.deepStrictEqual(
        kept.map((each: any) => [each.revision, each.actorId]),
        [[1, agentId]]
      )
      const reverted = await pod.owner.send("POST", `/api/hub/proposals/${proposalId}/revert`)
      assert.strictEqual(reverted.status, 200)
      assert.strictEqual((await pod.owner.send("GET", `${path}/${proposedId}`)).status, 404)
    })

    it("an agent's proposed edit of a document is merged with a person's edit of another field, and conflicts with a person's edit of the same field", async () => {
      const { id } = await make("base")
      const retitle = await agent.send("PATCH", `${path}/${id}`, { baseRevision: 1, title: "Retitled" })
      const rewrite = await agent.send("PATCH", `${path}/${id}`, { baseRevision: 1, content: "rewritten" })
      assert.deepStrictEqual([retitle.body.status, rewrite.body.status], ["proposed", "proposed"])
      assert.strictEqual(
        (await pod.owner.send("PATCH", `${path}/${id}`, { baseRevision: 1, content: "mine" })).status,
        200
      )
      assert.strictEqual((await approve(retitle.body.proposalId)).status, 200)
      const conflict = await approve(rewrite.body.proposalId)
      assert.deepStrictEqual([conflict.status, conflict.body.code], [409, "PROPOSAL_CONFLICT"])
      const { body } = await pod.owner.send("GET", `${path}/${id}`)
      assert.deepInclude(body, { title: "Retitled", content: "mine", revision: 3 })
    })

    it("a proposal for a document is refused if its changes do not lead to the proposed content, or if the document changed after the base revision", async () => {
      const { id } = await make("The quay is wet.")
      const send = (body: object) => agent.send("POST", `${path}/proposals`, body)
      const wrong = await send(wetToDry(id, { proposedContent: "The quay is gone." }))
      assert.strictEqual(wrong.status, 400)
      const past = await send(wetToDry(id, { changes: [{ op: "delete", range: { start: 0, end: 99 } }] }))
      assert.strictEqual(past.status, 400)
      assert.strictEqual((await send(wetToDry(id, { proposalType: "guess" }))).status, 400)
      assert.strictEqual((await send(wetToDry(pod.ownerId))).status, 404)
      await pod.owner.send("PATCH", `${path}/${id}`, { baseRevision: 1, content: "The quay is icy." })
      const stale = await send(wetToDry(id))
      assert.deepStrictEqual([stale.status, stale.body.code], [409, "VERSION_CONFLICT"])
    })

    it("an agent's proposal for the content of a document waits for approval, even if a governance rule lets the agent edit documents directly", async () => {
      const made = await pod.owner.mutate("agents.create", { name: "Trusted", capabilities: ["*"] })
      const agentUserId = made.body.result.data.id
      const rule = { agentUserId, scopeKind: "pod", targetKind: "action", targetPattern: "document.*", verdict: "auto" }
      const ruled = await pod.owner.mutate("governanceRules.create", rule)
      assert.strictEqual(ruled.status, 200, JSON.stringify(ruled.body))
      const trusted = await pod.aKey(pod.owner, { agentId: agentUserId })
      const { id } = await make("The quay is dry.")
      const direct = await trusted.send("PATCH", `${path}/${id}`, { baseRevision: 1, content: "The quay is wet." })
      assert.strictEqual(direct.body.revision, 2, JSON.stringify(direct.body))
      for (const proposalType of ["ai_edit", "user_suggestion", "review_comment"]) {
        const asked = await trusted.send("POST", `${path}/proposals`, wetToDry(id, { proposalType }))
        assert.deepStrictEqual([asked.status, asked.body.status], [200, "proposed"], proposalType)
      }
      const asked = await trusted.send("POST", `${path}/proposals`, wetToDry(id, { originalContent: undefined }))
      assert.strictEqual((await pod.owner.send("GET", `${path}/${id}`)).body.content, "The quay is wet.")
      assert.strictEqual((await approve(asked.body.proposalId)).status, 200)
      assert.strictEqual((await pod.owner.send("GET", `${path}/${id}`)).body.content, "The quay is dry.")
    })

    it("a person's suggestion for a document waits for approval by a person who may write there, and the author of the suggestion remains the actor of the change", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner, "Harbour office")
      const editor = await aColleague(pod, storage, workspaceId, "editor", "suggests")
      const viewer = await aColleague(pod, storage, workspaceId, "viewer", "looks")
      const draft = { title: "Harbour", content: "The quay is wet.", workspaceId }
      const { id } = (await pod.owner.send("POST", path, draft)).body
      const suggest = (caller: Caller, proposalType: string) =>
        caller.send("POST", `${path}/proposals`, wetToDry(id, { proposalType }))
      assert.strictEqual((await suggest(viewer, "user_suggestion")).status, 403)
      for (const caller of [editor, await pod.aKey(editor)]) {
        for (const proposalType of ["user_suggestion", "review_comment"]) {
          const asked = await suggest(caller, proposalType)
          assert.deepStrictEqual([asked.status, asked.body.status], [200, "proposed"], proposalType)
        }
      }
      const { body: waiting } = await pod.owner.send("GET", `/api/hub/proposals?workspaceId=${workspaceId}`)
      assert.strictEqual(waiting.total, 4)
      const [latest, other] = waiting.proposals
      assert.deepInclude(latest, { agentUserId: null, createdBy: editor.id })
      assert.strictEqual(latest.data.source, "user")
      assert.strictEqual((await pod.owner.send("GET", `${path}/${id}`)).body.revision, 1)
      assert.strictEqual((await viewer.send("POST", `/api/hub/proposals/${latest.id}/approve`, {})).status, 403)
      const withdrawn = await editor.send("POST", `/api/hub/proposals/${other.id}/reject`, {})
      assert.strictEqual(withdrawn.status, 200)
      assert.strictEqual((await editor.send("GET", `/api/hub/proposals/${other.id}`)).body.status, "withdrawn")
      assert.strictEqual((await approve(latest.id)).status, 200)
      const { body: written } = await pod.owner.send("GET", `${path}/${id}`)
      assert.deepInclude(written, { content: "The quay is dry.", revision: 2 })
      const { body: kept } = await pod.owner.send("GET", `${path}/${id}/revisions`)
      assert.deepStrictEqual(
        kept.map((each: any) => each.actorId),
        [editor.id, pod.ownerId]
      )
    })

    it("a suggestion for a document cannot be approved after the key that made it was revoked", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner, "Harbour guests")
      const guest = await aColleague(pod, storage, workspaceId, "editor", "guest")
      const key = await pod.aKey(guest)
      const { id } = (await pod.owner.send("POST", path, { title: "H", content: "The quay is wet.", workspaceId })).body
      const asked = await key.send("POST", `${path}/proposals`, wetToDry(id, { proposalType: "user_suggestion" }))
      const { body: keys } = await guest.query("apiKeys.list", {})
      await guest.mutate("apiKeys.revoke", { keyId: keys.result.data[0].id })
      const gone = await approve(asked.body.proposalId)
      assert.deepStrictEqual([gone.status, gone.body.code], [409, "AUTHORITY_GONE"])
    })

    it("a suggestion for a document cannot be approved after its author has become a viewer, and the refusal tells the person who decides about the author", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner, "Harbour viewers")
      const author = await aColleague(pod, storage, workspaceId, "editor", "demoted")
      const { id } = (await pod.owner.send("POST", path, { title: "H", content: "The quay is wet.", workspaceId })).body
      const asked = await author.send("POST", `${path}/proposals`, wetToDry(id, { proposalType: "user_suggestion" }))
      await setRole(pod, storage, author.id, workspaceId, "viewer")
      const why =
        "The account that created this proposal may no longer make this change: It is not a member of that workspace, or its membership role does not allow this write there."
      const { body, status } = await approve(asked.body.proposalId)
      assert.deepStrictEqual([status, body.code, body.error], [409, "AUTHORITY_GONE", why])
      const { body: waiting } = await pod.owner.send("GET", `/api/hub/proposals/${asked.body.proposalId}`)
      assert.deepStrictEqual(waiting.asker, { mayStill: false, why })
    })

    it("when a person edits a document by text changes, the pod applies the edit without approval", async () => {
      const { id } = await make("The quay is wet.")
      const stranger = await pod.aPerson()
      assert.strictEqual((await stranger.send("POST", `${path}/proposals`, wetToDry(id))).status, 404)
      const written = await pod.owner.send("POST", `${path}/proposals`, wetToDry(id))
      assert.deepInclude(written.body, { content: "The quay is dry.", revision: 2 })
    })
  })
}
