/**
 * Plans which events the pod sends to which webhooks. The planner reads the log of each space. For each webhook that
 * follows an event, the planner adds a row for the delivery. The same transaction moves the cursor, which is the number
 * of the last planned event.
 */
import { Array, DateTime, Effect } from "effect"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { afterCommit } from "../../platform/CommitHooks.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import type { LoggedEvent } from "../events/EventCursors.ts"
import { followEvents } from "../events/EventFollower.ts"
import { includesType, isInLens, type PlannedDelivery } from "./Delivery.ts"
import { DeliveryStore, type Follower } from "./DeliveryStore.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

/**
 * Returns true if an event was logged after a webhook was created. The database rounds the creation time of the webhook
 * to milliseconds. So if the event has the same millisecond or the millisecond before, the function compares the ids.
 * The event is then later if its id is greater.
 */
const isLater = ({ at, id }: LoggedEvent, { createdAt, webhookId }: Follower): boolean => {
  const byMs = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(createdAt)
  return byMs > 0 || (byMs >= -1 && id > webhookId)
}

/**
 * Returns true if the pod must send an event to a webhook. A webhook gets only events from the log of the person who
 * owns the webhook, and never an event about the webhook itself.
 */
export const isEventForWebhook = (
  { eventTypes, lens, personId, webhookId }: Pick<Follower, "eventTypes" | "lens" | "personId" | "webhookId">,
  event: LoggedEvent
): boolean =>
  event.userId === personId &&
  event.subjectId !== webhookId &&
  includesType(eventTypes, event.type) &&
  isInLens(lens, event)

export const planDelivery = (
  spaceId: string,
  { homeId, webhookId }: Pick<Follower, "homeId" | "webhookId">,
  event: Pick<LoggedEvent, "id" | "type" | "seq" | "subjectId">
): PlannedDelivery => ({
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

/** Plans deliveries until the scope closes. After each commit, runs `wake` to report that deliveries wait. */
export const startPlanning = Effect.fnUntraced(function* (wake: Effect.Effect<void>) {
  const store = yield* DeliveryStore
  const { times } = yield* WebhookSettings

  const take = Effect.fnUntraced(function* (spaceId: string, events: ReadonlyArray<LoggedEvent>) {
    const followers = Array.groupBy(yield* store.followersOf(spaceId), ({ personId }) => personId)
    for (const [personId, own] of Object.entries(followers)) {
      const planned = events.flatMap((event) =>
        own
          .filter((follower) => isEventForWebhook(follower, event) && isLater(event, follower))
          .map((follower) => planDelivery(spaceId, follower, event))
      )
      if (planned.length === 0) continue
      const origin = { operation: "webhooks.plan", requestId: uuidv7(), client: noClient }
      const reach = systemReach("events are sent to a webhook", personId, [spaceId], origin)
      yield* Effect.provideService(store.plan(planned), Reach, reach)
      yield* afterCommit(wake)
    }
  })

  yield* followEvents({
    name: "webhooks.plan",
    reason: "events are sent to webhooks",
    take,
    // The planner begins one millisecond earlier, because the database rounds the creation time of the webhook.
    since: Effect.map(store.since, (at) => at && DateTime.subtract(at, { millis: 1 })),
    pollEvery: times.pollEvery,
    pause: "50 millis"
  })
})
