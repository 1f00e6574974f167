/** A changed policy for agents applies from the agent's next write on, even though the pod caches policies. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"
import { asOwner } from "../../support/stores.ts"

for (const [where, storage] of storages) {
  describe(`changes of agent policies ${where}`, () => {
    let pod: TestPod
    beforeAll(async () => void (pod = await aPod(storage)), 60_000)
    afterAll(() => pod?.stop())

    const say = async (procedure: string, input: object) => {
      const { body, status } = await pod.owner.mutate(procedure, input)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.result.data
    }

    /**
     * Makes an agent in a workspace. Also returns a function that lets the agent write, and tells whether the write was
     * stored or became a proposal.
     */
    const aScene = async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { id: agentId } = await say("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId })
      const enrolment = { agentUserId: agentId, workspaceId }
      await pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", enrolment)
      const writes = async (path = "tracks", body: object = { name: "Track" }) => {
        const answer = await agent.send("POST", `/api/hub/${path}`, { ...body, workspaceId })
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        return answer.body.status === "proposed" ? (answer.body.proposalType as string) : "written"
      }
      return { agent: agent as Caller, agentId, workspaceId, writes }
    }

    it("a new governance rule for an agent applies from the agent's next write until the rule is revoked", async () => {
      const { agentId, workspaceId, writes } = await aScene()
      const rule = { agentUserId: agentId, targetKind: "action", targetPattern: "track.create", verdict: "auto" }
      for (const scope of [{ scopeKind: "pod" }, { scopeKind: "workspace", workspaceId }]) {
        assert.strictEqual(await writes(), "track.create")
        const { id } = await say("governanceRules.create", { ...rule, ...scope })
        assert.strictEqual(await writes(), "written")
        assert.strictEqual(await writes(), "written")
        await say("governanceRules.revoke", { ruleId: id })
      }
      assert.strictEqual(await writes(), "track.create")
    })

    it("attack: a governance rule cannot name a proposal that does not exist or that its person cannot read as its source", async () => {
      const { agent, workspaceId } = await aScene()
      const proposed = async (by: Caller, place: object) =>
        (await by.send("POST", "/api/hub/tracks", { name: "Asked", ...place })).body.proposalId as string
      const stranger = await pod.aPerson()
      const { body } = await stranger.mutate("agents.create", { name: "Other", capabilities: ["*"] })
      const foreign = await proposed(await pod.aKey(stranger, { agentId: body.result.data.id }), {})
      const rule = { scopeKind: "workspace", workspaceId, targetKind: "action", targetPattern: "track.create" }
      const made = (sourceProposalId: string) =>
        pod.owner.mutate("governanceRules.create", { ...rule, verdict: "auto", sourceProposalId })
      for (const id of [foreign, workspaceId]) {
        const refused = await made(id)
        assert.strictEqual(refused.status, 400, JSON.stringify(refused.body))
        assert.include(JSON.stringify(refused.body), "sourceProposalId")
      }
      const learned = await made(await proposed(agent, { workspaceId }))
      assert.strictEqual(learned.body.result.data.provenance, "earned", JSON.stringify(learned.body))
    })

    it("when a person changes what a workspace lets agents do, the change applies to the agent's next write", async () => {
      const { workspaceId, writes } = await aScene()
      assert.strictEqual(await writes(), "track.create")
      await say("governance.setPolicy", { workspaceId, autoApproveFor: ["track.create"] })
      assert.strictEqual(await writes(), "written")
      await say("governance.setPolicy", { workspaceId, autoApproveFor: null })
      assert.strictEqual(await writes(), "track.create")
    })

    it("the older governance mode `agent-owned` is refused for a workspace, and the mode `standard` is accepted", async () => {
      const { workspaceId } = await aScene()
      const setMode = (governanceMode: string) =>
        pod.owner.mutate("governance.setPolicy", { workspaceId, governanceMode })
      assert.strictEqual((await setMode("agent-owned")).status, 400)
      assert.strictEqual((await setMode("standard")).status, 200)
      const { body } = await pod.owner.send("GET", `/api/hub/workspaces/${workspaceId}/governance`)
      assert.strictEqual(body.governanceMode, "standard")
    })

    it("when a person changes whether an agent's writes need approval, the change applies to the agent's next write", async () => {
      const { agentId, writes } = await aScene()
      const entity = ["entities", { profileSlug: "note", title: "Note" }] as const
      assert.strictEqual(await writes(...entity), "entity.create")
      await say("agents.update", { agentId, writesRequireProposal: false })
      assert.strictEqual(await writes(...entity), "written")
      await say("agents.update", { agentId, writesRequireProposal: true })
      assert.strictEqual(await writes(...entity), "entity.create")
    })

    // The following tests change the database directly, as another pod would. A pod in memory shares its
    // data with no other pod.
    if (storage.kind === "memory") return
    const behind = (work: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
      pod.run(Effect.orDie(Effect.flatMap(SqlClient.SqlClient, work)).pipe(asOwner))

    it("an agent that was removed from a workspace must ask to join before it writes, and an agent that was added can write at once", async () => {
      const { agentId, writes, workspaceId } = await aScene()
      await say("governance.setPolicy", { workspaceId, autoApproveFor: ["track.create"] })
      assert.strictEqual(await writes(), "written")
      await behind((sql) => sql`DELETE FROM memberships WHERE user_id = ${agentId} AND space_id = ${workspaceId}`)
      assert.strictEqual(await writes(), "join")
      await behind(
        (sql) => sql`INSERT INTO memberships (user_id, space_id, role) VALUES (${agentId}, ${workspaceId}, 'editor')`
      )
      assert.strictEqual(await writes(), "written")
    })

    it("an agent policy that another pod writes to the database applies to the agent's next write", async () => {
      const { agentId, workspaceId, writes } = await aScene()
      await say("governance.setPolicy", { workspaceId, autoApproveFor: ["track.create"] })
      assert.strictEqual(await writes(), "written")
      await behind((sql) => sql`UPDATE spaces SET governance = '{}' WHERE id = ${workspaceId}`)
      assert.strictEqual(await writes(), "track.create")
      await behind((sql) => sql`UPDATE users SET writes_require_proposal = false WHERE id = ${agentId}`)
      assert.strictEqual(await writes("entities", { profileSlug: "note", title: "Note" }), "written")
    })
  })
}
