/** A webhook that the pod stops to call: what the log says about it, and that no further call is made, on each storage. */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { quickWebhooks } from "../../support/receiver.ts"
import { onOneStorage } from "../../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../../support/webhookScene.ts"
import { aMoment } from "../../support/aMoment.ts"

onOneStorage("a webhook that is stopped", (storage) => {
  let scene: WebhookScene
  // So that a webhook counts as failing at its second failed call.
  beforeAll(async () => void (scene = await aWebhookScene(storage, quickWebhooks({ disableAfter: 0 }))), 60_000)
  afterEach(() => scene?.closeReceivers())
  afterAll(() => scene?.stop())
  const type = "webhook.disabled"
  const logged = async (id: string) => {
    const { body } = await scene.pod.owner.query("events.list", { type, limit: 100 })
    return body.result.data.filter((event: { readonly subjectId: string }) => event.subjectId === id)
  }

  it("the log of the space has one event that a webhook is gone, the other webhooks get it, and the webhook gets no more calls", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    const workspaceId = await pod.aWorkspace(pod.owner)
    const watching = await listening()
    await follow(watching.url, { eventTypes: [type], workspaceId })
    const held: Array<() => void> = []
    // Four calls are made at a time, and all of them end the subscription at once.
    const gone = await listening((response) => {
      held.push(() => void response.writeHead(410).end())
      if (held.length === 4) for (const answer of held) answer()
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

  it("the log tells that a webhook has failed for too long, and after it was resumed and stopped again, once more", async () => {
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
    // Nothing that is done to a webhook is sent to it.
    assert.notInclude(
      failing.calls.map(({ body }) => body.subjectId),
      id
    )
  })

  it("nobody can log that a webhook was stopped", async () => {
    const { status } = await scene.pod.owner.mutate("events.log", { type })
    assert.strictEqual(status, 400)
  })
})
