/**
 * Delivery of events to a real receiver: signatures, order, retries, and the listing of deliveries, on each storage.
 */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import type { ReceivedCall } from "../../support/receiver.ts"
import { onOneStorage } from "../../support/storages.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aWebhookScene, type WebhookScene } from "../../support/webhookScene.ts"

onOneStorage("webhook delivery", (storage) => {
  let scene: WebhookScene
  beforeAll(async () => void (scene = await aWebhookScene(storage)), 60_000)
  afterEach(() => scene?.closeReceivers())
  afterAll(() => scene?.stop())
  const headersOf = ({ headers }: ReceivedCall) => headers as Record<string, string>

  it("the receiver of a webhook gets an event with signatures that the published libraries accept, but without the content of the event", async () => {
    const { deliveries, follow, listening, log, untilDeliveries, webhook } = scene
    const receiver = await listening()
    const { id, secret } = await follow(receiver.url)
    assert.match(secret, /^whsec_/)
    const event = await log()
    const call = await receiver.until(() => true)
    new StandardWebhook(secret).verify(call.text, headersOf(call))
    new SvixWebhook(secret).verify(call.text, headersOf(call))
    assert.throws(() => new StandardWebhook(secret).verify(`${call.text} `, headersOf(call)))
    assert.strictEqual(call.headers["x-svc-signature"], createHmac("sha256", secret).update(call.text).digest("hex"))
    assert.strictEqual(call.headers["x-svc-event-type"], "test.happened")
    assert.strictEqual(call.headers["x-svc-event-id"], event.id)
    assert.strictEqual(call.headers["x-svc-delivery-id"], call.headers["webhook-id"])
    assert.strictEqual(call.headers["user-agent"], "Svc-Webhook/1.0")
    assert.deepInclude(call.body, {
      id: event.id,
      type: "test.happened",
      timestamp: event.timestamp,
      workspaceId: null
    })
    assert.strictEqual(call.body.webhook.subscriptionId, id)
    assert.notInclude(call.text, "private")
    const [delivery] = await untilDeliveries(id, ([first]) => first?.status === "success")
    assert.deepInclude(delivery, {
      id: call.headers["webhook-id"],
      subscriptionId: id,
      eventId: event.id,
      eventType: "test.happened",
      attempt: 1,
      responseStatus: "204",
      nextAttemptAt: null
    })
    assert.isNotNull((await webhook(id)).lastTriggeredAt)
    const { body } = await scene.pod.owner.send("GET", `/api/hub/webhooks/${id}/deliveries?limit=10`)
    assert.deepStrictEqual(body, await deliveries(id))
  })

  it("a webhook gets only events of its types and its workspace, and only events after its creation", async () => {
    const { follow, listening, log, pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    await log({ type: "early.validated", workspaceId })
    const receiver = await listening()
    await follow(receiver.url, { eventTypes: ["*.validated", "exact.name"], workspaceId })
    await log({ type: "other.requested", workspaceId })
    await log({ type: "elsewhere.validated" })
    const sent = [await log({ type: "exact.name", workspaceId }), await log({ type: "note.validated", workspaceId })]
    await receiver.until(({ body }) => body.type === "note.validated")
    await receiver.until(({ body }) => body.type === "exact.name")
    assert.sameMembers(
      receiver.calls.map(({ body }) => body.id),
      sent.map(({ id }) => id)
    )
  })

  it("a webhook that wants only external events, or only internal events, gets no others, even in a replay and after a change of this setting", async () => {
    const { follow, listening, log, pod } = scene
    const receiver = await listening()
    const control = await listening()
    const eventTypes = ["test.happened", "cron.daily"]
    const { id } = await follow(receiver.url, { lens: "external", eventTypes })
    await follow(control.url, { eventTypes })
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const [outside, inside] = [await log({ type: "cron.daily" }), await log()]
    await control.until(({ body }) => body.id === inside.id)
    await receiver.until(({ body }) => body.id === outside.id)
    await pod.owner.mutate("webhooks.replay", { id, since })
    const next = await log({ type: "cron.daily" })
    await receiver.until(({ body }) => body.id === next.id)
    assert.notInclude(
      receiver.calls.map(({ body }) => body.type),
      "test.happened"
    )
    const changed = await pod.owner.mutate("webhooks.update", { id, lens: "internal" })
    assert.strictEqual(changed.body.result.data.lens, "internal")
    const last = await log()
    await receiver.until(({ body }) => body.id === last.id)
    const { status } = await pod.owner.mutate("webhooks.update", { id, lens: "sideways" })
    assert.strictEqual(status, 400)
  })

  it("a failed webhook call is repeated with the same id, and later events of the same subject wait for this call", async () => {
    const { follow, listening, log } = scene
    let refusals = 2
    const receiver = await listening((response) => {
      response.writeHead(refusals-- > 0 ? 503 : 200).end("received")
    })
    const { secret } = await follow(receiver.url)
    const subjectId = uuidv7()
    const [first, second] = [await log({ subjectId }), await log({ subjectId })]
    await receiver.until(({ body }) => body.id === second.id)
    assert.deepStrictEqual(
      receiver.calls.map(({ body }) => [body.id, body.webhook.attempt]),
      [
        [first.id, 1],
        [first.id, 2],
        [first.id, 3],
        [second.id, 1]
      ]
    )
    assert.strictEqual(new Set(receiver.calls.slice(0, 3).map(({ headers }) => headers["webhook-id"])).size, 1)
    for (const call of receiver.calls) new StandardWebhook(secret).verify(call.text, headersOf(call))
  })

  it("the pod keeps each request of a delivery as the receiver got it, so its signature can be verified later, but it keeps no secret", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    let refusals = 2
    const receiver = await listening((response) => void response.writeHead(refusals-- > 0 ? 503 : 204).end())
    const { id, secret } = await follow(receiver.url)
    await log()
    const [delivery] = await untilDeliveries(id, ([first]) => first?.status === "success")
    const asked = { subscriptionId: id, deliveryId: delivery.id }
    const { result } = (await pod.owner.query("webhooks.attempts", asked)).body
    assert.lengthOf(result.data, 3)
    for (const [at, kept] of (result.data as ReadonlyArray<any>).entries()) {
      const call = receiver.calls[at]
      assert.strictEqual(kept.requestBody, call.text)
      assert.isFalse(kept.requestBodyTruncated)
      assert.deepInclude(call.headers, kept.requestHeaders)
      // The HTTP library of the pod adds these headers to each call.
      const added = Object.keys(call.headers).filter((name) => !(name in kept.requestHeaders))
      assert.sameMembers(added, ["host", "connection"])
      new StandardWebhook(secret).verify(kept.requestBody, kept.requestHeaders)
    }
    assert.notInclude(JSON.stringify(result), secret)
    assert.notInclude(JSON.stringify(result), secret.slice("whsec_".length))
  })

  it("a test event reaches the receiver of a webhook, and a delivery that has ended can be sent again with the same id", async () => {
    const { follow, listening, pod, untilDeliveries } = scene
    let isRefused = true
    const receiver = await listening((response) => response.writeHead(isRefused ? 500 : 200).end())
    const { id, secret } = await follow(receiver.url, { retryConfig: { maxRetries: 0 } })
    const { body } = await pod.owner.mutate("webhooks.test", { id })
    const { deliveryId } = body.result.data
    await untilDeliveries(id, ([first]) => first?.status === "failed")
    isRefused = false
    const again = { subscriptionId: id, deliveryId }
    assert.strictEqual((await pod.owner.mutate("webhooks.resend", { ...again, deliveryId: id })).status, 404)
    assert.strictEqual((await pod.owner.mutate("webhooks.resend", again)).status, 200)
    await untilDeliveries(id, ([first]) => first?.status === "success")
    assert.deepStrictEqual(
      receiver.calls.map((call) => [call.body.type, call.body.webhook.attempt, call.headers["webhook-id"]]),
      [
        ["webhook.test", 1, deliveryId],
        ["webhook.test", 2, deliveryId]
      ]
    )
    new StandardWebhook(secret).verify(receiver.calls[1].text, headersOf(receiver.calls[1]))
    const { result } = (await pod.owner.query("webhooks.attempts", again)).body
    assert.deepStrictEqual(
      result.data.map(({ requestBody }: { readonly requestBody: string }) => requestBody),
      receiver.calls.map(({ text }) => text)
    )
  })

  it("a paused webhook gets no events until it is resumed, and then gets the deliveries that were waiting, but no events from the pause", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    const control = await listening()
    await follow(control.url)
    let isRefused = true
    const receiver = await listening((response) => response.writeHead(isRefused ? 503 : 200).end())
    const { id } = await follow(receiver.url, { retryConfig: { maxRetries: 9 } })
    const waiting = await log()
    await receiver.until(() => true)
    await pod.owner.mutate("webhooks.update", { id, active: false })
    isRefused = false
    const missed = await log()
    await control.until(({ body }) => body.id === missed.id)
    await pod.owner.mutate("webhooks.update", { id, active: true })
    await untilDeliveries(id, (listed) => listed.every(({ status }) => status !== "pending"))
    assert.sameMembers([...new Set(receiver.calls.map(({ body }) => body.id))], [waiting.id])
  })
})
