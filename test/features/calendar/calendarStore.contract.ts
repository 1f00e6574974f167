/**
 * What the store of calendar feeds promises on each engine: a person has at most one token, and no token after it was
 * removed.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { randomBytes } from "node:crypto"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { CalendarStore } from "../../../src/features/calendar/CalendarStore.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { type Stores, withReach } from "../../support/stores.ts"

export const calendarStoreContract = (stores: Layer.Layer<Stores>): void => {
  const store = <A, E>(reach: ReachShape, call: (each: typeof CalendarStore.Service) => Effect.Effect<A, E, any>) =>
    withReach(reach)(Effect.flatMap(CalendarStore, call))

  it.effect(
    "a new token of a calendar feed replaces only the former token of the same person, and a removed token opens no feed",
    () =>
      Effect.gen(function* () {
        const [one, other] = [yield* aMember(), yield* aMember()]
        const [first, second, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)]
        const { ordererOf } = yield* CalendarStore
        const ordered = ({ principal }: ReachShape) => ({
          personId: principal.personId,
          keyId: principal.credential.id
        })
        assert.isNull(yield* store(one.reach, ({ createdAt }) => createdAt))
        for (const hash of [first, second]) yield* store(one.reach, ({ put }) => put(hash, aPassed))
        yield* store(other.reach, ({ put }) => put(foreign, aPassed))
        assert.isNull(yield* ordererOf(first))
        assert.deepStrictEqual(yield* ordererOf(second), ordered(one.reach))
        assert.isNotNull(yield* store(one.reach, ({ createdAt }) => createdAt))
        assert.isTrue(yield* store(one.reach, ({ remove }) => remove(aPassed)))
        assert.isFalse(yield* store(one.reach, ({ remove }) => remove(aPassed)))
        assert.isNull(yield* ordererOf(second))
        assert.deepStrictEqual(yield* ordererOf(foreign), ordered(other.reach))
      }).pipe(Effect.provide(stores))
  )
}
