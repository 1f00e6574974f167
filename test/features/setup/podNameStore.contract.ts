/** What every store of the pod's name must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { AccountStore } from "../../../src/features/people/AccountStore.ts"
import { PodNameStore } from "../../../src/features/setup/PodNameStore.ts"
import { aPassed } from "../../support/passed.ts"
import { aPerson, eventsIn, theOwner } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { type Stores, withReach } from "../../support/stores.ts"

export const podNameStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "the owner can set, change and remove the name of the pod, and each change writes an event in the owner's own space",
    Effect.gen(function* () {
      const store = yield* PodNameStore
      const owner = yield* theOwner
      const reach = withReach(aReach({ personId: owner }))
      for (const name of ["Harbour office", "Ørsted & <b>sons</b> 👩‍💻", null]) {
        assert.isTrue(yield* reach(store.rename(name, aPassed)))
        assert.strictEqual(yield* store.name, name ?? undefined)
        assert.deepInclude((yield* eventsIn(owner, owner)).at(-1), {
          type: "pod.rename",
          subjectId: owner,
          data: { name }
        })
      }
    })
  )

  rule(
    "an administrator can set the name of the pod, and if a member tries to set the name, nothing changes and no event is written",
    Effect.gen(function* () {
      const store = yield* PodNameStore
      const [owner, person] = [yield* theOwner, yield* aPerson]
      yield* withReach(aReach({ personId: owner }))(store.rename("Before", aPassed))
      assert.isFalse(yield* withReach(aReach({ personId: person }))(store.rename("Mine", aPassed)))
      assert.strictEqual(yield* store.name, "Before")
      assert.deepStrictEqual(yield* eventsIn(person, person), [])
      yield* withReach(aReach({ personId: owner }))(
        Effect.flatMap(AccountStore, ({ appoint }) => appoint(person, true, aPassed))
      )
      assert.isTrue(yield* withReach(aReach({ personId: person }))(store.rename("Ours", aPassed)))
      assert.strictEqual(yield* store.name, "Ours")
      assert.strictEqual((yield* eventsIn(person, person)).at(-1)?.type, "pod.rename")
    })
  )
}
