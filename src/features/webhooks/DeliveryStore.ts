/** The store of deliveries: which calls are to be made, who makes them, and how they ended. */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { Passed } from "../gate/Passed.ts"
import type { Webhook } from "./Webhook.ts"
import type { Claim, ClaimedDelivery, Delivery, PlannedDelivery, WebhookState } from "./Delivery.ts"

export const flyingMost = 4 // calls of one webhook at a time

/** A webhook that follows a space. */
export interface Follower {
  readonly webhookId: string
  readonly personId: string
  /** The space of the webhook. */
  readonly homeId: string
  readonly eventTypes: ReadonlyArray<string>
  readonly lens: Webhook["lens"]
  readonly createdAt: DateTime.Utc
}

export interface DueWebhook {
  readonly webhookId: string
  readonly personId: string
}

/** How a call ended. */
export interface Outcome {
  readonly status: Delivery["status"]
  /** For a delivery that waits again: the pause before its next call. */
  readonly pauseSeconds: number
  readonly responseStatus: number | null
  readonly responseBody: string | null
  readonly error: string | null
  /** The receiver wants no further calls. */
  readonly isGone: boolean
  /** After so long without a success the webhook is disabled. */
  readonly disableAfterSeconds: number
}

/** The proof for the event of a webhook that the pod stops to call, and the event. */
export const stopping = Passed.bySystem("stop a failing webhook")
export const stopped = ({ webhookId }: ClaimedDelivery, { isGone }: Outcome): EventDraft => ({
  type: "webhook.disabled",
  subjectId: webhookId,
  source: "system",
  data: { reason: isGone ? "gone" : "failing" }
})

export class DeliveryStore extends Context.Tag("pod/DeliveryStore")<
  DeliveryStore,
  {
    /** When the oldest active webhook of the pod was made; null if there is none. */
    readonly since: Effect.Effect<DateTime.Utc | null>
    /** The active webhooks that follow a space, all of members of the space. */
    readonly following: (spaceId: string) => Effect.Effect<ReadonlyArray<Follower>>
    /** The webhooks for which a call can be made now, those that have waited longest first. */
    readonly due: (most: number) => Effect.Effect<ReadonlyArray<DueWebhook>>
    /** Deletes the deliveries that are older than a month. */
    readonly forgetOld: Effect.Effect<void>
    /** Deletes the former secrets of webhooks whose time has ended. */
    readonly forgetFormerSecrets: Effect.Effect<void>
    /**
     * Adds deliveries of the caller's person, and answers how many. A delivery of the same event to the same webhook is not added
     * again.
     */
    readonly plan: (planned: ReadonlyArray<PlannedDelivery>) => Effect.Effect<number, never, Reach>
    /**
     * Takes the next call of a webhook, with the number of the attempt, for as long as the lease; null if there is none now, or
     * if the webhook is disabled.
     * It must run alone for each webhook (`Transaction.alone`), because it counts the calls that are made.
     */
    readonly claim: (webhookId: string, leaseSeconds: number) => Effect.Effect<Claim | null, never, Reach>
    /** Gives a call back that was not made. */
    readonly release: (claimed: ClaimedDelivery) => Effect.Effect<void, never, Reach>
    /**
     * Stores the end of a call. An attempt that is no longer the last one changes nothing. If the call was the last one before
     * the webhook is disabled, the event of that is appended. A failed call must be stored alone, as it is claimed.
     */
    readonly settle: (claimed: ClaimedDelivery, outcome: Outcome) => Effect.Effect<void, never, Reach>
    /** Deletes a delivery that may not be made. */
    readonly drop: (id: string) => Effect.Effect<void, never, Reach>
    /** Makes a delivery due now, also one that has ended. Answers whether the webhook has it. */
    readonly again: (webhookId: string, id: string) => Effect.Effect<boolean, never, Reach>
    /** Makes the deliveries due that have failed since then, the earliest first; answers how many. */
    readonly recover: (webhookId: string, since: DateTime.Utc, most: number) => Effect.Effect<number, never, Reach>
    /** The number of deliveries of a webhook that wait. */
    readonly waiting: (webhookId: string) => Effect.Effect<number, never, Reach>
    /** The latest deliveries of a webhook. */
    readonly list: (webhookId: string, limit: number) => Effect.Effect<ReadonlyArray<Delivery>, never, Reach>
    /** The states of those of these webhooks that were called. */
    readonly states: (webhookIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<WebhookState>, never, Reach>
    /** Lets a disabled webhook be called again. */
    readonly enable: (webhookId: string) => Effect.Effect<void, never, Reach>
  }
>() {}
