/**
 * Attacks on notifications and proactive posts with foreign ids, hidden records, forged events, narrow keys, floods and
 * repetitions.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aColleague, setRole, takeRole } from "../support/membership.ts"
import { aNotificationScene, type NotificationScene } from "../support/notificationScene.ts"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { assertOk, assertRefused, procedureData } from "./attackScene.ts"

onOneStorage("attacks on notifications", (storage) => {
  let scene: NotificationScene
  beforeAll(async () => void (scene = await aNotificationScene(storage)), 60_000)
  afterAll(() => scene?.pod.stop())
  const post = (caller: Caller, body: object) => caller.send("POST", "/api/hub/proactive/post", body)
  const preferencesOf = async (person: Caller) => procedureData(await person.query("notifCenter.getPrefs", {}))

  /** Makes a new workspace and a member. The member has one notification from this workspace. */
  const aNotifiedPerson = async (name: string) => {
    const { mentions, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const person = await aColleague(pod, storage, workspaceId, "editor", name)
    await mentions(pod.owner, workspaceId, `@${name}`)
    const [notification] = await until(person, {}, ({ length }) => length === 1)
    return { person, notification, workspaceId }
  }

  it("attack: a person cannot read, dismiss or find the notification of another person, even in the same workspace", async () => {
    const { counted, listed, pod } = scene
    const { person, notification, workspaceId } = await aNotifiedPerson("victim1")
    const colleague = await aColleague(pod, storage, workspaceId, "admin", "curious1")
    for (const thief of [colleague, pod.owner, await pod.aPerson()]) {
      for (const deed of ["read", "dismiss"]) {
        assertRefused(await thief.send("POST", `/api/hub/notifications/${notification.id}/${deed}`, {}), 404)
      }
      assert.strictEqual((await thief.mutate("notifCenter.markRead", { id: notification.id })).status, 404)
      assertOk(await thief.mutate("notifCenter.dismissAll", {}))
      assert.notInclude(JSON.stringify(await listed(thief)), notification.id)
    }
    assert.strictEqual(await counted(person), 1)
  })

  it("attack: a request with the id of another person or of a foreign workspace neither changes nor shows notifications of other people", async () => {
    const { counted, listed, pod } = scene
    const { person, workspaceId } = await aNotifiedPerson("victim2")
    const stranger = await pod.aPerson()
    assertRefused(await stranger.send("POST", "/api/hub/notifications/read-all", { workspaceId }), 403)
    assertRefused(await stranger.send("GET", `/api/hub/notifications?workspaceId=${workspaceId}`), 403)
    assertRefused(await stranger.send("GET", `/api/hub/notifications?workspaceId=${uuidv7()}`), 403)
    assertRefused(await stranger.send("POST", "/api/hub/notifications/read-all", { userId: person.id }), 403)
    const quiet = { quietHours: scene.quietNow(), userId: person.id }
    assertRefused(await stranger.send("PATCH", "/api/hub/notifications/preferences", quiet), 403)
    const read = await stranger.send("GET", `/api/hub/notifications?userId=${person.id}`)
    assert.deepStrictEqual([read.status, read.body], [200, []])
    assert.isNull((await preferencesOf(person)).quietHours)
    assert.strictEqual(await counted(person), 1)
    assert.lengthOf(await listed(person), 1)
  })

  it("attack: a person never gets a notification about a proposal that the person cannot read", async () => {
    const { listed, mentions, pod, proposes, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const colleague = await aColleague(pod, storage, workspaceId, "admin", "colleague3")
    const draft = { name: "Scribe", capabilities: ["*"] }
    const agentId = procedureData(await pod.owner.mutate("agents.create", draft)).id as string
    const agent = await pod.aKey(pod.owner, { agentId })
    assertOk(await pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
    // One proposal is in the person's own space. The other proposal is in a workspace to which the colleague does not
    // belong.
    const elsewhereId = await pod.aWorkspace(pod.owner)
    const hidden = [
      assertOk(await agent.send("POST", "/api/hub/tracks", { name: "Private" })).proposalId as string,
      (await proposes(elsewhereId)).proposalId
    ]
    for (const id of hidden) {
      assert.isString(id)
      await until(pod.owner, { kind: "proposal_waiting" }, (all) => all.some(({ subjectId }) => subjectId === id))
    }
    const { proposalId } = await proposes(workspaceId)
    await until(colleague, {}, ([one]) => one?.subjectId === proposalId)
    await mentions(pod.owner, workspaceId, "@colleague3")
    await until(colleague, { kind: "mention" }, ({ length }) => length === 1)
    for (const id of hidden) assert.notInclude(JSON.stringify(await listed(colleague)), id)
    await takeRole(pod, storage, colleague.id, workspaceId)
    assert.deepStrictEqual(await listed(colleague), [])
  })

  it("attack: a mention of a person who cannot read the thread sends no notification, not even after the person joins the workspace", async () => {
    const { counted, listed, mentions, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const member = await aColleague(pod, storage, workspaceId, "viewer", "inside4")
    const outsider = await pod.aPerson("outside4@example.com")
    await mentions(pod.owner, null, "@outside4 @inside4")
    await mentions(pod.owner, workspaceId, "@outside4 @inside4")
    await until(member, {}, ({ length }) => length === 1)
    assert.deepStrictEqual(await listed(outsider), [])
    await setRole(pod, storage, outsider.id, workspaceId, "viewer")
    assert.deepStrictEqual(await listed(outsider), [])
    assert.strictEqual(await counted(outsider), 0)
  })

  it("attack: the notifications about a document disappear from lists and counts when the document is deleted", async () => {
    const { counted, listed, mentions, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const named = await aColleague(pod, storage, workspaceId, "viewer", "named5")
    const draft = { workspaceId, title: "Plan", content: "For @named5", type: "markdown" }
    const { documentId, id = documentId } = assertOk(await pod.owner.send("POST", "/api/hub/documents", draft))
    await until(named, {}, ({ length }) => length === 1)
    assertOk(await pod.owner.send("DELETE", `/api/hub/documents/${id}`))
    assert.deepStrictEqual(await listed(named), [])
    assert.strictEqual(await counted(named), 0)
    assert.strictEqual(procedureData(await named.mutate("notifCenter.dismissAll", {})).count, 0)
    await mentions(pod.owner, workspaceId, "@named5")
    await until(named, {}, ({ length }) => length === 1)
  })

  it("attack: a client cannot log an event of a type that sends notifications, and the attempt sends no notification", async () => {
    const { listed, pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const victim = await aColleague(pod, storage, workspaceId, "editor", "victim6")
    const types = [
      "automation.failed",
      "automation.notify",
      "webhook.disabled",
      "ai.nudge.posted",
      "notification.create"
    ]
    for (const type of [...types, "proposal.create", "message.create", "Automation.NOTIFY"]) {
      const data = { ruleId: uuidv7(), personId: victim.id, text: "Click here" }
      const { status } = await pod.owner.mutate("events.log", { type, data, workspaceId, subjectId: uuidv7() })
      assert.strictEqual(status, 400, type)
    }
    assert.deepStrictEqual(await listed(victim), [])
  })

  it("attack: a key with a narrow grant reads no notifications and changes none", async () => {
    const { counted, pod } = scene
    const { person, notification, workspaceId } = await aNotifiedPerson("holder7")
    const grants = [
      { permissions: ["channel"] },
      { permissions: ["notification"], workspaceIds: [workspaceId] },
      { permissions: ["*"], workspaceIds: [workspaceId] },
      { permissions: ["*"], entityIds: [uuidv7()] }
    ]
    for (const grant of grants) {
      const key = await pod.aKey(person, { grant })
      for (const path of ["notifications", "notifications/unread-count", "notifications/preferences"]) {
        assertRefused(await key.send("GET", `/api/hub/${path}`), 403, "GRANT_DOOR_UNSUPPORTED")
      }
      assert.strictEqual((await key.query("notifCenter.list", {})).status, 403)
      for (const path of [`${notification.id}/read`, `${notification.id}/dismiss`, "read-all", "dismiss-all"]) {
        assertRefused(await key.send("POST", `/api/hub/notifications/${path}`, {}), 403)
      }
      assertRefused(await key.send("PATCH", "/api/hub/notifications/preferences", { quietHours: null }), 403)
    }
    const readOnly = await pod.aKey(person, { scope: ["hub-protocol.read"] })
    assertRefused(await readOnly.send("POST", `/api/hub/notifications/${notification.id}/read`, {}), 403)
    assert.strictEqual(await counted(person), 1)
    const whole = await pod.aKey(person)
    assert.lengthOf(assertOk(await whole.send("GET", "/api/hub/notifications")), 1)
  })

  it("attack: an agent can neither dismiss the notifications of the person who owns the agent nor change this person's preferences", async () => {
    const { counted, pod } = scene
    const { person, notification } = await aNotifiedPerson("boss8")
    const draft = { name: "Hider", capabilities: ["*"] }
    const agentId = procedureData(await person.mutate("agents.create", draft)).id as string
    const agent = await pod.aKey(person, { agentId })
    assertRefused(await agent.send("POST", `/api/hub/notifications/${notification.id}/dismiss`, {}), 403, "PEOPLE_ONLY")
    assertRefused(await agent.send("POST", "/api/hub/notifications/dismiss-all", {}), 403, "PEOPLE_ONLY")
    assertRefused(
      await agent.send("PATCH", "/api/hub/notifications/preferences", { kinds: { proposal_waiting: false } }),
      403,
      "PEOPLE_ONLY"
    )
    assert.strictEqual(await counted(person), 1)
  })

  it("attack: if one message mentions a member of the workspace a thousand times, the member gets only one notification", async () => {
    const { mentions, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const [one, other] = [
      await aColleague(pod, storage, workspaceId, "viewer", "flooded9"),
      await aColleague(pod, storage, workspaceId, "viewer", "also9")
    ]
    await mentions(pod.owner, workspaceId, `${"@flooded9 ".repeat(999)}@also9`)
    const [notification] = await until(other, {}, ({ length }) => length === 1)
    assert.strictEqual(notification.count, 1)
    const [first, ...others] = await scene.listed(one)
    assert.deepStrictEqual([first.count, others.length], [1, 0])
  })

  it("attack: if a person marks a notification as read several times, even at the same moment, only the first mark changes the notification", async () => {
    const { person, notification } = await aNotifiedPerson("repeater10")
    const reads = Array.from({ length: 6 }, () =>
      person.send("POST", `/api/hub/notifications/${notification.id}/read`, {})
    )
    const times = (await Promise.all(reads)).map((answer) => assertOk(answer).readAt)
    assert.strictEqual(new Set(times).size, 1)
    assert.deepStrictEqual(procedureData(await person.mutate("notifCenter.markAllRead", {})).count, 0)
    assertOk(await person.send("POST", `/api/hub/notifications/${notification.id}/dismiss`, {}))
    const again = assertOk(await person.send("POST", `/api/hub/notifications/${notification.id}/read`, {}))
    assert.strictEqual(again.state, "dismissed")
  })

  it("attack: the pod refuses a proactive message (one that nobody asked for) to another person, about a workspace of other people, or with a key with too narrow a grant", async () => {
    const { listed, pod } = scene
    const { person, workspaceId } = await aNotifiedPerson("target11")
    const draft = { userId: pod.ownerId, workspaceId, content: "Pay now", proactiveType: "alert" }
    assertRefused(await post(pod.owner, { ...draft, userId: person.id }), 403, "IDENTITY_FORBIDDEN")
    assertRefused(await post(pod.owner, { ...draft, agentUserId: uuidv7() }), 403)
    const stranger = await pod.aPerson()
    assertRefused(await post(stranger, { ...draft, userId: stranger.id }), 403, "WORKSPACE_FORBIDDEN")
    assertRefused(await post(stranger, { ...draft, userId: stranger.id, workspaceId: uuidv7() }), 403)
    const confined = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
    assertRefused(await post(confined, draft), 403)
    const reader = await pod.aKey(pod.owner, { grant: { permissions: ["channel.read"] } })
    assertRefused(await post(reader, draft), 403)
    const weak = procedureData(await pod.owner.mutate("agents.create", { name: "Weak", capabilities: [] })).id as string
    const agent = await pod.aKey(pod.owner, { agentId: weak })
    assertRefused(await post(agent, draft), 403, "CAPABILITY_MISSING")
    assert.notInclude(JSON.stringify(await listed(person)), "Pay now")
    const threads = assertOk(await pod.owner.send("GET", "/api/hub/threads?limit=200"))
    assert.isFalse(
      threads.some(({ externalSource }: { externalSource: string | null }) => externalSource === "proactive")
    )
  })

  it("attack: the pod answers 403 to a proactive message (one that nobody asked for) about a workspace if the receiver was removed from this workspace", async () => {
    const { pod } = scene
    const { person, workspaceId } = await aNotifiedPerson("removed12")
    const draft = { userId: person.id, workspaceId, content: "Still here?", proactiveType: "nudge" }
    assert.isTrue(assertOk(await post(person, draft)).posted)
    await takeRole(pod, storage, person.id, workspaceId)
    assertRefused(await post(person, draft), 403, "WORKSPACE_FORBIDDEN")
  })

  it("attack: the notification of an automation rule shows no data of a record that the notified person may no longer read", async () => {
    const { counted, listed, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const person = await aColleague(pod, storage, workspaceId, "editor", "noticed13")
    const sentence = { when: "entity.task.create", then: "notify me" }
    assertOk(await person.send("POST", "/api/hub/rules", { intent: "Watch", scope: { kind: "pod" }, sentence }))
    const aTask = async (title: string, more: object) =>
      assertOk(await person.send("POST", "/api/hub/entities", { profileSlug: "task", title, ...more })).id as string
    const about = async (title: string) => {
      const [notice] = await until(person, {}, ([one]) => (one?.text ?? "").includes(title))
      assert.strictEqual(notice.kind, "automation_notice")
      return notice
    }
    const eventsOf = async () => {
      const logged = procedureData(await person.query("events.list", { type: "automation.notify", limit: 50 }))
      assert.isAbove(logged.length, 0)
      return JSON.stringify(logged)
    }
    await aTask("Merger with Acme", { workspaceId })
    const { id } = await about("Merger with Acme")
    await takeRole(pod, storage, person.id, workspaceId)
    assert.notInclude(JSON.stringify(await listed(person)), "Acme")
    assert.strictEqual(await counted(person), 0)
    assertRefused(await person.send("POST", `/api/hub/notifications/${id}/read`, {}), 404)
    assert.notInclude(await eventsOf(), "Acme")
    const ownId = await aTask("Call the bank", {})
    await about("Call the bank")
    assertOk(await person.send("PATCH", `/api/hub/entities/${ownId}`, { title: "Call the lender" }))
    assert.include((await about("Call the lender")).text, "entity.task.create")
    assertOk(await person.send("DELETE", `/api/hub/entities/${ownId}`))
    assert.deepStrictEqual(await listed(person), [])
    assert.notInclude(await eventsOf(), "bank")
  })
})
