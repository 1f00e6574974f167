/**
 * Attacks 50 and 66: the pod checks before each call what a webhook may get, and calls no address that is not allowed.
 */
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague, takeRole } from "../support/membership.ts"
import { quickWebhooks } from "../support/receiver.ts"
import { onOneStorage } from "../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../support/webhookScene.ts"
import { aMoment } from "../support/aMoment.ts"

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

  it("attack 29: only the person of a webhook, and a key of this person with full access, can see what the receiver answered", async () => {
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
    const [{ at, latencyMs }] = body.result.data
    assert.deepStrictEqual(body.result.data, [{ ...shown, at, latencyMs }])
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

  it("attack 50: a webhook gets no event of another person and no event that its key may not read", async () => {
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

  it("a caller cannot read the deliveries of a webhook of another person, or of another key with limits", async () => {
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
})

describe("the receiver of a webhook", () => {
  const scenes: Array<WebhookScene> = []
  const aScene = async (...rules: Parameters<typeof quickWebhooks>) => {
    const scene = await aWebhookScene({ kind: "memory" }, quickWebhooks(...rules))
    scenes.push(scene)
    return scene
  }
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.stop()
  })
  const hasEnded = ([first]: ReadonlyArray<any>) => first !== undefined && first.status !== "pending"
  const once = { retryConfig: { maxRetries: 0 } }

  it("attack 66: the pod does not call a webhook if one address of its host name is private, even if another address is public", async () => {
    const { follow, listening, log, untilDeliveries } = await aWebhookScene(
      { kind: "memory" },
      {
        ...quickWebhooks({}, []),
        resolve: (host) =>
          Promise.resolve([
            ...(host.startsWith("mixed") ? [{ address: "93.184.216.34", family: 4 }] : []),
            { address: host.startsWith("mapped") ? "::ffff:127.0.0.1" : "127.0.0.1", family: 4 }
          ])
      }
    ).then((scene) => (scenes.push(scene), scene))
    const receiver = await listening()
    for (const name of ["private", "mixed", "mapped"]) {
      const { id } = await follow(`http://${name}.example.com:${receiver.port}/in`, once)
      await log()
      const [delivery] = await untilDeliveries(id, hasEnded)
      assert.deepInclude(delivery, { status: "failed", responseStatus: null })
      assert.match(delivery.error, /private/)
    }
    assert.lengthOf(receiver.calls, 0)
  })

  it("attack 66: if the host name of a webhook changes its address after the check, the pod calls the address that it checked", async () => {
    const asked: Array<string> = []
    const scene = await aWebhookScene(
      { kind: "memory" },
      {
        ...quickWebhooks(),
        resolve: (host) => {
          asked.push(host)
          return Promise.resolve([{ address: "127.0.0.1", family: 4 }])
        }
      }
    )
    scenes.push(scene)
    const receiver = await scene.listening()
    // No DNS server knows this name, so a second look-up outside the test would find nothing.
    await scene.follow(`http://flips.example.com:${receiver.port}/in`)
    await scene.log()
    const { headers } = await receiver.until(() => true)
    assert.strictEqual(headers.host, `flips.example.com:${receiver.port}`)
    assert.deepStrictEqual(asked, ["flips.example.com"])
  })

  it("attack 66: if the host name of a webhook changes between an allowed and a forbidden address, the pod never calls the forbidden address", async () => {
    let looks = 0
    const scene = await aWebhookScene(
      { kind: "memory" },
      {
        ...quickWebhooks({}, ["127.0.0.2"]),
        // Every other look-up leads to 127.0.0.1, which the operator does not allow and where the receiver listens.
        resolve: () => Promise.resolve([{ address: looks++ % 2 === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }])
      }
    )
    scenes.push(scene)
    const receiver = await scene.listening()
    const { id } = await scene.follow(`http://flipping.example.com:${receiver.port}/in`, {
      retryConfig: { maxRetries: 3 }
    })
    await scene.log()
    const [delivery] = await scene.untilDeliveries(id, hasEnded)
    // The receiver listens only on 127.0.0.1, so the calls to the allowed address reach nobody.
    assert.deepInclude(delivery, { status: "failed", attempt: 4, responseStatus: null })
    assert.lengthOf(receiver.calls, 0)
    assert.strictEqual(looks, 4)
  })

  it("attack 66: the pod refuses a webhook to its own machine or network unless the operator allows the address", async () => {
    const scene = await aScene({}, ["127.0.0.1/32"])
    for (const url of ["http://127.0.0.2/in", "http://10.0.0.1/in", "http://user@127.0.0.1/in", "http://[::1]/in"]) {
      const { status } = await scene.pod.owner.mutate("webhooks.create", { name: "a", url, eventTypes: ["*"] })
      assert.strictEqual(status, 400, url)
    }
    await scene.follow("http://127.0.0.1:9/in")
  })

  it("attack 66: if a receiver answers a webhook with a redirect, the delivery fails, and the pod does not follow the redirect", async () => {
    const scene = await aScene()
    const target = await scene.listening()
    const receiver = await scene.listening((response) => response.writeHead(302, { location: target.url }).end())
    const { id } = await scene.follow(receiver.url, once)
    await scene.log()
    const [delivery] = await scene.untilDeliveries(id, hasEnded)
    assert.deepInclude(delivery, { status: "failed", responseStatus: "302" })
    assert.lengthOf(target.calls, 0)
  })

  it("if a webhook receiver answers 410, the pod disables the webhook with a reason, and the person can enable the webhook again", async () => {
    const scene = await aScene()
    const receiver = await scene.listening((response) => response.writeHead(410).end())
    const { id } = await scene.follow(receiver.url)
    await scene.log()
    const [delivery] = await scene.untilDeliveries(id, hasEnded)
    assert.deepInclude(delivery, { status: "failed", responseStatus: "410", attempt: 1 })
    const webhook = await scene.webhook(id)
    assert.deepInclude(webhook, { active: false, disabledReason: "gone" })
    assert.isNotNull(webhook.lastTriggeredAt)
    const control = await scene.listening()
    await scene.follow(control.url)
    const missed = await scene.log()
    await control.until(({ body }) => body.id === missed.id)
    assert.lengthOf(receiver.calls, 1)
    const { body } = await scene.pod.owner.mutate("webhooks.update", { id, active: true })
    assert.deepInclude(body.result.data, { active: true, disabledReason: null })
    const next = await scene.log()
    await receiver.until((call) => call.body.id === next.id)
  })

  it("the pod disables a webhook whose deliveries have failed for too long", async () => {
    const scene = await aScene({ disableAfter: 0 })
    const receiver = await scene.listening((response) => response.writeHead(500).end())
    const { id } = await scene.follow(receiver.url, { retryConfig: { maxRetries: 5 } })
    for (;;) {
      await scene.log()
      if ((await scene.webhook(id)).disabledReason === "failing") break
      await aMoment()
    }
  })

  it("attack: a webhook receiver that never answers does not delay the calls to other receivers, and gets at most four calls at a time", async () => {
    const scene = await aScene({ timeout: "1 hour" })
    const slow = await scene.listening(() => {})
    const fast = await scene.listening()
    await scene.follow(slow.url)
    await scene.follow(fast.url)
    for (let count = 0; count < 8; count++) await scene.log()
    await fast.until((_call, calls) => calls.length === 8)
    await slow.until((_call, calls) => calls.length === 4)
    const last = await scene.log()
    await fast.until(({ body }) => body.id === last.id)
    assert.lengthOf(slow.calls, 4)
  })

  it("the delivery of a webhook fails if the receiver does not answer in time", async () => {
    const scene = await aScene({ timeout: "50 millis" })
    const receiver = await scene.listening(() => {})
    const { id } = await scene.follow(receiver.url, once)
    await scene.log()
    const [delivery] = await scene.untilDeliveries(id, hasEnded)
    assert.deepInclude(delivery, { status: "failed", responseStatus: null })
    assert.match(delivery.error, /in time/)
  })

  it("attack: if the answer of a webhook receiver never ends, the pod reads only the beginning of the answer", async () => {
    const scene = await aScene({ timeout: "1 hour" })
    const receiver = await scene.listening((response) => {
      response.writeHead(200)
      const more = () => {
        while (response.write("x".repeat(10_000)));
      }
      response.on("drain", more)
      more()
    })
    const { id } = await scene.follow(receiver.url, once)
    await scene.log()
    const [delivery] = await scene.untilDeliveries(id, hasEnded)
    assert.strictEqual(delivery.status, "success")
    assert.strictEqual(delivery.responseBody, "x".repeat(16 * 1024))
  })

  it("if a webhook receiver answers 429 with Retry-After, the pod waits at least that time before it sends the event again", async () => {
    const scene = await aScene()
    const receiver = await scene.listening((response) => response.writeHead(429, { "retry-after": "3600" }).end())
    const { id } = await scene.follow(receiver.url)
    await scene.log()
    const [delivery] = await scene.untilDeliveries(id, ([first]) => first?.responseStatus === "429")
    assert.strictEqual(delivery.status, "pending")
    assert.isAtLeast(Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.createdAt), 3_600_000)
  })
})
