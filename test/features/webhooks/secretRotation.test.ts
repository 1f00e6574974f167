/** The rotation of a webhook's secret: which secrets verify its calls, and for how long, on each storage. */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { quickWebhooks, type ReceivedCall, type Receiver } from "../../support/receiver.ts"
import { onOneStorage } from "../../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../../support/webhookScene.ts"

const verifiers = { standardwebhooks: StandardWebhook, svix: SvixWebhook }

/** Returns which of these secrets verify the call. Both published libraries must give the same result. */
const verifying = ({ headers, text }: ReceivedCall, secrets: ReadonlyArray<string>) => {
  const found = Object.values(verifiers).map((Verifier) =>
    secrets.filter((secret) => {
      try {
        new Verifier(secret).verify(text, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    })
  )
  assert.deepStrictEqual(found[0], found[1])
  return found[0]
}

onOneStorage("the secret of a webhook", (storage) => {
  const scenes: Array<WebhookScene> = []
  let scene: WebhookScene
  const aScene = async (...rules: Parameters<typeof quickWebhooks>) => {
    const made = await aWebhookScene(storage, quickWebhooks(...rules))
    scenes.push(made)
    return made
  }
  beforeAll(async () => void (scene = await aScene()), 60_000)
  afterEach(() => scene?.closeReceivers())
  afterAll(async () => {
    for (const each of scenes) await each.stop()
  })
  const rotate = async ({ pod }: WebhookScene, id: string) => {
    const { body, status } = await pod.owner.mutate("webhooks.rotateSecret", { id })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.result.data
  }
  const nextCall = async ({ log }: WebhookScene, receiver: Receiver) => {
    const event = await log()
    return receiver.until(({ body }) => body.id === event.id)
  }

  it("after a rotation both the old and the new secret of a webhook verify a call, and after a second rotation only the two newest secrets verify a call", async () => {
    const receiver = await scene.listening()
    const { id, secret: first } = await scene.follow(receiver.url)
    const { secret: second, subscription } = await rotate(scene, id)
    const hours = (Date.parse(subscription.formerSecretEnds) - Date.parse(subscription.updatedAt)) / 3_600_000
    assert.closeTo(hours, 24, 0.1)
    const once = await nextCall(scene, receiver)
    assert.deepStrictEqual(verifying(once, [first, second]), [first, second])
    assert.match(once.headers["webhook-signature"] as string, /^v1,\S+ v1,\S+$/)
    // The older header `x-svc-signature` has only one signature.
    assert.strictEqual(once.headers["x-svc-signature"], createHmac("sha256", second).update(once.text).digest("hex"))
    const { secret: third } = await rotate(scene, id)
    const twice = await nextCall(scene, receiver)
    assert.deepStrictEqual(verifying(twice, [first, second, third]), [second, third])
  })

  it("when the old secret of a webhook has expired, only the new secret verifies a call", async () => {
    const brief = await aScene({ formerSecret: 0 })
    const receiver = await brief.listening()
    const { id, secret: old } = await brief.follow(receiver.url)
    const { secret } = await rotate(brief, id)
    assert.deepStrictEqual(verifying(await nextCall(brief, receiver), [old, secret]), [secret])
  })

  it("each rotation of a webhook's secret writes one event, and after concurrent rotations at most two of the new secrets verify a call", async () => {
    const receiver = await scene.listening()
    const { id } = await scene.follow(receiver.url)
    const answers = await Promise.all([1, 2, 3].map(() => scene.pod.owner.mutate("webhooks.rotateSecret", { id })))
    const shown = answers.flatMap(({ body, status }) => (status === 200 ? [body.result.data.secret] : []))
    for (const { status } of answers) assert.include([200, 409], status)
    const verified = verifying(await nextCall(scene, receiver), shown)
    assert.lengthOf(verified, Math.min(2, shown.length))
    const { body } = await scene.pod.owner.query("events.list", { type: "webhook.update", limit: 100 })
    const logged = body.result.data.filter((event: { readonly subjectId: string }) => event.subjectId === id)
    assert.lengthOf(logged, shown.length)
  })
})
