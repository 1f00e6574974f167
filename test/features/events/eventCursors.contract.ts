/**
 * What the cursors of event consumers guarantee on each engine: a consumer gets no event that it may not read. It gets
 * every other event once and in order.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { EventCursors, type LogPart } from "../../../src/features/events/EventCursors.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const cursors = <A, E>(reach: ReachShape, call: (store: typeof EventCursors.Service) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(EventCursors, call))

const logged = (reach: ReachShape, spaceId: string, type: string) =>
  withReach(reach)(Effect.flatMap(EventLog, ({ append }) => append(spaceId, { type, data: {} }, aPassed)))

const ever = DateTime.unsafeMake(0)
const farOff = DateTime.unsafeMake("2999-12-31")
const everySpace = 1_000_000

export const eventCursorsContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))
  const isBehind = (consumer: string, spaceId: string) =>
    Effect.flatMap(EventCursors, ({ spacesWithUnread }) =>
      Effect.map(spacesWithUnread(consumer, everySpace), (spaces) => spaces.includes(spaceId))
    )

  check(
    "a consumer of the event log can neither read events nor move its cursor in a space that it cannot access",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        yield* logged(reach, spaceId, "test.happened")
        const stranger = aReach()
        const { events, lastSeq } = yield* cursors(stranger, ({ after }) => after(spaceId, 0, 10))
        assert.deepStrictEqual([events, lastSeq], [[], undefined])
        yield* cursors(stranger, ({ move }) => move("reader", spaceId, 1_000))
        assert.strictEqual(yield* cursors(reach, ({ lock }) => lock("reader", spaceId, ever)), 0)
      })
  )

  check(
    "a space has unread events for a consumer of the event log until the consumer's own cursor is at the last event of the space",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        yield* logged(reach, spaceId, "test.first")
        yield* logged(reach, spaceId, "test.second")
        const { events } = yield* cursors(reach, ({ after }) => after(spaceId, 0, 100))
        assert.deepStrictEqual(
          events.map(({ seq }) => seq),
          events.map((_, at) => at + 1)
        )
        const last = events[events.length - 1]
        assert.strictEqual(last.type, "test.second")
        assert.isTrue(yield* isBehind("one", spaceId))
        yield* cursors(reach, ({ move }) => move("one", spaceId, last.seq))
        assert.isFalse(yield* isBehind("one", spaceId))
        assert.isTrue(yield* isBehind("other", spaceId))
        yield* cursors(reach, ({ move }) => move("one", spaceId, 1))
        assert.strictEqual(yield* cursors(reach, ({ lock }) => lock("one", spaceId, ever)), last.seq)
        yield* logged(reach, spaceId, "test.third")
        const { events: further } = yield* cursors(reach, ({ after }) => after(spaceId, last.seq, 100))
        assert.deepStrictEqual(
          further.map(({ type }) => type),
          ["test.third"]
        )
        assert.isTrue(yield* isBehind("one", spaceId))
      })
  )

  check(
    "if a consumer of the event log chooses event types, only events of these types are unread for it, and its cursor moves past other events",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const types = ["test.mine", "test.mine-too"]
        const isConcerned = Effect.flatMap(EventCursors, ({ spacesWithUnread }) =>
          Effect.map(spacesWithUnread("one", everySpace, types), (spaces) => spaces.includes(spaceId))
        )
        const seqOf = (consumer: string) => cursors(reach, ({ lock }) => lock(consumer, spaceId, ever))
        // For a consumer without a cursor, the store reports that the consumer is behind, because only the job of the
        // consumer knows where to begin.
        const { seq: first } = yield* logged(reach, spaceId, "test.other")
        assert.isTrue(yield* isConcerned)
        yield* cursors(reach, ({ move }) => move("one", spaceId, first))
        const { seq: second } = yield* logged(reach, spaceId, "test.other")
        assert.isFalse(yield* isConcerned)
        assert.strictEqual(yield* seqOf("one"), second)
        yield* logged(reach, spaceId, "test.mine-too")
        yield* logged(reach, spaceId, "test.other")
        assert.isTrue(yield* isConcerned)
        assert.strictEqual(yield* seqOf("one"), second, "the cursor waits before an event that concerns it")
        assert.strictEqual(yield* seqOf("two"), 0, "the cursor of another consumer stays")
      })
  )

  check(
    "if the work of a consumer of the event log fails, the cursor of this consumer does not move, because both are in one transaction",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        yield* logged(reach, spaceId, "test.happened")
        const { atomically } = yield* Transaction
        const moved = cursors(reach, ({ lock, move }) =>
          Effect.zipRight(lock("one", spaceId, ever), move("one", spaceId, 1))
        )
        yield* Effect.exit(atomically(Effect.zipRight(moved, Effect.fail("the work failed"))))
        assert.strictEqual(yield* cursors(reach, ({ lock }) => lock("one", spaceId, ever)), 0)
      })
  )

  check(
    "two workers of one consumer of the event log never read the same event, because the second worker waits until the first has moved the cursor",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        for (const type of ["test.a", "test.b", "test.c"]) yield* logged(reach, spaceId, type)
        const { atomically } = yield* Transaction
        const { events: all } = yield* cursors(reach, ({ after }) => after(spaceId, 0, 100))
        const next = atomically(
          cursors(reach, (store) =>
            Effect.gen(function* () {
              const seq = yield* store.lock("one", spaceId, ever)
              const [event] = (yield* store.after(spaceId, seq, 1)).events
              if (event === undefined) return []
              yield* store.move("one", spaceId, event.seq)
              return [event.seq]
            })
          )
        )
        const read = yield* Effect.forEach(all, () => next, { concurrency: "unbounded" })
        assert.sameMembers(
          read.flat(),
          all.map(({ seq }) => seq)
        )
      })
  )

  check(
    "consumers of the event log get no events of keys with the scope `probe`, and still get the events before and after these events",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const probing = { ...reach, origin: { ...reach.origin, isProbe: true } }
        const first = yield* cursors(reach, ({ after }) => after(spaceId, 0, 100))
        yield* logged(probing, spaceId, "test.probed")
        yield* logged(reach, spaceId, "test.happened")
        yield* logged(probing, spaceId, "test.probed")
        const seq = first.lastSeq ?? 0
        const types = ({ events }: Pick<LogPart, "events">) => events.map(({ type }) => type)
        const rest = yield* cursors(reach, ({ after }) => after(spaceId, seq, 100))
        assert.deepStrictEqual([types(rest), rest.read, rest.lastSeq], [["test.happened"], 3, seq + 3])
        const one = yield* cursors(reach, ({ after }) => after(spaceId, seq, 1))
        assert.deepStrictEqual([types(one), one.read, one.lastSeq], [[], 1, seq + 1])
        const asked = { userId: reach.principal.personId, since: ever, until: farOff, seq }
        for (const caller of [reach, probing]) {
          const events = yield* cursors(caller, ({ listBetween }) => listBetween(spaceId, asked, 1))
          assert.deepStrictEqual(types({ events }), ["test.happened"])
        }
      })
  )

  check("the event log keeps the time at which a consumer was first registered", () =>
    Effect.gen(function* () {
      const { began } = yield* EventCursors
      const name = `reader ${uuidv7()}`
      const at = yield* began(name)
      assert.deepStrictEqual(yield* began(name), at)
    })
  )

  check(
    "a new cursor for the event log begins after the last event before the given time, and an existing cursor stays at its position",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        yield* logged(reach, spaceId, "test.old")
        const { events: old } = yield* cursors(reach, ({ after }) => after(spaceId, 0, 100))
        const later = DateTime.add(old[old.length - 1].at, { seconds: 1 })
        const begin = (consumer: string, since: DateTime.Utc) =>
          cursors(reach, ({ lock }) => lock(consumer, spaceId, since))
        assert.strictEqual(yield* begin("from the beginning", ever), 0)
        assert.strictEqual(yield* begin("from the beginning", later), 0)
        assert.strictEqual(yield* begin("from now", later), old.length)
        assert.isFalse(yield* isBehind("from now", spaceId))
      })
  )

  check("a caller that waits for new events in the event log continues as soon as somebody writes the next event", () =>
    Effect.gen(function* () {
      const { news } = yield* EventCursors
      const { reach, spaceId } = yield* aMember()
      yield* logged(reach, spaceId, "test.first")
      const known = yield* news.next(0)
      const waiting = yield* Effect.fork(news.next(known))
      yield* Effect.yieldNow()
      yield* logged(reach, spaceId, "test.second")
      assert.isAbove(yield* waiting, known)
    })
  )
}
