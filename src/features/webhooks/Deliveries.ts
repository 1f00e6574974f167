/**
 * Delivers events to webhooks. The log of each space is followed: an event that a webhook follows becomes a row, and the row a
 * call, which is made again until it succeeds or its retries are used up.
 */
import { Clock, DateTime, Duration, Effect, Option, Random, Schema } from "effect"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { LoggedEvent } from "../events/EventCursors.ts"
import { followEvents, lookRepeatedly } from "../events/EventFollower.ts"
import { callerBy } from "./Caller.ts"
import { type ClaimedDelivery, isFollowed, isSuccess, pauseAfter, type PlannedDelivery } from "./Delivery.ts"
import { DeliveryStore, type Follower, flyingMost } from "./DeliveryStore.ts"
import { bodyOf, headersOf, secretsAt } from "./Signature.ts"
import { type Judged, SubscriberReach } from "./SubscriberReach.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const laneMs = 30_000 // then the job ends, and another one continues
const webhooksAtOnce = 100 // webhooks that are looked for at a time, and that one pod calls at a time

const queue = jobQueue({
  name: "webhooks.deliver",
  payload: Schema.Struct({ webhookId: Schema.UUID, personId: Schema.UUID }),
  retryLimit: 2,
  retryDelaySeconds: 5,
  expireSeconds: 120,
  concurrency: webhooksAtOnce,
  single: "waiting"
})

/**
 * Whether an event was logged after a webhook was made. The database rounds the time of the webhook to milliseconds, so within
 * one millisecond the ids decide, which grow with time.
 */
const isLater = ({ at, id }: LoggedEvent, webhookId: string, createdAt: DateTime.Utc): boolean => {
  const byMs = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(createdAt)
  return byMs > 0 || (byMs >= -1 && id > webhookId)
}

/**
 * Whether an event is for a webhook. A person's log has only their own events, and so have their webhooks. An event that was
 * logged before the webhook was made is not sent, nor what is done to the webhook itself.
 */
const isFor = ({ createdAt, eventTypes, personId, webhookId }: Follower, event: LoggedEvent): boolean =>
  event.userId === personId &&
  event.subjectId !== webhookId &&
  isFollowed(eventTypes, event.type) &&
  isLater(event, webhookId, createdAt)

const plannedOf = (spaceId: string, { homeId, webhookId }: Follower, event: LoggedEvent): PlannedDelivery => ({
  id: uuidv7(),
  spaceId,
  webhookId,
  homeId,
  eventId: event.id,
  eventType: event.type,
  seq: event.seq,
  subjectId: event.subjectId ?? event.id,
  isTest: false
})

/** Delivers until the scope closes. */
export const startDelivering = Effect.gen(function* () {
  const jobs = yield* Jobs
  const store = yield* DeliveryStore
  const { alone } = yield* Transaction
  const subscribers = yield* SubscriberReach
  const settings = yield* WebhookSettings
  const { times } = settings
  const call = callerBy(settings)
  const leaseSeconds = Duration.toSeconds(times.timeout) + 10

  const enqueue = (due: { readonly webhookId: string; readonly personId: string }) =>
    jobs.enqueue(queue, due, { singletonKey: due.webhookId })

  const take = (spaceId: string, events: ReadonlyArray<LoggedEvent>) =>
    Effect.gen(function* () {
      const followers = yield* store.following(spaceId)
      for (const follower of followers) {
        const planned = events
          .filter((event) => isFor(follower, event))
          .map((each) => plannedOf(spaceId, follower, each))
        if (planned.length === 0) continue
        const origin = { operation: "webhooks.plan", requestId: uuidv7(), client: noClient }
        const reach = systemReach("events are sent to a webhook", follower.personId, [spaceId], origin)
        yield* Effect.provideService(store.plan(planned), Reach, reach)
        yield* enqueue({ webhookId: follower.webhookId, personId: follower.personId })
      }
    })

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

  /** Does the next delivery of a webhook, and answers whether there may be more. */
  const next = (webhookId: string, personId: string) =>
    Effect.gen(function* () {
      const reach = yield* subscribers.of(personId)
      if (Option.isNone(reach)) return false
      return yield* Effect.gen(function* () {
        const claimed = yield* alone(`webhook ${webhookId}`, store.claim(webhookId, leaseSeconds))
        if (claimed === null) return false
        const judged = yield* subscribers.judge(personId, claimed)
        if (Option.isNone(judged)) return yield* Effect.as(store.drop(claimed.id), true)
        if (!judged.value.webhook.active) return yield* Effect.as(store.release(claimed), false)
        yield* Effect.onInterrupt(send(claimed, judged.value), () => store.release(claimed))
        return true
      }).pipe(Effect.provideService(Reach, reach.value))
    })

  const deliver = ({ personId, webhookId }: { readonly webhookId: string; readonly personId: string }) =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + laneMs
      const lane = Effect.gen(function* () {
        while (yield* next(webhookId, personId)) if ((yield* Clock.currentTimeMillis) > until) return
      })
      const lanes = Array.from({ length: flyingMost }, () => lane)
      yield* Effect.all(lanes, { concurrency: "unbounded", discard: true })
    })

  yield* Effect.orDie(jobs.work(queue, deliver))
  yield* followEvents({
    name: "webhooks.plan",
    reason: "events are sent to webhooks",
    take,
    since: Effect.map(store.since, (at) => at && DateTime.subtract(at, { millis: 1 })), // the database rounds it
    lookEvery: times.lookEvery
  })
  const look = Effect.flatMap(store.due(webhooksAtOnce), (due) => Effect.forEach(due, enqueue, { discard: true }))
  const isNeeded = Effect.map(store.since, (since) => since !== null)
  yield* lookRepeatedly(queue.name, times.lookEvery, Effect.whenEffect(look, isNeeded))
  yield* lookRepeatedly("old deliveries", "1 hour", store.forgetOld)
  yield* lookRepeatedly("former secrets", "1 minute", store.forgetFormerSecrets)
})
