/** The store of deliveries: which events are sent to which webhooks, and what a person sees of it. */
import { Context, type DateTime, type Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { Webhook } from "./Webhook.ts"
import type { Delivery, DeliveryAttempt, PlannedDelivery, WebhookFigures, WebhookState } from "./Delivery.ts"

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
     * Adds deliveries of the caller's person, and returns their number. A delivery of the same event to the same
     * webhook is not added again.
     */
    readonly plan: (planned: ReadonlyArray<PlannedDelivery>) => Effect.Effect<number, never, Reach>
    /** Makes a delivery due now, even if it has ended. Returns whether the webhook has it. */
    readonly again: (webhookId: string, id: string) => Effect.Effect<boolean, never, Reach>
    /** Makes the deliveries due that have failed since then, the earliest first; returns their number. */
    readonly recover: (webhookId: string, since: DateTime.Utc, most: number) => Effect.Effect<number, never, Reach>
    /** The number of deliveries of a webhook that wait. */
    readonly waiting: (webhookId: string) => Effect.Effect<number, never, Reach>
    /** The latest deliveries of a webhook. */
    readonly list: (webhookId: string, limit: number) => Effect.Effect<ReadonlyArray<Delivery>, never, Reach>
    /** The latest `limit` deliveries of each of these webhooks, the latest of a webhook first. */
    readonly latest: (
      webhookIds: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>, never, Reach>
    /** The latest calls of a delivery, oldest first; undefined if the webhook has no such delivery. */
    readonly attempts: (
      webhookId: string,
      id: string
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt> | undefined, never, Reach>
    /** The results of the calls, for each of these webhooks that has deliveries. */
    readonly figures: (webhookIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<WebhookFigures>, never, Reach>
    /** The state of each of these webhooks that was called. */
    readonly states: (webhookIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<WebhookState>, never, Reach>
    /** Lets a disabled webhook be called again. */
    readonly enable: (webhookId: string) => Effect.Effect<void, never, Reach>
  }
>() {}
