/**
 * What the store of notifications guarantees on each engine: a person sees only their own notifications, each event is
 * counted once, and a subject has only one unread notification.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { type PlannedNotification, standardPreferences } from "../../../src/features/notifications/Notification.ts"
import {
  changedEvent,
  type NotificationAction,
  NotificationStore
} from "../../../src/features/notifications/NotificationStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, aPerson, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

type Store = typeof NotificationStore.Service

const store = <A, E>(reach: ReachShape, call: (store: Store) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(NotificationStore, call))

export const aPlannedNotification = (
  spaceId: string,
  more: Partial<PlannedNotification> = {}
): PlannedNotification => ({
  id: uuidv7(),
  spaceId,
  eventId: uuidv7(),
  kind: "mention",
  subjectId: uuidv7(),
  subjectType: "thread",
  data: {},
  heldUntil: null,
  isOnce: false,
  ...more
})

const add = (reach: ReachShape, planned: PlannedNotification) => store(reach, (each) => each.add(planned, aPassed))
const open = (reach: ReachShape) => store(reach, ({ list }) => list({ state: "open", limit: 100 }))
const idsOf = (listed: ReadonlyArray<{ readonly id: string }>) => listed.map(({ id }) => id)
const mark = (reach: ReachShape, id: string, deed: NotificationAction) =>
  store(reach, (each) => each.mark([id], deed, changedEvent(id, { deed }), aPassed))

const farAhead = DateTime.unsafeMake("2999-01-01T00:00:00Z")

export const notificationStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  check(
    "the notification store does not let a caller read or mark notifications of another person, or use a space that the caller cannot access",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const planned = aPlannedNotification(spaceId)
        assert.isTrue(yield* add(reach, planned))
        for (const stranger of [aReach({ spaces: [spaceId] }), aReach({ personId })]) {
          assert.deepStrictEqual(yield* open(stranger), [])
          assert.isNull(yield* store(stranger, ({ find }) => find(planned.id)))
          assert.strictEqual(yield* mark(stranger, planned.id, "read"), 0)
        }
        assert.isFalse(yield* add(aReach({ personId }), aPlannedNotification(spaceId)))
        const [stored, ...others] = yield* open(reach)
        assert.lengthOf(others, 0)
        assert.deepInclude(stored, { id: planned.id, personId, spaceId, count: 1, readAt: null, dismissedAt: null })
      })
  )

  check(
    "the notification store notifies a person of one event only once, and counts further events about the same subject in the unread notification",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const first = aPlannedNotification(spaceId)
        const messageId = uuidv7()
        const second = { ...first, id: uuidv7(), eventId: uuidv7(), data: { messageId } }
        assert.isTrue(yield* add(reach, first))
        assert.isFalse(yield* add(reach, { ...first, id: uuidv7() }))
        assert.isTrue(yield* add(reach, second))
        assert.isFalse(yield* add(reach, { ...first, id: uuidv7() }))
        const [folded, ...others] = yield* open(reach)
        assert.lengthOf(others, 0)
        assert.deepInclude(folded, { id: first.id, count: 2, eventId: first.eventId, data: { messageId } })
        yield* mark(reach, first.id, "read")
        assert.isFalse(yield* add(reach, { ...second, id: uuidv7() }))
        assert.isFalse(yield* add(reach, { ...first, id: uuidv7(), eventId: uuidv7(), isOnce: true }))
        const third = { ...first, id: uuidv7(), eventId: uuidv7() }
        assert.isTrue(yield* add(reach, third))
        assert.sameMembers(idsOf(yield* open(reach)), [first.id, third.id])
        const made = (yield* eventsIn(personId, personId)).filter(({ type }) => type === "notification.create")
        const about = made.map(({ subjectId }) => subjectId)
        assert.sameMembers(about, [first.id, first.id, third.id], "each names the notification")
      })
  )

  check(
    "if many events about one subject come at the same moment, the notification store counts all of them in one notification",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const one = aPlannedNotification(spaceId)
        const many = Array.from({ length: 12 }, () => add(reach, { ...one, id: uuidv7(), eventId: uuidv7() }))
        yield* Effect.all(many, { concurrency: "unbounded" })
        assert.deepStrictEqual(
          (yield* open(reach)).map(({ count }) => count),
          [12]
        )
      })
  )

  check(
    "a notification is listed as unread until the person reads or dismisses it, and marking it again changes nothing",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const [unread, read, dismissed, quiet] = [null, null, null, farAhead].map((heldUntil) =>
          aPlannedNotification(spaceId, { heldUntil })
        )
        for (const each of [unread, read, dismissed, quiet]) yield* add(reach, each)
        assert.strictEqual(yield* mark(reach, read.id, "read"), 1)
        assert.strictEqual(yield* mark(reach, read.id, "read"), 0)
        assert.strictEqual(yield* mark(reach, dismissed.id, "dismiss"), 1)
        assert.strictEqual(yield* mark(reach, dismissed.id, "dismiss"), 0)
        assert.strictEqual(yield* mark(reach, dismissed.id, "read"), 0)
        const idsIn = (state: "open" | "unread" | "held" | "dismissed") =>
          Effect.map(
            store(reach, ({ list }) => list({ state, limit: 10 })),
            idsOf
          )
        assert.deepStrictEqual(yield* idsIn("unread"), [unread.id])
        assert.deepStrictEqual(yield* idsIn("held"), [quiet.id])
        assert.deepStrictEqual(yield* idsIn("dismissed"), [dismissed.id])
        assert.sameMembers([...(yield* idsIn("open"))], [quiet.id, read.id, unread.id])
      })
  )

  check(
    "a listing of notifications continues after the given cursor, and can be limited to one kind and to one space, or leave out one kind",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const here = [1, 2, 3].map(() => aPlannedNotification(spaceId))
        const home = aPlannedNotification(personId, { kind: "key_ending", subjectType: "apiKey" })
        for (const each of [...here, home]) yield* add(reach, each)
        const list = (more: object) => store(reach, (each) => each.list({ state: "open", limit: 10, ...more }))
        assert.sameMembers(
          [...idsOf(yield* list({ spaceId }))],
          here.map(({ id }) => id)
        )
        assert.deepStrictEqual(idsOf(yield* list({ kind: "key_ending" })), [home.id])
        assert.deepStrictEqual(idsOf(yield* list({ exceptKind: here[0]?.kind })), [home.id])
        const all = yield* list({})
        const { id, updatedAt } = all[1]
        const cursor = { at: DateTime.formatIso(updatedAt), id }
        assert.deepStrictEqual(idsOf(yield* list({ cursor })), idsOf(all).slice(2))
      })
  )

  check(
    "when a proposal is decided, the notification store marks the notifications of all people about this proposal as read, but only in spaces that the call can access",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const otherId = yield* aPerson
        const other = aReach({ personId: otherId, spaces: [spaceId] })
        const asked = { kind: "proposal_waiting", subjectType: "proposal", subjectId: uuidv7() } as const
        yield* add(reach, aPlannedNotification(spaceId, asked))
        yield* add(other, aPlannedNotification(spaceId, asked))
        const isRead = (by: ReachShape) => Effect.map(open(by), ([one]) => one.readAt !== null)
        yield* store(aReach(), ({ markSubjectRead }) => markSubjectRead("proposal_waiting", asked.subjectId))
        assert.isFalse(yield* isRead(other))
        yield* store(reach, ({ markSubjectRead }) => markSubjectRead("proposal_waiting", asked.subjectId))
        assert.deepStrictEqual([yield* isRead(reach), yield* isRead(other)], [true, true])
      })
  )

  check(
    "a person's notification preferences are hidden from other people, and a change of the quiet hours changes the time until which notifications are held",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const changedPreferences = { ...standardPreferences, alertsPassQuietHours: true }
        yield* add(reach, aPlannedNotification(spaceId, { heldUntil: farAhead }))
        yield* store(reach, ({ setPreferences }) => setPreferences(changedPreferences, null, aPassed))
        assert.deepStrictEqual(yield* store(reach, ({ preferences }) => preferences), changedPreferences)
        const stranger = aReach({ spaces: [reach.principal.personId] })
        assert.deepStrictEqual(yield* store(stranger, ({ preferences }) => preferences), standardPreferences)
        const [notification] = yield* open(reach)
        assert.isNull(notification.heldUntil)
      })
  )

  check("the notification store lists the people of a space only for a caller who can access the space", () =>
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const people = (by: ReachShape) => store(by, (each) => each.people(spaceId))
      assert.deepStrictEqual(idsOf(yield* people(reach)), [personId])
      assert.deepStrictEqual(yield* people(aReach({ personId })), [])
    })
  )
}
