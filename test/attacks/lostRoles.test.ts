/**
 * After a member of a workspace loses a role, nobody can use the rights of this role any more: neither through the
 * member's keys, agents or invitations, nor through a proposal from before the change.
 */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect } from "effect"
import { aColleague, setRole } from "../support/membership.ts"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { asOwner } from "../support/stores.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, procedureData, type AttackScene, assertOk, assertRefused } from "./attackScene.ts"

let count = 0

onOneStorage("attack: a member tries to keep rights of a role that the member has lost", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const anAdmin = () => aColleague(ground.pod, storage, ground.workspaceId, "admin", `member${++count}`)
  const demoted = (userId: string) => setRole(ground.pod, storage, userId, ground.workspaceId, "viewer")
  const write = (caller: Caller, title = "written") =>
    caller.send("POST", "/api/hub/entities", { title, profileSlug: "note", workspaceId: ground.workspaceId })
  const approve = (caller: Caller, proposalId: string) =>
    caller.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
  const statusOf = async (proposalId: string) =>
    assertOk(await ground.owner.send("GET", `/api/hub/proposals/${proposalId}`)).status
  const proposedBy = async (agent: Caller) =>
    assertOk(await agent.send("POST", "/api/hub/tracks", { name: "Proposed", workspaceId: ground.workspaceId }))
      .proposalId as string
  const agentOf = async (person: Caller) => {
    const { workspaceId } = ground
    const agentId = procedureData(await person.mutate("agents.create", { name: "Theirs", capabilities: ["*"] }))
      .id as string
    assertOk(await person.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
    return ground.pod.aKey(person, { agentId })
  }

  it("attack: after a member is demoted to viewer of a workspace, the member's key and session can still read in the workspace but no longer write", async () => {
    const member = await anAdmin()
    const key = await ground.pod.aKey(member)
    const { id } = assertOk(await write(member))
    assertOk(await write(key))
    await demoted(member.id)
    for (const caller of [member, key]) {
      assertRefused(await write(caller), 403)
      assertRefused(await caller.send("PATCH", `/api/hub/entities/${id}`, { title: "changed" }), 403)
      assertRefused(await caller.send("DELETE", `/api/hub/entities/${id}`), 403)
      assert.strictEqual(assertOk(await caller.send("GET", `/api/hub/entities/${id}`)).title, "written")
    }
  })

  it("attack: after a person is demoted to viewer of a workspace, an agent of this person can create no further proposals in the workspace", async () => {
    const member = await anAdmin()
    const agent = await agentOf(member)
    assert.isString(await proposedBy(agent))
    await demoted(member.id)
    assertRefused(await agent.send("POST", "/api/hub/tracks", { name: "More", workspaceId: ground.workspaceId }), 403)
  })

  it("attack: after a person is demoted to viewer of a workspace, nobody can approve an earlier proposal of this person's agent in the workspace", async () => {
    const member = await anAdmin()
    const proposalId = await proposedBy(await agentOf(member))
    await demoted(member.id)
    assert.include([403, 409], (await approve(ground.owner, proposalId)).status)
    assert.strictEqual(await statusOf(proposalId), "pending")
  })

  it("attack: a person who was demoted to viewer of a workspace can neither approve nor reject the proposals in this workspace", async () => {
    const member = await anAdmin()
    const proposalId = await proposedBy(ground.agent)
    assertOk(await member.send("GET", `/api/hub/proposals/${proposalId}`))
    await demoted(member.id)
    assert.include([403, 404], (await approve(member, proposalId)).status)
    const rejection = { reason: "because" }
    const rejected = await member.send("POST", `/api/hub/proposals/${proposalId}/reject`, rejection)
    assert.include([403, 404], rejected.status)
    assert.strictEqual(await statusOf(proposalId), "pending")
  })

  it("attack: after an inviter has lost the right to invite people to a workspace, a person who opens an earlier link of this inviter does not become a member of the workspace", async () => {
    const { owner, ownerId } = ground.pod
    const email = `guest${++count}@example.com`
    const workspaceId = await ground.pod.aWorkspace(owner, "Lost")
    const { token } = assertOk(await owner.send("POST", "/api/hub/invitations", { workspaceId, role: "admin" }))
    await setRole(ground.pod, storage, ownerId, workspaceId, "editor")
    assertRefused(await owner.send("POST", "/api/hub/invitations", { workspaceId }), 403, "WORKSPACE_FORBIDDEN")
    const guest = { token, email, password: ownerPassword, name: "Guest" }
    const answer = assertOk(await ground.pod.stranger.send("POST", "/setup/accept-invite", guest))
    assert.deepStrictEqual(answer.workspace, { workspaceId, joined: false })
  })

  it.skipIf(storage.kind === "memory")(
    "attack: if an SQL statement takes access rights away from an agent or a key, the pod refuses the next call of this agent or key",
    async () => {
      const member = await anAdmin()
      const agent = await agentOf(member)
      const key = await ground.pod.aKey(member)
      const bySql = (statement: string) =>
        ground.pod.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(asOwner))
      assert.isString(await proposedBy(agent))
      assertOk(await write(key))
      await bySql(`UPDATE users SET capabilities = '{}' WHERE person_id = '${member.id}' AND kind = 'agent'`)
      assertRefused(await agent.send("POST", "/api/hub/tracks", { name: "More", workspaceId: ground.workspaceId }), 403)
      await bySql(`UPDATE api_keys SET scopes = '{hub-protocol.read}' WHERE id = '${key.id}'`)
      assertRefused(await write(key), 403)
      const read = () => key.send("GET", `/api/hub/entities?workspaceId=${ground.workspaceId}`)
      assertOk(await read())
      await bySql(`DELETE FROM memberships WHERE user_id = '${member.id}' AND space_id = '${ground.workspaceId}'`)
      assertRefused(await read(), 403)
      await bySql(`DELETE FROM users WHERE person_id = '${member.id}' AND kind = 'agent'`)
      assertRefused(await agent.send("GET", "/api/hub/entities"), 401)
    }
  )
})
