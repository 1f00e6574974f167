/**
 * The store of calls to webhooks: who makes the next ones, and how they ended. One statement claims or stores many of
 * them.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { Passed } from "../gate/Passed.ts"
import type { ClaimedDelivery, Delivery, DisabledReason } from "./Delivery.ts"

export const flyingMost = 4 // calls of one webhook at a time

/** Claims count the calls that are made, so those of one person run one after the other (`Transaction.alone`) by this name. */
export const turnOf = (personId: string): string => `webhook calls of ${personId}`

/** The answer to a claim. */
export interface Claims {
  readonly claimed: ReadonlyArray<ClaimedDelivery>
  /** The webhooks of which further deliveries are due, also if they must wait until a call of the webhook has ended. */
  readonly waiting: ReadonlyArray<string>
}

/** How a call ended. */
export interface Outcome {
  readonly status: Delivery["status"]
  /** For a delivery that waits again: the pause before its next call. */
  readonly pauseSeconds: number
  readonly responseStatus: number | null
  readonly responseBody: string | null
  readonly error: string | null
  readonly startedAt: DateTime.Utc
  readonly latencyMs: number
  /** The receiver wants no further calls. */
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

/** The proof for the event of a webhook that the pod stops to call, and the event. */
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
     * Takes the next calls of these webhooks of the caller's person, each with the number of the attempt, for as long
     * as the lease. It takes at most `most` calls, and of each webhook only as many as may run at the same time. A
     * disabled webhook has no next call. Only one such statement may run at a time for each person (`turnOf`).
     */
    readonly claim: (
      webhookIds: ReadonlyArray<string>,
      most: number,
      leaseSeconds: number
    ) => Effect.Effect<Claims, never, Reach>
    /** Gives calls back that were not made. */
    readonly release: (claimed: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void, never, Reach>
    /**
     * Stores the ends of calls, in the order in which they ended. An attempt that is no longer the last one changes
     * nothing. Returns the webhooks to stop: `disableAfterSeconds` have passed without a success, or the receiver wants
     * no further calls.
     */
    readonly settle: (
      ended: ReadonlyArray<EndedCall>,
      disableAfterSeconds: number
    ) => Effect.Effect<ReadonlyArray<Unwanted>, never, Reach>
    /** Disables a webhook, with an event. One that is disabled already stays as it is. */
    readonly stop: (unwanted: Unwanted) => Effect.Effect<void, never, Reach>
    /** Deletes deliveries that may not be made. */
    readonly drop: (ids: ReadonlyArray<string>) => Effect.Effect<void, never, Reach>
  }
>() {}
