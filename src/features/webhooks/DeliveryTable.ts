/**
 * The tables of deliveries in memory. Also decides which rows a call can access, and which deliveries the pod can send
 * next.
 */
import { DateTime } from "effect"
import type { ReachShape } from "../../doors/Reach.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import type { ReadContext } from "../events/EventTable.ts"
import { callsOfWebhookMax } from "./CallStore.ts"
import type { ClaimedDelivery, Delivery, DeliveryAttempt, DisabledReason, WebhookState } from "./Delivery.ts"

export interface StoredDelivery
  extends ClaimedDelivery, Pick<Delivery, "status" | "responseBody" | "error" | "deliveredAt" | "createdAt"> {
  readonly personId: string
  readonly dueAtMs: number
  readonly leasedUntilMs: number
  readonly responseStatus: number | null
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  /**
   * The time at which the last call ended. `latencyMs` is the time that this call took. Both are null before the first
   * call.
   */
  readonly endedAtMs: number | null
  readonly latencyMs: number | null
}

export interface StoredState extends WebhookState {
  readonly spaceId: string
  readonly personId: string
  readonly failingSince: DateTime.Utc | null
  readonly disabledReason: DisabledReason | null
}

export const deliveryTable = memoryTable<StoredDelivery>("webhook_deliveries", ({ id }) => id)
export const stateTable = memoryTable<StoredState>("webhook_states", ({ webhookId }) => webhookId)

export const toDelivery = (stored: StoredDelivery): Delivery => ({
  id: stored.id,
  subscriptionId: stored.webhookId,
  eventId: stored.eventId,
  eventType: stored.eventType,
  status: stored.status,
  attempt: stored.attempt,
  responseStatus: stored.responseStatus === null ? null : String(stored.responseStatus),
  responseBody: stored.responseBody,
  error: stored.error,
  deliveredAt: stored.deliveredAt,
  nextAttemptAt: stored.status === "pending" ? DateTime.unsafeMake(stored.dueAtMs) : null,
  createdAt: stored.createdAt
})

/** Returns true if the row belongs to the caller's person, and is in a space in reach. */
export const isOwnRow = (
  reach: ReachShape,
  { personId, spaceId }: Pick<StoredState, "personId" | "spaceId">
): boolean => personId === reach.principal.personId && reach.bounds("webhook", "read").spaces.includes(spaceId)

/** Lists the deliveries of this webhook, if they belong to the caller's person. */
export const ownDeliveries = ({ reach, rows }: ReadContext, webhookId: string): ReadonlyArray<StoredDelivery> =>
  rows.all(deliveryTable).filter((delivery) => delivery.webhookId === webhookId && isOwnRow(reach, delivery))

export const isInFlight = (delivery: StoredDelivery, nowMs: number): boolean =>
  delivery.status === "pending" && delivery.leasedUntilMs > nowMs

export const isDue = (delivery: StoredDelivery, nowMs: number): boolean =>
  delivery.status === "pending" && delivery.dueAtMs <= nowMs && !isInFlight(delivery, nowMs)

/**
 * Returns the earliest waiting delivery about the same subject, if this delivery must wait for it. The deliveries of a
 * webhook about one subject are sent in order.
 */
export const earlierOf = (all: ReadonlyArray<StoredDelivery>, delivery: StoredDelivery): StoredDelivery | undefined =>
  all
    .filter(
      (other) =>
        other.webhookId === delivery.webhookId &&
        other.subjectId === delivery.subjectId &&
        other.status === "pending" &&
        other.seq < delivery.seq
    )
    .toSorted((one, other) => one.seq - other.seq)
    .at(0)

/** Selects the due deliveries of webhooks that do not have the maximum number of running calls. */
export const dueWithRoom = (all: ReadonlyArray<StoredDelivery>, nowMs: number): ReadonlyArray<StoredDelivery> => {
  const calls = (webhookId: string) =>
    all.filter((other) => other.webhookId === webhookId && isInFlight(other, nowMs)).length
  return all.filter((delivery) => isDue(delivery, nowMs) && calls(delivery.webhookId) < callsOfWebhookMax)
}
