/**
 * What `ReactiveEvents` guarantees on each engine. This store lists events that are reactions, such as writes by
 * automation rules. It returns only the person's own events, and exactly those that match the filter.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import type { EventDraft } from "../../../src/features/events/Event.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { isOfKind, reactionKinds } from "../../../src/features/events/ReactionKind.ts"
import type { Recent } from "../../../src/features/events/Reaction.ts"
import { type CausedKind, type ReactiveFilter, ReactiveEvents } from "../../../src/features/events/ReactiveEvents.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aPerson } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

const appended = (reach: ReachShape, spaceId: string, draft: Partial<EventDraft> = {}) =>
  Effect.flatMap(EventLog, ({ append }) =>
    withReach(reach)(append(spaceId, { type: "test.happened", data: {}, ...draft }, aPassed))
  )

const listed = (reach: ReachShape, filter: Partial<ReactiveFilter> = {}) =>
  Effect.flatMap(ReactiveEvents, ({ list }) =>
    withReach(reach)(list({ kinds: reactionKinds, ids: [], limit: 100, ...filter }))
  )

const causedBy = (reach: ReachShape, eventId: string) =>
  Effect.flatMap(ReactiveEvents, (events) => withReach(reach)(events.causedBy([eventId], 100)))

const idsOf = (events: ReadonlyArray<{ readonly id: string }>) => events.map(({ id }) => id)

const drafts: ReadonlyArray<Partial<EventDraft>> = [
  {},
  { source: "automation" },
  { source: "intelligence" },
  { source: "sync" },
  ...["automation.failed", "automationX", "cron.tick", "ai.nudge.posted", "ai.seen", "aix", "feed.item.new"].map(
    (type) => ({ type })
  ),
  ...["feed.items", "webhook.received", "webhook.disabled", "webhook.create", "AI.seen", "entity.task.create"].map(
    (type) => ({ type })
  )
]

export const reactiveEventsContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a listing of reactions to events, such as writes by automation rules, is empty without a grant for events, and contains only events that the caller may read",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const cause = yield* appended(reach, spaceId)
      const { id } = yield* appended(reach, spaceId, { source: "automation", causationId: cause.id })
      for (const outside of [
        aReach(),
        aReach({ personId }),
        aReach({ personId: yield* aPerson, spaces: [spaceId] }),
        aReach({ personId, spaces: [spaceId], grant: { permissions: ["entity"] } }),
        aReach({ personId, spaces: [spaceId], workspaceId: uuidv7() })
      ]) {
        assert.notInclude(idsOf(yield* listed(outside, { ids: [id] })), id)
        assert.deepStrictEqual(yield* causedBy(outside, cause.id), [])
      }
      assert.include(idsOf(yield* listed(reach)), id)
      assert.deepStrictEqual(idsOf(yield* causedBy(reach, cause.id)), [id])
      assert.deepStrictEqual(yield* listed(reach, { workspaceId: uuidv7(), ids: [id] }), [])
    })
  )

  rule(
    "for each kind of reaction to events (such as writes by automation rules), the listing has exactly the events of this kind, newest first",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const agent = { ...reach, principal: { ...reach.principal, holder: { ...reach.principal.holder, id: uuidv7() } } }
      const made = [
        ...(yield* Effect.forEach(drafts, (draft) => appended(reach, spaceId, draft))),
        yield* appended(agent, spaceId)
      ]
      for (const kind of reactionKinds) {
        const found = yield* listed(reach, { kinds: [kind], workspaceId: spaceId })
        const expected = made.filter((event) => isOfKind(event, kind)).toReversed()
        assert.deepStrictEqual(idsOf(found), idsOf(expected), kind)
      }
      assert.deepStrictEqual(yield* listed(reach, { kinds: [], workspaceId: spaceId }), [])
    })
  )

  rule(
    "a listing of reactions to events also contains the events whose ids are in the request, each event once, and the filters apply to these events too",
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const plain = yield* appended(reach, spaceId)
      const other = yield* appended(reach, spaceId, { type: "other.happened" })
      const automatic = yield* appended(reach, spaceId, { source: "automation" })
      const ids = [plain.id, other.id, automatic.id]
      const chosen = (more: Partial<ReactiveFilter>) =>
        Effect.map(listed(reach, { ids, workspaceId: spaceId, ...more }), idsOf)
      assert.deepStrictEqual(yield* chosen({}), ids.toReversed())
      assert.deepStrictEqual(yield* chosen({ limit: 2 }), [automatic.id, other.id])
      assert.deepStrictEqual(yield* chosen({ before: automatic.id }), [other.id, plain.id])
      assert.deepStrictEqual(yield* chosen({ type: "test.happened" }), [automatic.id, plain.id])
    })
  )

  rule(
    "the events that caused notifications, and the events that caused writes by automation rules, can be listed, each event once and newest first",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const causes = yield* Effect.forEach([1, 2, 3], () => appended(reach, spaceId))
      const [first, second, third] = idsOf(causes)
      for (const causationId of [first, second, second]) {
        yield* appended(reach, spaceId, { source: "automation", causationId })
      }
      yield* appended(reach, spaceId, { type: "notification.create", causationId: third })
      yield* appended(reach, spaceId, { causationId: third })
      const causesOf = (caused: CausedKind, more: Partial<Recent> = {}, of = reach) =>
        Effect.flatMap(ReactiveEvents, (events) =>
          withReach(of)(events.causesOf(caused, { before: undefined, limit: 10, ...more }))
        )
      assert.deepStrictEqual(yield* causesOf("automation"), [second, first])
      assert.deepStrictEqual(yield* causesOf("automation", { limit: 1 }), [second])
      assert.deepStrictEqual(yield* causesOf("automation", { before: second }), [first])
      assert.deepStrictEqual(yield* causesOf("notification"), [third])
      for (const outside of [aReach({ personId }), aReach({ personId: yield* aPerson, spaces: [spaceId] })]) {
        assert.deepStrictEqual(yield* causesOf("automation", {}, outside), [])
      }
    })
  )
}
