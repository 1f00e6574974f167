/**
 * Notifies people. The pod stores a notification only for a person who may now read the record that it is about, and
 * who wants notifications of this kind.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { Passed } from "../gate/Passed.ts"
import { endOfQuietHours, isWanted, type PlannedNotification } from "./Notification.ts"
import { NotificationStore } from "./NotificationStore.ts"
import { NotificationSubjects } from "./NotificationSubjects.ts"

/**
 * A notification that the pod has not stored yet. The pod has not checked yet whether the person may read the record
 * that the notification is about.
 */
export interface NewNotification extends Pick<
  PlannedNotification,
  "spaceId" | "eventId" | "kind" | "subjectId" | "subjectType" | "data"
> {
  readonly correlationId: string
  readonly isOnce?: boolean
}

const work = {
  operation: "notifications.tell",
  reason: "notifying a person of an event",
  scope: "hub-protocol.read" as const
}

export class Notifier extends Context.Tag("pod/Notifier")<
  Notifier,
  {
    /**
     * Notifies a person, if the person may now read the record that the notification is about. `mayKnow` is a further
     * check, which runs with the rights of this person. Returns false in three cases: the person may not read the
     * record, does not want the notification, or already has it.
     */
    readonly notify: (
      personId: string,
      news: NewNotification,
      mayKnow?: Effect.Effect<boolean, never, Reach>
    ) => Effect.Effect<boolean>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const standing = yield* StandingReach
      const store = yield* NotificationStore
      const subjects = yield* NotificationSubjects

      return {
        notify: (personId, { correlationId, isOnce = false, ...news }, mayKnow = Effect.succeed(true)) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            if (!reach.bounds("notification", "read").spaces.includes(news.spaceId)) return false
            const preferences = yield* store.preferences
            if (!isWanted(preferences, news.kind, news.spaceId)) return false
            const id = uuidv7()
            const notice = (yield* subjects.notices([{ id, ...news }])).get(id)
            if (notice === undefined || notice.isSettled || !(yield* mayKnow)) return false
            const planned = { id, ...news, isOnce, heldUntil: endOfQuietHours(preferences, yield* DateTime.now) }
            return yield* store.add(planned, Passed.bySystem("notify a person"))
          }).pipe(
            (notification) => standing.run({ personId, keyId: null }, { ...work, correlationId }, notification),
            Effect.map(Option.getOrElse(() => false))
          )
      }
    })
  )
}
