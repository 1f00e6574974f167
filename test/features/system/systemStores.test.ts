/**
 * Runs two contract suites on every engine: for the store that keeps answers for repeated requests, and for the store
 * that deletes the rows of probes (test calls). Also tests the guarantees that need a transaction.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { NotFound } from "../../../src/doors/Failure.ts"
import { Idempotency } from "../../../src/doors/Idempotency.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { contractOf } from "../../support/contracts.ts"
import { fingerprintOf, fingerprintsUnder } from "../../support/fingerprints.ts"
import { anAgent, aPerson, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { asOwner, withReach, onEachDatabase, onEachEngine } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

onEachEngine("repeated mutations", contractOf("idempotency"))
onEachEngine("rows that keys with the scope `probe` wrote", contractOf("probes"))

it("the fingerprint of a request cannot be computed without the secret of the pod", () => {
  const guess = { key: "key-00000001", method: "POST", route: "/users/me/password", body: '{"newPassword":"guess"}' }
  const [ours, theirs] = [fingerprintsUnder("our secret").of(guess), fingerprintsUnder("their secret").of(guess)]
  assert.notDeepEqual(ours, theirs)
  const plain = createHash("sha256")
    .update(JSON.stringify(Object.values(guess)))
    .digest()
  for (const print of [ours, theirs])
    assert.notDeepEqual(
      print.map((each) => Buffer.from(each)),
      [plain]
    )
})

const setUp = Effect.gen(function* () {
  const personId = yield* aPerson
  const { addAgent } = yield* PeopleStore
  const { once } = yield* Idempotency
  const print = fingerprintOf({ key: uuidv7(), method: "POST", route: "/agents", body: "{}" })
  const written = withReach(aReach({ personId }))(addAgent(uuidv7(), anAgent(), aPassed))
  return { personId, written, once, print }
})

onEachEngine("a failed mutation with an idempotency key", (stores) => {
  it.effect(
    "if a mutation with an idempotency key fails, the pod undoes what the mutation wrote before the failure",
    () =>
      Effect.gen(function* () {
        const { personId, written, once, print } = yield* setUp
        const failing = Effect.zipRight(written, Effect.fail(new NotFound({ why: "after the write" })))
        yield* Effect.flip(once(personId, print, true, failing))
        assert.deepStrictEqual(yield* eventsIn(personId, personId), [])
        yield* once(personId, print, true, written)
        assert.lengthOf(yield* eventsIn(personId, personId), 1)
      }).pipe(Effect.provide(stores))
  )
})

onEachDatabase("the stored answer of an idempotent mutation", (stores) => {
  it.effect(
    "if the answer to a mutation with an idempotency key contains a secret, the stored row of this key contains no answer",
    () =>
      Effect.gen(function* () {
        const { once, print } = yield* setUp
        const secret = `secret-${uuidv7()}`
        yield* once("somebody", print, false, Effect.succeed({ secret }))
        const sql = yield* SqlClient.SqlClient
        const rows = yield* asOwner(sql`SELECT answer FROM idempotency_keys WHERE fingerprint = ${print[0]}`)
        assert.deepStrictEqual(rows, [{ answer: null }])
      }).pipe(Effect.provide(stores))
  )
})
