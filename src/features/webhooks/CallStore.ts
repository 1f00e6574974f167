/**
 * The store of calls to webhooks. It decides which pod makes the next calls, and stores how calls ended. One statement
 * claims or stores many calls.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { Passed } from "../gate/Passed.ts"
import type { ClaimedDelivery, Delivery, DisabledReason } from "./Delivery.ts"

export const flyingMost = 4 // at most this many calls of one webhook run at the same time

/**
 * Returns the name of the lock (`Transaction.alone`) for claims of one person. A claim counts the calls that are
 * running. So the claims of one person must run one after the other.
 */
export const turnOf = (personId: string): string => `webhook calls of ${personId}`

/** The result of a claim: the deliveries that this pod may send now, and the webhooks that have more of them. */
export interface Claims {
  readonly claimed: ReadonlyArray<ClaimedDelivery>
  /**
   * The webhooks that have more due deliveries than this claim took. Some of these deliveries must wait until a running
   * call of their webhook has ended.
   */
  readonly waiting: ReadonlyArray<string>
}

/** The result of a call. */
export interface Outcome {
  readonly status: Delivery["status"]
  /** The seconds until the next call, if the delivery waits for another call. */
  readonly pauseSeconds: number
  readonly responseStatus: number | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
  readonly error: string | null
  readonly startedAt: DateTime.Utc
  readonly latencyMs: number
  /** Whether the receiver has answered that it wants no more calls. */
  readonly isGone: boolean
}

export interface EndedCall {
  readonly claimed: ClaimedDelivery
  readonly outcome: Outcome
}

/** A webhook that the pod must no longer call. */
export interface Unwanted {
  readonly webhookId: string
  readonly reason: DisabledReason
}

/** The proof that the pod may make the write that stops calls to a webhook. */
export const stopping = Passed.bySystem("stop a failing webhook")
export const stopped = ({ reason, webhookId }: Unwanted): EventDraft => ({
  type: "webhook.disabled",
  subjectId: webhookId,
  source: "system",
  data: { reason }
})

export class CallStore extends Context.Tag("pod/CallStore")<
  CallStore,
  {
    /**
     * Claims the next calls of these webhooks of the caller's person, for the time of the lease. Each claimed call has
     * the number of its attempt. Claims at most `most` calls, and for each webhook only as many as may run at the same
     * time. A disabled webhook has no next call. For each person, only one such statement may run at a time (`turnOf`).
     */
    readonly claim: (
      webhookIds: ReadonlyArray<string>,
      most: number,
      leaseSeconds: number
    ) => Effect.Effect<Claims, never, Reach>
    /** Gives back claimed calls that were not made, so that they can be claimed again. */
    readonly release: (claimed: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void, never, Reach>
    /**
     * Stores the results of calls, in the order in which the calls ended. A result changes nothing if a later attempt
     * has begun. Returns the webhooks to stop: those without a success for `disableAfterSeconds`, and those whose
     * receiver wants no more calls.
     */
    readonly settle: (
      ended: ReadonlyArray<EndedCall>,
      disableAfterSeconds: number
    ) => Effect.Effect<ReadonlyArray<Unwanted>, never, Reach>
    /** Disables a webhook and logs the event. Does nothing if the webhook is already disabled. */
    readonly stop: (unwanted: Unwanted) => Effect.Effect<void, never, Reach>
    /** Deletes deliveries that the pod is no longer allowed to make. */
    readonly drop: (ids: ReadonlyArray<string>) => Effect.Effect<void, never, Reach>
  }
>() {}
