/** A pod whose webhooks call receivers of the test, and the calls that the tests of webhooks share. */
import { assert } from "@effect/vitest"
import { aPod, type Caller, type Storage, type TestPod } from "./pod.ts"
import { aReceiver, quickWebhooks, type Receiver } from "./receiver.ts"
import { aMoment } from "./aMoment.ts"

export interface MadeWebhook {
  readonly id: string
  readonly secret: string
}

export interface WebhookScene {
  readonly pod: TestPod
  readonly listening: (...answer: Parameters<typeof aReceiver>) => Promise<Receiver>
  /** Creates a webhook for events of type `test.happened`, unless `more` says something else. */
  readonly follow: (url: string, more?: object, caller?: Caller) => Promise<MadeWebhook>
  /** Logs an event and returns it. */
  readonly log: (more?: object, caller?: Caller) => Promise<{ readonly id: string; readonly timestamp: string }>
  readonly deliveries: (id: string, caller?: Caller) => Promise<ReadonlyArray<any>>
  /** Requests the list of deliveries again and again until `fits` accepts the list. Returns that list. */
  readonly untilDeliveries: (
    id: string,
    fits: (listed: ReadonlyArray<any>) => boolean,
    caller?: Caller
  ) => Promise<ReadonlyArray<any>>
  readonly webhook: (id: string, caller?: Caller) => Promise<any>
  readonly closeReceivers: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const aWebhookScene = async (storage: Storage, rules = quickWebhooks()): Promise<WebhookScene> => {
  const pod = await aPod(storage, {}, { webhooks: rules })
  const receivers: Array<Receiver> = []
  const ok = async (asked: ReturnType<Caller["mutate"]>) => {
    const { body, status } = await asked
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.result.data
  }
  const deliveries: WebhookScene["deliveries"] = (subscriptionId, caller = pod.owner) =>
    ok(caller.query("webhooks.deliveries", { subscriptionId }))
  const closeReceivers = async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  }
  return {
    pod,
    deliveries,
    closeReceivers,
    listening: async (...answer) => {
      const receiver = await aReceiver(...answer)
      receivers.push(receiver)
      return receiver
    },
    follow: async (url, more = {}, caller = pod.owner) => {
      const draft = { name: "Test", url, eventTypes: ["test.happened"], ...more }
      const { secret, subscription } = await ok(caller.mutate("webhooks.create", draft))
      return { id: subscription.id, secret }
    },
    log: (more = {}, caller = pod.owner) =>
      ok(caller.mutate("events.log", { type: "test.happened", data: { text: "private" }, ...more })),
    untilDeliveries: async (id, fits, caller) => {
      for (;;) {
        const listed = await deliveries(id, caller)
        if (fits(listed)) return listed
        await aMoment()
      }
    },
    webhook: async (id, caller = pod.owner) => {
      const listed = await ok(caller.query("webhooks.list", {}))
      return listed.find((each: { readonly id: string }) => each.id === id)
    },
    stop: async () => {
      await closeReceivers()
      await pod.stop()
    }
  }
}
