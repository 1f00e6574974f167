/**
 * The store of notifications and of people's preferences. A person finds only the person's own notifications, and only
 * in spaces that the person may read.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { byUpdate, pageOfAll } from "../../doors/PageOrder.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import { inSpaces, type Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { membershipTable, personTable } from "../people/UserTables.ts"
import type { NamedPerson } from "./Mentions.ts"
import {
  type Kind,
  type NotificationPreferences,
  type PlannedNotification,
  standardPreferences,
  type StoredNotification
} from "./Notification.ts"

export const keptDays = 90
// The maximum number of event ids that a notification keeps. With these ids, the store recognizes a repeated event.
export const eventsKept = 50

export interface NotificationFilter {
  readonly spaceId?: string | undefined
  readonly kind?: Kind | undefined
  readonly exceptKind?: Kind | undefined
  /**
   * Selects notifications by their state. `open`: not dismissed. `unread`: unread, and not held back by quiet hours.
   * `held`: unread, and held back by quiet hours. `dismissed`: dismissed by the person.
   */
  readonly state: "open" | "unread" | "held" | "dismissed"
  readonly limit: number
  readonly cursor?: Cursor | undefined
}

/**
 * What a person can do with a notification. The list of open notifications does not contain dismissed notifications.
 */
export type NotificationAction = "read" | "dismiss"

/**
 * Makes the event of a change to one notification (`subjectId`). If `subjectId` is undefined, the change is to several
 * notifications.
 */
export const changedEvent = (subjectId: string | undefined, data: EventDraft["data"]): EventDraft => ({
  type: "notification.update",
  ...(subjectId === undefined ? {} : { subjectId }),
  data
})

/**
 * Makes the event of a new notification, in the log of the notified person. The event contains ids and types, and no
 * text.
 */
export const createdEvent = ({ eventId, id, kind, subjectId, subjectType }: PlannedNotification): EventDraft => ({
  type: "notification.create",
  subjectId: id,
  data: { kind, aboutId: subjectId, aboutType: subjectType, eventId },
  source: "system",
  causationId: eventId
})

