/**
 * Before each call the pod checks which events the webhook may get. The pod calls no address that is not allowed.
 */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { aColleague, takeRole } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../support/webhookScene.ts"

const failingFirst = (first: () => Promise<unknown>) => {
  let isFirst = true
  return (response: { writeHead: (status: number) => { end: () => unknown } }) => {
    if (!isFirst) return void response.writeHead(204).end()
    isFirst = false
    void first().then(() => response.writeHead(503).end())
  }
}

onOneStorage("attacks on webhooks", (storage) => {
  let scene: WebhookScene
  beforeAll(async () => void (scene = await aWebhookScene(storage)), 60_000)
  afterEach(() => scene?.closeReceivers())
  afterAll(() => scene?.stop())
  const isEmpty = (listed: ReadonlyArray<unknown>) => listed.length === 0
  const patient = { maxRetries: 9 }

  it("attack: a webhook whose key was revoked gets neither a waiting event nor a later event", async () => {
    const { pod, follow, listening, log, untilDeliveries } = scene
    const key = await pod.aKey(pod.owner)
    const revoke = () => pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    const [barred, control] = [await listening(failingFirst(revoke)), await listening()]
    const { id } = await follow(barred.url, { retryConfig: patient }, key)
    await log()
    await barred.until(() => true)
    await untilDeliveries(id, isEmpty)
    await follow(control.url)
    const later = await log()
    await control.until(({ body }) => body.id === later.id)
    await untilDeliveries(id, isEmpty)
    assert.lengthOf(barred.calls, 1)
  })

  it("attack: only the person who owns a webhook, and a key of this person with full access, can see what the receiver answered", async () => {
    const { pod, follow, listening, log, untilDeliveries } = scene
    const key = await pod.aKey(pod.owner)
    const stranger = await pod.aPerson("curious@example.com")
    const receiver = await listening((response) => response.writeHead(503).end("the shelf is full"))
    const [{ id }, other] = [await follow(receiver.url, { retryConfig: { maxRetries: 0 } }), await follow(receiver.url)]
    await log()
    const [delivery] = await untilDeliveries(id, ([first]) => first?.status === "failed")
    const asked = { subscriptionId: id, deliveryId: delivery.id }
    const { body, status } = await pod.owner.query("webhooks.attempts", asked)
    assert.strictEqual(status, 200)
    const shown = { attempt: 1, responseStatus: "503", responseBody: "the shelf is full", error: null }
    const [{ at, latencyMs, requestHeaders, responseHeaders }] = body.result.data
    const { text } = await receiver.until(() => true)
    const sent = { requestHeaders, requestBody: text, requestBodyTruncated: false }
    assert.deepStrictEqual(body.result.data, [{ ...shown, ...sent, at, latencyMs, responseHeaders }])
    assert.strictEqual(responseHeaders.connection, "close")
    assert.strictEqual((await key.query("webhooks.attempts", asked)).status, 200)
    const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["webhook.read"] } })
    for (const [who, input] of [
      [stranger, asked],
      [narrow, asked],
      [pod.owner, { ...asked, subscriptionId: other.id }],
      [pod.owner, { ...asked, deliveryId: id }]
    ] as const) {
      assert.strictEqual((await who.query("webhooks.attempts", input)).status, 404, JSON.stringify(input))
    }
    assert.notStrictEqual((await pod.stranger.query("webhooks.attempts", asked)).status, 200)
  })

  it("attack: a key that may not read events cannot read the bodies that were sent to its own webhook, even if its person can", async () => {
    const { pod, follow, listening, log, untilDeliveries } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
    const receiver = await listening()
    const { id } = await follow(receiver.url, { workspaceId }, key)
    const event = await log({ workspaceId })
    const [delivery] = await untilDeliveries(id, ([first]) => first?.status === "success")
    const asked = { subscriptionId: id, deliveryId: delivery.id }
    const refused = await key.query("events.get", { eventId: event.id })
    assert.deepStrictEqual([refused.status, refused.body.error.data.reason], [403, "GRANT_DOOR_UNSUPPORTED"])
    const bodyFor = async (caller: typeof pod.owner) => {
      const { body, status } = await caller.query("webhooks.attempts", asked)
      assert.strictEqual(status, 200, JSON.stringify(body))
      const [{ requestBody, requestHeaders }] = body.result.data
      assert.strictEqual(requestHeaders["webhook-id"], delivery.id)
      return requestBody
    }
    assert.isNull(await bodyFor(key))
    assert.strictEqual(await bodyFor(pod.owner), receiver.calls[0].text)
    assert.strictEqual(await bodyFor(await pod.aKey(pod.owner)), receiver.calls[0].text)
    const bound = await pod.aKey(pod.owner, { workspaceId })
    assert.strictEqual((await bound.query("webhooks.attempts", asked)).status, 404)
  })

  it("attack: after a person has left a workspace, the person's webhook gets no more events of the workspace", async () => {
    const { pod, follow, listening, log, untilDeliveries } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "leaving")
    const leave = () => takeRole(pod, storage, colleague.id, workspaceId)
    const receiver = await listening(failingFirst(leave))
    const { id } = await follow(receiver.url, { retryConfig: patient }, colleague)
    await log({ workspaceId }, colleague)
    await receiver.until(() => true)
    await untilDeliveries(id, isEmpty, colleague)
    const own = await log({}, colleague)
    await receiver.until(({ body }) => body.id === own.id)
    assert.lengthOf(receiver.calls, 2)
  })

  it("attack: after a person has left a workspace, the person gets no event of the workspace by a resend, a recovery or a replay", async () => {
    const { pod, follow, listening, log, untilDeliveries } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "resending")
    const receiver = await listening()
    const { id } = await follow(receiver.url, {}, colleague)
    const since = new Date(Date.now() - 60_000).toISOString()
    const event = await log({ workspaceId }, colleague)
    const [delivery] = await untilDeliveries(id, ([first]) => first?.status === "success", colleague)
    await colleague.mutate("webhooks.update", { id, active: false })
    const missed = await log({ workspaceId }, colleague)
    const own = await log({}, colleague)
    await takeRole(pod, storage, colleague.id, workspaceId)
    await colleague.mutate("webhooks.update", { id, active: true })
    const resend = () => colleague.mutate("webhooks.resend", { subscriptionId: id, deliveryId: delivery.id })
    await Promise.all([resend(), resend(), colleague.mutate("webhooks.recover", { id, since })])
    assert.strictEqual((await colleague.mutate("webhooks.replay", { id, since })).status, 200)
    await receiver.until(({ body }) => body.id === own.id)
    await untilDeliveries(id, (listed) => listed.every(({ status }) => status === "success"), colleague)
    const sent = receiver.calls.map(({ body }) => body.id)
    assert.deepStrictEqual(
      [event.id, missed.id, own.id].map((each) => sent.filter((one) => one === each).length),
      [1, 0, 1]
    )
  })

  it("attack: the webhook of a suspended person gets no events until the suspension ends", async () => {
    const { pod, follow, listening, log } = scene
    const person = await pod.aPerson("suspended@example.com")
    const suspend = (isSuspended: boolean) => pod.owner.send("PATCH", `/api/hub/people/${person.id}`, { isSuspended })
    const [barred, control] = [await listening(failingFirst(() => suspend(true))), await listening()]
    await follow(barred.url, { retryConfig: patient }, person)
    await follow(control.url)
    const event = await log({}, person)
    await barred.until(() => true)
    for (let round = 0; round < 3; round++) {
      const { id } = await log()
      await control.until(({ body }) => body.id === id)
    }
    assert.lengthOf(barred.calls, 1)
    await suspend(false)
    await barred.until(({ body }) => body.id === event.id && body.webhook.attempt > 1)
  })

  it("attack: a webhook gets no event of another person and no event that its key may not read", async () => {
    const { pod, follow, listening, log, untilDeliveries } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "beside")
    const grants = [
      { permissions: ["webhook", "event"] },
      { permissions: ["*"], workspaceIds: [await pod.aWorkspace(pod.owner, "Other")] }
    ]
    const barred = await listening()
    const ids: Array<string> = []
    for (const grant of grants) {
      const key = await pod.aKey(pod.owner, { grant })
      const home = "workspaceIds" in grant ? { workspaceId: grant.workspaceIds?.[0] } : {}
      ids.push((await follow(barred.url, { ...home, eventTypes: ["*"] }, key)).id)
    }
    const beside = await listening()
    ids.push((await follow(beside.url, { eventTypes: ["*"] }, colleague)).id)
    const control = await listening()
    await follow(control.url, { workspaceId })
    const event = await log({ workspaceId })
    await control.until(({ body }) => body.id === event.id)
    for (const id of ids.slice(0, 2)) await untilDeliveries(id, isEmpty)
    assert.deepStrictEqual(await scene.deliveries(ids[2], colleague), [])
    assert.lengthOf([...barred.calls, ...beside.calls], 0)
  })

  it("a caller cannot read the deliveries of another person's webhook, or of a webhook that another key with limits made", async () => {
    const { pod, follow } = scene
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["webhook"] } })
    const sibling = await pod.aKey(pod.owner, { grant: { permissions: ["webhook"] } })
    const { id } = await follow("https://hooks.example.com/in", {}, key)
    for (const stranger of [sibling, await pod.aPerson("stranger@example.com")]) {
      assert.strictEqual((await stranger.query("webhooks.deliveries", { subscriptionId: id })).status, 404)
      assert.strictEqual((await stranger.send("GET", `/api/hub/webhooks/${id}/deliveries`)).status, 404)
    }
    assert.deepStrictEqual((await key.send("GET", `/api/hub/webhooks/${id}/deliveries`)).body, [])
  })

  it("a key with limits that was rotated keeps its webhooks: the new key can list, pause and delete them, and another key cannot", async () => {
    const { pod, follow } = scene
    const grant = { permissions: ["webhook", "event"] }
    const key = await pod.aKey(pod.owner, { grant })
    const sibling = await pod.aKey(pod.owner, { grant })
    const { id } = await follow("https://hooks.example.com/in", {}, key)
    const { body } = await pod.owner.mutate("apiKeys.rotate", { keyId: key.id })
    const successor = pod.as({ authorization: `Bearer ${body.result.data.key}` })
    const listed = async (caller: Caller) =>
      (await caller.query("webhooks.list")).body.result.data.map((webhook: { readonly id: string }) => webhook.id)
    assert.deepStrictEqual(await listed(successor), [id])
    assert.deepStrictEqual(await listed(sibling), [])
    assert.strictEqual((await sibling.mutate("webhooks.update", { id, active: false })).status, 404)
    assert.strictEqual((await successor.mutate("webhooks.update", { id, active: false })).status, 200)
    assert.strictEqual((await successor.send("GET", `/api/hub/webhooks/${id}/deliveries`)).status, 200)
    assert.strictEqual((await successor.mutate("webhooks.delete", { id })).status, 200)
  })
})
