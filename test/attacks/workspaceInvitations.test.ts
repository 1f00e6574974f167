/**
 * Invitations to a workspace for people of the pod. The owner or an admin of the workspace makes the link, and a person
 * who is signed in accepts it. The link gives nothing that the inviter may not give at the moment of the acceptance.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, type AttackScene, assertOk, assertRefused, eventsOf } from "./attackScene.ts"

const at = "/api/hub/invitations"
let count = 0

onOneStorage("invitations to a workspace", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const inviteTo = async (inviter: Caller, workspaceId: string, role = "viewer") =>
    assertOk(await inviter.send("POST", at, { workspaceId, role }))
  const accept = (person: Caller, token: string) => person.send("POST", `${at}/accept`, { token })
  const createAccount = (token: string, email: string) =>
    ground.pod.stranger.send("POST", "/setup/accept-invite", { token, email, password: ownerPassword })
  const aMember = async (): Promise<Caller> => {
    const { token } = assertOk(await ground.owner.send("POST", at, {}))
    const email = `member${++count}@example.com`
    assertOk(await createAccount(token, email))
    const session = assertOk(
      await ground.pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
    )
    return ground.pod.as({ "x-session-token": session.token })
  }
  const workspacesOf = async (person: Caller): Promise<ReadonlyArray<{ id: string; role: string }>> =>
    assertOk(await person.send("GET", "/api/hub/workspaces")).workspaces

  it("a person of the pod joins a workspace with the invitation link of a workspace owner who is only a member of the pod", async () => {
    const { pod, victim } = ground
    const workspaceId = await pod.aWorkspace(victim, "Harbour")
    const { invitation, token } = await inviteTo(victim, workspaceId, "editor")
    assert.deepStrictEqual(assertOk(await pod.stranger.send("POST", "/setup/check-invite", { token })), {
      success: true,
      createsAccount: false,
      joinsWorkspace: true
    })
    const guest = await aMember()
    assert.deepStrictEqual(assertOk(await accept(guest, token)), { workspaceId })
    assert.deepInclude((await workspacesOf(guest))[0], { id: workspaceId, role: "editor" })
    const [listed] = assertOk(await victim.send("GET", at))
    assert.deepInclude(listed, { id: invitation.id, status: "used" })
    assert.deepInclude(
      (await eventsOf(guest)).find(({ type }) => type === "invitation.use"),
      {
        subjectId: invitation.id
      }
    )
  })

  it("attack: a new person cannot create an account with the invitation link of a workspace owner who is only a member of the pod", async () => {
    const { pod, victim } = ground
    const { token } = await inviteTo(victim, await pod.aWorkspace(victim, "Closed"))
    const refused = assertRefused(await createAccount(token, "outsider@example.com"), 409, "INVITATION_INVALID")
    assert.include(refused.error, "already have an account")
    assertRefused(
      await pod.stranger.send("POST", "/auth/sign-in", { email: "outsider@example.com", password: ownerPassword }),
      401
    )
  })

  it("attack: an invitation link to a workspace adds only one person, even if several people use it several times at the same moment", async () => {
    const { owner, workspaceId } = ground
    const { token } = await inviteTo(owner, workspaceId)
    const guests = [await aMember(), await aMember(), await aMember()]
    const answers = await Promise.all([...guests, ...guests].map((guest) => accept(guest, token)))
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
    for (const { body, status } of answers) if (status !== 200) assert.strictEqual(body.code, "INVITATION_INVALID")
    const joined = (await Promise.all(guests.map(workspacesOf))).flat()
    assert.strictEqual(joined.filter(({ id }) => id === workspaceId).length, 1)
  })

  it("attack: a member of a workspace gets no other role from a second invitation link, and another person can still use this link", async () => {
    const { owner, workspaceId } = ground
    const guest = await aMember()
    assertOk(await accept(guest, (await inviteTo(owner, workspaceId, "viewer")).token))
    const { token } = await inviteTo(owner, workspaceId, "admin")
    assertRefused(await accept(guest, token), 409, "ALREADY_MEMBER")
    assertRefused(await accept(owner, token), 409, "ALREADY_MEMBER")
    assert.deepInclude(
      (await workspacesOf(guest)).find(({ id }) => id === workspaceId),
      { role: "viewer" }
    )
    assertOk(await accept(await aMember(), token))
  })

  it("attack: an invitation link adds nobody to a workspace after the inviter lost the right to add members", async () => {
    const { owner, pod } = ground
    const workspaceId = await pod.aWorkspace(owner, "Handed over")
    const admin = await aMember()
    assertOk(await accept(admin, (await inviteTo(owner, workspaceId, "admin")).token))
    const { token } = await inviteTo(admin, workspaceId, "admin")
    const { id: adminId } = assertOk(await admin.send("GET", "/api/hub/users/me"))
    const members = `/api/hub/workspaces/${workspaceId}/members`
    assertOk(await owner.send("PATCH", `${members}/${adminId}`, { role: "editor" }))
    const guest = await aMember()
    assertRefused(await accept(guest, token), 409, "INVITATION_INVALID")
    assert.deepStrictEqual(await workspacesOf(guest), [])
    assertRefused(await admin.send("POST", at, { workspaceId }), 403, "WORKSPACE_FORBIDDEN")
    assertOk(await owner.send("PATCH", `${members}/${adminId}`, { role: "admin" }))
    assertOk(await accept(guest, token))
  })

  it("attack: a person of the pod joins no workspace with an invitation link that names no workspace, with a withdrawn link, or with a wrong token", async () => {
    const { owner, workspaceId } = ground
    const guest = await aMember()
    const { token: newPeople } = assertOk(await owner.send("POST", at, {}))
    const withdrawn = await inviteTo(owner, workspaceId)
    assertOk(await owner.send("DELETE", `${at}/${withdrawn.invitation.id}`))
    for (const token of [newPeople, withdrawn.token, withdrawn.invitation.id, "A".repeat(43)]) {
      assertRefused(await accept(guest, token), 409, "INVITATION_INVALID")
    }
    assert.deepStrictEqual(await workspacesOf(guest), [])
    assertOk(await createAccount(newPeople, "still-open@example.com"))
  })

  it("attack: a suspended person cannot join a workspace with an invitation link", async () => {
    const { owner, workspaceId } = ground
    const guest = await aMember()
    const { id } = assertOk(await guest.send("GET", "/api/hub/users/me"))
    const { token } = await inviteTo(owner, workspaceId)
    assertOk(await owner.send("PATCH", `/api/hub/people/${id}`, { isSuspended: true }))
    assertRefused(await accept(guest, token), 401)
    assertOk(await accept(await aMember(), token))
  })
})
