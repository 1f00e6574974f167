/**
 * Runs the contract tests of the store of deliveries on each storage engine. Also tests in SQL how the requests of a
 * delivery are stored and deleted.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { contractOf } from "../../support/contracts.ts"
import { aMember, upTo } from "../../support/people.ts"
import { asOwner, onEachDatabase, onEachEngine } from "../../support/stores.ts"
import { anOutcome, aPlannedDelivery, claimedBy, inStore, settledBy } from "./deliveryCalls.ts"

onEachEngine("deliveries", contractOf("deliveries"))

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
