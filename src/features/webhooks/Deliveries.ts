/**
 * Delivers events to webhooks: a planned delivery becomes a call, which is made again until it succeeds or its retries are used
 * up.
 */
import { Cause, DateTime, Duration, Effect, Option, Random } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { lookRepeatedly } from "../events/EventFollower.ts"
import { callerBy } from "./Caller.ts"
import { type ClaimedDelivery, isSuccess, pauseAfter } from "./Delivery.ts"
import { DeliveryStore, type DueWebhook, flyingMost } from "./DeliveryStore.ts"
import { bodyOf, headersOf, secretsAt } from "./Signature.ts"
import { type Judged, SubscriberReach } from "./SubscriberReach.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const webhooksAtOnce = 100 // webhooks that are looked for at a time
const afterFault = "5 seconds" // the pause of a lane whose statements failed

/** The deliveries of one webhook that this pod makes now. */
interface Lanes {
  running: number
  /** How many times somebody said that deliveries wait. */
  asked: number
}

/** Delivers until the scope closes. `news` ends when deliveries were planned in this process. */
export const startDelivering = (news: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const store = yield* DeliveryStore
    const { alone } = yield* Transaction
    const subscribers = yield* SubscriberReach
    const settings = yield* WebhookSettings
    const { times } = settings
    const call = callerBy(settings)
    const leaseSeconds = Duration.toSeconds(times.timeout) + 10

    /** Makes a call, and stores how it ended. */
    const send = (claimed: ClaimedDelivery, { event, webhook }: Judged) =>
      Effect.gen(function* () {
        const at = yield* DateTime.now
        const body = bodyOf(event, claimed, at)
        const result = yield* call(webhook.url, headersOf(claimed, secretsAt(webhook, at), body, at), body)
        const isGone = result.status === 410
        const { maxRetries } = webhook.retryConfig
        const random = yield* Random.next
        const pause = isGone ? null : pauseAfter(times, claimed.attempt, maxRetries, result.retryAfterSeconds, random)
        const settled = store.settle(claimed, {
          status: isSuccess(result) ? "success" : pause === null ? "failed" : "pending",
          pauseSeconds: pause ?? 0,
          responseStatus: result.status,
          responseBody: result.body,
          error: result.error,
          isGone,
          disableAfterSeconds: Duration.toSeconds(times.disableAfter)
        })
        // Of several calls that fail at a time, one stops the webhook and logs it.
        yield* isSuccess(result) ? settled : alone(`webhook ${claimed.webhookId}`, settled)
      })

    /** Makes a delivery that was claimed. Answers whether further ones may be made. */
    const make = (personId: string, claimed: ClaimedDelivery) =>
      Effect.gen(function* () {
        const judged = yield* subscribers.judge(personId, claimed)
        if (Option.isNone(judged)) return yield* Effect.as(store.drop(claimed.id), true)
        if (!judged.value.webhook.active) return yield* Effect.as(store.release(claimed), false)
        yield* Effect.onInterrupt(send(claimed, judged.value), () => store.release(claimed))
        return true
      })

    const lanesOf = new Map<string, Lanes>()
    const scope = yield* Effect.scope

    /** Makes deliveries of a webhook one after the other until none waits; while it makes one, another lane looks for the next. */
    const lane = (due: DueWebhook, lanes: Lanes): Effect.Effect<void> =>
      Effect.gen(function* () {
        const { personId, webhookId } = due
        for (;;) {
          const { asked } = lanes
          const reach = yield* subscribers.of(personId)
          if (Option.isNone(reach)) return
          const isDone = yield* Effect.gen(function* () {
            const claimed = yield* alone(`webhook ${webhookId}`, store.claim(webhookId, leaseSeconds))
            if (claimed === null) return lanes.asked === asked
            if (claimed.hasMore) yield* open(due, lanes)
            const goesOn = yield* make(personId, claimed)
            return !goesOn || (!claimed.hasMore && lanes.asked === asked)
          }).pipe(Effect.provideService(Reach, reach.value))
          if (isDone) return
        }
      }).pipe(
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.void
            : Effect.zipRight(
                Effect.logWarning("A delivery to a webhook could not be made", cause),
                Effect.sleep(afterFault)
              )
        ),
        Effect.ensuring(
          Effect.sync(() => {
            lanes.running -= 1
            if (lanes.running === 0) lanesOf.delete(due.webhookId)
          })
        )
      )

    const open = (due: DueWebhook, lanes: Lanes) =>
      Effect.suspend(() => {
        if (lanes.running >= flyingMost) return Effect.void
        lanes.running += 1
        return Effect.forkIn(lane(due, lanes), scope)
      })

    const deliver = (due: DueWebhook) =>
      Effect.suspend(() => {
        const lanes = lanesOf.get(due.webhookId) ?? { running: 0, asked: 0 }
        lanes.asked += 1
        lanesOf.set(due.webhookId, lanes)
        return open(due, lanes)
      })

    const look = Effect.flatMap(store.due(webhooksAtOnce), (due) => Effect.forEach(due, deliver, { discard: true }))
    const isNeeded = Effect.map(store.since, (since) => since !== null)
    yield* lookRepeatedly("webhooks.deliver", times.lookEvery, Effect.whenEffect(look, isNeeded), news)
    yield* lookRepeatedly("old deliveries", "1 hour", store.forgetOld)
    yield* lookRepeatedly("former secrets", "1 minute", store.forgetFormerSecrets)
  })
