/**
 * Runs the contract tests of the store of deliveries on each storage engine. Also tests in SQL how the requests of a
 * delivery are stored and deleted. Tests on each engine which deliveries a range of time has, and which deliveries are
 * deleted after their person has left a workspace.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, TestClock } from "effect"
import type { Delivery, DeliveryPlace } from "../../../src/features/webhooks/Delivery.ts"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMoment } from "../../support/aMoment.ts"
import { contractOf } from "../../support/contracts.ts"
import { aMember, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { asOwner, onEachDatabase, onEachEngine } from "../../support/stores.ts"
import { anOutcome, aPlannedDelivery, claimedBy, inStore, settledBy } from "./deliveryCalls.ts"

onEachEngine("deliveries", contractOf("deliveries"))

onEachEngine("the time range of a list of deliveries", (stores) => {
  it.effect(
    "a list of webhook deliveries can be limited to a range of time, and the first and the last moment belong to the range",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const webhookId = uuidv7()
        // Two stored times must differ by at least a millisecond.
        const aWhile = Effect.zipRight(TestClock.adjust("1 second"), Effect.promise(aMoment))
        for (const seq of upTo(4)) {
          yield* inStore(reach, ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId, { seq })]))
          yield* aWhile
        }
        const listed = (place: Partial<DeliveryPlace>) =>
          inStore(reach, ({ list }) => list(webhookId, { limit: 10, offset: 0, ...place }))
        const [last, third, second, first] = yield* listed({})
        const check = (expected: ReadonlyArray<Delivery>, place: Partial<DeliveryPlace>) =>
          Effect.map(listed(place), (found) =>
            assert.deepStrictEqual(
              found.map(({ id }) => id),
              expected.map(({ id }) => id)
            )
          )
        yield* check([last, third], { since: third.createdAt })
        yield* check([second, first], { until: second.createdAt })
        yield* check([third, second], { since: second.createdAt, until: third.createdAt })
        yield* check([second], { since: second.createdAt, until: third.createdAt, offset: 1 })
        const cursor = { at: null, id: third.id }
        yield* check([second], { since: second.createdAt, until: last.createdAt, cursor })
        yield* check([], { since: DateTime.add(last.createdAt, { millis: 1 }) })
        yield* check([], { until: DateTime.subtract(first.createdAt, { millis: 1 }) })
        yield* check([], { since: DateTime.add(last.createdAt, { days: 300 }) })
      }).pipe(Effect.provide(stores))
  )
})

onEachEngine("old deliveries", (stores) => {
  it.effect("waiting deliveries from a workspace that their person has left are deleted, and ended ones are kept", () =>
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const { spaceId: foreignId } = yield* aMember()
      // The pod planned these deliveries when the person was still a member of both spaces.
      const reach = aReach({ personId, spaces: [spaceId, foreignId] })
      const webhookId = uuidv7()
      const [own, foreign, sent] = [spaceId, foreignId, foreignId].map((id) => aPlannedDelivery(id, webhookId))
      yield* inStore(reach, ({ plan }) => plan([sent]))
      const { claimed } = yield* claimedBy(reach, [webhookId])
      yield* settledBy(
        reach,
        claimed.map((each) => ({ claimed: each, outcome: anOutcome() }))
      )
      yield* inStore(reach, ({ plan }) => plan([own, foreign]))
      yield* Effect.flatMap(DeliveryStore, ({ forgetOld }) => forgetOld)
      const listed = yield* inStore(reach, ({ list }) => list(webhookId, { limit: 10, offset: 0 }))
      assert.sameMembers(
        listed.map(({ id }) => id),
        [own.id, sent.id]
      )
    }).pipe(Effect.provide(stores))
  )
})

onEachDatabase("the stored requests of deliveries", (stores) => {
  /** Plans a delivery, makes its calls, and returns the ids. The body of each call begins with the same text. */
  const aCalledDelivery = (calls: number, bodyStart: string) =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      const { id } = aPlannedDelivery(spaceId, webhookId)
      yield* inStore(reach, ({ plan }) => plan([aPlannedDelivery(spaceId, webhookId, { id })]))
      for (const attempt of upTo(calls)) {
        const { claimed } = yield* claimedBy(reach, [webhookId], 1)
        const request = { headers: {}, bodyStart, bodyEnd: `,"attempt":${attempt}}`, isCut: false }
        const outcome = anOutcome({ status: "pending", request })
        yield* settledBy(
          reach,
          claimed.map((each) => ({ claimed: each, outcome }))
        )
      }
      return { id, reach, webhookId }
    })

  it.effect("the common beginning of the bodies of a delivery is stored once, however often the pod calls", () =>
    Effect.gen(function* () {
      const bodyStart = `{"id":"${uuidv7()}"`
      const { id } = yield* aCalledDelivery(5, bodyStart)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* asOwner(
        sql<{
          readonly row: string
        }>`SELECT delivery::text AS row FROM webhook_deliveries delivery WHERE id = ${id}::uuid`
      )
      const written = (row?.row ?? "").replaceAll('""', '"').replaceAll("\\", "")
      assert.lengthOf(written.split(bodyStart), 2)
      assert.lengthOf(written.split('"attempt":'), 11)
    }).pipe(Effect.provide(stores))
  )

  it.effect("the requests of a delivery are deleted with the delivery when it is more than 30 days old", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [old, recent] = [yield* aCalledDelivery(1, "{"), yield* aCalledDelivery(1, "{")]
      for (const [{ id }, days] of [[old, 31] as const, [recent, 29] as const]) {
        yield* asOwner(
          sql`UPDATE webhook_deliveries SET created_at = now() - make_interval(days => ${days}) WHERE id = ${id}::uuid`
        )
      }
      yield* Effect.flatMap(DeliveryStore, ({ forgetOld }) => forgetOld)
      const callsOf = ({ id, reach, webhookId }: typeof old) =>
        inStore(reach, ({ attempts }) => attempts(webhookId, id))
      assert.isUndefined(yield* callsOf(old))
      assert.lengthOf((yield* callsOf(recent))?.attempts ?? [], 1)
    }).pipe(Effect.provide(stores))
  )
})
