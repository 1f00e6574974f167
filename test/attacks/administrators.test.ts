/** Only the owner of the pod appoints its administrators. An administrator may suspend members and invite people. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, assertOk, assertRefused, type AttackScene } from "./attackScene.ts"

type Person = Caller & { readonly id: string }

onOneStorage("administrators of the pod", (storage) => {
  let scene: AttackScene
  let administrator: Person
  beforeAll(async () => {
    scene = await anAttackScene(storage)
    administrator = await scene.pod.aPerson("administrator@example.com")
    assertOk(await change(scene.owner, administrator, { isAdministrator: true }))
  })
  afterAll(() => scene?.pod.stop())

  const change = (by: Caller, { id }: { readonly id: string }, body: object) =>
    by.send("PATCH", `/api/hub/people/${id}`, body)
  const invite = (by: Caller, draft: object = {}) => by.send("POST", "/api/hub/invitations", draft)
  const accept = (token: string, email: string) =>
    scene.pod.stranger.send("POST", "/setup/accept-invite", { token, email, password: ownerPassword, name: "Guest" })

  it("attack: a member or an administrator of the pod cannot appoint themselves or another person as an administrator", async () => {
    const { pod, victim } = scene
    assertRefused(await change(victim, victim, { isAdministrator: true }), 403, "ADMINISTRATOR_ONLY")
    assertRefused(await change(administrator, victim, { isAdministrator: true }), 403, "OWNER_ONLY")
    assertRefused(await change(administrator, victim, { isAdministrator: true, isSuspended: true }), 403, "OWNER_ONLY")
    const key = await pod.aKey(scene.owner)
    assertRefused(await change(key, victim, { isAdministrator: true }), 403, "SESSION_ONLY")
    assertRefused(await change(await pod.aKey(administrator), victim, { isSuspended: true }), 403, "SESSION_ONLY")
    const listed = assertOk(await scene.owner.send("GET", "/api/hub/people")) as ReadonlyArray<{
      readonly id: string
      readonly isAdministrator: boolean
      readonly isSuspended: boolean
    }>
    assert.deepInclude(
      listed.find(({ id }) => id === victim.id),
      { isAdministrator: false, isSuspended: false }
    )
  })

  it("attack: an administrator cannot suspend the owner, another administrator or themselves", async () => {
    const { owner, pod } = scene
    const other = await pod.aPerson("other-administrator@example.com")
    assertOk(await change(owner, other, { isAdministrator: true }))
    assertRefused(await change(administrator, { id: pod.ownerId }, { isSuspended: true }), 409, "OWNER_STAYS")
    for (const person of [other, administrator]) {
      assertRefused(await change(administrator, person, { isSuspended: true }), 403, "OWNER_ONLY")
    }
    for (const caller of [owner, other, administrator]) assertOk(await caller.send("GET", "/api/hub/users/me"))
  })

  it("attack: the pod refuses a request to change a person if the request is empty or has a wrong field name or value", async () => {
    const { owner, victim } = scene
    for (const body of [{}, { isAdmin: true }, { isSuspended: null }, { isAdministrator: "true" }, { isOwner: true }]) {
      assertRefused(await change(owner, victim, body), 400)
    }
    assertRefused(await change(owner, { id: scene.pod.ownerId }, { isAdministrator: true }), 409, "OWNER_STAYS")
    assertRefused(await change(owner, { id: scene.agentId }, { isAdministrator: true }), 404)
  })

  const serviceKey = async (order: object) =>
    assertOk(
      await scene.owner.mutate("apiKeys.create", {
        keyName: "Billing",
        scope: ["hub-protocol.read"],
        hubId: "billing",
        ...order
      })
    ).result.data as { readonly id: string; readonly key: string }

  it("attack: a member, a dismissed administrator, a key and an agent cannot list the system keys, and a member cannot rebuild the search index", async () => {
    const { owner, pod, victim } = scene
    const former = await pod.aPerson("former-administrator@example.com")
    for (const isAdministrator of [true, false]) assertOk(await change(owner, former, { isAdministrator }))
    for (const caller of [victim, former]) {
      for (const answer of [
        await caller.query("apiKeys.listSystemKeys"),
        await caller.mutate("typesense.initializeCollections")
      ]) {
        assertRefused(answer, 403)
        assert.strictEqual(answer.body.error.data.reason, "ADMINISTRATOR_ONLY")
        assert.include(answer.body.error.message, "Only the owner of the pod and its administrators can")
      }
    }
    for (const key of [await pod.aKey(owner), await pod.aKey(administrator), scene.agent]) {
      const { body, status } = await key.query("apiKeys.listSystemKeys")
      assert.deepStrictEqual([status, body.error.data.reason], [403, "SESSION_ONLY"])
    }
    assertRefused(await scene.agent.mutate("typesense.initializeCollections"), 403)
  })

  it("attack: the list of system keys shows an administrator no secret, and no name and no id of the owner's entities, projects and roles", async () => {
    const { owner, pod } = scene
    const workspaceId = await pod.aWorkspace(owner, "Secret harbour")
    const entity = assertOk(
      await owner.send("POST", "/api/hub/entities", { title: "Secret quay", profileSlug: "note", workspaceId })
    )
    const project = assertOk(await owner.send("POST", "/api/hub/projects", { name: "Secret project", workspaceId }))
    const role = assertOk(
      await owner.mutate("roles.create", { name: "Secret role", grant: { permissions: ["entity.read"] } })
    ).result.data
    const made = [
      await serviceKey({ grant: { permissions: ["entity.read"], entityIds: [entity.id], projectIds: [project.id] } }),
      await serviceKey({ grant: { roleId: role.id } }),
      await serviceKey({ grant: { permissions: ["*"] }, workspaceId })
    ]
    const listed = async (caller: Caller) =>
      assertOk(await caller.query("apiKeys.listSystemKeys")).result.data as ReadonlyArray<Record<string, unknown>>
    const seen = await listed(administrator)
    const text = JSON.stringify(seen)
    for (const hidden of ["Secret", entity.id, project.id, role.id, ...made.map(({ key }) => key)]) {
      assert.notInclude(text, hidden)
    }
    const [limited, , inWorkspace] = made.map(({ id }) => seen.find((key) => key.id === id))
    assert.deepInclude(limited, {
      keyName: "Billing",
      grant: { permissions: ["entity.read"], workspaceIds: null, projectIds: [], entityIds: [], label: null },
      summary: "Has only the permissions entity.read, within 1 project and 1 object."
    })
    assert.strictEqual(inWorkspace?.workspaceId, workspaceId)
    const own = await listed(owner)
    assert.deepStrictEqual(
      seen.map(({ id }) => id),
      own.map(({ id }) => id)
    )
    assert.include(JSON.stringify(own), entity.id)
  })

  it("an administrator of the pod can rebuild the search index, and the answer counts only the records of the administrator", async () => {
    const rebuilt = async () =>
      assertOk(await administrator.mutate("typesense.initializeCollections")).result.data as Record<string, string>
    const before = await rebuilt()
    assert.strictEqual(before["status"], "initialized")
    assertOk(await scene.owner.send("POST", "/api/hub/entities", { title: "Quay", profileSlug: "note" }))
    assert.deepStrictEqual(await rebuilt(), before)
  })

  it("an administrator of the pod can suspend a member and end the suspension", async () => {
    const member = await scene.pod.aPerson("member@example.com")
    assert.isTrue(assertOk(await change(administrator, member, { isSuspended: true })).isSuspended)
    assert.strictEqual((await member.send("GET", "/api/hub/users/me")).status, 401)
    assert.isFalse(assertOk(await change(administrator, member, { isSuspended: false })).isSuspended)
  })

  it("the list of invitations shows an administrator only the invitations that this administrator made, and shows the owner of the pod all invitations", async () => {
    const { owner } = scene
    const own = assertOk(await invite(administrator, { note: "by the administrator" }))
    const other = assertOk(await invite(owner, { note: "by the owner" }))
    const seen = async (by: Caller) =>
      (assertOk(await by.send("GET", "/api/hub/invitations")) as ReadonlyArray<{ readonly id: string }>).map(
        ({ id }) => id
      )
    assert.deepStrictEqual(await seen(administrator), [own.invitation.id])
    assert.includeMembers(await seen(owner), [own.invitation.id, other.invitation.id])
    // The administrator gets the same answer for an invitation that the owner made as for an invitation that does not
    // exist.
    for (const id of [other.invitation.id, uuidv7()]) {
      assertRefused(await administrator.send("DELETE", `/api/hub/invitations/${id}`), 404)
    }
    assert.strictEqual(own.invitation.invitedBy, administrator.id)
    const { userId } = assertOk(await accept(own.token, "invited@example.com"))
    const people = assertOk(await administrator.send("GET", "/api/hub/people")) as ReadonlyArray<{
      readonly id: string
    }>
    assert.include(
      people.map(({ id }) => id),
      userId
    )
  })

  it("attack: an administrator cannot invite a person to a workspace of somebody else", async () => {
    assertRefused(await invite(administrator, { workspaceId: scene.workspaceId }), 403, "WORKSPACE_FORBIDDEN")
    const theirs = await scene.pod.aWorkspace(administrator, "Theirs")
    const { token } = assertOk(await invite(administrator, { workspaceId: theirs, role: "viewer" }))
    const { workspace } = assertOk(await accept(token, "in-theirs@example.com"))
    assert.deepStrictEqual(workspace, { workspaceId: theirs, joined: true })
  })

  it("attack: an invitation link that an administrator made no longer works after the administrator is dismissed or suspended", async () => {
    const { owner, pod } = scene
    for (const [body, name] of [
      [{ isAdministrator: false }, "dismissed"],
      [{ isSuspended: true }, "suspended"]
    ] as const) {
      const former = await pod.aPerson(`${name}@example.com`)
      assertOk(await change(owner, former, { isAdministrator: true }))
      const { token } = assertOk(await invite(former))
      assertOk(await change(owner, former, body))
      assertRefused(await accept(token, `guest-of-${name}@example.com`), 409, "INVITATION_INVALID")
      const refused = await invite(former)
      if (name === "dismissed") assertRefused(refused, 403, "ADMINISTRATOR_ONLY")
      else assertRefused(refused, 401)
    }
  })

  it("attack: if people use an administrator's invitation links while the administrator is being dismissed, each of them joins before the dismissal ends or not at all", async () => {
    const { owner, pod } = scene
    const former = await pod.aPerson("racing@example.com")
    assertOk(await change(owner, former, { isAdministrator: true }))
    const tokens = await Promise.all([1, 2, 3].map(async () => assertOk(await invite(former)).token as string))
    const accepting = tokens.map((token, at) => accept(token, `racing-guest-${at}@example.com`))
    assertOk(await change(owner, former, { isAdministrator: false }))
    const people = assertOk(await owner.send("GET", "/api/hub/people?limit=200")) as ReadonlyArray<{
      readonly id: string
    }>
    const known = new Set(people.map(({ id }) => id))
    for (const answer of await Promise.all(accepting)) {
      if (answer.status === 200) assert.isTrue(known.has(answer.body.userId), "a person came after the dismissal")
      else assertRefused(answer, 409, "INVITATION_INVALID")
    }
  })
})