export class NotificationStore extends Context.Tag("pod/NotificationStore")<
  NotificationStore,
  {
    /**
     * Stores a notification of the caller's person, together with the event of the notification. If the person has an
     * unread notification of the same kind about the same record, adds the event to that notification instead, and the
     * event of the notification names that notification. Returns false if the person was already notified of this
     * event, or if the call may not touch the space of the notification.
     */
    readonly add: (planned: PlannedNotification, passed: Passed) => Effect.Effect<boolean, never, Reach>
    /** Lists the person's notifications, latest event first. */
    readonly list: (filter: NotificationFilter) => Effect.Effect<ReadonlyArray<StoredNotification>, never, Reach>
    /** Finds a notification of the caller's person. Returns null if there is no such notification. */
    readonly find: (id: string) => Effect.Effect<StoredNotification | null, never, Reach>
    /**
     * Marks these notifications as read or dismissed. Returns how many of them changed, so a repeated call returns 0.
     */
    readonly mark: (
      ids: ReadonlyArray<string>,
      action: NotificationAction,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<number, never, Reach>
    /**
     * Marks as read, for every person, the notifications of this kind about this record. Changes only notifications in
     * the spaces that the call may touch.
     */
    readonly markSubjectRead: (kind: Kind, subjectId: string) => Effect.Effect<void, never, Reach>
    /**
     * Marks as read, for every person, the notifications about proposals that no longer wait for a decision. Only the
     * pod itself calls this.
     */
    readonly settleExpired: Effect.Effect<void>
    /** Deletes the notifications that are older than 90 days. Only the pod itself calls this. */
    readonly forgetOld: Effect.Effect<void>
    /** Lists the members of a space who are people and not suspended. */
    readonly people: (spaceId: string) => Effect.Effect<ReadonlyArray<NamedPerson>, never, Reach>
    readonly preferences: Effect.Effect<NotificationPreferences, never, Reach>
    /**
     * Stores the preferences. `heldUntil` is the new time at which the pod shows the notifications that quiet hours
     * hold back. Null means that the pod shows them immediately.
     */
    readonly setPreferences: (
      preferences: NotificationPreferences,
      heldUntil: DateTime.Utc | null,
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { atomically } = yield* MemoryDatabase
      const { read, write } = yield* memoryStatements

      const own = ({ reach, rows }: ReadContext) => {
        const { spaces } = reach.bounds("notification", "read")
        const { personId } = reach.principal
        return rows.all(notificationTable).filter((one) => one.personId === personId && spaces.includes(one.spaceId))
      }
      const isOpen = ({ dismissedAt, readAt }: StoredNotification) => readAt === null && dismissedAt === null
      const isNew = (one: StoredNotification, now: DateTime.Utc) =>
        isOpen(one) && (one.heldUntil === null || DateTime.lessThanOrEqualTo(one.heldUntil, now))
      const isHeld = (one: StoredNotification, now: DateTime.Utc) =>
        isOpen(one) && one.heldUntil !== null && DateTime.greaterThan(one.heldUntil, now)
      const isIn = (one: StoredNotification, state: NotificationFilter["state"], now: DateTime.Utc): boolean => {
        switch (state) {
          case "open":
            return one.dismissedAt === null
          case "unread":
            return isNew(one, now)
          case "held":
            return isHeld(one, now)
          case "dismissed":
            return one.dismissedAt !== null
        }
      }

      return {
        add: ({ isOnce, ...planned }, passed) =>
          write((at) => {
            const { append, now, reach, rows } = at
            const { personId } = reach.principal
            if (!reach.bounds("notification", "read").spaces.includes(planned.spaceId)) return Effect.succeed(false)
            const known = own(at).filter((one) => one.kind === planned.kind && one.subjectId === planned.subjectId)
            const hasEvent = ({ eventIds }: StoredRow) => eventIds.includes(planned.eventId)
            if (known.some((one) => isOnce || hasEvent(one))) return Effect.succeed(false)
            const open = known.find(isOpen)
            const isHeld = open === undefined || (open.heldUntil !== null && DateTime.greaterThan(open.heldUntil, now))
            rows.put(notificationTable, {
              ...planned,
              personId,
              count: 1,
              createdAt: now,
              readAt: null,
              dismissedAt: null,
              ...open,
              ...(open === undefined ? {} : { count: open.count + 1, data: planned.data }),
              eventIds: [planned.eventId, ...(open?.eventIds ?? [])].slice(0, eventsKept),
              heldUntil: isHeld ? planned.heldUntil : (open?.heldUntil ?? null),
              updatedAt: now
            })
            append(personId, createdEvent({ ...planned, id: open?.id ?? planned.id, isOnce }), passed)
            return Effect.succeed(true)
          }),
        list: ({ cursor, exceptKind, kind, limit, spaceId, state }) =>
          read((at) =>
            Effect.succeed(
              pageOfAll(
                byUpdate,
                own(at)
                  .filter((one) => (kind === undefined || one.kind === kind) && one.kind !== exceptKind)
                  .filter((one) => spaceId === undefined || one.spaceId === spaceId)
                  .filter((one) => isIn(one, state, at.now)),
                { cursor, limit }
              ).items
            )
          ),
        find: (id) => read((at) => Effect.succeed(own(at).find((one) => one.id === id) ?? null)),
        mark: (ids, action, event, passed) =>
          write((at) => {
            const { append, now, reach, rows } = at
            const marked = own(at).filter(
              ({ dismissedAt, id, readAt }) =>
                ids.includes(id) && (action === "read" ? readAt === null && dismissedAt === null : dismissedAt === null)
            )
            for (const one of marked) {
              rows.put(notificationTable, { ...one, ...(action === "read" ? { readAt: now } : { dismissedAt: now }) })
            }
            if (marked.length > 0) append(reach.principal.personId, event, passed)
            return Effect.succeed(marked.length)
          }),
        markSubjectRead: (kind, subjectId) =>
          write(({ now, reach, rows }) => {
            const { spaces } = reach.bounds("notification", "read")
            for (const one of rows.all(notificationTable)) {
              const isAsked = one.kind === kind && one.subjectId === subjectId && spaces.includes(one.spaceId)
              if (isAsked && isOpen(one)) rows.put(notificationTable, { ...one, readAt: now })
            }
            return Effect.void
          }),
        // The in-memory store marks nothing, because each read of a proposal checks whether the proposal has expired.
        settleExpired: Effect.void,
        forgetOld: atomically((rows) =>
          Effect.map(DateTime.now, (now) => {
            const before = DateTime.subtract(now, { days: keptDays })
            for (const { createdAt, id } of rows.all(notificationTable)) {
              if (DateTime.lessThan(createdAt, before)) rows.remove(notificationTable, id)
            }
          })
        ),
        people: (spaceId) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              inSpaces(reach.bounds("member", "read"), [spaceId]).spaces.flatMap(() => peopleIn(rows, spaceId))
            )
          ),
        preferences: read(({ reach, rows }) =>
          Effect.succeed(
            reach.bounds("notification", "read").spaces.includes(reach.principal.personId)
              ? (rows.find(preferenceTable, reach.principal.personId)?.preferences ?? standardPreferences)
              : standardPreferences
          )
        ),
        setPreferences: (preferences, heldUntil, passed) =>
          write((at) => {
            const { append, now, reach, rows } = at
            const { personId } = reach.principal
            if (!reach.bounds("notification", "read").spaces.includes(personId)) return Effect.void
            rows.put(preferenceTable, { personId, preferences })
            for (const one of own(at)) {
              const isHeld = one.heldUntil !== null && DateTime.greaterThan(one.heldUntil, now)
              if (isHeld) rows.put(notificationTable, { ...one, heldUntil })
            }
            append(personId, changedEvent(undefined, { preferences: true }), passed)
            return Effect.void
          })
      }
    })
  )
}

interface StoredRow extends StoredNotification {
  readonly eventIds: ReadonlyArray<string>
}

const notificationTable = memoryTable<StoredRow>("notifications", ({ id }) => id)
const preferenceTable = memoryTable<{
  readonly personId: string
  readonly preferences: NotificationPreferences
}>("notification_preferences", ({ personId }) => personId)

const peopleIn = (rows: Rows, spaceId: string): ReadonlyArray<NamedPerson> =>
  rows
    .all(membershipTable)
    .filter((member) => member.spaceId === spaceId)
    .flatMap(({ userId }) => rows.find(personTable, userId) ?? [])
    .filter(({ isSuspended }) => !isSuspended)
    .map(({ id, name }) => ({ id, name }))
