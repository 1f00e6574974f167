/**
 * The store of calls to webhooks. It decides which pod makes the next calls, and stores how calls ended. One statement
 * claims or stores many calls.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { Passed } from "../gate/Passed.ts"
import type { ClaimedDelivery, Delivery, DisabledReason } from "./Delivery.ts"

export const flyingMost = 4 // the most calls of one webhook that run at the same time

/**
 * The name of the lock (`Transaction.alone`) for claims of one person. Claims count the calls that are running, so the
 * claims of one person must run one after the other.
 */
export const turnOf = (personId: string): string => `webhook calls of ${personId}`

/** The answer to a claim. */
export interface Claims {
  readonly claimed: ReadonlyArray<ClaimedDelivery>
  /**
   * The webhooks that have further due deliveries, which this claim did not take. Some of these deliveries must wait
   * until a running call of their webhook has ended.
   */
  readonly waiting: ReadonlyArray<string>
}

/** How a call ended. */
export interface Outcome {
  readonly status: Delivery["status"]
  /** The seconds until the next call, if the delivery waits for another call. */
  readonly pauseSeconds: number
  readonly responseStatus: number | null
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

/** For the write that stops calls to a webhook: the proof that the write is allowed, and the event. */
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
     * the number of its attempt. At most `most` calls are claimed, and for each webhook only as many as may run at the
     * same time. A disabled webhook has no next call. For each person only one such statement may run at a time
     * (`turnOf`).
     */
    readonly claim: (
      webhookIds: ReadonlyArray<string>,
      most: number,
      leaseSeconds: number
    ) => Effect.Effect<Claims, never, Reach>
    /** Gives back claimed calls that were not made, so that they can be claimed again. */
    readonly release: (claimed: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void, never, Reach>
    /**
     * Stores how calls ended, in the order in which they ended. The result of an attempt changes nothing if there is a
     * later attempt. Returns the webhooks to stop: those without a success for `disableAfterSeconds`, and those whose
     * receiver wants no more calls.
     */
    readonly settle: (
      ended: ReadonlyArray<EndedCall>,
      disableAfterSeconds: number
    ) => Effect.Effect<ReadonlyArray<Unwanted>, never, Reach>
    /** Disables a webhook, with an event. Does nothing if the webhook is already disabled. */
    readonly stop: (unwanted: Unwanted) => Effect.Effect<void, never, Reach>
    /** Deletes deliveries that the pod is no longer allowed to make. */
    readonly drop: (ids: ReadonlyArray<string>) => Effect.Effect<void, never, Reach>
  }
>() {}
