/** What the store `SentEvents` guarantees on each engine. It lists the events that the pod has sent to webhooks. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { SentEvents } from "../../../src/features/webhooks/SentEvents.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPlannedDelivery } from "./deliveryCalls.ts"

const plan = (reach: ReachShape, ...planned: ReadonlyArray<ReturnType<typeof aPlannedDelivery>>) =>
  withReach(reach)(Effect.flatMap(DeliveryStore, (store) => store.plan(planned)))

type WebhookIds = ReadonlyArray<string> | null

const recent = (reach: ReachShape, before?: string, limit = 100, webhookIds: WebhookIds = null) =>
  withReach(reach)(Effect.flatMap(SentEvents, (store) => store.recent({ before, limit }, webhookIds)))

const sentTo = (reach: ReachShape, webhookIds: WebhookIds, ...eventIds: ReadonlyArray<string>) =>
  withReach(reach)(Effect.flatMap(SentEvents, (store) => store.of(eventIds, webhookIds)))

const sent = (reach: ReachShape, ...eventIds: ReadonlyArray<string>) => sentTo(reach, null, ...eventIds)

export const sentEventsContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the list of events that were sent to webhooks shows no event of another person's webhook, and no event of a space that the reader has left",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const one = aPlannedDelivery(spaceId, uuidv7())
      yield* plan(reach, one)
      for (const stranger of [aReach({ spaces: [spaceId] }), aReach({ personId })]) {
        assert.deepStrictEqual(yield* recent(stranger), [])
        assert.deepStrictEqual(yield* sent(stranger, one.eventId), [])
      }
      assert.deepStrictEqual(yield* recent(reach), [one.eventId])
    })
  )

  rule(
    "a reader who may read only some webhooks gets only the events and the deliveries of these webhooks",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const [own, other, absent] = [uuidv7(), uuidv7(), uuidv7()]
      const both = uuidv7()
      const alone = aPlannedDelivery(spaceId, other)
      yield* plan(reach, ...[own, other].map((id) => aPlannedDelivery(spaceId, id, { eventId: both })), alone)
      assert.deepStrictEqual(yield* recent(reach, undefined, 100, [own]), [both])
      const found = yield* sentTo(reach, [own], both, alone.eventId)
      assert.deepStrictEqual(
        found.map(({ eventId, webhookId }) => [eventId, webhookId]),
        [[both, own]]
      )
      for (const none of [[], [absent]]) {
        assert.deepStrictEqual(yield* recent(reach, undefined, 100, none), [])
        assert.deepStrictEqual(yield* sentTo(reach, none, both), [])
      }
    })
  )

  rule(
    "each event that was sent to webhooks is listed once, newest first, with its deliveries to all webhooks, and a test call is not listed",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhooks = [uuidv7(), uuidv7()]
      const [first, second, test] = [uuidv7(), uuidv7(), uuidv7()]
      for (const eventId of [first, second]) {
        yield* plan(reach, ...webhooks.map((webhookId) => aPlannedDelivery(spaceId, webhookId, { eventId })))
      }
      yield* plan(reach, aPlannedDelivery(spaceId, webhooks[0], { eventId: test, isTest: true }))
      assert.deepStrictEqual(yield* recent(reach), [second, first])
      assert.deepStrictEqual(yield* recent(reach, undefined, 1), [second])
      assert.deepStrictEqual(yield* recent(reach, second), [first])
      assert.deepStrictEqual(
        (yield* sent(reach, first, test)).map(({ error, eventId, responseStatus, status, webhookId }) => [
          eventId,
          webhookId,
          status,
          responseStatus,
          error
        ]),
        webhooks.map((webhookId) => [first, webhookId, "pending", null, null])
      )
    })
  )
}
