/**
 * A notification: a message to a person about an event. The store keeps only ids. The pod makes the text when the
 * person reads the notification.
 */
import { DateTime, Schema } from "effect"
import { described, example, flagQuery, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { cursorField } from "../../doors/Cursor.ts"
import { limitInput, limitQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { QuietHours, quietUntil } from "./QuietHours.ts"

export const Kind = Schema.Literal(
  "proposal_waiting",
  "proposal_decided",
  "webhook_failing",
  "key_ending",
  "mention",
  "automation_failed",
  "automation_notice",
  "post"
).annotations({ identifier: "NotificationKind" })
export type Kind = typeof Kind.Type

/** The type of the record that a notification is about. The person must be able to read this record. */
export const SubjectType = Schema.Literal(
  "proposal",
  "webhook",
  "apiKey",
  "thread",
  "document",
  "automation"
).annotations({ identifier: "NotificationSubject" })
export type SubjectType = typeof SubjectType.Type

/**
 * A notification is in exactly one state. `held` means that the pod stored it in quiet hours that have not ended yet.
 * If a notification is about a proposal that no longer waits for a decision, its state is `read`, unless the person has
 * dismissed it.
 */
export const State = Schema.Literal("held", "unread", "read", "dismissed").annotations({
  identifier: "NotificationState"
})
export type State = typeof State.Type

export const Notification = Schema.Struct({
  id: Id,
  kind: Kind,
  state: described(
    "`held`: stored in quiet hours, and counted as unread only from `heldUntil` on. `dismissed`: listed only on request.",
    State
  ),
  title: Schema.String,
  text: described("Text of the object, as far as you may read it now.", Schema.NullOr(Schema.String)),
  count: described(
    "Number of events in this notification. While the notification is unread, the pod adds further events.",
    Schema.Number
  ),
  workspaceId: described("Workspace of the object; null means the personal space.", Schema.NullOr(WorkspaceId)),
  subjectId: described("Id of the object that the event is about.", Id),
  subjectType: described("Type of the object.", SubjectType),
  messageId: described("Id of the latest message; only for a mention or a post.", Schema.NullOr(Id)),
  eventId: described("Id of the first event in this notification.", Id),
  createdAt: Timestamp,
  updatedAt: described("Time of the latest event in this notification.", Timestamp),
  heldUntil: described("End of the quiet hours; then the notification counts as unread.", Schema.NullOr(Timestamp)),
  readAt: Schema.NullOr(Timestamp),
  dismissedAt: Schema.NullOr(Timestamp)
}).annotations({ identifier: "Notification" })
export type Notification = typeof Notification.Type

/** The record that a notice is about. A notice is a message from an automation rule. */
export const NoticeRecord = Schema.Struct({ type: Schema.String, id: Id, spaceId: Id })

/**
 * The ids of the records that a notification is about. For a notice, the data also contain the text of the automation
 * rule.
 */
export const NotificationData = Schema.Struct({
  messageId: Schema.optional(Id),
  text: Schema.optional(Schema.String),
  /**
   * The record that the notice is about. Null means that the notice is about no record. If this field is absent, the
   * pod shows the notice without its text.
   */
  about: Schema.optional(Schema.NullOr(NoticeRecord)),
  /** Whether the pod shows the title of the record after the text. */
  showsTitle: Schema.optional(Schema.Boolean)
})
export type NotificationData = typeof NotificationData.Type

export interface StoredNotification {
  readonly id: string
  readonly spaceId: string
  readonly personId: string
  readonly eventId: string
  readonly count: number
  readonly kind: Kind
  readonly subjectId: string
  readonly subjectType: SubjectType
  readonly data: NotificationData
  readonly heldUntil: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  readonly readAt: DateTime.Utc | null
  readonly dismissedAt: DateTime.Utc | null
}

/**
 * A planned notification. If `isOnce` is true, a person who already has a notification about the same record gets no
 * second one.
 */
export interface PlannedNotification extends Pick<
  StoredNotification,
  "id" | "spaceId" | "eventId" | "kind" | "subjectId" | "subjectType" | "data" | "heldUntil"
> {
  readonly isOnce: boolean
}

/**
 * Returns the state of a notification at a given time. `isSettled` is true if the person need not act any more. For
 * example, somebody has already decided on the proposal.
 */
export const stateOf = (
  { dismissedAt, heldUntil, readAt }: Pick<StoredNotification, "dismissedAt" | "heldUntil" | "readAt">,
  isSettled: boolean,
  now: DateTime.Utc
): State => {
  if (dismissedAt !== null) return "dismissed"
  if (readAt !== null || isSettled) return "read"
  return heldUntil !== null && DateTime.greaterThan(heldUntil, now) ? "held" : "unread"
}

const kinds = Schema.Struct({
  proposal_waiting: described("Notify me when a proposal waits for me.", Schema.Boolean),
  proposal_decided: described("Notify me when my proposal is decided.", Schema.Boolean),
  webhook_failing: described("Notify me when my webhook fails.", Schema.Boolean),
  key_ending: described("Notify me when my key expires soon.", Schema.Boolean),
  mention: described("Notify me when somebody mentions me.", Schema.Boolean),
  automation_failed: described("Notify me when my automation rule fails.", Schema.Boolean),
  automation_notice: described("Notify me if an automation rule sends me a notice.", Schema.Boolean),
  post: described("Notify me when an agent posts to me.", Schema.Boolean)
} satisfies Record<Kind, unknown>)
// the maximum number of workspaces that a person can mute
const mutedMax = 200

const fields = {
  kinds: described("Whether you want notifications of each kind.", kinds),
  quietHours: described(
    "Quiet hours. Notifications of these hours count as unread only after the end.",
    Schema.NullOr(QuietHours)
  ),
  alertsPassQuietHours: described("Whether posts of type `alert` arrive in quiet hours too.", Schema.Boolean),
  mutedWorkspaceIds: described(
    "Workspaces from which you get no notifications.",
    Schema.Array(Id).pipe(Schema.maxItems(mutedMax))
  )
}

export const NotificationPreferences = Schema.Struct(fields).annotations({ identifier: "NotificationPreferences" })
export type NotificationPreferences = typeof NotificationPreferences.Type

export const PreferencesChange = Schema.Struct({
  ...fields,
  kinds: described(
    "Kinds to switch on or off. All other kinds stay as they are.",
    Schema.partialWith(Schema.Record({ key: Kind, value: Schema.Boolean }), { exact: true })
  )
})
  .pipe(Schema.partialWith({ exact: true }))
  .annotations({ identifier: "NotificationPreferencesChange" })
export type PreferencesChange = typeof PreferencesChange.Type

/** The preferences of a person who never changed them: notifications of every kind, and no quiet hours. */
export const standardPreferences: NotificationPreferences = {
  kinds: {
    proposal_waiting: true,
    proposal_decided: true,
    webhook_failing: true,
    key_ending: true,
    mention: true,
    automation_failed: true,
    automation_notice: true,
    post: true
  },
  quietHours: null,
  alertsPassQuietHours: false,
  mutedWorkspaceIds: []
}

/** Returns true if the person's preferences allow this notification. */
export const isWanted = (
  { kinds, mutedWorkspaceIds }: Pick<NotificationPreferences, "kinds" | "mutedWorkspaceIds">,
  kind: Kind,
  workspaceId: string
): boolean => kinds[kind] && !mutedWorkspaceIds.includes(workspaceId)

/**
 * Returns the time until which quiet hours hold back a new notification. Returns null if no quiet hours hold back the
 * notification.
 */
export const endOfQuietHours = ({ quietHours }: Pick<NotificationPreferences, "quietHours">, now: DateTime.Utc) =>
  quietUntil(quietHours, now)

const filters = {
  kind: Schema.optional(Kind),
  exceptKind: described("Leave out the notifications of this kind.", Schema.optional(Kind)),
  workspaceId: Schema.optional(WorkspaceId)
}
const unread = "Whether to list only unread notifications."
const dismissedText = "Whether to list only dismissed notifications."

export const NotificationQuery = Schema.Struct({
  ...filters,
  unread: described(unread, flagQuery(false)),
  dismissed: described(dismissedText, flagQuery(false)),
  limit: limitQuery(50, 100),
  cursor: cursorField("notifications")
})
const flag = (meaning: string) => described(meaning, Schema.optionalWith(Schema.Boolean, { default: () => false }))
export const NotificationInput = Schema.Struct({
  ...filters,
  unread: flag(unread),
  dismissed: flag(dismissedText),
  limit: limitInput(50, 100),
  cursor: cursorField("notifications")
})
export type NotificationInput = typeof NotificationInput.Type

/** The filter for a request that marks or dismisses several notifications together. */
export const ManyInput = example(
  Schema.Struct({
    ...filters,
    exceptWorkspaceIds: described(
      "Leave out the notifications of these workspaces.",
      Schema.optional(Schema.Array(Id).pipe(Schema.maxItems(mutedMax)))
    )
  }).annotations({ identifier: "NotificationSelection" }),
  { exceptKind: "proposal_waiting" }
)
export type ManyInput = typeof ManyInput.Type

export const UnreadCount = Schema.Struct({
  count: Schema.Number,
  hasMore: described("True if more notifications are unread than `count`, which is at most 200.", Schema.Boolean)
}).annotations({ identifier: "UnreadCount" })

export const InboxStats = Schema.Struct({
  unread: described("Number of unread notifications; the pod counts at most 200.", Schema.Number),
  snoozed: described(
    "Number of notifications that wait for the end of quiet hours; the pod counts at most 200.",
    Schema.Number
  )
}).annotations({ identifier: "InboxStats" })
export type InboxStats = typeof InboxStats.Type

export const ChangedCount = Schema.Struct({
  success: Schema.Literal(true),
  count: Schema.Number
}).annotations({ identifier: "ChangedNotifications" })
