/** Deliveries that failed are tried again, and events that a webhook missed are sent later, on each storage. */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import type { Caller } from "../../support/pod.ts"
import { quickWebhooks } from "../../support/receiver.ts"
import { onOneStorage } from "../../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../../support/webhookScene.ts"
import { aMoment } from "../../support/aMoment.ts"

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const waitingMax = 8

onOneStorage("sending the events that a webhook missed", (storage) => {
  let scene: WebhookScene
  beforeAll(async () => void (scene = await aWebhookScene(storage, { ...quickWebhooks(), waitingMax })), 60_000)
  afterEach(() => scene?.closeReceivers())
  afterAll(() => scene?.stop())
  const pause = (id: string, active: boolean) => scene.pod.owner.mutate("webhooks.update", { id, active })
  const replay = async (id: string, more: object = {}, caller: Caller = scene.pod.owner) => {
    const { body, status } = await caller.mutate("webhooks.replay", { id, since: daysAgo(1), ...more })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.result.data
  }
  /**
   * Logs an event and waits until another webhook has received it. By then the deliveries of all earlier events are
   * planned.
   */
  const settled = async () => {
    const control = await scene.listening()
    await scene.follow(control.url, { eventTypes: ["test.last"] })
    const last = await scene.log({ type: "test.last" })
    await control.until(({ body }) => body.id === last.id)
  }
  const idsOf = (calls: ReadonlyArray<{ readonly body: any }>) => calls.map(({ body }) => body.id as string)

  it("a replay sends exactly the events that a webhook missed while the webhook was paused, once and in order", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    const receiver = await listening()
    const { id } = await follow(receiver.url)
    const before = await log()
    await receiver.until(() => true)
    await pause(id, false)
    const subjectId = uuidv7()
    const missed = [await log({ subjectId }), await log({ subjectId }), await log({ subjectId })]
    await log({ type: "test.other" })
    await log({}, await pod.aPerson(`beside-${id.slice(-6)}@example.com`))
    await settled()
    await pause(id, true)
    const { jobId } = await replay(id)
    assert.match(jobId, /^[0-9a-f-]{36}$/)
    await receiver.until(({ body }) => body.id === missed[2].id)
    const all = [before, ...missed].map((event) => event.id)
    assert.deepStrictEqual(idsOf(receiver.calls).slice(-3), all.slice(1))
    await replay(id, { until: missed[0].timestamp })
    await settled()
    const listed = await untilDeliveries(id, (each) => each.every(({ status }) => status === "success"))
    // The replay also sends events from before the webhook existed, because the person asked for these events. This
    // list leaves the events out.
    const own = listed.map(({ eventId }) => eventId as string).filter((eventId) => all.includes(eventId))
    assert.sameMembers(own, all)
    assert.strictEqual(new Set(idsOf(receiver.calls)).size, receiver.calls.length)
  })

  it("if the request for a replay lists event types, the replay sends only the missed events of these types, and the pod refuses an empty list and an invalid type", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    const receiver = await listening()
    const { id } = await follow(receiver.url, { active: false, eventTypes: ["test.wanted", "test.other"] })
    const wanted = await log({ type: "test.wanted" })
    const other = await log({ type: "test.other" })
    await settled()
    await pause(id, true)
    for (const eventTypes of [[], ["not a type"]]) {
      const { status } = await pod.owner.mutate("webhooks.replay", { id, since: daysAgo(1), eventTypes })
      assert.strictEqual(status, 400, JSON.stringify(eventTypes))
    }
    await replay(id, { eventTypes: ["test.wanted"] })
    await receiver.until(({ body }) => body.id === wanted.id)
    await settled()
    const listed = await untilDeliveries(id, (each) => each.every(({ status }) => status === "success"))
    const sent = listed.map(({ eventId }) => eventId as string)
    assert.include(sent, wanted.id)
    assert.notInclude(sent, other.id)
  })

  it("the recovery of a webhook repeats every delivery that failed since the given time, and no delivery that succeeded", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    let isRefused = false
    const receiver = await listening((response) => response.writeHead(isRefused ? 500 : 200).end())
    const { id } = await follow(receiver.url, { retryConfig: { maxRetries: 0 } })
    await log()
    await untilDeliveries(id, ([first]) => first?.status === "success")
    isRefused = true
    const events = [await log(), await log(), await log()]
    await untilDeliveries(id, (each) => each.filter(({ status }) => status === "failed").length === 3)
    isRefused = false
    const recover = (since: string) => pod.owner.mutate("webhooks.recover", { id, since })
    assert.strictEqual((await recover(new Date(Date.now() + 60_000).toISOString())).body.result.data.count, 0)
    assert.strictEqual((await recover(daysAgo(1))).body.result.data.count, 3)
    await untilDeliveries(id, (each) => each.every(({ status }) => status === "success"))
    assert.sameMembers(
      idsOf(receiver.calls.slice(4)),
      events.map((event) => event.id)
    )
  })

  it("a replay and a recovery of a webhook add deliveries only until the maximum number of waiting deliveries is reached", async () => {
    const { deliveries, follow, log, pod, listening } = scene
    const receiver = await listening((response) => response.writeHead(500).end())
    const { id } = await follow(receiver.url, { active: false, retryConfig: { maxRetries: 0 } })
    for (let count = 0; count < waitingMax + 5; count++) await log()
    await settled()
    await replay(id)
    for (;;) {
      const { body } = await pod.owner.query("webhooks.deliveries", { subscriptionId: id, limit: 100 })
      if (body.result.data.length >= waitingMax) break
      await aMoment()
    }
    await replay(id)
    await settled()
    assert.lengthOf(await deliveries(id), waitingMax)
    const { body } = await pod.owner.mutate("webhooks.recover", { id, since: daysAgo(1) })
    assert.strictEqual(body.result.data.count, 0)
  })

  it("if a webhook missed more events than the maximum number of waiting deliveries, a replay sends the earliest missed events and skips none of them", async () => {
    const { deliveries, follow, listening, log, untilDeliveries } = scene
    const receiver = await listening()
    const type = "test.near.limit"
    const { id } = await follow(receiver.url, { eventTypes: [type] })
    const sent = [await log({ type }), await log({ type }), await log({ type }), await log({ type })]
    await untilDeliveries(id, (each) => each.filter(({ status }) => status === "success").length === sent.length)
    await pause(id, false)
    const missed: Array<{ readonly id: string }> = []
    for (let count = 0; count < waitingMax + 2; count++) missed.push(await log({ type }))
    await settled()
    await replay(id)
    await untilDeliveries(id, (each) => each.length >= sent.length + waitingMax)
    await settled()
    assert.sameMembers(
      (await deliveries(id)).map(({ eventId }) => eventId as string),
      [...sent, ...missed.slice(0, waitingMax)].map((event) => event.id)
    )
  })

  it("a replay or recovery of a webhook is refused if its start time is older than the deliveries that the pod keeps", async () => {
    const { id } = await scene.follow("http://127.0.0.1:9/in")
    for (const procedure of ["webhooks.replay", "webhooks.recover"]) {
      assert.strictEqual((await scene.pod.owner.mutate(procedure, { id, since: daysAgo(30) })).status, 400)
    }
  })

  it("attack: a replay of a webhook sends no event of a key with the scope `probe`", async () => {
    const { follow, listening, log, pod } = scene
    const receiver = await listening()
    const { id } = await follow(receiver.url, { eventTypes: ["test.happened", "track.create"], active: false })
    const probe = await pod.aKey(pod.owner, { scope: ["hub-protocol.read", "hub-protocol.write", "probe"] })
    const track = async (by: Caller) =>
      (await by.send("POST", "/api/hub/tracks", { name: "Harbour" })).body.id as string
    const { timestamp: since } = await log({ type: "test.other" })
    const hidden = await track(probe)
    const seen = await track(pod.owner)
    const last = await log()
    await settled()
    await pause(id, true)
    await replay(id, { since })
    await receiver.until(({ body }) => body.id === last.id)
    const text = JSON.stringify(receiver.calls.map(({ body }) => body))
    assert.include(text, seen)
    assert.notInclude(text, hidden)
    assert.lengthOf(
      receiver.calls.filter(({ body }) => body.type === "track.create"),
      1
    )
  })

  it("attack: a replay of a webhook sends no event that is outside the grant of the key that made the webhook, and no event at all after this key was revoked", async () => {
    const { deliveries, follow, listening, log, pod } = scene
    const [inside, outside] = [await pod.aWorkspace(pod.owner, "Inside"), await pod.aWorkspace(pod.owner, "Outside")]
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [inside] } })
    const receiver = await listening()
    const { id } = await follow(receiver.url, { workspaceId: inside, active: false }, key)
    const missed = await log({ workspaceId: inside })
    await log({ workspaceId: outside })
    await log()
    await settled()
    await replay(id, {}, key)
    await key.mutate("webhooks.update", { id, active: true })
    await receiver.until(({ body }) => body.id === missed.id)
    assert.lengthOf(await deliveries(id), 1)
    await pause(id, false)
    await log({ workspaceId: inside })
    await settled()
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    await pause(id, true)
    await replay(id)
    await settled()
    assert.lengthOf(receiver.calls, 1)
    assert.lengthOf(await deliveries(id), 1)
  })
})
