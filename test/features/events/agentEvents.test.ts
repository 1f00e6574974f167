/** The events of an agent's writes: their source and metadata say that an AI made them (specification §2.9 and §6.1). */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`events of an agent's writes ${where}`, () => {
    let pod: TestPod
    let agent: Caller
    let agentId = ""
    beforeAll(async () => {
      pod = await aPod(storage)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      await pod.owner.mutate("agents.update", { agentId, writesRequireProposal: false })
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const listed = async (filter: object) => (await pod.owner.query("events.list", filter)).body.result.data
    const eventsAbout = async (id: string) => (await pod.owner.send("GET", `/api/hub/events?subjectId=${id}`)).body
    const create = async (caller: Caller, more: object = {}) => {
      const { body, status } = await caller.send("POST", "/api/hub/entities", { title: "Made", ...more })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }

    it("the event of a write by a person, or by a key of the person, does not say that an AI made the write", async () => {
      for (const caller of [pod.owner, await pod.aKey(pod.owner)]) {
        const [event] = await eventsAbout((await create(caller)).id)
        assert.strictEqual(event.source, "api")
        assert.notProperty(event, "metadata")
      }
    })

    it("the event of an agent's write has the source `intelligence`, and its metadata contain the ids of the agent and of the message that led to the write", async () => {
      const { id, status } = await create(agent, { sourceMessageId: "message-7" })
      assert.strictEqual(status, "created")
      await agent.send("PATCH", `/api/hub/entities/${id}`, { title: "Changed" })
      const [updated, created] = await eventsAbout(id)
      assert.deepInclude(created, {
        source: "intelligence",
        actorId: agentId,
        metadata: { kind: "ai", agent: agentId, extraction: { extractedFrom: { messageId: "message-7" } } }
      })
      assert.deepInclude(updated, { source: "intelligence", metadata: { kind: "ai", agent: agentId } })
      for (const filter of [{ source: "intelligence" }, { metadataKind: "ai" }, { hasMetadata: true }]) {
        const found = await listed({ ...filter, limit: 100 })
        assert.includeMembers(
          found.map((event: { id: string }) => event.id),
          [created.id, updated.id]
        )
      }
    })

    it("the event of an agent's proposal says that an AI made it, but the events of a person's approval and of a refused write do not mention an AI", async () => {
      const asking = await pod.owner.mutate("agents.create", { name: "Asker", capabilities: ["entity.note.create"] })
      const asker = await pod.aKey(pod.owner, { agentId: asking.body.result.data.id })
      const { proposalId, status } = await create(asker)
      assert.strictEqual(status, "proposed")
      await pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
      const sources = Object.fromEntries(
        (await eventsAbout(proposalId)).map(({ source, type }: { source: string; type: string }) => [type, source])
      )
      assert.deepStrictEqual(sources, { "proposal.create": "intelligence", "proposal.approve": "api" })
      const refusal = await asker.send("POST", "/api/hub/entities", { title: "No right", profileSlug: "task" })
      assert.strictEqual(refusal.status, 403)
      const refused = (await pod.owner.query("events.get", { eventId: refusal.body.decisionId })).body.result.data
      assert.deepInclude(refused, { type: "access.refused", source: "system" })
      assert.notProperty(refused, "metadata")
    })

    it("if an agent logs an event, the event keeps the source and the metadata that the agent states", async () => {
      const log = async (input: object) =>
        (await agent.mutate("events.log", { type: "note.read", ...input })).body.result.data
      const plain = await log({})
      assert.strictEqual(plain.source, "api")
      assert.notProperty(plain, "metadata")
      assert.deepInclude(await log({ metadata: { mood: "calm" } }), { metadata: { mood: "calm" } })
      assert.deepStrictEqual((await listed({ type: "note.read", limit: 1 }))[0].metadata, { mood: "calm" })
    })
  })
}
