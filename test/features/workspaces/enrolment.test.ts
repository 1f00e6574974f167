/**
 * How agents become members of workspaces, over REST, on each storage: the person who owns an agent adds it, or the
 * agent asks to join. Owners and admins also change the role of a member or remove a member.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import type { MembershipRole } from "../../../src/doors/Principal.ts"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`enrolling an agent in a workspace ${where}`, () => {
    let pod: TestPod
    let other: Caller & { readonly id: string }
    let agents = 0
    beforeAll(async () => {
      pod = await aPod(storage)
      other = await pod.aPerson()
    })
    afterAll(() => pod?.stop())

    const anAgent = async (person: Caller = pod.owner, capabilities: ReadonlyArray<string> = ["*"]) => {
      const { body } = await person.mutate("agents.create", { name: `Agent ${++agents}`, capabilities })
      const id: string = body.result.data.id
      return { id, key: await pod.aKey(person, { agentId: id }) }
    }
    const enroll = (caller: Caller, body: object) => caller.send("POST", "/api/hub/workspaces/enroll-agent", body)
    const rolesIn = async (workspaceId: string) => {
      const { body } = await pod.owner.send("GET", `/api/hub/workspaces/${workspaceId}`)
      const members = body.members as ReadonlyArray<{ readonly userId: string; readonly role: string }>
      return new Map(members.map(({ role, userId }) => [userId, role]))
    }

    it("attack: a person who enrols another person's agent in a workspace gets the same refusal as for a missing agent", async () => {
      const workspaceId = await pod.aWorkspace(other)
      const mine = await anAgent()
      const theirs = await enroll(other, { agentUserId: mine.id, workspaceId })
      const missing = await enroll(other, { agentUserId: uuidv7(), workspaceId })
      assert.deepStrictEqual([theirs.status, missing.status], [403, 403])
      const refusalOf = ({ decisionId: _id, requestId: _request, ...body }: typeof theirs.body) => body
      assert.deepStrictEqual(refusalOf(theirs.body), refusalOf(missing.body))
      const [sibling, own] = [await anAgent(), await pod.aWorkspace(pod.owner)]
      assert.strictEqual((await enroll(sibling.key, { agentUserId: mine.id, workspaceId: own })).status, 403)
    })

    it("a person cannot be enrolled as an agent, an agent cannot get the role `owner`, and no agent can be enrolled in a personal space", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { body, status } = await enroll(pod.owner, { agentUserId: pod.ownerId, workspaceId })
      assert.strictEqual(status, 400)
      assert.include(body.error, pod.ownerId)
      const { id } = await anAgent()
      assert.strictEqual((await enroll(pod.owner, { agentUserId: id, workspaceId, role: "owner" })).status, 400)
      assert.strictEqual((await enroll(pod.owner, { agentUserId: id, workspaceId: pod.ownerId })).status, 400)
    })

    it("an agent cannot be enrolled in a workspace of another person, or in a workspace to which the key has no access", async () => {
      const theirs = await pod.aWorkspace(other)
      const { id } = await anAgent()
      assert.strictEqual((await enroll(pod.owner, { agentUserId: id, workspaceId: theirs })).status, 403)
      const [one, two] = [await pod.aWorkspace(pod.owner), await pod.aWorkspace(pod.owner)]
      const limited = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [one] } })
      assert.strictEqual((await enroll(limited, { agentUserId: id, workspaceId: two })).status, 403)
      const all = await enroll(limited, { agentUserId: id })
      assert.deepStrictEqual(all.body, { enrolled: [one], skipped: [] })
      const reading = await pod.aKey(pod.owner, { grant: { permissions: ["entity"] } })
      assert.strictEqual((await enroll(reading, { agentUserId: id, workspaceId: two })).status, 403)
    })

    it("a person can enrol their agent in a workspace as an editor, and a second enrolment does not change the agent's role", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { id } = await anAgent()
      const first = await enroll(pod.owner, { agentUserId: id, workspaceId })
      assert.deepStrictEqual([first.status, first.body], [200, { enrolled: [workspaceId], skipped: [] }])
      assert.strictEqual((await rolesIn(workspaceId)).get(id), "editor")
      const again = await enroll(pod.owner, { agentUserId: id, workspaceId, role: "admin" })
      assert.deepStrictEqual(again.body, { enrolled: [workspaceId], skipped: [] })
      assert.strictEqual((await rolesIn(workspaceId)).get(id), "editor")
    })

    it("when a person enrols an agent without naming a workspace, the agent joins every workspace of the person", async () => {
      const person = await pod.aPerson()
      const { id } = await anAgent(person)
      const made = [await pod.aWorkspace(person), await pod.aWorkspace(person)]
      const { body } = await enroll(person, { agentUserId: id })
      assert.sameMembers(body.enrolled, made)
      assert.deepStrictEqual(body.skipped, [])
    })

    it("the proposal of an agent that asks to join a workspace has the agent's reason, and a reason that is too long is refused", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { id, key } = await anAgent()
      const ask = { agentUserId: id, workspaceId }
      assert.strictEqual((await enroll(key, { ...ask, reasoning: "x".repeat(10_001) })).status, 400)
      const asked = await enroll(key, { ...ask, reasoning: "I keep the notes of this team." })
      assert.strictEqual(asked.body.proposalType, "join", JSON.stringify(asked.body))
      const { body } = await pod.owner.send("GET", `/api/hub/proposals/${asked.body.proposalId}`)
      assert.strictEqual(body.reasoning, "I keep the notes of this team.", JSON.stringify(body))
      assert.strictEqual((await pod.owner.send("POST", `/api/hub/proposals/${body.id}/approve`, {})).status, 200)
      assert.strictEqual((await rolesIn(workspaceId)).get(id), "editor")
    })

    it("if an agent writes in a workspace without being a member, the proposal to join the workspace has the reason of the write", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { key } = await anAgent()
      const note = { title: "Plan", profileSlug: "note", workspaceId, reasoning: "The team asked for a plan." }
      const asked = await key.send("POST", "/api/hub/entities", note)
      assert.strictEqual(asked.body.proposalType, "join", JSON.stringify(asked.body))
      const { body } = await pod.owner.send("GET", `/api/hub/proposals/${asked.body.proposalId}`)
      assert.strictEqual(body.reasoning, "The team asked for a plan.", JSON.stringify(body))
    })

    it("when an agent asks to join a workspace, one approval by a person is enough, and the agent is removed when the person reverts the approval", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { id, key } = await anAgent()
      assert.strictEqual((await enroll(key, { agentUserId: id })).status, 400)
      const asked = await enroll(key, { agentUserId: id, workspaceId })
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      assert.strictEqual(asked.body.proposalType, "join")
      const again = await enroll(key, { agentUserId: id, workspaceId })
      assert.strictEqual(again.body.proposalId, asked.body.proposalId)
      assert.isFalse((await rolesIn(workspaceId)).has(id))
      const path = `/api/hub/proposals/${asked.body.proposalId}`
      assert.strictEqual((await key.send("POST", `${path}/approve`, {})).status, 403)
      const approved = await pod.owner.send("POST", `${path}/approve`, {})
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      assert.strictEqual((await rolesIn(workspaceId)).get(id), "editor")
      assert.deepStrictEqual((await enroll(key, { agentUserId: id, workspaceId })).body.enrolled, [workspaceId])
      const reverted = await pod.owner.send("POST", `${path}/revert`)
      assert.strictEqual(reverted.status, 200, JSON.stringify(reverted.body))
      assert.isFalse((await rolesIn(workspaceId)).has(id))
    })

    it("after the key of an agent is revoked, the agent must ask to join the workspace again with its next key", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { id, key } = await anAgent()
      const first = await enroll(key, { agentUserId: id, workspaceId })
      const keys = (await pod.owner.query("apiKeys.list", {})).body.result.data
      await pod.owner.mutate("apiKeys.revoke", { keyId: keys[0].id })
      assert.strictEqual((await enroll(key, { agentUserId: id, workspaceId })).status, 401)
      const second = await enroll(await pod.aKey(pod.owner, { agentId: id }), { agentUserId: id, workspaceId })
      assert.notStrictEqual(second.body.proposalId, first.body.proposalId)
      const approve = (proposalId: string) => pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
      assert.strictEqual((await approve(first.body.proposalId)).status, 409)
      assert.strictEqual((await approve(second.body.proposalId)).status, 200)
      assert.strictEqual((await rolesIn(workspaceId)).get(id), "editor")
    })

    it("when a person reverts an agent's approved join, the agent leaves that workspace, but stays in a workspace in which it was enrolled later", async () => {
      const [one, other] = [await pod.aWorkspace(pod.owner, "One"), await pod.aWorkspace(pod.owner, "Other")]
      const { id, key } = await anAgent()
      const { body: asked } = await enroll(key, { agentUserId: id, workspaceId: one })
      const path = `/api/hub/proposals/${asked.proposalId}`
      assert.strictEqual((await pod.owner.send("POST", `${path}/approve`, {})).status, 200)
      await enroll(pod.owner, { agentUserId: id, workspaceId: other })
      const reverted = await pod.owner.send("POST", `${path}/revert`)
      assert.strictEqual(reverted.status, 200, JSON.stringify(reverted.body))
      assert.deepStrictEqual([(await rolesIn(one)).has(id), (await rolesIn(other)).has(id)], [false, true])
    })

    it("a write in a workspace by an agent that is not its member becomes a proposal to join the workspace", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { id, key } = await anAgent()
      const wish = await key.send("POST", "/api/hub/tracks", { name: "First", workspaceId })
      assert.strictEqual(wish.body.proposalType, "join", JSON.stringify(wish.body))
      await enroll(pod.owner, { agentUserId: id, workspaceId })
      const asked = await key.send("POST", "/api/hub/tracks", { name: "First", workspaceId })
      assert.strictEqual(asked.body.proposalType, "track.create", JSON.stringify(asked.body))
      const late = await pod.owner.send("POST", `/api/hub/proposals/${wish.body.proposalId}/approve`, {})
      assert.deepStrictEqual([late.status, late.body.code], [409, "ALREADY_MEMBER"])
    })

    it("a person may change the role in an agent's request to join a workspace, but not the agent or the workspace", async () => {
      const [workspaceId, elsewhere] = [await pod.aWorkspace(pod.owner), await pod.aWorkspace(pod.owner)]
      const { id, key } = await anAgent()
      const stranger = await anAgent()
      const asked = await enroll(key, { agentUserId: id, workspaceId })
      const path = `/api/hub/proposals/${asked.body.proposalId}`
      for (const data of [
        { userId: stranger.id, workspaceId, role: "editor" },
        { userId: id, workspaceId: elsewhere, role: "editor" },
        { userId: id, workspaceId, role: "owner" },
        {}
      ]) {
        assert.strictEqual((await pod.owner.send("PATCH", path, { data })).status, 400, JSON.stringify(data))
      }
      const data = { userId: id, workspaceId, role: "viewer" }
      assert.strictEqual((await pod.owner.send("PATCH", path, { data })).status, 200)
      assert.strictEqual((await pod.owner.send("POST", `${path}/approve`, {})).status, 200)
      assert.strictEqual((await rolesIn(workspaceId)).get(id), "viewer")
    })

    it("an agent cannot create a membership proposal through the proposals API, and an agent without the needed capability cannot ask to join a workspace", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const { id, key } = await anAgent()
      const filed = await key.send("POST", "/api/hub/proposals", {
        targetType: "member",
        proposalType: "create",
        data: { userId: id, workspaceId, role: "admin" },
        workspaceId
      })
      assert.strictEqual(filed.status, 400, JSON.stringify(filed.body))
      const reader = await anAgent(pod.owner, [])
      assert.strictEqual((await enroll(reader.key, { agentUserId: reader.id, workspaceId })).status, 403)
    })

    const aMember = (role: MembershipRole, workspaceId: string) =>
      aColleague(pod, storage, workspaceId, role, `${role}${++agents}.${where.replaceAll(/\W/g, "")}`)
    const memberPath = (workspaceId: string, userId: string) => `/api/hub/workspaces/${workspaceId}/members/${userId}`
    const changeRole = (caller: Caller, workspaceId: string, userId: string, role: MembershipRole) =>
      caller.send("PATCH", memberPath(workspaceId, userId), { role })
    const remove = (caller: Caller, workspaceId: string, userId: string) =>
      caller.send("DELETE", memberPath(workspaceId, userId))

    it("outsiders, viewers, editors, agents and keys with narrow grants can neither change nor remove another member of a workspace", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const [editor, viewer] = [await aMember("editor", workspaceId), await aMember("viewer", workspaceId)]
      const second = await aMember("viewer", workspaceId)
      const { key: agent } = await anAgent()
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["entity", "member.read"] } })
      for (const caller of [other, editor, viewer, agent, narrow]) {
        assert.strictEqual((await changeRole(caller, workspaceId, viewer.id, "admin")).status, 403)
        assert.strictEqual((await remove(caller, workspaceId, second.id)).status, 403)
      }
      const roles = await rolesIn(workspaceId)
      assert.deepStrictEqual([roles.get(viewer.id), roles.get(second.id)], ["viewer", "viewer"])
    })

    it("the last owner of a workspace cannot be demoted or removed, and an admin cannot change an owner, remove an owner or become an owner", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const admin = await aMember("admin", workspaceId)
      for (const answer of [
        await changeRole(pod.owner, workspaceId, pod.ownerId, "admin"),
        await remove(pod.owner, workspaceId, pod.ownerId)
      ]) {
        assert.deepStrictEqual([answer.status, answer.body.code], [409, "LAST_OWNER"])
      }
      for (const answer of [
        await changeRole(admin, workspaceId, pod.ownerId, "viewer"),
        await remove(admin, workspaceId, pod.ownerId),
        await changeRole(admin, workspaceId, admin.id, "owner")
      ]) {
        assert.deepStrictEqual([answer.status, answer.body.code], [403, "WORKSPACE_FORBIDDEN"])
      }
      const { id } = await anAgent()
      await enroll(pod.owner, { agentUserId: id, workspaceId })
      assert.strictEqual((await changeRole(pod.owner, workspaceId, id, "owner")).status, 400)
      assert.strictEqual((await changeRole(pod.owner, workspaceId, other.id, "viewer")).status, 404)
      assert.strictEqual((await changeRole(pod.owner, pod.ownerId, pod.ownerId, "viewer")).status, 400)
    })

    it("a member who becomes a viewer of a workspace can no longer write there, and an owner can be demoted if the workspace has another owner", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const member = await aMember("editor", workspaceId)
      const write = () => member.send("POST", "/api/hub/entities", { title: "Mine", profileSlug: "note", workspaceId })
      assert.strictEqual((await write()).status, 200)
      const fallen = await changeRole(pod.owner, workspaceId, member.id, "viewer")
      assert.deepStrictEqual([fallen.status, fallen.body], [200, { workspaceId, userId: member.id, role: "viewer" }])
      assert.strictEqual((await write()).status, 403)
      assert.strictEqual((await changeRole(pod.owner, workspaceId, member.id, "owner")).status, 200)
      assert.strictEqual((await write()).status, 200)
      assert.strictEqual((await changeRole(member, workspaceId, pod.ownerId, "editor")).status, 200)
      assert.strictEqual((await changeRole(pod.owner, workspaceId, pod.ownerId, "owner")).status, 403)
    })

    it("a person who was removed from a workspace, and this person's agents, can no longer access the workspace", async () => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      const member = await aMember("admin", workspaceId)
      const agent = await anAgent(member)
      await enroll(member, { agentUserId: agent.id, workspaceId })
      const { id } = (
        await member.send("POST", "/api/hub/entities", { title: "Left", profileSlug: "note", workspaceId })
      ).body
      for (const caller of [member, agent.key]) {
        assert.strictEqual((await caller.send("GET", `/api/hub/entities/${id}`)).status, 200)
      }
      const removed = await remove(pod.owner, workspaceId, member.id)
      assert.deepStrictEqual(
        [removed.status, removed.body],
        [200, { status: "removed", workspaceId, userId: member.id }]
      )
      for (const caller of [member, agent.key]) {
        assert.strictEqual((await caller.send("GET", `/api/hub/entities/${id}`)).status, 404)
      }
      assert.deepStrictEqual([...(await rolesIn(workspaceId)).keys()], [pod.ownerId])
      assert.strictEqual((await remove(pod.owner, workspaceId, member.id)).status, 404)
    })
  })
}
