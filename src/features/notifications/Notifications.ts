/**
 * The service of a person's notifications. The person lists them, marks them as read, dismisses them, and sets the
 * preferences for notifications.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import type { Forbidden, NotFound } from "../../doors/Failure.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { cutPage, type Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import {
  endOfQuietHours,
  type ManyInput,
  type Notification,
  type NotificationInput,
  type NotificationPreferences,
  type PreferencesChange,
  type State,
  stateOf,
  type InboxStats,
  type StoredNotification
} from "./Notification.ts"
import {
  changedEvent,
  type NotificationAction,
  type NotificationFilter,
  NotificationStore
} from "./NotificationStore.ts"
import { type Notice, NotificationSubjects } from "./NotificationSubjects.ts"

// the pod stops counting unread notifications at this number, because nobody needs a more exact number
const countMax = 200
// The maximum number of reads of the store for one page. One read is sometimes not enough, because the store also
// returns notifications that the caller is not allowed to see.
const readsMax = 50

const notificationMissing = missingRecord("notification")

type NotificationChange<A> = Effect.Effect<A, Forbidden | Proposed, Reach>

export class Notifications extends Context.Tag("pod/Notifications")<
  Notifications,
  {
    /** Lists the notifications about records that the caller may read, latest event first. */
    readonly list: (input: NotificationInput) => Effect.Effect<Page<Notification>, Forbidden, Reach>
    /**
     * The number of unread notifications. Does not count notifications that quiet hours hold back, notifications about
     * which the person need not act any more, and notifications that `list` does not show.
     */
    readonly unreadCount: Effect.Effect<{ readonly count: number; readonly hasMore: boolean }, never, Reach>
    /** The number of unread notifications, and the number of notifications that quiet hours hold back. */
    readonly stats: Effect.Effect<InboxStats, never, Reach>
    /** Marks one notification as read, or dismisses it. A repeated call changes nothing and returns the same answer. */
    readonly mark: (
      id: string,
      action: NotificationAction
    ) => Effect.Effect<Notification, Forbidden | NotFound | Proposed, Reach>
    /**
     * Marks all unread notifications as read, or dismisses all notifications that are not dismissed yet. Returns how
     * many of them changed.
     */
    readonly markAll: (input: ManyInput, action: NotificationAction) => NotificationChange<number>
    readonly preferences: Effect.Effect<NotificationPreferences, never, Reach>
    readonly setPreferences: (change: PreferencesChange) => NotificationChange<NotificationPreferences>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const subjects = yield* NotificationSubjects
      const { exclusively } = yield* Transaction
      const passFor = yield* ownSpacePass("notification", { subject: "notification", actions: ["update"] })

      const filterOf = ({ exceptKind, kind, workspaceId }: Omit<ManyInput, "exceptWorkspaceIds">) =>
        workspaceId === undefined
          ? Effect.succeed({ kind, exceptKind, spaceId: undefined })
          : Effect.map(requestedSpace(workspaceId), (spaceId) => ({ kind, exceptKind, spaceId }))

      /** Returns the stored notifications that the caller may see, each with its title, its text and its state. */
      const seen = Effect.fnUntraced(function* (stored: ReadonlyArray<StoredNotification>) {
        const notices = yield* subjects.notices(stored)
        const now = yield* DateTime.now
        return stored.flatMap((one): ReadonlyArray<SeenNotification> => {
          const notice = notices.get(one.id)
          return notice === undefined ? [] : [{ one, notice, state: stateOf(one, notice.isSettled, now) }]
        })
      })

      /**
       * Reads pages from the store until there are enough notifications that the caller is allowed to see. The pages
       * can also contain notifications that the caller is not allowed to see.
       */
      const filled = Effect.fnUntraced(function* (
        filter: Omit<NotificationFilter, "limit">,
        isAsked: (seen: SeenNotification) => boolean,
        limit: number
      ) {
        const found: Array<SeenNotification> = []
        let cursor = filter.cursor
        for (let reads = 0; reads < readsMax && found.length < limit; reads++) {
          const stored = yield* store.list({ ...filter, cursor, limit })
          found.push(...(yield* seen(stored)).filter(isAsked))
          const last = stored.at(-1)
          if (last === undefined || stored.length < limit) break
          cursor = { at: DateTime.formatIso(last.updatedAt), id: last.id }
        }
        return found.slice(0, limit)
      })

      const isUnread = ({ state }: SeenNotification) => state === "unread"

      return {
        list: Effect.fnUntraced(function* ({ cursor, dismissed, limit, unread, ...input }) {
          const filter = yield* filterOf(input)
          const state = dismissed ? "dismissed" : unread ? "unread" : "open"
          const isAsked = state === "unread" ? isUnread : () => true
          const page = cutPage(yield* filled({ ...filter, state, cursor }, isAsked, limit + 1), limit, ({ one }) => ({
            at: DateTime.formatIso(one.updatedAt),
            id: one.id
          }))
          return { items: page.items.map(toWire), next: page.next }
        }),

        unreadCount: Effect.map(filled({ state: "unread" }, isUnread, countMax + 1), ({ length }) => ({
          count: Math.min(length, countMax),
          hasMore: length > countMax
        })),

        stats: Effect.gen(function* () {
          const unread = yield* filled({ state: "unread" }, isUnread, countMax)
          const snoozed = yield* filled({ state: "held" }, ({ state }) => state === "held", countMax)
          return { unread: unread.length, snoozed: snoozed.length }
        }),

        mark: Effect.fnUntraced(function* (id, action) {
          // Asks the gate before the look-up. So a caller who is not allowed to change notifications cannot learn which
          // ids exist.
          const passed = yield* passFor("update")
          const find = Effect.flatMap(store.find(id), (stored) => seen(stored === null ? [] : [stored]))
          const [before] = yield* find
          if (before === undefined) return yield* notificationMissing
          yield* store.mark([id], action, changedEvent(id, { deed: action }), passed)
          const [after] = yield* find
          return after === undefined ? yield* notificationMissing : toWire(after)
        }),

        markAll: Effect.fnUntraced(function* ({ exceptWorkspaceIds = [], ...input }, action) {
          const filter = yield* filterOf(input)
          const passed = yield* passFor("update")
          const state = action === "read" ? "unread" : "open"
          let [changed, cursor]: [number, NotificationFilter["cursor"]] = [0, undefined]
          for (let reads = 0; reads < readsMax; reads++) {
            const stored: ReadonlyArray<StoredNotification> = yield* store.list({
              ...filter,
              state,
              cursor,
              limit: countMax
            })
            const affected = (yield* seen(stored)).filter((one) => action === "dismiss" || isUnread(one))
            const ids = affected.flatMap(({ one }) => (exceptWorkspaceIds.includes(one.spaceId) ? [] : [one.id]))
            const event = changedEvent(undefined, { deed: action, isAll: true })
            if (ids.length > 0) changed += yield* store.mark(ids, action, event, passed.forNext)
            const last = stored.at(-1)
            if (last === undefined || stored.length < countMax) break
            cursor = { at: DateTime.formatIso(last.updatedAt), id: last.id }
          }
          return changed
        }),

        preferences: store.preferences,

        setPreferences: Effect.fnUntraced(function* (change) {
          yield* Effect.forEach(change.mutedWorkspaceIds ?? [], requestedSpace, { discard: true })
          const passed = yield* passFor("update")
          const { principal } = yield* Reach
          const merged = Effect.gen(function* () {
            const before = yield* store.preferences
            const { kinds, ...others } = change
            const preferences: NotificationPreferences = {
              ...before,
              ...others,
              kinds: { ...before.kinds, ...kinds }
            }
            yield* store.setPreferences(preferences, endOfQuietHours(preferences, yield* DateTime.now), passed)
            return preferences
          })
          // Without the lock, two simultaneous changes of different fields would overwrite each other.
          return yield* exclusively(`notification preferences of ${principal.personId}`, merged)
        })
      }
    })
  )
}

interface SeenNotification {
  readonly one: StoredNotification
  readonly notice: Notice
  readonly state: State
}

const toWire = ({ notice, one, state }: SeenNotification): Notification => ({
  id: one.id,
  kind: one.kind,
  state,
  title: notice.title,
  text: notice.text,
  count: one.count,
  workspaceId: workspaceIdOf(one.spaceId, one.personId),
  subjectId: one.subjectId,
  subjectType: one.subjectType,
  messageId: one.data.messageId ?? null,
  eventId: one.eventId,
  createdAt: one.createdAt,
  updatedAt: one.updatedAt,
  heldUntil: state === "held" ? one.heldUntil : null,
  readAt: one.readAt,
  dismissedAt: one.dismissedAt
})
