/**
 * Calls the webhook with a given name, for an automation. The pod makes the call even if the webhook does not follow
 * this type of event.
 */
import { Context, Data, Effect, Layer } from "effect"
import type { NotFound } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Reach } from "../../doors/Reach.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import { Keys } from "../keys/Keys.ts"
import { Records } from "../records/Records.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { planDelivery } from "./Planning.ts"
import { Webhook } from "./Webhook.ts"

/** Identifies the event to send. The event belongs to the caller's person. */
export interface SentEventName {
  readonly id: string
  readonly type: string
  readonly spaceId: string
  readonly seq: number
  readonly subjectId: string | null
}

/** The pod cannot call the webhook now. */
export class WebhookUncallable extends Data.TaggedError("WebhookUncallable")<{ readonly why: string }> {}

export class WebhookCalls extends Context.Tag("pod/WebhookCalls")<
  WebhookCalls,
  {
    /**
     * Plans the delivery of an event to the caller's webhook of this name. Returns the id of the webhook. A key with
     * limits finds only the webhooks that it, or a key that it replaced, made. Fails with WebhookUncallable if several
     * webhooks have the name, or if the webhook is paused.
     */
    readonly call: (name: string, event: SentEventName) => Effect.Effect<string, NotFound | WebhookUncallable, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const keys = yield* Keys
      const records = yield* Records
      const store = yield* DeliveryStore
      return {
        call: Effect.fnUntraced(function* (name, event) {
          const { principal } = yield* Reach
          const where = isUnrestricted(principal) ? {} : { keyId: yield* keys.ownLine }
          const { items } = yield* records.list(Webhook, { named: { field: "name", name }, where, limit: 2 })
          const [webhook, other] = items
          if (webhook === undefined) return yield* missingRecord("webhook")
          const refusal =
            other !== undefined ? "Several webhooks have this name." : webhook.active ? null : "The webhook is paused."
          if (refusal !== null) return yield* new WebhookUncallable({ why: refusal })
          yield* store.plan([planDelivery(event.spaceId, { homeId: spaceOf(webhook), webhookId: webhook.id }, event)])
          return webhook.id
        })
      }
    })
  )
}
