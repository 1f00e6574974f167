/**
 * Decides which events the pod is allowed to send to a webhook now. The person who owns the webhook must be allowed to
 * read the events, within the limits of the key that made the webhook. The pod reads the webhook and the event with the
 * rights of this person, so the same rules apply as for requests.
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

/**
 * Returns true if the grant allows reading records of every kind. A webhook needs such a grant, because an event can be
 * about any kind.
 */
const readsEverySort = ({ principal: { grant } }: ReachShape): boolean =>
  subjects.every((subject) => kindsCovered(grant, subject, "read") === null)

/** The webhook to call, and the event to send. */
export interface WebhookReaches {
  readonly webhook: Webhook
  readonly event: SentEvent
}

/** A claimed delivery, with the webhook and the event to send. `judged` is null if the pod must not send the event. */
export interface Judgement {
  readonly claimed: ClaimedDelivery
  readonly judged: WebhookReaches | null
}

/** The two sets of rights that the pod uses for the webhooks of a person: one to read, and one to store results. */
export interface PersonReach {
  /**
   * The rights to everything that the person is allowed to read now. Each statement checks that the person still has
   * these rights.
   */
  readonly readReach: ReachShape
  /**
   * The rights for storing the result of a call. The pod stores the result even if the rights of the person changed
   * during the call.
   */
  readonly storeReach: ReachShape
}

/** A webhook, with the rights that limit what the pod sends to this webhook now. */
export interface WebhookWithReach {
  readonly webhook: Webhook
  readonly limited: ReachShape
}

export class SubscriberReach extends Context.Tag("pod/SubscriberReach")<
  SubscriberReach,
  {
    /** Returns the rights of a person, or None if the person is suspended. */
    readonly of: (personId: string) => Effect.Effect<Option.Option<PersonReach>>
    /** Selects the webhooks that the pod is allowed to call now. Returns a map by id. */
    readonly webhooks: (
      person: PersonReach,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, WebhookWithReach>>
    /**
     * Decides for each of these deliveries of one person what the pod sends now. Checks webhooks with the same limits
     * together.
     */
    readonly judge: (
      person: PersonReach,
      claimed: ReadonlyArray<ClaimedDelivery>
    ) => Effect.Effect<ReadonlyArray<Judgement>>
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

      /**
       * Returns the limits of the key that made a webhook. If no key made the webhook, returns the limits of the person
       * who owns it. Returns null if the pod must send nothing to the webhook.
       */
      const limitsOf = Effect.fnUntraced(function* ({ readReach }: PersonReach, keyId: string | null) {
        const { personId } = readReach.principal
        const limits = keyId === null ? Option.some(readReach) : yield* standing.of({ personId, keyId }, work)
        return Option.getOrNull(Option.filter(limits, readsEverySort))
      })

      const webhooks = Effect.fnUntraced(function* (person: PersonReach, ids: ReadonlyArray<string>) {
        const listing = { where: { id: ids }, limit: ids.length }
        const { items } = yield* Effect.provideService(records.list(Webhook, listing), Reach, person.readReach)
        const limits = new Map<string | null, ReachShape | null>()
        for (const { keyId } of items) if (!limits.has(keyId)) limits.set(keyId, yield* limitsOf(person, keyId))
        return new Map(
          items.flatMap((webhook): ReadonlyArray<readonly [string, WebhookWithReach]> => {
            const limited = limits.get(webhook.keyId) ?? null
            return limited === null ? [] : [[webhook.id, { webhook, limited }]]
          })
        )
      })

      return {
        of: (personId) =>
          Effect.map(
            standing.of({ personId, keyId: null }, work),
            Option.map((readReach) => ({
              readReach: readReach,
              storeReach: { ...readReach, authority: { kind: "system" as const, reason: work.reason, personId } }
            }))
          ),
        webhooks,
        judge: Effect.fnUntraced(function* (person, claimed) {
          const found = yield* webhooks(person, [...new Set(claimed.map(({ webhookId }) => webhookId))])
          const visible = new Map<ReachShape, ReadonlyMap<string, SentEvent>>()
          for (const limited of new Set([...found.values()].map((each) => each.limited))) {
            const ids = claimed.flatMap(({ eventId, isTest, webhookId }) =>
              !isTest && found.get(webhookId)?.limited === limited ? [eventId] : []
            )
            const read = ids.length === 0 ? [] : yield* withReach(limited)(events.listByIds([...new Set(ids)]))
            visible.set(limited, new Map(read.map((event) => [event.id, event])))
          }
          return claimed.map((each) => {
            const limited = found.get(each.webhookId)
            if (limited === undefined) return { claimed: each, judged: null }
            const { webhook } = limited
            const event = each.isTest ? testEvent(each, webhook) : visible.get(limited.limited)?.get(each.eventId)
            return { claimed: each, judged: event === undefined ? null : { webhook, event } }
          })
        })
      }
    })
  )
}

const withReach = (reach: ReachShape) => Effect.provideService(Reach, reach)
