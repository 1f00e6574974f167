/** What every store of a person's own sign-ins must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { OwnSessionStore } from "../../../src/features/people/OwnSessionStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPerson, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

// Only a sign-in creates sessions, so this store cannot create any for its tests. The rules about existing sessions are
// in test/attacks/ownSessions.test.ts.
export const ownSessionStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a person without sessions gets an empty list of sessions, and a request to end an unknown session changes nothing",
    Effect.gen(function* () {
      const store = yield* OwnSessionStore
      const person = yield* aPerson
      const reach = withReach(aReach({ personId: person }))
      assert.deepStrictEqual(yield* reach(store.list), [])
      assert.isFalse(yield* reach(store.end(uuidv7(), aPassed)))
      assert.deepStrictEqual(yield* eventsIn(person, person), [])
    })
  )

  rule(
    "when a person ends all other sessions, the person's own space gets an event, even if there were no other sessions",
    Effect.gen(function* () {
      const store = yield* OwnSessionStore
      const person = yield* aPerson
      assert.deepStrictEqual(yield* withReach(aReach({ personId: person }))(store.endOthers(undefined, aPassed)), [])
      const [event] = yield* eventsIn(person, person)
      assert.deepInclude(event, { type: "person.endOtherSessions", subjectId: person, data: {} })
    })
  )
}
