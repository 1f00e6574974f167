/** What every reader of the event log must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { noClient, systemReach } from "../../../src/doors/Reach.ts"
import type { Event, EventDraft } from "../../../src/features/events/Event.ts"
import { authorityName, EventFeed, type FeedFilter, type PageFilter } from "../../../src/features/events/EventFeed.ts"
import { MetadataKind, metadataKindOf } from "../../../src/features/events/EventMetadata.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import type { StreamPosition } from "../../../src/features/events/StreamPosition.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgentOf, aPerson, aWorkspaceOf, throughKey } from "../../support/people.ts"
import { aPassed, aPassedOf } from "../../support/passed.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { metadataOfEachKind } from "./metadataOfEachKind.ts"
import { itemsOf } from "../../support/pages.ts"

const appended = (reach: ReachShape, spaceId: string, draft: Partial<EventDraft> = {}, passed = aPassed) =>
  Effect.flatMap(EventLog, ({ append }) =>
    withReach(reach)(append(spaceId, { type: "test.happened", data: {}, ...draft }, passed))
  )

const after = (reach: ReachShape, position: StreamPosition | undefined, filter: FeedFilter = {}, limit = 100) =>
  Effect.flatMap(EventFeed, (feed) => withReach(reach)(feed.after(filter, position, limit)))

const listed = (reach: ReachShape, filter: Partial<PageFilter> = {}) =>
  Effect.flatMap(EventFeed, (feed) =>
    itemsOf(withReach(reach)(feed.page({ limit: 100, from: DateTime.unsafeMake(0), ...filter })))
  )

const idsOf = (events: ReadonlyArray<{ readonly id: string }>) => events.map(({ id }) => id)
const fedIds = ({ events }: Effect.Effect.Success<ReturnType<typeof after>>) => events.map(({ event }) => event.id)

export const eventFeedContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a listing of events by focus session contains only events of the reader's own writes for this session",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      const sessionId = uuidv7()
      const passed = () =>
        aPassedOf({ id: uuidv7(), verdict: "allow", rung: "person", permission: "entity.note.create" }, sessionId)
      const mine = yield* appended(reach, spaceId, {}, passed())
      yield* appended(other, spaceId, {}, passed())
      yield* appended(reach, spaceId)
      const [event, ...more] = yield* listed(reach, { sessionId })
      assert.deepStrictEqual([event, more], [mine, []])
      assert.strictEqual(event.sessionId, sessionId)
      assert.deepStrictEqual(yield* listed(reach, { sessionId: uuidv7() }), [])
      const fed = (yield* after(reach, new Map())).events.find(({ event: { id } }) => id === mine.id)
      assert.deepStrictEqual(fed?.event, mine)
    })
  )

  rule(
    "a reader gets no event of another person or of a space that the reader cannot access, and gets no event at all without a grant for events",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const { id } = yield* appended(reach, spaceId)
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      for (const outside of [
        aReach(),
        aReach({ personId }),
        other,
        aReach({ personId, spaces: [spaceId], grant: { permissions: ["entity"] } }),
        aReach({ personId, spaces: [spaceId], workspaceId: uuidv7() })
      ]) {
        assert.notInclude(idsOf(yield* listed(outside)), id)
        assert.notInclude(fedIds(yield* after(outside, new Map())), id)
      }
      assert.include(idsOf(yield* listed(reach)), id)
      assert.include(fedIds(yield* after(reach, new Map())), id)
    })
  )

  rule(
    "a listing of events by request, cause or source has exactly the events with this request, cause or source",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const request = uuidv7()
      const asked = { ...aReach({ personId, spaces: [spaceId] }), origin: { ...reach.origin, requestId: request } }
      const first = yield* appended(asked, spaceId)
      const second = yield* appended(asked, spaceId, { causationId: first.id, source: "automation" })
      const other = yield* appended(reach, spaceId)
      assert.deepStrictEqual(idsOf(yield* listed(reach, { correlationId: first.correlationId })), [second.id, first.id])
      assert.deepStrictEqual(idsOf(yield* listed(reach, { causationId: first.id })), [second.id])
      assert.deepStrictEqual(idsOf(yield* listed(reach, { causationId: other.id })), [])
      assert.deepStrictEqual(idsOf(yield* listed(reach, { source: "automation" })), [second.id])
    })
  )

  rule(
    "a listing of events can be filtered by actor and by an end time, and the listings of tRPC and REST have the same events",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const agent = yield* anAgentOf(reach)
      const acting = yield* throughKey(reach, agent.id)
      const mine = yield* appended(reach, spaceId)
      const theirs = yield* appended(acting, spaceId)
      const late = yield* appended(reach, spaceId)
      const found = Effect.fnUntraced(function* (filter: Pick<PageFilter, "actorId" | "until">) {
        const { list } = yield* EventLog
        const page = idsOf(yield* listed(reach, filter))
        const log = idsOf(yield* itemsOf(withReach(reach)(list({ ...filter, limit: 100 }))))
        assert.deepStrictEqual(log, page)
        return page.filter((id) => [mine.id, theirs.id, late.id].includes(id))
      })
      assert.deepStrictEqual(yield* found({ actorId: agent.id }), [theirs.id])
      assert.deepStrictEqual(yield* found({ actorId: personId }), [late.id, mine.id])
      assert.deepStrictEqual(yield* found({ actorId: uuidv7() }), [])
      assert.deepStrictEqual(yield* found({ until: late.timestamp }), [late.id, theirs.id, mine.id])
      assert.deepStrictEqual(yield* found({ until: DateTime.subtract(mine.timestamp, { millis: 1 }) }), [])
      assert.deepStrictEqual(yield* found({ until: DateTime.unsafeMake(-1) }), [])
      assert.deepStrictEqual(yield* found({ until: DateTime.unsafeMake("9999-12-31") }), [late.id, theirs.id, mine.id])
    })
  )

  rule(
    "in every space, a reader gets each event after the reader's position exactly once",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const second = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId, second] })
      yield* appended(reach, spaceId)
      const { events, readTo } = yield* after(reach, undefined)
      assert.deepStrictEqual(events, [])
      const made = [
        yield* appended(reach, second),
        yield* appended(reach, spaceId),
        yield* appended(reach, personId),
        yield* appended(reach, spaceId)
      ]
      const next = yield* after(reach, readTo)
      assert.sameMembers(fedIds(next), idsOf(made))
      assert.isFalse(next.isMore)
      const later = new Map([...readTo, ...next.readTo])
      assert.deepStrictEqual(fedIds(yield* after(reach, later)), [])
      const [narrow] = [yield* after(reach, readTo, { workspaceId: second })]
      assert.deepStrictEqual(fedIds(narrow), [made[0].id])
    })
  )

  rule(
    "if a reader reads events in batches of any size, the reader misses no event and gets no event twice, even if other people write between the reader's events",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const second = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId, second] })
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId, second] })
      const { readTo } = yield* after(reach, undefined)
      const made: Array<string> = []
      for (let round = 0; round < 5; round++) {
        for (const space of [spaceId, second]) {
          yield* appended(other, space)
          made.push((yield* appended(reach, space)).id)
          yield* appended(other, space)
        }
      }
      for (const limit of [1, 2, 3, 7]) {
        const position = new Map(readTo)
        const got: Array<string> = []
        for (;;) {
          const fed = yield* after(reach, position, {}, limit)
          got.push(...fedIds(fed))
          for (const [space, seq] of fed.readTo) position.set(space, seq)
          if (!fed.isMore) break
        }
        assert.lengthOf(got, made.length)
        assert.sameMembers(got, made)
      }
    })
  )

  rule(
    "a listing and a stream of events can be filtered by the kind of the metadata, and both find the same events",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const { readTo } = yield* after(reach, undefined)
      const made: Array<Event> = []
      for (const metadata of metadataOfEachKind) made.push(yield* appended(reach, spaceId, { metadata }))
      yield* appended(reach, spaceId)
      for (const metadataKind of MetadataKind.literals) {
        const expected = made.filter(({ metadata }) => metadataKindOf(metadata) === metadataKind)
        assert.deepStrictEqual(yield* listed(reach, { metadataKind }), expected.toReversed())
        const fed = yield* after(reach, readTo, { metadataKind })
        assert.deepStrictEqual(fedIds(fed), idsOf(expected))
        // The read position moves past events that the filter excludes, so that they are not read again.
        assert.strictEqual(fed.readTo.get(spaceId), (made.at(-1)?.seq ?? 0) + 1)
      }
    })
  )

  rule(
    "the pod refuses a read position beyond the end of a space's event log, but ignores the position if the caller cannot read the space",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const failed = yield* Effect.flip(after(reach, new Map([[spaceId, 1000]])))
      assert.strictEqual(failed._tag, "PositionUnknown")
      assert.deepStrictEqual(fedIds(yield* after(aReach(), new Map([[spaceId, 1000]]))), [])
    })
  )

  rule(
    "a listing and a stream of events can be filtered by type, by the first word of the type and by the id of the subject",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const { readTo } = yield* after(reach, undefined)
      const subjectId = uuidv7()
      const paid = yield* appended(reach, spaceId, { type: "invoice.paid", subjectId })
      const sent = yield* appended(reach, spaceId, { type: "invoice.sent", subjectId: uuidv7() })
      const plain = yield* appended(reach, spaceId, { type: "invoice" })
      assert.strictEqual(paid.subjectType, "invoice")
      assert.notProperty(plain, "subjectType")
      for (const [filter, expected] of [
        [{ type: "invoice.paid" }, [paid]],
        [{ subjectType: "invoice" }, [sent, paid]],
        [{ subjectId }, [paid]],
        [{ subjectType: "note" }, []]
      ] as const) {
        assert.deepStrictEqual(yield* listed(reach, filter), expected)
        assert.deepStrictEqual(fedIds(yield* after(reach, readTo, filter)), idsOf(expected.toReversed()))
      }
      const past = DateTime.add(paid.timestamp, { days: 1 })
      assert.deepStrictEqual(yield* listed(reach, { from: past }), [])
      const [, second] = yield* listed(reach, { limit: 2, subjectType: "invoice" })
      assert.deepStrictEqual(second, paid)
      const cursor = { at: null, id: sent.id }
      assert.deepStrictEqual((yield* listed(reach, { cursor, subjectType: "invoice" }))[0], paid)
    })
  )
}

/** Declares the tests of the method `changesSince`. Only a database that several pods share needs this method. */
export const movedContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "one query finds which of the given spaces have new events, and which of the given credentials were deleted or have changed rights",
    Effect.gen(function* () {
      const { reach: bare, spaceId } = yield* aMember()
      const reach = yield* throughKey(bare)
      const { authority } = reach
      if (!("credentialId" in authority)) return assert.fail("a key has an authority of its own")
      const { readTo } = yield* after(reach, undefined)
      const looked = (heads: StreamPosition, of = authority, spaces = [spaceId]) =>
        Effect.flatMap(EventFeed, ({ changesSince }) =>
          withReach(
            systemReach("test", reach.principal.personId, spaces, { operation: "", requestId: "", client: noClient })
          )(changesSince({ heads, authorities: [of] }))
        )
      const still = yield* looked(readTo)
      assert.deepStrictEqual([still.heads.size, still.lost.size], [0, 0])
      const { seq } = yield* appended(reach, spaceId)
      assert.deepStrictEqual([...(yield* looked(readTo)).heads], [[spaceId, seq]])
      assert.strictEqual((yield* looked(readTo, authority, [])).heads.size, 0)
      const stale = { ...authority, epoch: authority.epoch - 1 }
      assert.deepStrictEqual([...(yield* looked(readTo, stale)).lost], [authorityName(stale)])
      const gone = { ...authority, credentialId: uuidv7() }
      assert.deepStrictEqual([...(yield* looked(readTo, gone)).lost], [authorityName(gone)])
    })
  )
}
