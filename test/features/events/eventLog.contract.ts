/** What every event log must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import type { EventDraft, EventFilter } from "../../../src/features/events/Event.ts"
import { MetadataKind, metadataKindOf } from "../../../src/features/events/EventMetadata.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgent, anAgentOf, aPerson, aWorkspaceOf, eventsIn, throughKey, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { metadataOfEachKind } from "./metadataOfEachKind.ts"
import { aPassed, aPassedOf } from "../../support/passed.ts"
import { itemsOf } from "../../support/pages.ts"

const appended = (reach: ReachShape, spaceId: string, draft: Partial<EventDraft> = {}, passed = aPassed) =>
  Effect.flatMap(EventLog, ({ append }) =>
    withReach(reach)(append(spaceId, { type: "test.happened", data: {}, ...draft }, passed))
  )

const listed = (reach: ReachShape, filter: Partial<EventFilter> = {}) =>
  itemsOf(Effect.flatMap(EventLog, ({ list }) => withReach(reach)(list({ limit: 1000, ...filter }))))

const found = (reach: ReachShape, id: string) =>
  Effect.flatMap(EventLog, ({ get }) => Effect.orElseSucceed(withReach(reach)(get(id)), () => null))

const among = (reach: ReachShape, ids: ReadonlyArray<string>) =>
  Effect.flatMap(EventLog, (log) => withReach(reach)(log.listByIds(ids)))

const aDecision = () => ({ id: uuidv7(), verdict: "allow" as const, rung: "person", permission: "entity.note.create" })

const idsOf = Effect.map((events: ReadonlyArray<{ readonly id: string }>) => events.map(({ id }) => id))

export const eventLogContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller can neither list nor read an event of a space that the caller cannot access",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const { id } = yield* appended(reach, spaceId)
      const otherSpace = yield* aWorkspaceOf(personId)
      const both = { personId, spaces: [spaceId, otherSpace] }
      for (const outside of [
        aReach(),
        aReach({ personId, spaces: [otherSpace] }),
        aReach({ ...both, workspaceId: otherSpace }),
        aReach({ ...both, grant: { workspaceIds: [otherSpace] } }),
        aReach({ ...both, grant: { permissions: ["entity", "event.create"] } }),
        aReach({ ...both, grant: { entityIds: [id] } }),
        aReach({ ...both, grant: { projectIds: [uuidv7()] } })
      ]) {
        assert.isNull(yield* found(outside, id))
        assert.notInclude(yield* idsOf(listed(outside)), id)
        assert.deepStrictEqual(yield* among(outside, [id]), [])
      }
      assert.strictEqual((yield* found(reach, id))?.id, id)
      const { id: other } = yield* appended(reach, spaceId)
      const several = yield* idsOf(among(reach, [id, uuidv7(), other, id]))
      assert.sameMembers(several, [id, other])
    })
  )

  rule(
    "if a call appends an event to a space that it cannot access, the call fails with an internal error, and the log stores nothing",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const own = { personId, spaces: [spaceId] }
      for (const outside of [
        aReach(),
        aReach({ ...own, role: "viewer" }),
        aReach({ ...own, workspaceId: uuidv7() }),
        aReach({ ...own, grant: { permissions: ["event.read"] } })
      ]) {
        const exit = yield* Effect.exit(appended(outside, spaceId))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      }
      assert.lengthOf(yield* eventsIn(spaceId, personId), 1)
    })
  )

  rule(
    "in a shared workspace each person sees only their own events",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      const mine = yield* appended(reach, spaceId)
      const theirs = yield* appended(other, spaceId)
      assert.isNull(yield* found(reach, theirs.id))
      assert.isNull(yield* found(other, mine.id))
      assert.notInclude(yield* idsOf(listed(reach)), theirs.id)
      assert.deepStrictEqual(yield* idsOf(listed(other)), [theirs.id])
      assert.deepStrictEqual([mine.seq, theirs.seq], [2, 3])
    })
  )

  rule(
    "a reader gets an event with all the fields with which it was appended",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const first = yield* appended(reach, spaceId)
      const draft = {
        type: "invoice.paid",
        subjectId: uuidv7(),
        data: { amount: 12.5, lines: [null, { text: "ключ 🗝️" }] },
        metadata: {},
        source: "automation",
        causationId: first.id
      } as const
      const event = yield* appended(reach, spaceId, draft)
      assert.deepInclude(event, { ...draft, version: "v1", userId: personId, actorId: personId, workspaceId: spaceId })
      assert.deepInclude(event, { seq: 3, correlationId: reach.origin.requestId })
      assert.deepStrictEqual(yield* found(reach, event.id), event)
      assert.deepStrictEqual((yield* listed(reach))[0], event)
      assert.deepStrictEqual(yield* found(reach, first.id), first)
      assert.notProperty(first, "metadata")
      assert.notProperty(first, "subjectId")
      assert.notProperty(first, "causationId")
      assert.strictEqual(first.source, "api")
    })
  )

  rule(
    "all events of a write for a focus session contain the id of the session, and a listing by session has only these events",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      const sessionId = uuidv7()
      const passed = aPassedOf(aDecision(), sessionId)
      const first = yield* appended(reach, spaceId, {}, passed)
      const further = yield* appended(reach, spaceId, {}, passed.forOthers)
      const repeated = yield* appended(reach, spaceId, {}, passed.forNext)
      yield* appended(reach, spaceId, {}, aPassedOf(aDecision(), uuidv7()))
      const plain = yield* appended(reach, spaceId, {}, aPassedOf(aDecision()))
      const theirs = yield* appended(other, spaceId, {}, aPassedOf(aDecision(), sessionId))
      assert.sameDeepMembers([...(yield* listed(reach, { sessionId }))], [first, further, repeated])
      assert.deepStrictEqual(yield* idsOf(listed(other, { sessionId })), [theirs.id])
      assert.deepStrictEqual(
        [first.sessionId, further.sessionId, repeated.sessionId],
        [sessionId, sessionId, sessionId]
      )
      assert.notProperty(plain, "sessionId")
      assert.deepStrictEqual(yield* found(reach, plain.id), plain)
    })
  )

  rule(
    "the event of an agent's write has the source `intelligence` and metadata about an AI, unless the write states its own source or metadata",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const people = yield* PeopleStore
      const { id: agentId } = yield* withReach(aReach({ personId }))(people.addAgent(uuidv7(), anAgent(), aPassed))
      const agent = yield* throughKey(reach, agentId)
      const passed = aPassedOf(aDecision())
      const ai = { source: "intelligence" as const, metadata: { kind: "ai", agent: agentId } }
      const made = yield* appended(agent, spaceId, {}, passed)
      assert.deepInclude(made, ai)
      assert.deepStrictEqual(yield* found(reach, made.id), made)
      assert.deepInclude(yield* appended(agent, spaceId, {}, passed.forOthers), ai)
      const message = yield* appended(agent, spaceId, { data: { sourceMessageId: "m-1" } }, aPassedOf(aDecision()))
      assert.deepStrictEqual(message.metadata, {
        ...ai.metadata,
        extraction: { extractedFrom: { messageId: "m-1" } }
      })
      const stated = yield* appended(agent, spaceId, { source: "sync" }, aPassedOf(aDecision()))
      const byThePod = yield* appended(agent, spaceId)
      const byThePerson = yield* appended(reach, spaceId, {}, aPassedOf(aDecision()))
      assert.deepStrictEqual(
        [stated, byThePod, byThePerson].map(({ metadata, source }) => [source, metadata]),
        [
          ["sync", undefined],
          ["api", undefined],
          ["api", undefined]
        ]
      )
      const named = yield* appended(agent, spaceId, { metadata: { mood: "calm" } }, aPassedOf(aDecision()))
      assert.deepInclude(named, { source: "intelligence", metadata: { mood: "calm" } })
    })
  )

  rule(
    "an event in a person's own space has no workspace",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const reach = aReach({ personId })
      const { id, workspaceId, seq } = yield* appended(reach, personId)
      assert.deepStrictEqual([workspaceId, seq], [null, 1])
      assert.isNull((yield* found(reach, id))?.workspaceId)
    })
  )

  rule(
    "an event of an agent's key has the agent as its actor, and the person who owns the agent as its user",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const agent = yield* anAgentOf(reach)
      const acting = yield* throughKey(reach, agent.id)
      const event = yield* appended(acting, spaceId)
      assert.deepInclude(event, { actorId: agent.id, userId: personId })
      assert.deepStrictEqual(yield* found(reach, event.id), event)
    })
  )

  rule(
    "every event has a correlation id, even if the id of its request is not a UUID",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const named = { ...reach, origin: { ...reach.origin, requestId: "trace me" } }
      const event = yield* appended(named, spaceId)
      assert.match(event.correlationId, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(yield* found(reach, event.id), event)
    })
  )

  rule(
    "the event of the first write in a request contains the gate's decision, and the events of the other writes refer to this event as their cause",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const { id, ...decision } = aDecision()
      const word = aPassedOf({ id, ...decision })
      const first = yield* appended(reach, spaceId, {}, word)
      assert.strictEqual(first.id, id)
      assert.deepStrictEqual(first.decision, decision)
      assert.deepStrictEqual(yield* found(reach, id), first)
      const second = yield* appended(reach, spaceId, {}, word.forOthers)
      assert.notStrictEqual(second.id, id)
      assert.notProperty(second, "decision")
      assert.strictEqual(second.causationId, id)
      const third = yield* appended(reach, spaceId, {}, word.forNext)
      assert.notStrictEqual(third.id, id)
      assert.deepStrictEqual(third.decision, decision)
    })
  )

  rule(
    "a person can look up a gate decision and its event by id only if the decision was about the person's own write",
    Effect.gen(function* () {
      const log = yield* EventLog
      const { personId, spaceId, reach } = yield* aMember()
      const keyed = yield* throughKey(reach)
      const decision = aDecision()
      const decided = yield* appended(keyed, spaceId, {}, aPassedOf(decision))
      const undecided = yield* appended(reach, spaceId)
      const asked = (who: ReachShape, id: string) => Effect.orElseSucceed(withReach(who)(log.decided(id)), () => null)
      const expected = { event: decided, credentialId: keyed.principal.credential.id }
      assert.deepInclude(yield* asked(reach, decision.id), expected)
      // `decided` does not check the grant of the caller. So `decided` returns the decision even to a caller with an
      // empty grant. The code that calls `decided` must check who may see the decision.
      assert.deepInclude(
        yield* asked(aReach({ personId, spaces: [spaceId], grant: { permissions: [] } }), decision.id),
        expected
      )
      for (const [who, id] of [
        [reach, undecided.id],
        [reach, uuidv7()],
        [aReach(), decision.id],
        [aReach({ spaces: [spaceId] }), decision.id]
      ] as const) {
        assert.isNull(yield* asked(who, id))
      }
      const byPod = yield* appended(reach, spaceId, {}, aPassedOf(aDecision()))
      assert.isNull((yield* asked(reach, byPod.id))?.credentialId)
    })
  )

  rule(
    "in a request with several writes, the event of each later write has the event of the first write as its cause, unless the write states another cause",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const [cause, own] = [uuidv7(), uuidv7()]
      for (const [draft, expected] of [
        [{}, cause],
        [{ causationId: own }, own]
      ] as const) {
        const event = yield* appended(reach, spaceId, draft, aPassedOf({ ...aDecision(), id: cause }).forOthers)
        assert.strictEqual(event.causationId, expected)
        assert.deepStrictEqual(yield* found(reach, event.id), event)
      }
    })
  )

  rule(
    "a listing of events can be filtered by type, by source and by metadata",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      const paid = yield* appended(reach, spaceId, { type: "invoice.paid", metadata: {} })
      const sent = yield* appended(reach, spaceId, { type: "invoice.sent", source: "sync", metadata: { by: "post" } })
      yield* appended(reach, spaceId, { type: "invoice.sent" })
      assert.deepStrictEqual(yield* idsOf(listed(reach, { type: "invoice.paid" })), [paid.id])
      assert.deepStrictEqual(yield* idsOf(listed(reach, { source: "sync" })), [sent.id])
      assert.deepStrictEqual(yield* idsOf(listed(reach, { hasMetadata: true })), [sent.id, paid.id])
      assert.deepStrictEqual(yield* listed(reach, { type: "invoice.paid", source: "sync" }), [])
      assert.lengthOf(yield* listed(reach, { type: "invoice.sent", hasMetadata: false }), 2)
    })
  )

  rule(
    "a listing of events can be filtered by the kind of the metadata, and the pod treats every unknown kind as `custom`",
    Effect.gen(function* () {
      const { spaceId, reach } = yield* aMember()
      for (const metadata of metadataOfEachKind) yield* appended(reach, spaceId, { data: metadata, metadata })
      yield* appended(reach, spaceId)
      for (const metadataKind of MetadataKind.literals) {
        const events = yield* listed(reach, { metadataKind })
        const expected = metadataOfEachKind.filter((metadata) => metadataKindOf(metadata) === metadataKind)
        assert.deepStrictEqual(
          events.map(({ metadata }) => metadata),
          expected.toReversed()
        )
        assert.isNotEmpty(events)
        assert.deepStrictEqual(yield* listed(reach, { metadataKind, hasMetadata: true }), events)
        assert.deepStrictEqual(yield* listed(reach, { metadataKind, type: "no.such" }), [])
      }
    })
  )

  rule(
    "events of all spaces are listed newest first, in pages without gaps or repetitions",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const made: Array<string> = []
      for (const at of upTo(20)) made.push((yield* appended(reach, at % 3 === 0 ? personId : spaceId)).id)
      const whole = yield* idsOf(listed(reach, { type: "test.happened" }))
      assert.deepStrictEqual(whole, made.toReversed())
      const pages = yield* Effect.forEach([0, 7, 14, 21], (offset) =>
        idsOf(listed(reach, { type: "test.happened", limit: 7, offset }))
      )
      assert.deepStrictEqual(pages.flat(), whole)
    })
  )

  rule(
    "when sixteen callers log events in two spaces at the same moment, each event gets its own number, and no number is missing",
    Effect.gen(function* () {
      const { personId, spaceId, reach } = yield* aMember()
      const write = (at: number) => Effect.forEach(upTo(3), () => appended(reach, at % 2 === 0 ? personId : spaceId))
      const appendedEvents = (yield* Effect.forEach(upTo(16), write, { concurrency: "unbounded" })).flat()
      for (const [space, before] of [
        [spaceId, 1],
        [personId, 0]
      ] as const) {
        const events = yield* eventsIn(space, personId)
        assert.deepStrictEqual(
          events.map(({ seq }) => seq),
          upTo(24 + before)
        )
        // The writer gets the number that the event has in the log.
        const numbers = new Map(appendedEvents.map(({ id, seq }) => [id, seq]))
        for (const { id, seq } of events.slice(before)) assert.strictEqual(numbers.get(id), seq)
      }
    })
  )
}
