/** What agents write in documents: it waits for a person, and what is approved is the agent's, with its revisions. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { anEmbedded } from "../../support/pgliteImage.ts"
import { aPod, type Caller, type Storage, type TestPod } from "../../support/pod.ts"

const storages: ReadonlyArray<readonly [string, Storage]> = [
  ["in memory", { kind: "memory" }],
  ["on PGlite", { kind: "pglite", open: anEmbedded }]
]
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
    }, 60_000)
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

    it("an agent's document is there only once approved, then by the agent's hand from its first revision on", async () => {
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

    it("an agent's edit meets what a person wrote meanwhile: another field is kept, the same one is a conflict", async () => {
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

    it("changes that do not give the proposed content are refused, and so are changes of another content", async () => {
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

    it("what an agent proposes of a content waits for a person, whatever a rule lets the agent do", async () => {
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

    it("a person's own edit is written at once, and what they only suggest is never written by mistake", async () => {
      const { id } = await make("The quay is wet.")
      for (const proposalType of ["user_suggestion", "review_comment"]) {
        const refused = await pod.owner.send("POST", `${path}/proposals`, wetToDry(id, { proposalType }))
        assert.strictEqual(refused.status, 501, proposalType)
      }
      const stranger = await pod.aPerson()
      assert.strictEqual((await stranger.send("POST", `${path}/proposals`, wetToDry(id))).status, 404)
      const written = await pod.owner.send("POST", `${path}/proposals`, wetToDry(id))
      assert.deepInclude(written.body, { content: "The quay is dry.", revision: 2 })
    })
  })
}
