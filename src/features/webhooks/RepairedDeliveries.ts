/**
 * Makes a delivery for the sample data: its first two calls failed, and its third call succeeded. The pod makes no real
 * call, because the receiver in the sample data does not exist. The stores of real calls also store these calls, with
 * requests that the secret of the webhook signs.
 */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { type Forbidden, type Invalid, invalid, type NotFound } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { Reach } from "../../doors/Reach.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { Event } from "../events/Event.ts"
import { EventLog } from "../events/EventLog.ts"
import { CallStore, callsOfWebhookMax, type Outcome, turnOf } from "./CallStore.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { planDelivery } from "./Planning.ts"
import { requestOf } from "./SentRequest.ts"
import { eventText } from "./Signature.ts"
import type { Webhook } from "./Webhook.ts"
import { Webhooks } from "./Webhooks.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

type Answer = Pick<Outcome, "status" | "responseStatus" | "responseHeaders" | "responseBody" | "error" | "latencyMs">

const failing = { status: "pending", responseHeaders: null } as const
const answers: ReadonlyArray<Answer> = [
  {
    ...failing,
    responseStatus: null,
    responseBody: null,
    error: "The receiver refused the connection.",
    latencyMs: 12
  },
  {
    ...failing,
    responseStatus: 503,
    responseBody: "The warehouse is closed for stocktaking.",
    error: null,
    latencyMs: 240
  },
  { status: "success", responseStatus: 200, responseHeaders: {}, responseBody: "received", error: null, latencyMs: 85 }
]
const leaseSeconds = 60

/** Returns true if no receiver can exist at this URL, because its host name is reserved for examples (RFC 2606). */
const isReserved = (url: string): boolean => parsedUrl(url)?.hostname.endsWith(".example") === true

export class RepairedDeliveries extends Context.Tag("pod/RepairedDeliveries")<
  RepairedDeliveries,
  {
    /**
     * Makes the delivery of an event to a webhook of the caller, and returns its id. The webhook must have no other
     * delivery, and its host name must be reserved for examples. So the pod never stores an invented call of a real
     * receiver.
     */
    readonly make: (webhookId: string, eventId: string) => Effect.Effect<string, Forbidden | Invalid | NotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const events = yield* EventLog
      const deliveries = yield* DeliveryStore
      const calls = yield* CallStore
      const { exclusively } = yield* Transaction
      const disableAfterSeconds = Duration.toSeconds((yield* WebhookSettings).times.disableAfter)

      /**
       * Stores an answer as the result of the next call of this delivery. Does not change the other deliveries of the
       * webhook.
       */
      const endCall = Effect.fnUntraced(function* (id: string, webhook: Webhook, event: Event, answer: Answer) {
        const { claimed } = yield* calls.claim([webhook.id], callsOfWebhookMax, leaseSeconds)
        const own = claimed.find((each) => each.id === id)
        yield* calls.release(claimed.filter((each) => each !== own))
        if (own === undefined) return yield* Effect.dieMessage("a delivery of the sample was not claimed")
        const startedAt = yield* DateTime.now
        const { keptRequest } = requestOf(own, webhook, eventText(event), startedAt)
        const outcome = { ...answer, pauseSeconds: 0, request: keptRequest, startedAt, isGone: false }
        yield* calls.storeResults([{ claimed: own, outcome }], disableAfterSeconds)
      })

      return {
        make: Effect.fnUntraced(function* (webhookId, eventId) {
          const webhook = yield* webhooks.called(webhookId)
          if (!isReserved(webhook.url))
            return yield* invalid("webhookId", "Use a webhook with an address in `.example`.")
          const [event] = yield* events.listByIds([eventId])
          if (event === undefined) return yield* missingRecord("event")
          const { personId } = (yield* Reach).principal
          const planned = planDelivery(
            spaceOf(event),
            { homeId: spaceOf(webhook), webhookId },
            { ...event, subjectId: event.subjectId ?? null }
          )
          const deliver = Effect.gen(function* () {
            if ((yield* deliveries.list(webhookId, { limit: 1, offset: 0 })).length > 0) {
              return yield* invalid("webhookId", "Use a webhook without deliveries.")
            }
            yield* deliveries.plan([planned])
            for (const answer of answers) yield* endCall(planned.id, webhook, event, answer)
          })
          yield* exclusively(turnOf(personId), deliver)
          return planned.id
        })
      }
    })
  ).pipe(Layer.provide(Webhooks.layer))
}
