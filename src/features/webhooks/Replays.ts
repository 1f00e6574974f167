/**
 * Plans the delivery of events that a webhook missed, for example while it was paused. A job does this work, because a
 * read of several weeks of a log can take long.
 */
import { DateTime, Effect, Option, Schema } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { Reach } from "../../doors/Reach.ts"
import { Timestamp } from "../../doors/Fields.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { readAtMost } from "../../platform/ResultSize.ts"
import { EventCursors } from "../events/EventCursors.ts"
import { includesType } from "./Delivery.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { isEventForWebhook, planDelivery } from "./Planning.ts"
import { SubscriberReach } from "./SubscriberReach.ts"
import { EventTypes } from "./Webhook.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const eventsAtOnce = 500

/**
 * The number of days whose events the pod can replay to a webhook. The pod keeps deliveries one day longer, so it knows
 * which events it has already sent.
 */
export const replayDaysMax = 29

/**
 * The name of the lock for work that adds waiting deliveries of a webhook, up to a limit. Without the lock,
 * simultaneous calls would count the same deliveries, and together exceed the limit.
 */
export const lockOfWaiting = (webhookId: string): string => `waiting deliveries of the webhook ${webhookId}`

/**
 * The missed events that a replay sends. They lie between two times, and have a type in `eventTypes` if it is given.
 */
export interface ReplayedEvents {
  readonly since: DateTime.Utc
  readonly until?: DateTime.Utc | undefined
  readonly eventTypes?: ReadonlyArray<string> | undefined
}

export const replayQueue = jobQueue({
  name: "webhooks.replay",
  payload: Schema.Struct({
    webhookId: Id,
    personId: Id,
    since: Timestamp,
    until: Timestamp,
    eventTypes: Schema.optional(EventTypes)
  }),
  retryLimit: 3,
  retryDelaySeconds: 5,
  expireSeconds: 300,
  concurrency: 1,
  single: "waiting"
})

/** Runs replays until the scope closes. After each replay, runs `wake` to report that deliveries wait. */
export const startReplaying = Effect.fnUntraced(function* (wake: Effect.Effect<void>) {
  const jobs = yield* Jobs
  const store = yield* DeliveryStore
  const cursors = yield* EventCursors
  const subscribers = yield* SubscriberReach
  const { waitingMax } = yield* WebhookSettings
  const { exclusively } = yield* Transaction

  const replay = Effect.fnUntraced(function* ({
    eventTypes,
    personId,
    since,
    until,
    webhookId
  }: typeof replayQueue.payload.Type) {
    const person = yield* subscribers.of(personId)
    if (Option.isNone(person)) return
    const found = (yield* subscribers.webhooks(person.value, [webhookId])).get(webhookId)
    if (found === undefined) return
    const { limited, webhook } = found
    const homeId = webhook.workspaceId ?? personId
    const follower = { webhookId, personId, homeId, eventTypes: webhook.eventTypes, lens: webhook.lens }
    const inside = Effect.provideService(Reach, person.value.storeReach)
    let room = waitingMax

    /**
     * Plans the deliveries of the next events of a space. Returns the number of the event after which the next step
     * begins. Returns null if no events are left, or if the number of waiting deliveries has reached its limit.
     */
    const step = (spaceId: string, seq: number) =>
      Effect.gen(function* () {
        room = Math.max(0, Math.min(room, waitingMax - (yield* inside(store.waiting(webhookId)))))
        const query = { userId: personId, since, until, seq }
        const { found: events, limit } = yield* readAtMost(eventsAtOnce, (most) =>
          Effect.provideService(cursors.listBetween(spaceId, query, most), Reach, limited)
        )
        const matchingEvents = events.filter(
          (event) =>
            isEventForWebhook(follower, event) && (eventTypes === undefined || includesType(eventTypes, event.type))
        )
        const batch = matchingEvents.slice(0, room)
        const planned = batch.map((event) => planDelivery(spaceId, follower, event))
        if (planned.length > 0) room -= yield* inside(store.plan(planned))
        if (room === 0) return null
        // At most `room` deliveries may still be added, and this number limited this step. But an event that already
        // has a delivery needs no room. So there is possibly still room for events of the next step.
        if (batch.length < matchingEvents.length) return batch[batch.length - 1].seq
        return events.length === limit ? events[limit - 1].seq : null
      }).pipe((work) => exclusively(lockOfWaiting(webhookId), work))

    const isFollowed = (spaceId: string) => homeId === personId || homeId === spaceId
    for (const spaceId of limited.bounds("event", "read").spaces.filter(isFollowed)) {
      let seq: number | null = 0
      while (seq !== null) seq = yield* step(spaceId, seq)
    }
    yield* wake
  })

  yield* Effect.orDie(jobs.work(replayQueue, replay))
})

/** Refuses a time whose events the pod can no longer send again. */
export const checkSince = (since: DateTime.Utc) =>
  Effect.flatMap(DateTime.now, (now) =>
    DateTime.lessThan(since, DateTime.subtract(now, { days: replayDaysMax }))
      ? invalid("since", `Use a time within the last ${replayDaysMax} days.`)
      : Effect.void
  )
