/** Tells the pulse which events the pod sent to webhooks, and how the deliveries ended. */
import { Context, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Recent } from "../events/Reaction.ts"
import type { Delivery } from "./Delivery.ts"
import { deliveryTable } from "./DeliveryTable.ts"

export interface SentEvent extends Pick<Delivery, "eventId" | "status" | "error" | "responseStatus"> {
  readonly webhookId: string
}

export class SentEvents extends Context.Tag("pod/SentEvents")<
  SentEvents,
  {
    /**
     * Lists the ids of the events that the pod sent to webhooks of the caller's person, newest first. `webhookIds` has
     * the webhooks whose deliveries the caller may read; null means every webhook of the person.
     */
    readonly recent: (
      query: Recent,
      webhookIds: ReadonlyArray<string> | null
    ) => Effect.Effect<ReadonlyArray<string>, never, Reach>
    /** Lists the deliveries of these events to these webhooks, oldest first. */
    readonly of: (
      eventIds: ReadonlyArray<string>,
      webhookIds: ReadonlyArray<string> | null
    ) => Effect.Effect<ReadonlyArray<SentEvent>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => {
      const own = (webhookIds: ReadonlyArray<string> | null) =>
        read(({ reach, rows }) =>
          Effect.succeed(
            rows
              .all(deliveryTable)
              .filter(
                ({ isTest, personId, spaceId, webhookId }) =>
                  !isTest &&
                  (webhookIds === null || webhookIds.includes(webhookId)) &&
                  personId === reach.principal.personId &&
                  reach.bounds("webhook", "read").spaces.includes(spaceId)
              )
              .toSorted((one, other) => (one.id < other.id ? -1 : 1))
          )
        )
      return {
        recent: ({ before, limit }, webhookIds) =>
          Effect.map(own(webhookIds), (all) =>
            [...new Set(all.map(({ eventId }) => eventId))]
              .filter((id) => before === undefined || id < before)
              .toSorted()
              .toReversed()
              .slice(0, limit)
          ),
        of: (eventIds, webhookIds) =>
          Effect.map(own(webhookIds), (all) =>
            all
              .filter(({ eventId }) => eventIds.includes(eventId))
              .map(({ error, eventId, responseStatus, status, webhookId }) => ({
                error,
                eventId,
                responseStatus: responseStatus === null ? null : String(responseStatus),
                status,
                webhookId
              }))
          )
      }
    })
  )
}
