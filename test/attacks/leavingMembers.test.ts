/** Every member may leave a workspace. This right does not allow any other change of a membership. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aColleague } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, type AttackScene, assertOk, assertRefused, procedureData } from "./attackScene.ts"

let count = 0

onOneStorage("members who leave a workspace", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const aMember = (role: "admin" | "editor" | "viewer") =>
    aColleague(ground.pod, storage, ground.workspaceId, role, `leaving${++count}`)
  const memberPath = (userId: string, workspaceId = ground.workspaceId) =>
    `/api/hub/workspaces/${workspaceId}/members/${userId}`
  const remove = (caller: Caller, userId: string, workspaceId?: string) =>
    caller.send("DELETE", memberPath(userId, workspaceId))
  const membersNow = async () =>
    (
      assertOk(await ground.owner.send("GET", `/api/hub/workspaces/${ground.workspaceId}`)).members as ReadonlyArray<{
        userId: string
      }>
    ).map(({ userId }) => userId)

  it("attack: a viewer or an editor of a workspace cannot change a role, and can remove only themselves from the workspace", async () => {
    const other = await aMember("viewer")
    for (const role of ["viewer", "editor"] as const) {
      const member = await aMember(role)
      for (const next of ["owner", "admin", "editor", "viewer"]) {
        for (const userId of [member.id, other.id]) {
          assertRefused(await member.send("PATCH", memberPath(userId), { role: next }), 403, "WORKSPACE_FORBIDDEN")
        }
      }
      for (const userId of [other.id, ground.pod.ownerId, ground.agentId]) {
        assertRefused(await remove(member, userId), 403, "WORKSPACE_FORBIDDEN")
      }
      assert.includeMembers(await membersNow(), [member.id, other.id, ground.pod.ownerId])
    }
  })

  it("after a member of any role has left a workspace, neither the member nor a key of the member can read the workspace", async () => {
    for (const role of ["viewer", "editor", "admin"] as const) {
      const member = await aMember(role)
      const key = await ground.pod.aKey(member)
      const { id } = assertOk(
        await ground.owner.send("POST", "/api/hub/entities", {
          title: `Seen by a ${role}`,
          profileSlug: "note",
          workspaceId: ground.workspaceId
        })
      )
      for (const caller of [member, key]) assertOk(await caller.send("GET", `/api/hub/entities/${id}`))
      const answer = assertOk(await remove(member, member.id))
      assert.deepStrictEqual(answer, { status: "removed", workspaceId: ground.workspaceId, userId: member.id })
      for (const caller of [member, key]) {
        assertRefused(await caller.send("GET", `/api/hub/entities/${id}`), 404)
        assertRefused(await caller.send("GET", `/api/hub/workspaces/${ground.workspaceId}`), 403)
      }
      assertRefused(await remove(member, member.id), 403)
      assert.notInclude(await membersNow(), member.id)
    }
  })

  it("attack: the pod does not remove a person from a workspace if the call comes from the person's agent, from a key without the permission `member.delete`, or from a key for another workspace", async () => {
    const member = await aMember("editor")
    const agentId = procedureData(await member.mutate("agents.create", { name: "Theirs", capabilities: ["*"] }))
      .id as string
    const agent = await ground.pod.aKey(member, { agentId })
    const elsewhere = await ground.pod.aWorkspace(member, "Elsewhere")
    for (const [caller, code] of [
      [agent, "PEOPLE_ONLY"],
      [await ground.pod.aKey(member, { grant: { permissions: ["member.read", "entity"] } }), "GRANT_DENIED"],
      [await ground.pod.aKey(member, { grant: { permissions: ["*"], workspaceIds: [elsewhere] } }), undefined],
      [await ground.pod.aKey(member, { workspaceId: elsewhere }), undefined]
    ] as const) {
      assertRefused(await remove(caller, member.id), 403, code)
    }
    assert.include(await membersNow(), member.id)
    const allowed = await ground.pod.aKey(member, { grant: { permissions: ["member.delete"] } })
    assertOk(await remove(allowed, member.id))
    assert.notInclude(await membersNow(), member.id)
  })

  it("the last owner of a workspace cannot leave it, and a person cannot leave the personal space or a workspace to which the person does not belong", async () => {
    assertRefused(await remove(ground.owner, ground.pod.ownerId), 409, "LAST_OWNER")
    const stranger = await aMember("viewer")
    assertOk(await remove(stranger, stranger.id))
    assertRefused(await remove(stranger, stranger.id), 403)
    assertRefused(await remove(stranger, stranger.id, stranger.id), 400)
  })
})
