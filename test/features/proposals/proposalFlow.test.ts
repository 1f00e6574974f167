/** Proposals end to end, over REST, on each storage: what an agent asks for, and what a person makes of it. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { anEmbedded } from "../../support/pgliteImage.ts"
import { aPod, type Caller, type Storage, type TestPod } from "../../support/pod.ts"

const storages: ReadonlyArray<readonly [string, Storage]> = [
  ["in memory", { kind: "memory" }],
  ["on PGlite", { kind: "pglite", open: anEmbedded }]
]

for (const [where, storage] of storages) {
  describe(`a proposal ${where}`, () => {
    let pod: TestPod
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
    }, 60_000)
    afterAll(() => pod?.stop())

    const propose = async (title: string) => {
      const { status, body } = await agent.send("POST", "/api/hub/tracks", { name: title, reasoning: "It helps." })
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual(body.status, "proposed", JSON.stringify(body))
      return body
    }

    it("writes nothing until a person approves it, and then writes it once", async () => {
      const asked = await propose("First")
      assert.strictEqual((await pod.owner.send("GET", `/api/hub/tracks/${asked.proposedId}`)).status, 404)
      const seen = await pod.owner.send("GET", `/api/hub/proposals/${asked.proposalId}`)
      assert.strictEqual(seen.status, 200, JSON.stringify(seen.body))
      const approved = await pod.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {
        contentHash: seen.body.contentHash
      })
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const track = await pod.owner.send("GET", `/api/hub/tracks/${asked.proposedId}`)
      assert.strictEqual(track.body.name, "First")
      const again = await pod.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {})
      assert.strictEqual(again.status, 409)
      const reverted = await pod.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/revert`)
      assert.strictEqual(reverted.status, 200, JSON.stringify(reverted.body))
      assert.strictEqual((await pod.owner.send("GET", `/api/hub/tracks/${asked.proposedId}`)).status, 404)
    })
  })
}
