/** The rules for transactions over several stores. The tests run in memory, on PGlite and on PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, type Layer } from "effect"
import { outsideTransaction } from "../../src/platform/CommitHooks.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { Transaction } from "../../src/platform/Transaction.ts"
import { Records } from "../../src/features/records/Records.ts"
import { addEntity, anEntity } from "../features/entities/entityCalls.ts"
import { EntityStore } from "../../src/features/entities/EntityStore.ts"
import { aTrack, Tracks } from "../features/records/recordCalls.ts"
import { aMember, eventsIn, upTo } from "../support/people.ts"
import { withReach, type Stores } from "../support/stores.ts"
import { aPassed } from "../support/passed.ts"

export const transactionContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  /**
   * Creates a member. `written` adds an entity and a track. `kept` returns the stored titles and names, and the number
   * of events.
   */
  const setUp = Effect.gen(function* () {
    const { personId, reach, spaceId } = yield* aMember()
    const entities = yield* EntityStore
    const records = yield* Records
    const filter = { kind: undefined, projectId: undefined, search: undefined, limit: 100, offset: 0 }
    const event = { type: "track.create", data: {} }
    const written = (title: string) =>
      Effect.gen(function* () {
        yield* addEntity(reach, anEntity({ spaceId, title }))
        yield* withReach(reach)(
          records.add(Tracks, { id: uuidv7(), spaceId, fields: aTrack({ name: title }) }, event, aPassed)
        )
      })
    const kept = Effect.gen(function* () {
      const { items } = yield* withReach(reach)(entities.list(filter, [spaceId]))
      const tracks = yield* withReach(reach)(records.list(Tracks, { spaces: [spaceId], limit: 100 }))
      const events = (yield* eventsIn(spaceId, personId)).filter(({ type }) => !type.startsWith("workspace."))
      return {
        titles: items.map(({ title }) => title).toSorted(),
        names: tracks.items.map(({ name }) => name).toSorted(),
        events: events.length
      }
    })
    const numbers = Effect.map(eventsIn(spaceId, personId), (events) => events.map(({ seq }) => seq))
    return { written, kept, numbers, atomically: (yield* Transaction).atomically }
  })
  const holding = (...titles: ReadonlyArray<string>) => ({ titles, names: titles, events: 2 * titles.length })

  rule(
    "inside a transaction the pod refuses a call to another server, and after the transaction it makes the same call",
    Effect.gen(function* () {
      const { atomically, kept, written } = yield* setUp
      let calls = 0
      const call = outsideTransaction(Effect.sync(() => (calls += 1)))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(atomically(Effect.zipRight(written("before"), call)))))
      assert.strictEqual(calls, 0)
      assert.deepStrictEqual(yield* kept, holding())
      yield* call
      assert.strictEqual(calls, 1)
    })
  )

  for (const [how, broken] of [
    ["fails", Effect.fail("afterwards")],
    ["ends with a defect", Effect.dieMessage("afterwards")],
    ["is interrupted", Effect.interrupt]
  ] as const) {
    rule(
      `a transaction that ${how} stores neither rows nor events, and the numbers of the later events have no gap`,
      Effect.gen(function* () {
        const { atomically, kept, numbers, written } = yield* setUp
        yield* written("before")
        const exit = yield* Effect.exit(
          Effect.fork(atomically(Effect.zipRight(written("undone"), broken))).pipe(Effect.flatMap(Fiber.join))
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* kept, holding("before"))
        yield* written("later")
        assert.deepStrictEqual(yield* kept, holding("before", "later"))
        const all = yield* numbers
        assert.deepStrictEqual(all, upTo(all.length))
      })
    )
  }

  rule(
    "a transaction sees its own writes at once, and the writes are still there after the transaction has ended",
    Effect.gen(function* () {
      const { atomically, kept, written } = yield* setUp
      const seen = yield* atomically(Effect.zipRight(written("made"), kept))
      assert.deepStrictEqual(seen, holding("made"))
      assert.deepStrictEqual(yield* kept, holding("made"))
    })
  )

  rule(
    "a nested transaction is rolled back with its outer transaction, and can also be rolled back while the outer one continues",
    Effect.gen(function* () {
      const { atomically, kept, written } = yield* setUp
      const inner = atomically(written("inner"))
      yield* Effect.exit(atomically(Effect.zipRight(inner, Effect.fail("outer"))))
      assert.deepStrictEqual(yield* kept, holding())
      const failing = Effect.ignore(atomically(Effect.zipRight(written("inner"), Effect.fail("inner"))))
      yield* atomically(written("outer").pipe(Effect.zipRight(failing)))
      assert.deepStrictEqual(yield* kept, holding("outer"))
    })
  )

  rule(
    "transactions with the same lock name run one after the other, and each sees the writes of the earlier transactions",
    Effect.gen(function* () {
      const { kept, written } = yield* setUp
      const { exclusively } = yield* Transaction
      const work = Effect.gen(function* () {
        const { titles } = yield* kept
        if (titles.length === 0) yield* written("once")
      })
      yield* Effect.all(
        Array.from({ length: 5 }, () => exclusively("the same name", work)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* kept, { titles: ["once"], names: ["once"], events: 2 })
      const failure = yield* Effect.exit(
        exclusively("the same name", Effect.zipRight(written("undone"), Effect.fail("late")))
      )
      assert.isTrue(Exit.isFailure(failure))
      assert.deepStrictEqual((yield* kept).titles, ["once"])
    })
  )
}
