/**
 * A webhook that the pod has stopped: what the log says about it, and that the pod makes no further call, on each
 * storage.
 */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { quickWebhooks } from "../../support/receiver.ts"
import { onOneStorage } from "../../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../../support/webhookScene.ts"
import { aMoment } from "../../support/aMoment.ts"

onOneStorage("a webhook that is stopped", (storage) => {
  let scene: WebhookScene
  // With `disableAfter: 0`, the pod stops a webhook at its second failed call.
  beforeAll(async () => void (scene = await aWebhookScene(storage, quickWebhooks({ disableAfter: 0 }))), 60_000)
  afterEach(() => scene?.closeReceivers())
  afterAll(() => scene?.stop())
  const type = "webhook.disabled"
  const logged = async (id: string) => {
    const { body } = await scene.pod.owner.query("events.list", { type, limit: 100 })
    return body.result.data.filter((event: { readonly subjectId: string }) => event.subjectId === id)
  }

  it("if the receiver of a webhook answers 410, the pod stops the webhook and logs one event, and other webhooks get this event", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const watching = await listening()
    await follow(watching.url, { eventTypes: [type], workspaceId })
    const pendingAnswers: Array<() => void> = []
    // The pod makes four calls at a time. The receiver answers all four with 410 at the same moment.
    const gone = await listening((response) => {
      pendingAnswers.push(() => void response.writeHead(410).end())
      if (pendingAnswers.length === 4) for (const answer of pendingAnswers) answer()
    })
    const { id } = await follow(gone.url, { eventTypes: ["test.happened", type], workspaceId })
    for (let count = 0; count < 9; count++) await log({ workspaceId })
    const { body } = await watching.until((call) => call.body.subjectId === id)
    assert.deepInclude(body, { type, workspaceId, source: "system" })
    await untilDeliveries(id, (listed) => listed.filter(({ status }) => status === "failed").length === 4)
    const control = await listening()
    await follow(control.url)
    const last = await log()
    await control.until((call) => call.body.id === last.id)
    const [event, ...more] = await logged(id)
    assert.deepInclude(event, { workspaceId, subjectType: "webhook", source: "system" })
    assert.deepStrictEqual(event.data, { reason: "gone" })
    assert.lengthOf(more, 0)
    assert.lengthOf(gone.calls, 4)
  })

  it("the log gets an event when the pod stops a webhook that failed for too long, and a second event when the pod stops the resumed webhook again", async () => {
    const { follow, listening, log, pod } = scene
    const failing = await listening((response) => response.writeHead(500).end())
    const { id } = await follow(failing.url, { retryConfig: { maxRetries: 0 }, eventTypes: ["*"] })
    const stoppedTimes = async (times: number) => {
      for (;;) {
        await log()
        const events = await logged(id)
        if (events.length >= times) return events
        await aMoment()
      }
    }
    assert.deepStrictEqual((await stoppedTimes(1))[0].data, { reason: "failing" })
    await pod.owner.mutate("webhooks.update", { id, active: true })
    assert.lengthOf(await stoppedTimes(2), 2)
    // A webhook gets no events about changes to this webhook.
    assert.notInclude(
      failing.calls.map(({ body }) => body.subjectId),
      id
    )
  })

  it("a client cannot log an event that says that a webhook was stopped", async () => {
    const { status } = await scene.pod.owner.mutate("events.log", { type })
    assert.strictEqual(status, 400)
  })
})
