/** A delivery, and the rules for retries. A delivery is one event that the pod sends to one webhook. */
import { Duration, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import type { EventSource } from "../events/Event.ts"
import type { LoggedEvent } from "../events/EventCursors.ts"
import type { CallResult } from "../outbound/OutboundCall.ts"
import { described, Timestamp } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import type { PagePlace } from "../../doors/PageOrder.ts"
import { type TimeRange, timeRangeFields } from "../../doors/TimeRange.ts"

export const Delivery = Schema.Struct({
  id: described("Same as the header `webhook-id` of each call.", Id),
  subscriptionId: described("Id of the webhook.", Id),
  eventId: Id,
  eventType: described("Type of the event.", Schema.String),
  status: Schema.Literal("pending", "success", "failed"),
  attempt: described("Number of calls for this delivery so far.", Schema.Number),
  responseStatus: described("HTTP status of the receiver's answer.", Schema.NullOr(Schema.String)),
  responseBody: described("Beginning of the receiver's answer.", Schema.NullOr(Schema.String)),
  error: Schema.NullOr(Schema.String),
  deliveredAt: described("Time of the successful call.", Schema.NullOr(Timestamp)),
  nextAttemptAt: described("Time of the next call.", Schema.NullOr(Timestamp)),
  createdAt: Timestamp
}).annotations({ identifier: "WebhookDelivery" })
export type Delivery = typeof Delivery.Type

/** One call with which the pod tried to send a delivery. */
export const DeliveryAttempt = Schema.Struct({
  attempt: described("Number of the call, from 1.", Schema.Number),
  at: described("Time of the call.", Timestamp),
  latencyMs: described("Duration of the call in milliseconds.", Schema.Number),
  requestHeaders: described(
    "Headers that the pod sent, with the signatures of the body; null for calls that an earlier version of the pod made.",
    Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.String }))
  ),
  requestBody: described(
    "Body that the pod sent, at most 16 kB of it. Null if you may not read the event, and for calls that an earlier version of the pod made.",
    Schema.NullOr(Schema.String)
  ),
  requestBodyTruncated: described("True if the body was longer than `requestBody`.", Schema.Boolean),
  responseStatus: described("HTTP status of the receiver's answer.", Schema.NullOr(Schema.String)),
  responseHeaders: described(
    "Headers of the receiver's answer, at most 4 kB of them, without cookies; null without an answer.",
    Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.String }))
  ),
  responseBody: described("Beginning of the receiver's answer, at most 16 kB.", Schema.NullOr(Schema.String)),
  error: Schema.NullOr(Schema.String)
}).annotations({ identifier: "WebhookDeliveryAttempt" })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** The pod keeps at most this many calls of a delivery. It keeps the latest calls. */
export const attemptsKept = 20
// the maximum number of characters of a body, sent or answered, that the pod keeps
export const attemptBodyMax = 16_384

