/** What bounds an agent holds from the moment it is said, though the pod remembers what it was. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"
import { asOwner } from "../../support/stores.ts"

for (const [where, storage] of storages) {
  describe(`what is said about agents ${where}`, () => {
    let pod: TestPod
    beforeAll(async () => void (pod = await aPod(storage)), 60_000)
    afterAll(() => pod?.stop())

    const say = async (procedure: string, input: object) => {
      const { body, status } = await pod.owner.mutate(procedure, input)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.result.data
    }

    /** An agent in a workspace, and what comes of its writes. */
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

    it("a rule holds for the write after it, and no longer than until it is taken back", async () => {
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

    it("what a workspace lets agents do holds for the write after it, and so does what it does not", async () => {
      const { workspaceId, writes } = await aScene()
      assert.strictEqual(await writes(), "track.create")
      await say("governance.setPolicy", { workspaceId, autoApproveFor: ["track.create"] })
      assert.strictEqual(await writes(), "written")
      await say("governance.setPolicy", { workspaceId, autoApproveFor: null })
      assert.strictEqual(await writes(), "track.create")
    })

    it("an agent is relaxed, and tightened again, from one write to the next", async () => {
      const { agentId, writes } = await aScene()
      const entity = ["entities", { profileSlug: "note", title: "Note" }] as const
      assert.strictEqual(await writes(...entity), "entity.create")
      await say("agents.update", { agentId, writesRequireProposal: false })
      assert.strictEqual(await writes(...entity), "written")
      await say("agents.update", { agentId, writesRequireProposal: true })
      assert.strictEqual(await writes(...entity), "entity.create")
    })

    // Behind the pod's back, as another node does it: in memory there is none.
    if (storage.kind === "memory") return
    const behind = (work: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
      pod.run(Effect.orDie(Effect.flatMap(SqlClient.SqlClient, work)).pipe(asOwner))

    it("an agent that was taken out of a workspace asks to be let in, and one that was let in does not", async () => {
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

    it("what another node says behind the pod's back holds as well", async () => {
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
