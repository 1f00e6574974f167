/**
 * What may be sent to a webhook at this moment: what its person may read, limited by the key that made it. There is no second
 * way to decide: the webhook and the event are read as their person would read them.
 */
import { Context, Effect, Layer, Option } from "effect"
import { subjects } from "../../doors/Door.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { opensScope } from "../../doors/Scope.ts"
import { EventLog } from "../events/EventLog.ts"
import { boundsFor, kindsCovered } from "../grants/GrantMatcher.ts"
import { Keys } from "../keys/Keys.ts"
import { People } from "../people/People.ts"
import { PersonReach } from "../people/PersonReach.ts"
import { Records } from "../records/Records.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import type { SentEvent } from "./Signature.ts"
import { Webhook } from "./Webhook.ts"

const work = { operation: "webhooks.deliver", reason: "an event is sent to a webhook" }

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
    /** What a delivery sends now; none if it may not be made. */
    readonly judge: (personId: string, claimed: ClaimedDelivery) => Effect.Effect<Option.Option<Judged>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const people = yield* PersonReach
      const { accessOf } = yield* People
      const { successorOf } = yield* Keys
      const records = yield* Records
      const events = yield* EventLog

      /** The reach of the person, limited by the key or its successor; none if there is no valid one. */
      const narrowed = (reach: ReachShape, keyId: string | null) =>
        Effect.gen(function* () {
          if (keyId === null) return Option.some(reach)
          const { personId } = reach.principal
          const key = yield* successorOf(keyId)
          const holder = yield* accessOf(key.holderId)
          if (key.personId !== personId || holder.personId !== personId || holder.isSuspended) return Option.none()
          const { grant, scopes, workspaceId } = key
          const principal: Principal = { ...reach.principal, grant, scopes, workspaceId }
          // An event tells of a record of any sort, so the grant must read every sort.
          const isRead =
            opensScope(scopes, "hub-protocol.read") &&
            subjects.every((subject) => kindsCovered(grant, subject, "read") === null)
          return isRead
            ? Option.some<ReachShape>({
                ...reach,
                principal,
                bounds: (subject, action) => boundsFor(principal, subject, action)
              })
            : Option.none()
        }).pipe(
          Effect.catchTags({
            KeyNotFound: () => Effect.succeedNone,
            UserUnknown: () => Effect.succeedNone
          }),
          Effect.provideService(Reach, reach)
        )

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

      return {
        of: (personId) => people.of(personId, work),
        judge: (personId, claimed) =>
          Effect.gen(function* () {
            const reach = yield* people.of(personId, work)
            if (Option.isNone(reach)) return Option.none()
            const webhook = yield* Effect.provideService(records.get(Webhook, claimed.webhookId), Reach, reach.value)
            const limited = yield* narrowed(reach.value, webhook.keyId)
            if (Option.isNone(limited)) return Option.none()
            const event = claimed.isTest
              ? testEvent(claimed, webhook)
              : yield* Effect.provideService(events.get(claimed.eventId), Reach, limited.value)
            return Option.some({ webhook, event })
          }).pipe(
            Effect.catchTags({
              RecordNotFound: () => Effect.succeedNone,
              EventNotFound: () => Effect.succeedNone
            })
          )
      }
    })
  )
}
