/**
 * Proactive posts over HTTP, on each storage: the refusals, the limits, the preferences, and the notification of the
 * person.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { assertOk, eventsOf, procedureData } from "../../attacks/attackScene.ts"
import { aColleague } from "../../support/membership.ts"
import { aNotificationScene, type NotificationScene } from "../../support/notificationScene.ts"
import type { Caller } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

onOneStorage("proactive posts", (storage) => {
  let scene: NotificationScene
  beforeAll(async () => void (scene = await aNotificationScene(storage)), 60_000)
  afterAll(() => scene?.pod.stop())

  const aPoster = async () => {
    const person = await scene.pod.aPerson()
    const workspaceId = await scene.pod.aWorkspace(person)
    const draft = { userId: person.id, workspaceId, content: "Two contracts end.", proactiveType: "nudge" }
    const post = (more: object = {}, caller: Caller = person) =>
      caller.send("POST", "/api/hub/proactive/post", { ...draft, ...more })
    return { person, workspaceId, post }
  }

  it("a proactive post with a missing field, an unknown type or a text that is too long is refused, and no thread is created", async () => {
    const { person, post } = await aPoster()
    const wrong = [
      { content: undefined },
      { workspaceId: undefined },
      { proactiveType: undefined },
      { userId: undefined },
      { proactiveType: "joke" },
      { content: "x".repeat(10_001) },
      { content: "" },
      { metadata: { text: "x".repeat(10_001) } },
      { metadata: [1] },
      { reasoning: "x".repeat(2_001) }
    ]
    for (const each of wrong) assert.strictEqual((await post(each)).status, 400, Object.keys(each).join())
    assert.deepStrictEqual(assertOk(await person.send("GET", "/api/hub/threads")), [])
  })

  it("a proactive post is stored as a message in a thread of the person, with an event, and the person gets a notification", async () => {
    const { person, post, workspaceId } = await aPoster()
    const content = "x".repeat(10_000)
    const answer = assertOk(await post({ content, reasoning: "They end soon", metadata: { contracts: 2 } }))
    assert.deepInclude(answer, { posted: true, delivered: true, reason: null, detail: null })
    const [message] = assertOk(await person.send("GET", `/api/hub/threads/${answer.channelId}/messages`))
    assert.deepInclude(message, { id: answer.messageId, role: "assistant", content, authorId: person.id })
    assert.deepStrictEqual(message.metadata, {
      contracts: 2,
      proactive: { type: "nudge", reasoning: "They end soon", workspaceId }
    })
    const event = (await eventsOf(person)).find(({ type }) => type === "ai.nudge.posted")
    assert.strictEqual(event?.subjectId, answer.messageId)
    const [notification] = await scene.until(person, { kind: "post" }, ({ length }) => length === 1)
    assert.deepInclude(notification, { subjectId: answer.channelId, workspaceId: null, state: "unread" })
    const again = assertOk(await post())
    assert.strictEqual(again.channelId, answer.channelId)
  })

  it("if eight proactive posts are sent at the same moment, the pod stores three of them, and the other answers say that three posts an hour are allowed", async () => {
    const { person, post, workspaceId } = await aPoster()
    const answers = (await Promise.all(Array.from({ length: 8 }, () => post()))).map(assertOk)
    assert.strictEqual(answers.filter(({ posted }) => posted).length, 3)
    for (const { delivered, detail, posted, reason } of answers.filter((answer) => !answer.posted)) {
      assert.deepStrictEqual([posted, delivered, reason], [false, false, "rate_limited"])
      assert.include(detail, "3 posts in an hour")
    }
    const threads = assertOk(await person.send("GET", "/api/hub/threads"))
    assert.lengthOf(threads, 1)
    assert.lengthOf(assertOk(await person.send("GET", `/api/hub/threads/${threads[0].id}/messages`)), 3)
    const elsewhereId = await scene.pod.aWorkspace(person)
    assert.isTrue(assertOk(await post({ workspaceId: elsewhereId })).posted)
    assert.isFalse(assertOk(await post({ workspaceId })).posted)
  })

  it("in quiet hours no proactive post is stored, except an alert if the person allows alerts in quiet hours", async () => {
    const { person, post } = await aPoster()
    const set = (change: object) => person.mutate("notifCenter.setPrefs", change)
    assertOk(await set({ quietHours: scene.quietNow() }))
    const quiet = async (more: object = {}) => {
      const { detail, posted, reason } = assertOk(await post(more))
      assert.deepStrictEqual([posted, reason], [false, "quiet_hours"])
      assert.match(detail, /until \d{4}-/)
    }
    await quiet()
    await quiet({ proactiveType: "alert" })
    assertOk(await set({ alertsPassQuietHours: true }))
    await quiet()
    assert.isTrue(assertOk(await post({ proactiveType: "alert" })).posted)
    assertOk(await set({ quietHours: null, kinds: { post: false } }))
    assert.strictEqual(assertOk(await post()).reason, "muted")
    assertOk(await set({ kinds: { post: true } }))
    // The refused posts were not counted.
    assert.isTrue(assertOk(await post()).posted)
    assert.isTrue(assertOk(await post()).posted)
    assert.strictEqual(assertOk(await post()).reason, "rate_limited")
  })

  it("an agent can send a proactive post to the person who owns the agent, and a post that needs approval becomes a proposal and counts towards the post limit", async () => {
    const { person, post } = await aPoster()
    const agentId = procedureData(await person.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })).id
    const agent = await scene.pod.aKey(person, { agentId })
    const { channelId, posted } = assertOk(await post({}, agent))
    assert.isTrue(posted)
    const [message] = assertOk(await person.send("GET", `/api/hub/threads/${channelId}/messages`))
    assert.strictEqual(message.authorId, agentId)
    const rule = { scopeKind: "pod", targetKind: "action", targetPattern: "channel.create", verdict: "propose" }
    procedureData(await person.mutate("governanceRules.create", { ...rule, agentUserId: agentId }))
    const proposed = assertOk(await post({}, agent))
    assert.strictEqual(proposed.status, "proposed")
    assert.strictEqual(assertOk(await post({}, agent)).status, "proposed")
    assert.strictEqual(assertOk(await post({}, agent)).reason, "rate_limited")
    assertOk(await person.send("POST", `/api/hub/proposals/${proposed.proposalId}/approve`, {}))
    assert.lengthOf(assertOk(await person.send("GET", `/api/hub/threads/${channelId}/messages`)), 2)
  })

  it("other members of the workspace see neither a proactive post to a person nor the notification about this post", async () => {
    const { post, workspaceId } = await aPoster()
    const colleague = await aColleague(scene.pod, storage, workspaceId, "admin", `reader-${workspaceId}`)
    const { channelId } = assertOk(await post())
    assert.strictEqual((await colleague.send("GET", `/api/hub/threads/${channelId}`)).status, 404)
    assert.deepStrictEqual(await scene.listed(colleague), [])
  })
})
