/**
 * The store of deliveries. It stores which events the pod sends to which webhooks, and lists the deliveries for people.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { Webhook } from "./Webhook.ts"
import type {
  Delivery,
  DeliveryCalls,
  DeliveryPlace,
  PlannedDelivery,
  WebhookFigures,
  WebhookState
} from "./Delivery.ts"

/** A webhook that receives events of a space. */
export interface Follower {
  readonly webhookId: string
  readonly personId: string
  /** The id of the webhook's own space. */
  readonly homeId: string
  readonly eventTypes: ReadonlyArray<string>
  readonly lens: Webhook["lens"]
  readonly createdAt: DateTime.Utc
}

export interface DueWebhook {
  readonly webhookId: string
  readonly personId: string
}

export class DeliveryStore extends Context.Tag("pod/DeliveryStore")<
  DeliveryStore,
  {
    /** The time at which the oldest active webhook of the pod was created. Null if there is no active webhook. */
    readonly since: Effect.Effect<DateTime.Utc | null>
    /**
     * Lists the active webhooks that receive events of a space. The owners of these webhooks are members of the space.
     */
    readonly followersOf: (spaceId: string) => Effect.Effect<ReadonlyArray<Follower>>
    /**
     * Finds at most `limit` webhooks that have a due delivery. One webhook of each person comes before the second
     * webhook of any person, so a person with many webhooks does not hold up the others. For each person, the webhook
     * whose delivery is due the longest comes first. A due delivery possibly waits for an earlier one of its subject;
     * the next claim puts it off.
     */
    readonly due: (limit: number) => Effect.Effect<ReadonlyArray<DueWebhook>>
    /**
     * Deletes the deliveries that are older than a month, and waiting deliveries from a workspace that their person has
     * left.
     */
    readonly forgetOld: Effect.Effect<void>
    /** Deletes each former secret with which the pod no longer signs calls. */
    readonly forgetFormerSecrets: Effect.Effect<void>
    /**
     * Adds deliveries of the caller's person, and returns the number of added deliveries. Adds no second delivery of
     * the same event to the same webhook.
     */
    readonly plan: (planned: ReadonlyArray<PlannedDelivery>) => Effect.Effect<number, never, Reach>
    /**
     * Makes a delivery due now, even if it has already succeeded or failed. Returns false if the webhook has no
     * delivery with this id.
     */
    readonly makeDue: (webhookId: string, id: string) => Effect.Effect<boolean, never, Reach>
    /**
     * Makes at most `limit` failed deliveries due again, oldest first, and returns their number. Selects the deliveries
     * whose last call failed after the time `since`.
     */
    readonly recover: (webhookId: string, since: DateTime.Utc, limit: number) => Effect.Effect<number, never, Reach>
    /** Counts the deliveries that still wait for a call of this webhook. The count stops at `countedMax`. */
    readonly waiting: (webhookId: string) => Effect.Effect<number, never, Reach>
    /** Lists deliveries of a webhook, latest first. */
    readonly list: (webhookId: string, place: DeliveryPlace) => Effect.Effect<ReadonlyArray<Delivery>, never, Reach>
    /**
     * Lists the latest `limit` deliveries of each of these webhooks. For each webhook, the latest delivery is first.
     */
    readonly latest: (
      webhookIds: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>, never, Reach>
    /**
     * Reads the latest calls of a delivery, oldest first, with the bodies that were sent. The service decides whether
     * the caller may read these bodies. Returns undefined if the webhook has no such delivery.
     */
    readonly attempts: (webhookId: string, id: string) => Effect.Effect<DeliveryCalls | undefined, never, Reach>
    /**
     * Reads the results of the calls in the last 24 hours, for each webhook that the caller may read. If `keyIds` is not
     * null, reads only the webhooks that these keys made. Leaves out webhooks without deliveries.
     */
    readonly figures: (
      keyIds: ReadonlyArray<string> | null
    ) => Effect.Effect<ReadonlyArray<WebhookFigures>, never, Reach>
    /** Reads the states of these webhooks. Leaves out webhooks that were never called. */
    readonly states: (webhookIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<WebhookState>, never, Reach>
    /** Enables a disabled webhook, so that the pod calls it again. */
    readonly enable: (webhookId: string) => Effect.Effect<void, never, Reach>
  }
>() {}
