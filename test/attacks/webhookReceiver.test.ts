/** Attacks by the receiver of a webhook. The receiver has a forbidden address, sends harmful answers or never answers. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { quickWebhooks } from "../support/receiver.ts"
import { aWebhookScene, type WebhookScene } from "../support/webhookScene.ts"
import { aMoment } from "../support/aMoment.ts"

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

  it("attack: the pod does not call a webhook if one IP address of the webhook's host name is private, even if another IP address is public", async () => {
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

  it("attack: if the host name of a webhook gets another IP address after the check, the pod calls the IP address that it has checked", async () => {
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

  it("attack: if the host name of a webhook leads sometimes to an allowed and sometimes to a forbidden IP address, the pod never calls the forbidden IP address", async () => {
    let looks = 0
    const scene = await aWebhookScene(
      { kind: "memory" },
      {
        ...quickWebhooks({}, ["127.0.0.2"]),
        // Every second look-up returns 127.0.0.1. The operator does not allow this address, and the receiver listens on
        // it.
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
    // The receiver listens only on 127.0.0.1, so it never gets the calls to the allowed address.
    assert.deepInclude(delivery, { status: "failed", attempt: 4, responseStatus: null })
    assert.lengthOf(receiver.calls, 0)
    assert.strictEqual(looks, 4)
  })

  it("attack: the pod refuses a webhook to its own machine or network unless the operator allows the address", async () => {
    const scene = await aScene({}, ["127.0.0.1/32"])
    for (const url of ["http://127.0.0.2/in", "http://10.0.0.1/in", "http://user@127.0.0.1/in", "http://[::1]/in"]) {
      const { status } = await scene.pod.owner.mutate("webhooks.create", { name: "a", url, eventTypes: ["*"] })
      assert.strictEqual(status, 400, url)
    }
    await scene.follow("http://127.0.0.1:9/in")
  })

  it("attack: if a receiver answers a webhook with a redirect, the delivery fails, and the pod does not follow the redirect", async () => {
    const scene = await aScene()
    const target = await scene.listening()
    const receiver = await scene.listening((response) => response.writeHead(302, { location: target.url }).end())
    const { id } = await scene.follow(receiver.url, once)
    await scene.log()
    const [delivery] = await scene.untilDeliveries(id, hasEnded)
    assert.deepInclude(delivery, { status: "failed", responseStatus: "302" })
    assert.lengthOf(target.calls, 0)
  })

  it("if a webhook receiver answers 410, the pod disables the webhook and states the reason, and the person can enable the webhook again", async () => {
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
