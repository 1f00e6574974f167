/** Rows of deliveries as the database returns them, and their conversion to domain objects. */
import { DateTime } from "effect"
import { utcOrNull } from "../../platform/RowTimes.ts"
import type {
  ClaimedDelivery,
  Delivery,
  DeliveryCalls,
  DisabledReason,
  WebhookFigures,
  WebhookState
} from "./Delivery.ts"

/** One row that a claim returns: one of the requested webhooks, and one claimed delivery of this webhook. */
export interface ClaimedRow {
  readonly id: string
  readonly has_more: boolean
  /** True if the webhook has as many calls as it may have at the same time. */
  readonly is_full: boolean
  /**
   * The id of the claimed delivery. Null if the claim got no delivery of the webhook. The columns below are then null
   * too.
   */
  readonly delivery_id: string | null
  readonly space_id: string
  readonly home_id: string
  readonly event_id: string
  readonly event_type: string
  readonly seq: string
  readonly subject_id: string
  readonly is_test: boolean
  readonly attempt: number
}

export interface DeliveryRow {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event_type: string
  readonly status: Delivery["status"]
  readonly attempt: number
  readonly response_status: number | null
  readonly response_body: string | null
  readonly error: string | null
  readonly delivered_at: Date | null
  readonly due_at: Date
  readonly created_at: Date
}

export interface StateRow {
  readonly id: string
  readonly last_triggered_at: Date | null
  readonly disabled_reason: DisabledReason | null
}

export const claimedDeliveriesOf = (row: ClaimedRow): ReadonlyArray<ClaimedDelivery> =>
  row.delivery_id === null
    ? []
    : [
        {
          id: row.delivery_id,
          spaceId: row.space_id,
          webhookId: row.id,
          homeId: row.home_id,
          eventId: row.event_id,
          eventType: row.event_type,
          seq: Number(row.seq),
          subjectId: row.subject_id,
          isTest: row.is_test,
          attempt: row.attempt
        }
      ]

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  subscriptionId: row.webhook_id,
  eventId: row.event_id,
  eventType: row.event_type,
  status: row.status,
  attempt: row.attempt,
  responseStatus: row.response_status === null ? null : String(row.response_status),
  responseBody: row.response_body,
  error: row.error,
  deliveredAt: utcOrNull(row.delivered_at),
  nextAttemptAt: row.status === "pending" ? DateTime.unsafeFromDate(row.due_at) : null,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

export const stateOf = (row: StateRow): WebhookState => ({
  webhookId: row.id,
  lastTriggeredAt: utcOrNull(row.last_triggered_at),
  disabledReason: row.disabled_reason
})

export interface AttemptsRow {
  readonly id: string
  readonly event_id: string
  readonly is_test: boolean
  readonly body_start: string | null
  readonly attempts: ReadonlyArray<{
    readonly attempt: number
    readonly at: string
    readonly latencyMs: number
    /** The headers of the request. Absent for calls that an earlier version of the pod made. */
    readonly requestHeaders?: Readonly<Record<string, string>>
    /**
     * The start of the sent body. Null or absent if it equals `body_start`, the start that is stored with the delivery.
     */
    readonly bodyStart?: string | null
    readonly bodyEnd?: string
    readonly isCut?: boolean
    readonly responseStatus: number | null
    /** The headers of the answer. Absent for calls that an earlier version of the pod made. */
    readonly responseHeaders?: Readonly<Record<string, string>> | null
    readonly responseBody: string | null
    readonly error: string | null
  }>
}

export interface FiguresRow {
  readonly id: string
  readonly ended: number
  readonly arrived: number
  readonly retrying: number
  readonly p95_ms: number | null
  readonly due_at: Date | null
}

export const callsOf = ({ attempts, body_start, event_id, is_test }: AttemptsRow): DeliveryCalls => ({
  eventId: event_id,
  isTest: is_test,
  attempts: attempts.map(
    ({
      at,
      bodyEnd,
      bodyStart = null,
      isCut = false,
      requestHeaders = null,
      responseHeaders = null,
      responseStatus,
      ...row
    }) => ({
      ...row,
      at: DateTime.unsafeMake(at),
      requestHeaders,
      requestBody: bodyEnd === undefined ? null : `${bodyStart ?? body_start ?? ""}${bodyEnd}`,
      requestBodyTruncated: isCut,
      responseHeaders,
      responseStatus: responseStatus === null ? null : String(responseStatus)
    })
  )
})

export const figuresOf = (row: FiguresRow): WebhookFigures => ({
  subscriptionId: row.id,
  ended: row.ended,
  arrived: row.arrived,
  retrying: row.retrying,
  p95Ms: row.p95_ms,
  nextAttemptAt: utcOrNull(row.due_at)
})
