/** What the webhooks screen derives from the answers of the pod, and the signature check that the screen shows. */
import { assert, describe, it } from "vitest"
import { faultOf } from "../../src/console/screens/home/homeFacts.ts"
import {
  latencyText,
  stateOf,
  successText,
  verifySnippet,
  type Webhook
} from "../../src/console/screens/webhooks/webhookFacts.ts"
import { standardSignature } from "../../src/features/webhooks/Signature.ts"

const webhook = (more: Partial<Webhook>): Webhook => ({
  id: "w",
  userId: "u",
  workspaceId: null,
  version: 1,
  createdAt: "2027-03-01T00:00:00Z",
  updatedAt: "2027-03-01T00:00:00Z",
  name: "Receiver",
  url: "https://receiver.example/in",
  eventTypes: ["*"],
  lens: "all",
  active: true,
  retryConfig: { maxRetries: 3 },
  formerSecretEnds: null,
  lastTriggeredAt: null,
  disabledReason: null,
  ...more
})

describe("the state of a webhook", () => {
  it("the webhooks screen rounds the success rate of a day down, and shows a latency with a readable unit", () => {
    const figures = (ended: number, arrived: number) => ({
      subscriptionId: "w",
      ended,
      arrived,
      retrying: 0,
      p95Ms: null,
      nextAttemptAt: null
    })
    assert.strictEqual(successText(figures(0, 0)), "no call")
    assert.strictEqual(successText(figures(3, 2)), "66 % of 3")
    assert.strictEqual(successText(figures(1000, 999)), "99 % of 1000")
    assert.deepStrictEqual([null, 42, 12_345].map(latencyText), ["–", "42 ms", "12.3 s"])
  })

  it("if the pod stopped a webhook, the webhooks screen shows why the pod stopped it", () => {
    assert.strictEqual(stateOf(webhook({})).word, "active")
    assert.strictEqual(stateOf(webhook({ active: false })).word, "paused")
    assert.include(stateOf(webhook({ disabledReason: "gone" })).why ?? "", "410")
    assert.include(stateOf(webhook({ disabledReason: "failing" })).why ?? "", "failed")
  })
})

describe("the state of a webhook on the webhooks screen", () => {
  it("if calls of a webhook fail or are tried again, the webhooks screen says that the webhook is failing, unless a person paused the webhook", () => {
    const fine = { arrived: 2, ended: 2, retrying: 0 }
    assert.strictEqual(stateOf(webhook({}), fine).word, "active")
    assert.strictEqual(stateOf(webhook({}), { ...fine, retrying: 1 }).word, "failing")
    assert.strictEqual(stateOf(webhook({}), { ...fine, ended: 3 }).word, "failing")
    assert.strictEqual(stateOf(webhook({ active: false }), { ...fine, retrying: 1 }).word, "paused")
  })
})

describe("the signature check that the webhooks screen shows to receivers", () => {
  it("the signature check on the webhooks screen accepts calls signed with the present or the former secret, and refuses a changed body and an old call", async () => {
    const { isFromPod } = await import(`data:text/javascript,${encodeURIComponent(verifySnippet)}`)
    const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`
    const other = `whsec_${Buffer.from("another secret of 32 bytes ......").toString("base64")}`
    const headersAt = (seconds: number) => ({
      "webhook-id": "id",
      "webhook-timestamp": String(seconds),
      "webhook-signature": [other, secret].map((each) => standardSignature(each, "id", seconds, "{}")).join(" ")
    })
    const seconds = Math.floor(Date.now() / 1000)
    assert.isTrue(isFromPod(secret, headersAt(seconds), "{}"))
    assert.isTrue(isFromPod(other, headersAt(seconds), "{}"))
    assert.isFalse(isFromPod(secret, headersAt(seconds), `{"more":1}`))
    assert.isFalse(isFromPod("whsec_AAAA", headersAt(seconds), "{}"))
    assert.isFalse(isFromPod(secret, headersAt(seconds - 3600), "{}"))
  })
})

describe("faults of webhooks on the home screen", () => {
  const figures = { subscriptionId: "a", ended: 20, arrived: 20, retrying: 0, p95Ms: null, nextAttemptAt: null }
  const active = { id: "a", disabledReason: null }

  it("if the pod stopped a webhook, the home screen says why, whatever the delivery figures of the webhook are", () => {
    assert.strictEqual(faultOf({ id: "a", disabledReason: "gone" }, [figures]), "its receiver said that it is gone")
  })

  it("the home screen shows a fault of a webhook if deliveries failed or are tried again, and no fault if all deliveries arrived", () => {
    assert.strictEqual(faultOf(active, [{ ...figures, arrived: 17 }]), "3 of 20 deliveries failed in 24 h")
    assert.strictEqual(faultOf(active, [{ ...figures, retrying: 2 }]), "2 deliveries are tried again")
    assert.isUndefined(faultOf(active, [figures]))
    assert.isUndefined(faultOf({ ...active, id: "b" }, [{ ...figures, arrived: 0 }]))
  })
})
