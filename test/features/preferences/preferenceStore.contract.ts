/**
 * What the store of preferences guarantees on each engine: a person can read and change only their own preferences, and
 * no change is lost.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { type PreferenceChange, standardPreferences } from "../../../src/features/preferences/Preference.ts"
import { PreferenceStore } from "../../../src/features/preferences/PreferenceStore.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const got = (reach: ReachShape) => Effect.flatMap(PreferenceStore, ({ get }) => withReach(reach)(get))
const changed = (reach: ReachShape, change: PreferenceChange) =>
  Effect.flatMap(PreferenceStore, (store) => withReach(reach)(store.change(change, aPassed)))

export const preferenceStoreContract = (stores: Layer.Layer<Stores>): void => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller cannot read or change the preferences of another person, and a key whose grant does not cover preferences gets the default values",
    Effect.gen(function* () {
      const [owner, other] = [yield* aMember(), yield* aMember()]
      yield* changed(owner.reach, { theme: "dark" })
      const { personId, spaceId } = owner
      for (const outside of [
        other.reach,
        aReach(),
        aReach({ personId, spaces: [spaceId], workspaceId: spaceId }),
        aReach({ personId, spaces: [spaceId], grant: { permissions: ["notification"] } }),
        aReach({ personId, spaces: [spaceId], grant: { entityIds: [spaceId] } })
      ]) {
        assert.deepStrictEqual(yield* got(outside), standardPreferences)
      }
      yield* changed(other.reach, { theme: "light" })
      assert.strictEqual((yield* got(owner.reach)).theme, "dark")
    })
  )

  rule(
    "to compute a change of preferences, the store gives the stored preferences to a caller who may change them, and the default values to other callers",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const dark = yield* changed(reach, { theme: "dark" })
      const baseFor = (permission: string) =>
        Effect.flatMap(PreferenceStore, ({ base }) =>
          withReach(aReach({ personId, spaces: [spaceId], grant: { permissions: [permission] } }))(base)
        )
      assert.deepStrictEqual(yield* baseFor("preference.update"), dark)
      assert.deepStrictEqual(yield* baseFor("preference.read"), standardPreferences)
    })
  )

  rule(
    "a change of preferences keeps the fields that it leaves out, and its event contains the names of the changed fields but not their values",
    Effect.gen(function* () {
      const { personId, reach } = yield* aMember()
      yield* changed(reach, { theme: "dark", uiPreferences: { secret: "mine" }, viewModes: { entities: "table" } })
      yield* changed(reach, { onboardingCompleted: true, viewModes: { documents: "list" } })
      const expected = {
        ...standardPreferences,
        theme: "dark" as const,
        uiPreferences: { secret: "mine" },
        onboardingCompleted: true,
        viewModes: { entities: "table", documents: "list", views: "grid" } as const
      }
      assert.deepStrictEqual(yield* got(reach), expected)
      assert.deepStrictEqual(yield* changed(reach, { uiPreferences: {} }), { ...expected, uiPreferences: {} })
      const events = (yield* eventsIn(personId, personId)).filter(({ type }) => type === "preference.update")
      assert.deepStrictEqual(
        events.map(({ data }) => data),
        [
          { fields: ["theme", "uiPreferences", "viewModes"] },
          { fields: ["onboardingCompleted", "viewModes"] },
          { fields: ["uiPreferences"] }
        ]
      )
    })
  )

  rule(
    "the preference store refuses a change that was computed from an older state, and writes no event for it",
    Effect.gen(function* () {
      const { personId, reach } = yield* aMember()
      const store = yield* PreferenceStore
      const from = (base: object, value: string) =>
        withReach(reach)(
          store.changeFrom(
            { ...standardPreferences, uiPreferences: { ...base } },
            { uiPreferences: { value } },
            aPassed
          )
        )
      assert.deepInclude(yield* from({}, "first"), { uiPreferences: { value: "first" } })
      assert.isUndefined(yield* from({}, "late"))
      assert.isUndefined(
        yield* withReach(aReach({ personId, grant: { permissions: ["notification"] } }))(
          store.changeFrom(standardPreferences, { uiPreferences: {} }, aPassed)
        )
      )
      assert.deepInclude(yield* from({ value: "first" }, "second"), { uiPreferences: { value: "second" } })
      const events = (yield* eventsIn(personId, personId)).filter(({ type }) => type === "preference.update")
      assert.lengthOf(events, 2)
    })
  )

  rule(
    "if changes of different preference fields arrive at the same moment, all changes are kept",
    Effect.gen(function* () {
      const { reach } = yield* aMember()
      yield* Effect.all(
        [
          changed(reach, { theme: "dark" }),
          changed(reach, { onboardingCompleted: true }),
          changed(reach, { viewModes: { views: "kanban" } }),
          changed(reach, { intelligenceServices: { chat: "model-service" } })
        ],
        { concurrency: "unbounded" }
      )
      assert.deepInclude(yield* got(reach), {
        theme: "dark",
        onboardingCompleted: true,
        viewModes: { entities: "grid", documents: "grid", views: "kanban" },
        intelligenceServices: { chat: "model-service" }
      })
    })
  )
}
