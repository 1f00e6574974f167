/** Notifications over HTTP, on each storage: who is notified of what, and what a person can do with a notification. */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { aNotificationScene, type NotificationScene } from "../../support/notificationScene.ts"
import { aColleague, setRole, takeRole } from "../../support/membership.ts"
import { asOwner } from "../../support/stores.ts"
import { onOneStorage } from "../../support/storages.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { assertOk, procedureData } from "../../attacks/attackScene.ts"

onOneStorage("notifications of people", (storage) => {
  let scene: NotificationScene
  beforeAll(async () => void (scene = await aNotificationScene(storage)), 60_000)
  afterAll(() => scene?.pod.stop())

  it("a waiting proposal notifies the people who may decide on it but not the viewers of the workspace, and the decision notifies the person who owns the agent", async () => {
    const { listed, pod, proposes, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const editor = await aColleague(pod, storage, workspaceId, "editor", "deciding")
    const viewer = await aColleague(pod, storage, workspaceId, "viewer", "watching")
    const { proposalId, agent } = await proposes(workspaceId)
    const [notification] = await until(editor, { kind: "proposal_waiting" }, ([one]) => one?.subjectId === proposalId)
    assert.deepInclude(notification, { state: "unread", subjectType: "proposal", workspaceId, count: 1 })
    assert.include(notification.text, "track")
    await until(pod.owner, { kind: "proposal_waiting" }, ([one]) => one?.subjectId === proposalId)
    assertOk(await editor.send("POST", `/api/hub/proposals/${proposalId}/reject`, { reason: "Not now" }))
    const [decided] = await until(pod.owner, { kind: "proposal_decided" }, ([one]) => one?.subjectId === proposalId)
    assert.strictEqual(decided.title, "A proposal was rejected")
    for (const person of [editor, pod.owner]) {
      const [settled] = await listed(person, { kind: "proposal_waiting" })
      assert.strictEqual(settled.state, "read")
      assert.deepStrictEqual(await listed(person, { kind: "proposal_waiting", unread: true }), [])
    }
    assert.deepStrictEqual(await listed(editor, { kind: "proposal_decided" }), [])
    assert.deepStrictEqual(await listed(viewer), [])
    assert.isString(agent.id)
  })

  it("a proposal to change an existing record notifies every person who may decide on it, also a person who is not the agent's person", async () => {
    const { pod, proposes, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const editor = await aColleague(pod, storage, workspaceId, "editor", "beside")
    await pod.aWorkspace(editor) // The access of the editor now has another number (epoch) than that of the owner.
    const { agent } = await proposes(workspaceId)
    const draft = { workspaceId, title: "Quay", profileSlug: "note" }
    const { id } = assertOk(await pod.owner.send("POST", "/api/hub/entities", draft))
    const { proposalId } = assertOk(await agent.send("PATCH", `/api/hub/entities/${id}`, { title: "Quay 2" }))
    await until(editor, { kind: "proposal_waiting" }, (found) => found.some((one) => one.subjectId === proposalId))
  })

  it("a person who decides on a proposal of their own agent gets no notification of the decision", async () => {
    const { listed, mentions, pod, proposes, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "nearby")
    const { proposalId } = await proposes(workspaceId)
    await until(pod.owner, { workspaceId }, ([one]) => one?.subjectId === proposalId)
    assertOk(await pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}))
    await until(pod.owner, { workspaceId }, ([one]) => one?.state === "read")
    // The notification of a later event in the same log has arrived, so the pod has already handled the decision.
    await mentions(colleague, workspaceId, "@Owner look")
    await until(pod.owner, { workspaceId, kind: "mention" }, ({ length }) => length === 1)
    assert.deepStrictEqual(await listed(pod.owner, { workspaceId, kind: "proposal_decided" }), [])
  })

  it("a mention in a message notifies the mentioned member and never the author, and another mention raises the count of the unread notification", async () => {
    const { counted, listed, mentions, pod, says, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const named = await aColleague(pod, storage, workspaceId, "viewer", "ada")
    const { threadId } = await mentions(pod.owner, workspaceId, "Look, @Ada. And @owner, and someone@ada.example.")
    const [first] = await until(named, { kind: "mention" }, ({ length }) => length === 1)
    assert.deepInclude(first, { subjectId: threadId, subjectType: "thread", workspaceId, count: 1, state: "unread" })
    assert.include(first.text, "Look, @Ada")
    await says(pod.owner, threadId, "@ada again")
    const [folded] = await until(named, { kind: "mention" }, ([one]) => one?.count === 2)
    assert.strictEqual(folded.id, first.id)
    assert.strictEqual(folded.text, "@ada again")
    assert.strictEqual(await counted(named), 1)
    assertOk(await named.send("POST", `/api/hub/notifications/${first.id}/read`, {}))
    assert.strictEqual(await counted(named), 0)
    await says(pod.owner, threadId, "@ada once more")
    await until(named, { kind: "mention" }, ({ length }) => length === 2)
    assert.deepStrictEqual(await listed(pod.owner, { workspaceId }), [])
  })

  it("each person mentioned in a document gets one notification, however often the document is changed", async () => {
    const { pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const named = await aColleague(pod, storage, workspaceId, "editor", "grace")
    const draft = { workspaceId, title: "Plan", content: "For @grace", type: "markdown" }
    const { documentId, id = documentId } = assertOk(await pod.owner.send("POST", "/api/hub/documents", draft))
    await until(named, { kind: "mention" }, ([one]) => one?.subjectId === id)
    const change = { baseRevision: 1, content: "For @grace and others" }
    assertOk(await pod.owner.send("PATCH", `/api/hub/documents/${id}`, change))
    const later = { ...draft, title: "Later", content: "@grace" }
    assertOk(await pod.owner.send("POST", "/api/hub/documents", later))
    const notifications = await until(named, { kind: "mention" }, ({ length }) => length === 2)
    assert.deepStrictEqual(
      notifications.map(({ count }) => count),
      [1, 1]
    )
  })

  // The test is skipped in memory, because the test reads the job queue with SQL and a pod in memory has no tables.
  it.skipIf(storage.kind === "memory")(
    "a text with a mention adds one notification job to the queue, and a text without an @ adds none",
    async () => {
      const { mentions, pod, until } = scene
      const workspaceId = await pod.aWorkspace(pod.owner)
      const named = await aColleague(pod, storage, workspaceId, "editor", "alan")
      const draft = { workspaceId, title: "Plan", type: "markdown" }
      const writes = async (content: string | null) =>
        assertOk(await pod.owner.send("POST", "/api/hub/documents", { ...draft, content }))
      await writes("For nobody")
      await writes(null)
      const { documentId, id = documentId } = await writes("For @alan")
      await mentions(pod.owner, workspaceId, "Nobody is named here.")
      const { threadId } = await mentions(pod.owner, workspaceId, "And @alan again.")
      await until(named, { kind: "mention" }, (all) => all.some(({ subjectId }) => subjectId === threadId))
      const [counted] = await pod.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql<{ readonly jobs: number; readonly ofDocuments: number }>`
          SELECT count(*)::int AS jobs, count(*) FILTER (WHERE strpos(data::text, ${id}) > 0)::int AS "ofDocuments"
          FROM pgboss.job WHERE name = 'notifications.tell' AND strpos(data::text, ${workspaceId}) > 0`
        ).pipe(asOwner)
      )
      assert.deepStrictEqual(counted, { jobs: 2, ofDocuments: 1 })
    }
  )

  it("each notification is unread, read or dismissed, and a person can mark all their notifications as read or dismiss all of them at once", async () => {
    const { counted, listed, mentions, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const elsewhereId = await pod.aWorkspace(pod.owner)
    const named = await aColleague(pod, storage, workspaceId, "editor", "linus")
    await setRole(pod, storage, named.id, elsewhereId, "editor")
    for (let count = 0; count < 4; count++) await mentions(pod.owner, workspaceId, "@linus")
    await mentions(pod.owner, elsewhereId, "@linus")
    const all = await until(named, {}, ({ length }) => length === 5)
    const [one, other] = all
    assertOk(await named.mutate("notifCenter.markRead", { id: one.id }))
    const dismissed = procedureData(await named.mutate("notifCenter.dismiss", { id: other.id }))
    assert.strictEqual(dismissed.state, "dismissed")
    const states = (await listed(named)).map(({ id, state }) => [id, state])
    const expected = all.filter(({ id }) => id !== other.id)
    assert.deepStrictEqual(
      states,
      expected.map(({ id }) => [id, id === one.id ? "read" : "unread"])
    )
    assert.deepStrictEqual(
      (await listed(named, { dismissed: true })).map(({ id }) => id),
      [other.id]
    )
    assert.strictEqual(await counted(named), 3)
    const exceptThere = { workspaceId: elsewhereId, exceptWorkspaceIds: [elsewhereId] }
    assert.strictEqual(procedureData(await named.mutate("notifCenter.markAllRead", exceptThere)).count, 0)
    assert.strictEqual(procedureData(await named.mutate("notifCenter.markAllRead", { exceptKind: "mention" })).count, 0)
    const inOne = procedureData(await named.mutate("notifCenter.markAllRead", { workspaceId: elsewhereId }))
    const unreadThere = [one, other].some(({ workspaceId: at }) => at === elsewhereId) ? 0 : 1
    assert.strictEqual(inOne.count, unreadThere)
    assert.strictEqual(procedureData(await named.mutate("notifCenter.markAllRead", {})).count, 3 - unreadThere)
    assert.strictEqual(procedureData(await named.mutate("notifCenter.markAllRead", {})).count, 0)
    assert.strictEqual(await counted(named), 0)
    assert.strictEqual(procedureData(await named.mutate("notifCenter.dismissAll", {})).count, 4)
    assert.deepStrictEqual(await listed(named), [])
  })

  it("the pages of a notification listing show every notification once, in the same order as one long page", async () => {
    const { mentions, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const named = await aColleague(pod, storage, workspaceId, "editor", "barbara")
    for (let count = 0; count < 5; count++) await mentions(pod.owner, workspaceId, "@barbara")
    const all = await until(named, {}, ({ length }) => length === 5)
    const found: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const asked: string = `/api/hub/notifications?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`
      const answer = await named.send("GET", asked)
      found.push(...assertOk(answer).map(({ id }: { readonly id: string }) => id))
      cursor = answer.headers.get("x-svc-next-cursor")
    }
    assert.deepStrictEqual(
      found,
      all.map(({ id }) => id)
    )
  })

  it("a person who was removed from a workspace sees the notifications of this workspace neither in lists nor in counts, until the person is a member again", async () => {
    const { counted, listed, mentions, pod, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const leaving = await aColleague(pod, storage, workspaceId, "editor", "leaving")
    await mentions(pod.owner, workspaceId, "@leaving")
    const [notification] = await until(leaving, {}, ({ length }) => length === 1)
    await takeRole(pod, storage, leaving.id, workspaceId)
    assert.deepStrictEqual(await listed(leaving), [])
    assert.strictEqual(await counted(leaving), 0)
    const { status } = await leaving.send("POST", `/api/hub/notifications/${notification.id}/read`, {})
    assert.strictEqual(status, 404)
    await setRole(pod, storage, leaving.id, workspaceId, "viewer")
    assert.strictEqual(await counted(leaving), 1)
  })

  it("a person who may no longer decide on a proposal no longer sees the notification about this proposal", async () => {
    const { counted, listed, pod, proposes, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const editor = await aColleague(pod, storage, workspaceId, "editor", "demoted")
    const { proposalId } = await proposes(workspaceId)
    await until(editor, {}, ([one]) => one?.subjectId === proposalId)
    await setRole(pod, storage, editor.id, workspaceId, "viewer")
    assert.deepStrictEqual(await listed(editor), [])
    assert.strictEqual(await counted(editor), 0)
  })

  it("a stopped webhook and a failed automation notify the person who owns them, and an automation can notify another member of the workspace", async () => {
    const { listed, pod, until } = scene
    const person = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(person)
    const colleague = await aColleague(pod, storage, workspaceId, "viewer", "notified")
    const outsider = await pod.aPerson()
    const hook = { name: "Out", url: "https://example.com/hook", eventTypes: ["*"] }
    const webhookId = procedureData(await person.mutate("webhooks.create", hook)).subscription.id as string
    const runId = await scene.logsRun(person.id, workspaceId)
    await scene.logs(person.id, person.id, { type: "webhook.disabled", subjectId: webhookId, data: {} })
    await scene.logs(person.id, workspaceId, { type: "automation.failed", subjectId: runId, data: { runId } })
    for (const { id } of [outsider, colleague]) {
      const data = { runId, personId: id, text: "The tide is high" }
      await scene.logs(person.id, workspaceId, { type: "automation.notify", subjectId: runId, data })
    }
    await until(person, { kind: "webhook_failing" }, ([one]) => one?.subjectId === webhookId)
    await until(person, { kind: "automation_failed" }, ([one]) => one?.subjectId === runId)
    const [notice] = await until(colleague, {}, ({ length }) => length === 1)
    assert.deepInclude(notice, { kind: "automation_notice", text: "The tide is high", workspaceId })
    assert.deepStrictEqual(await listed(outsider), [])
    await scene.logs(person.id, workspaceId, { type: "automation.failed", subjectId: uuidv7(), data: {} })
    assertOk(await person.mutate("webhooks.delete", { id: webhookId }))
    assert.deepStrictEqual(
      (await listed(person)).map(({ kind }) => kind),
      ["automation_failed"]
    )
  })

  // The test is skipped in memory, because the test makes a proposal expire with SQL.
  it.skipIf(storage.kind === "memory")(
    "the list of notifications shows a notification about an expired proposal as read, even before the pod has stored a time for `readAt`",
    async () => {
      const { counted, listed, pod, proposes, until, upkeep } = scene
      const person = await pod.aPerson()
      const workspaceId = await pod.aWorkspace(person)
      const { proposalId } = await proposes(workspaceId, person)
      await until(person, {}, ([one]) => one?.subjectId === proposalId)
      await pod.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE proposals SET expires_at = now() WHERE id = ${proposalId}::uuid`
        ).pipe(asOwner)
      )
      assert.strictEqual(await counted(person), 0)
      const [before] = await listed(person)
      assert.deepStrictEqual([before.state, before.readAt], ["read", null])
      await upkeep()
      const [after] = await listed(person)
      assert.isNotNull(after.readAt)
    }
  )

  it("a notification that comes in quiet hours is held and does not count as unread, until the person ends the quiet hours", async () => {
    const { counted, listed, mentions, pod, quietNow, until } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const named = await aColleague(pod, storage, workspaceId, "editor", "sleeping")
    assertOk(await named.send("PATCH", "/api/hub/notifications/preferences", { quietHours: quietNow() }))
    await mentions(pod.owner, workspaceId, "@sleeping")
    const [notification] = await until(named, {}, ({ length }) => length === 1)
    assert.strictEqual(notification.state, "held")
    assert.isTrue(
      DateTime.greaterThan(DateTime.unsafeMake(notification.heldUntil), DateTime.unsafeMake(notification.createdAt))
    )
    assert.strictEqual(await counted(named), 0)
    assert.deepStrictEqual(await listed(named, { unread: true }), [])
    assertOk(await named.mutate("notifCenter.setPrefs", { quietHours: null }))
    assert.strictEqual(await counted(named), 1)
  })

  it("a person gets no notification of a kind that is switched off and no notification from a muted workspace, but gets all other notifications", async () => {
    const { listed, mentions, pod, until } = scene
    const [mutedId, openId] = [await pod.aWorkspace(pod.owner), await pod.aWorkspace(pod.owner)]
    const named = await aColleague(pod, storage, mutedId, "editor", "choosy")
    const control = await aColleague(pod, storage, openId, "editor", "control")
    for (const [person, spaceId] of [
      [named, openId],
      [control, mutedId]
    ] as const) {
      await setRole(pod, storage, person.id, spaceId, "editor")
    }
    /**
     * The number of messages that have mentioned both people. The pod notifies `control` after `named`. So when
     * `control` has the notification, the pod has also handled the message for `named`.
     */
    let mentionCount = 0
    const mentionBoth = async (workspaceId: string) => {
      await mentions(pod.owner, workspaceId, "@choosy @control")
      mentionCount += 1
      await until(control, {}, ({ length }) => length === mentionCount)
    }
    assertOk(await named.mutate("notifCenter.setPrefs", { mutedWorkspaceIds: [mutedId] }))
    await mentionBoth(mutedId)
    await mentionBoth(openId)
    assert.deepStrictEqual(
      (await listed(named)).map(({ workspaceId }) => workspaceId),
      [openId]
    )
    const changed = procedureData(await named.mutate("notifCenter.setPrefs", { kinds: { mention: false } }))
    assert.deepInclude(changed.kinds, { mention: false, post: true })
    await mentionBoth(openId)
    assert.lengthOf(await listed(named), 1)
    assertOk(await named.mutate("notifCenter.setPrefs", { kinds: { mention: true }, mutedWorkspaceIds: [] }))
    await mentionBoth(mutedId)
    assert.lengthOf(await listed(named, { workspaceId: mutedId }), 1)
    assert.deepStrictEqual(procedureData(await named.query("notifCenter.getPrefs")).mutedWorkspaceIds, [])
  })

  it("notification preferences are refused if they contain an invalid time or time zone, an unknown kind, or a workspace that the person cannot access", async () => {
    const { pod } = scene
    const person = await pod.aPerson()
    const patch = (body: object) => person.send("PATCH", "/api/hub/notifications/preferences", body)
    const night = { from: "22:00", to: "07:00", timezone: "Europe/Berlin" }
    for (const wrong of [{ from: "24:00" }, { to: "22:00" }, { timezone: "Europe/Nowhere" }, { timezone: "+01:00" }]) {
      assert.strictEqual((await patch({ quietHours: { ...night, ...wrong } })).status, 400, JSON.stringify(wrong))
    }
    assert.strictEqual((await patch({ kinds: { gossip: true } })).status, 400)
    const foreignId = await pod.aWorkspace(pod.owner)
    assert.strictEqual((await patch({ mutedWorkspaceIds: [foreignId] })).status, 403)
    const { body, status } = await patch({ quietHours: night })
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(body.quietHours, night)
  })

  it("a person gets one notification for each of their keys that expires within a week, and the notification counts as read after the key is revoked", async () => {
    const { listed, pod, upkeep } = scene
    const person = await pod.aPerson()
    const key = await pod.aKey(person, { expiresInDays: 6 })
    await pod.aKey(person, { expiresInDays: 60 })
    await upkeep()
    await upkeep()
    const [notification, ...others] = await listed(person)
    assert.lengthOf(others, 0)
    assert.deepInclude(notification, { kind: "key_ending", subjectId: key.id, subjectType: "apiKey", count: 1 })
    const soon = await pod.aKey(person, { expiresInDays: 1 })
    await upkeep()
    assert.lengthOf(await listed(person), 2)
    assertOk(await person.mutate("apiKeys.revoke", { keyId: soon.id }))
    const revoked = (await listed(person)).find(({ subjectId }) => subjectId === soon.id)
    assert.strictEqual(revoked?.state, "read")
  })
})
