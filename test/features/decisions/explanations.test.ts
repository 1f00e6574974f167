/**
 * Explanations of decisions. The caller who made a request sees the decision, and the smallest grant that would have
 * been enough.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`explanations of the gate's decisions ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
    })
    afterAll(() => pod?.stop())

    const decision = (caller: Caller, id: string) => caller.send("GET", `/api/hub/auth/decisions/${id}`)
    const note = (caller: Caller, body: object = {}) =>
      caller.send("POST", "/api/hub/entities", { title: "A note", profileSlug: "note", ...body })

    it("only the key that made a write and the person who owns the key can read the gate decision about the write, and all others get the same 404 as for a missing decision", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
      const refused = await note(key)
      assert.strictEqual(refused.status, 403)
      const other = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
      const missing = await decision(other, "0190a0a0-0000-7000-8003-000000000009")
      for (const caller of [other, await pod.aPerson()]) {
        const answer = await decision(caller, refused.body.decisionId)
        assert.strictEqual(answer.status, 404)
        assert.deepStrictEqual(answer.body, missing.body)
      }
      assert.strictEqual((await decision(key, refused.body.decisionId)).status, 200)
      assert.strictEqual((await decision(pod.owner, refused.body.decisionId)).status, 200)
    })

    it("when the pod explains why it refused a write, it shows the smallest grant that would be enough, and a key with this grant may make the write", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read", "entity.task.create"] } })
      const refused = await note(key, { workspaceId })
      const explained = await decision(key, refused.body.decisionId)
      assert.strictEqual(explained.body.axis, "grant")
      assert.deepStrictEqual(explained.body.smallestGrant, {
        permissions: ["entity.note.create"],
        workspaceIds: [workspaceId]
      })
      const enough = await pod.aKey(pod.owner, { grant: explained.body.smallestGrant })
      assert.strictEqual((await note(enough, { workspaceId })).status, 200)
    })

    it("if the pod refuses one of several writes in a request, the refusal lists the missing permissions, and the explanation suggests a grant that is enough for the whole request", async () => {
      const project = await pod.owner.send("POST", "/api/hub/projects", { name: "Pier", workspaceId })
      const draft = { workspaceId, content: "# Text" }
      const text = { body: draft, required: ["document.create"] }
      const filed = {
        body: { ...draft, projectId: project.body.id },
        required: ["project.update", "relation.create", "document.create"]
      }
      for (const { body, required } of [text, filed]) {
        const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.create"] } })
        const refused = await note(key, body)
        assert.deepInclude(refused.body, { code: "GRANT_DENIED", granted: ["entity.note.create"] })
        assert.deepStrictEqual(refused.body.required, required)
        assert.include(refused.body.error, required[0])
        const { smallestGrant } = (await decision(key, refused.body.decisionId)).body
        assert.deepStrictEqual(smallestGrant, {
          permissions: ["entity.note.create", ...required],
          workspaceIds: [workspaceId]
        })
        const enough = await pod.aKey(pod.owner, { grant: smallestGrant })
        assert.strictEqual((await note(enough, body)).status, 200)
      }
    })

    it("the explanation of a refused write suggests no grant if the owner of the key also lacks the right to make the write", async () => {
      const foreign = await pod.aWorkspace(await pod.aPerson())
      const key = await pod.aKey(pod.owner, {})
      const refused = await note(key, { workspaceId: foreign })
      assert.strictEqual(refused.status, 403)
      const explained = await decision(key, refused.body.decisionId)
      assert.strictEqual(explained.body.axis, "role")
      assert.strictEqual(explained.body.smallestGrant, null)
    })

    it("the pod explains why it turned a write into a proposal, and why it applied a write", async () => {
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      const asked = await note(agent)
      assert.strictEqual(asked.body.status, "proposed")
      const explained = await decision(agent, asked.body.decisionId)
      assert.strictEqual(explained.body.verdict, "propose")
      assert.strictEqual(explained.body.rung, "writesRequireProposal")
      assert.strictEqual(explained.body.proposalId, asked.body.proposalId)
      const key = await pod.aKey(pod.owner, {})
      const direct = await note(key)
      const events = await key.query("events.list", { type: "entity.note.create" })
      const event = events.body.result.data.find(
        ({ subjectId }: { readonly subjectId: string }) => subjectId === direct.body.id
      )
      const applied = await decision(key, event.id)
      assert.strictEqual(applied.body.verdict, "allow")
      assert.strictEqual(applied.body.rung, "person")
    })
  })
}
