/**
 * What the store of calendar feeds promises on each engine: a person has at most one token, and none after the removal
 * of the token.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { randomBytes } from "node:crypto"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { CalendarStore } from "../../../src/features/calendar/CalendarStore.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { type Stores, withReach } from "../../support/stores.ts"

const secretMark = "mark of tests"

export const calendarStoreContract = (stores: Layer.Layer<Stores>): void => {
  const calls = <A, E>(reach: ReachShape, call: (each: typeof CalendarStore.Service) => Effect.Effect<A, E, any>) =>
    withReach(reach)(Effect.flatMap(CalendarStore, call))

  it.effect(
    "a new token of a calendar feed replaces only the former token of the same person, and a removed token opens no feed",
    () =>
      Effect.gen(function* () {
        const [one, other] = [yield* aMember(), yield* aMember()]
        const [first, second, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)]
        const store = yield* CalendarStore
        const ordererOf = (hash: Buffer) => store.ordererOf([hash])
        const ordered = ({ principal }: ReachShape, hash: Buffer) => ({
          personId: principal.personId,
          keyId: principal.credential.id,
          hash
        })
        assert.isNull(yield* calls(one.reach, ({ createdAt }) => createdAt))
        for (const hash of [first, second]) yield* calls(one.reach, ({ put }) => put({ hash, secretMark }, aPassed))
        yield* calls(other.reach, ({ put }) => put({ hash: foreign, secretMark }, aPassed))
        assert.isNull(yield* ordererOf(first))
        assert.deepStrictEqual(yield* ordererOf(second), ordered(one.reach, second))
        assert.isNotNull(yield* calls(one.reach, ({ createdAt }) => createdAt))
        assert.isTrue(yield* calls(one.reach, ({ remove }) => remove(aPassed)))
        assert.isFalse(yield* calls(one.reach, ({ remove }) => remove(aPassed)))
        assert.isNull(yield* ordererOf(second))
        assert.deepStrictEqual(yield* ordererOf(foreign), ordered(other.reach, foreign))
      }).pipe(Effect.provide(stores))
  )

  it.effect(
    "the calendar store finds a feed if a list of hashes contains the stored hash of the feed's token, and no longer by a hash that was replaced",
    () =>
      Effect.gen(function* () {
        const { reach } = yield* aMember()
        const [former, present, unknown] = [randomBytes(32), randomBytes(32), randomBytes(32)]
        const { countOtherMark, ordererOf, rehash } = yield* CalendarStore
        const before = yield* countOtherMark("new")
        yield* calls(reach, ({ put }) => put({ hash: former, secretMark }, aPassed))
        assert.isNull(yield* ordererOf([present, unknown]))
        assert.deepStrictEqual((yield* ordererOf([present, former]))?.hash, former)
        assert.strictEqual(yield* countOtherMark("new"), before + 1)
        yield* rehash(unknown, { hash: present, secretMark: "new" })
        assert.isNull(yield* ordererOf([present]))
        yield* rehash(former, { hash: present, secretMark: "new" })
        assert.isNull(yield* ordererOf([former]))
        assert.deepStrictEqual(yield* ordererOf([present, former]), {
          personId: reach.principal.personId,
          keyId: reach.principal.credential.id,
          hash: present
        })
        assert.strictEqual(yield* countOtherMark("new"), before)
      }).pipe(Effect.provide(stores))
  )
}
