/**
 * The store of calls to webhooks. It gives each call to one node, and stores the results of calls. One statement claims
 * many calls or stores many results.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { Passed } from "../gate/Passed.ts"
import type { ClaimedDelivery, Delivery, DisabledReason } from "./Delivery.ts"
import type { SentRequest } from "./SentRequest.ts"

// the maximum number of calls of one webhook that run at the same time
export const callsOfWebhookMax = 4

/**
 * Returns the name of the lock (`Transaction.exclusively`) for claims of one person. A claim counts the running calls
 * of the person, so the claims of one person must run one after the other.
 */
export const turnOf = (personId: string): string => `webhook calls of ${personId}`

/**
 * The result of a claim: the deliveries that this node is now allowed to send, and the webhooks that have further due
 * deliveries. A webhook is in at most one of the two lists.
 */
export interface Claims {
  readonly claimed: ReadonlyArray<ClaimedDelivery>
  /** The webhooks whose further deliveries the next claim can return. */
  readonly claimable: ReadonlyArray<string>
  /** The webhooks whose further deliveries must wait until a running call of the same webhook has ended. */
  readonly waiting: ReadonlyArray<string>
}

/** The result of storing how calls ended. */
export interface Settled {
  /** The webhooks that the pod must disable. */
  readonly unwanted: ReadonlyArray<WebhookToDisable>
  /** The webhooks that have a delivery which waited for the end of one of these calls and is due now. */
  readonly claimable: ReadonlyArray<string>
}

/** The result of a call. */
export interface Outcome {
  readonly status: Delivery["status"]
  /** The number of seconds until the next call. 0 if no further call follows. */
  readonly pauseSeconds: number
  readonly request: SentRequest
  readonly responseStatus: number | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
  readonly error: string | null
  readonly startedAt: DateTime.Utc
  readonly latencyMs: number
  /** Whether the receiver has answered that it wants no further calls. */
  readonly isGone: boolean
}

export interface EndedCall {
  readonly claimed: ClaimedDelivery
  readonly outcome: Outcome
}

/** A webhook that the pod must no longer call. */
export interface WebhookToDisable {
  readonly webhookId: string
  readonly reason: DisabledReason
}

/** The proof of permission for the write with which the pod itself stops calls to a webhook. */
export const disablePassed = Passed.bySystem("stop a failing webhook")
export const disabledEvent = ({ reason, webhookId }: WebhookToDisable): EventDraft => ({
  type: "webhook.disabled",
  subjectId: webhookId,
  source: "system",
  data: { reason }
})

export class CallStore extends Context.Tag("pod/CallStore")<
  CallStore,
  {
    /**
     * Claims at most `limit` next calls of these webhooks, which belong to the caller's person. Until the lease ends,
     * no other node can claim these calls. Each claimed call has the number of its attempt. At most `callsOfWebhookMax`
     * calls of one webhook run at a time. A disabled webhook has no next call. For each person, only one such statement
     * is allowed to run at a time (`turnOf`).
     *
     * The deliveries about one subject are sent in order. If a due delivery waits for an earlier one, the claim puts it
     * off until the earlier one is due or its lease ends, at least for the time of a lease. So later claims and the
     * search for due deliveries do not read it again and again.
     */
    readonly claim: (
      webhookIds: ReadonlyArray<string>,
      limit: number,
      leaseSeconds: number
    ) => Effect.Effect<Claims, never, Reach>
    /** Releases claimed calls that the pod did not make, so that any pod can claim these calls again. */
    readonly release: (claimed: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void, never, Reach>
    /**
     * Stores the results of calls, in the order in which the calls ended. A result changes nothing if a later attempt
     * has begun. Makes the next delivery about the same subject due when a delivery has ended. The pod must disable
     * webhooks without a success for `disableAfterSeconds`, and webhooks whose receiver wants no further calls.
     */
    readonly storeResults: (
      ended: ReadonlyArray<EndedCall>,
      disableAfterSeconds: number
    ) => Effect.Effect<Settled, never, Reach>
    /** Disables a webhook and logs the event. Does nothing if the webhook is already disabled. */
    readonly stop: (unwanted: WebhookToDisable) => Effect.Effect<void, never, Reach>
    /**
     * Deletes deliveries that the pod is no longer allowed to send. Makes the next deliveries about the same subjects
     * due.
     */
    readonly drop: (ids: ReadonlyArray<string>) => Effect.Effect<void, never, Reach>
  }
>() {}