/** All calls of a delivery that the pod keeps, with the event that was sent. */
export interface DeliveryCalls {
  readonly eventId: string
  /** Whether the delivery is a test. The event of a test is not in the event log. */
  readonly isTest: boolean
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** The results of the calls of a webhook in the last 24 hours. */
export const WebhookFigures = Schema.Struct({
  subscriptionId: described("Id of the webhook.", Id),
  ended: described("Number of deliveries that ended in the last 24 hours.", Schema.Number),
  arrived: described("How many of the deliveries of the last 24 hours arrived.", Schema.Number),
  retrying: described(
    "Number of deliveries whose last call failed in the last 24 hours and will be repeated.",
    Schema.Number
  ),
  p95Ms: described(
    "Latency of the last calls of finished and waiting deliveries: 95 percent took at most this many milliseconds. Null without a call.",
    Schema.NullOr(Schema.Number)
  ),
  nextAttemptAt: described("Time of the next call; null if no delivery waits.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "WebhookFigures" })
export type WebhookFigures = typeof WebhookFigures.Type

export const figuresHours = 24
export const figuresShare = 0.95

const planned = timeRangeFields("the deliveries, by their `createdAt`")

export const DeliveryQuery = Schema.Struct({ ...planned, ...pageQuery("deliveries", 50, 100) })
export const DeliveryInput = Schema.Struct({
  subscriptionId: Id,
  ...planned,
  ...pageInput("deliveries", 50, 100, "subscriptionId")
})

/** Selects a page of the deliveries of a webhook. */
export type DeliveryPlace = PagePlace & TimeRange

/** A delivery before its first call. */
export interface PlannedDelivery {
  readonly id: string
  readonly spaceId: string
  readonly webhookId: string
  /** The id of the webhook's own space. */
  readonly homeId: string
  readonly eventId: string
  readonly eventType: string
  readonly seq: number
  /**
   * The id of the subject of the event, or the id of the event if the event has no subject. The pod makes calls about
   * the same subject one after the other.
   */
  readonly subjectId: string
  readonly isTest: boolean
}

/** A delivery that this node has claimed and must send now. */
export interface ClaimedDelivery extends PlannedDelivery {
  /** The number of this call of the delivery. The first call has the number 1. */
  readonly attempt: number
}

/**
 * The reason why the pod no longer calls a webhook. `gone`: the receiver wants no further calls. `failing`: no call has
 * succeeded for the time `disableAfter`.
 */
export type DisabledReason = "gone" | "failing"

export interface WebhookState {
  readonly webhookId: string
  readonly lastTriggeredAt: Delivery["deliveredAt"]
  readonly disabledReason: DisabledReason | null
}

export interface DeliveryTimes {
  /** The pauses before the first call and before each retry (Standard Webhooks). */
  readonly schedule: ReadonlyArray<Duration.DurationInput>
  /**
   * The pod makes each pause longer by a random time. This number is the maximum of the random time, as a share of the
   * pause.
   */
  readonly jitter: number
  readonly timeout: Duration.DurationInput
  /** If no call of a webhook succeeds for this time, the pod stops calling the webhook. */
  readonly disableAfter: Duration.DurationInput
  readonly pollEvery: Duration.DurationInput
  /** How long the pod also signs calls with the former secret after a new secret was made. */
  readonly formerSecret: Duration.DurationInput
}

export const standardTimes: DeliveryTimes = {
  schedule: [
    "0 seconds",
    "5 seconds",
    "5 minutes",
    "30 minutes",
    "2 hours",
    "5 hours",
    "10 hours",
    "14 hours",
    "20 hours",
    "24 hours"
  ],
  jitter: 0.2,
  timeout: "15 seconds",
  disableAfter: "5 days",
  pollEvery: "1 second",
  formerSecret: "24 hours"
}

// The longest pause, in seconds, for which a receiver can ask. It equals the longest pause of the schedule.
const retryAfterMax = 86_400

/**
 * Returns true if a list of types contains the type of an event. The list can have the names of types, `*` for all
 * types, or `*.create` for every type that ends with `.create`.
 */
export const includesType = (eventTypes: ReadonlyArray<string>, type: string): boolean =>
  eventTypes.some((pattern) =>
    pattern === "*" ? true : pattern.startsWith("*.") ? type.endsWith(pattern.slice(1)) : pattern === type
  )

export const EventLens = Schema.Literal("all", "internal", "external")

/**
 * The sources of external events. An event is also external if its type begins with one of the `inboundTypes`. Events
 * of these types come from another system.
 */
const externalSources: ReadonlySet<EventSource> = new Set(["sync", "migration"])
const inboundTypes = ["cron.", "feed.item.", "webhook.received"]

const isExternal = ({ source, type }: Pick<LoggedEvent, "source" | "type">): boolean =>
  externalSources.has(source) || inboundTypes.some((beginning) => type.startsWith(beginning))

/**
 * Returns true if the filter `lens` includes this event. The filter selects internal events, external events or both.
 * Every event is either internal or external.
 */
export const isInLens = (lens: typeof EventLens.Type, event: Pick<LoggedEvent, "source" | "type">): boolean =>
  lens === "all" || isExternal(event) === (lens === "external")

/**
 * Returns the pause in seconds after call number `attempt` has failed. Returns null if no further call follows.
 * `random` is a number from 0 to 1.
 */
export const pauseAfter = (
  { jitter, schedule }: Pick<DeliveryTimes, "jitter" | "schedule">,
  attempt: number,
  maxRetries: number,
  retryAfterSeconds: number | null,
  random: number
): number | null => {
  const pause = schedule[attempt]
  if (pause === undefined || attempt > maxRetries) return null
  const seconds = Duration.toSeconds(pause) * (1 + jitter * random)
  return Math.max(seconds, Math.min(retryAfterMax, retryAfterSeconds ?? 0))
}

export const isSuccess = ({ status }: Pick<CallResult, "status">): boolean =>
  status !== null && status >= 200 && status < 300
