/** Repeated mutations on every engine, and the guarantees that need a transaction. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { NotFound } from "../../../src/doors/Failure.ts"
import { fingerprint, Idempotency } from "../../../src/doors/Idempotency.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { contractOf } from "../../support/contracts.ts"
import { anAgent, aPerson, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { asOwner, withReach, onEachDatabase, onEachEngine } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

onEachEngine("repeated mutations", contractOf("idempotency"))

onEachDatabase("the transaction of an idempotent mutation", (stores) => {
  const setUp = Effect.gen(function* () {
    const personId = yield* aPerson
    const { addAgent } = yield* PeopleStore
    const { once } = yield* Idempotency
    const print = fingerprint({ key: uuidv7(), method: "POST", route: "/agents", body: "{}" })
    const written = withReach(aReach({ personId }))(addAgent(uuidv7(), anAgent(), aPassed))
    return { personId, written, once, print }
  })

  it.effect("a failed mutation rolls back what it wrote before the failure", () =>
    Effect.gen(function* () {
      const { personId, written, once, print } = yield* setUp
      const failing = Effect.zipRight(written, Effect.fail(new NotFound({ why: "after the write" })))
      yield* Effect.flip(once(personId, print, true, failing))
      assert.deepStrictEqual(yield* eventsIn(personId, personId), [])
      yield* once(personId, print, true, written)
      assert.lengthOf(yield* eventsIn(personId, personId), 1)
    }).pipe(Effect.provide(stores))
  )

  it.effect("an answer with a secret is stored in no row", () =>
    Effect.gen(function* () {
      const { once, print } = yield* setUp
      const secret = `secret-${uuidv7()}`
      yield* once("somebody", print, false, Effect.succeed({ secret }))
      const sql = yield* SqlClient.SqlClient
      const rows = yield* asOwner(sql`SELECT answer FROM idempotency_keys WHERE fingerprint = ${print}`)
      assert.deepStrictEqual(rows, [{ answer: null }])
    }).pipe(Effect.provide(stores))
  )
})
