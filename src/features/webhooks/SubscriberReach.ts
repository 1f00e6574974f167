/**
 * What may be sent to a webhook at this moment: what its person may read, limited by the key that made it. There is no second
 * way to decide: the webhook and the event are read as their person would read them.
 */
import { Context, Effect, Layer, Option } from "effect"
import { subjects } from "../../doors/Door.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { EventLog } from "../events/EventLog.ts"
import { kindsCovered } from "../grants/GrantMatcher.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { Records } from "../records/Records.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import type { SentEvent } from "./Signature.ts"
import { Webhook } from "./Webhook.ts"

const work = {
  operation: "webhooks.deliver",
  reason: "an event is sent to a webhook",
  scope: "hub-protocol.read" as const
}

/** An event tells of a record of any sort, so the grant must read every sort. */
const readsEverySort = ({ principal: { grant } }: ReachShape): boolean =>
  subjects.every((subject) => kindsCovered(grant, subject, "read") === null)

/** What to send, and where. */
export interface Judged {
  readonly webhook: Webhook
  readonly event: SentEvent
}

export class SubscriberReach extends Context.Tag("pod/SubscriberReach")<
  SubscriberReach,
  {
    /** The reach of a person for the pod's own work on their webhooks; none if the person is suspended. */
    readonly of: (personId: string) => Effect.Effect<Option.Option<ReachShape>>
    /** A webhook with the reach of what may be sent to it now; none if nothing may. */
    readonly webhook: (
      personId: string,
      webhookId: string
    ) => Effect.Effect<Option.Option<{ readonly webhook: Webhook; readonly limited: ReachShape }>>
    /** What a delivery sends now; none if it may not be made. */
    readonly judge: (personId: string, claimed: ClaimedDelivery) => Effect.Effect<Option.Option<Judged>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const standing = yield* StandingReach
      const records = yield* Records
      const events = yield* EventLog

      const testEvent = ({ eventId, eventType }: ClaimedDelivery, webhook: Webhook): SentEvent => ({
        id: eventId,
        version: "v1",
        type: eventType,
        subjectId: webhook.id,
        userId: webhook.userId,
        actorId: webhook.userId,
        source: "system",
        workspaceId: webhook.workspaceId,
        seq: 0,
        timestamp: webhook.updatedAt,
        correlationId: eventId
      })

      const webhook = (personId: string, webhookId: string) =>
        Effect.gen(function* () {
          const reach = yield* standing.of({ personId, keyId: null }, work)
          if (Option.isNone(reach)) return Option.none()
          const found = yield* Effect.provideService(records.get(Webhook, webhookId), Reach, reach.value)
          const limited = found.keyId === null ? reach : yield* standing.of({ personId, keyId: found.keyId }, work)
          if (Option.isNone(limited) || !readsEverySort(limited.value)) return Option.none()
          return Option.some({ webhook: found, limited: limited.value })
        }).pipe(Effect.catchTag("RecordNotFound", () => Effect.succeedNone))

      return {
        of: (personId) =>
          standing.of({ personId, keyId: null }, work).pipe(
            // What came of a call is stored, also if the rights of the person changed during the call.
            Effect.map(
              Option.map((reach) => ({
                ...reach,
                authority: { kind: "system" as const, reason: work.reason, personId }
              }))
            )
          ),
        webhook,
        judge: (personId, claimed) =>
          Effect.gen(function* () {
            const found = yield* webhook(personId, claimed.webhookId)
            if (Option.isNone(found)) return Option.none()
            const { limited, webhook: judged } = found.value
            const event = claimed.isTest
              ? testEvent(claimed, judged)
              : yield* Effect.provideService(events.get(claimed.eventId), Reach, limited)
            return Option.some({ webhook: judged, event })
          }).pipe(Effect.catchTag("EventNotFound", () => Effect.succeedNone))
      }
    })
  )
}
