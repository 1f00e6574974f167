/** Rows of notifications as the database returns them, and their conversion to domain objects. */
import { DateTime } from "effect"
import { utcOrNull } from "../../platform/RowTimes.ts"
import type { Kind, NotificationData, StoredNotification, SubjectType } from "./Notification.ts"

export interface NotificationRow {
  readonly id: string
  readonly space_id: string
  readonly person_id: string
  readonly event_id: string
  readonly count: number
  readonly kind: Kind
  readonly subject_id: string
  readonly subject_type: SubjectType
  readonly data: NotificationData
  readonly held_until: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly read_at: Date | null
  readonly dismissed_at: Date | null
}

export const notificationColumns = `notice.id, notice.space_id, notice.person_id, notice.event_id, notice.count, notice.kind,
  notice.subject_id, notice.subject_type, notice.data, notice.held_until, notice.created_at, notice.updated_at, notice.read_at,
  notice.dismissed_at`

export const notificationOf = (row: NotificationRow): StoredNotification => ({
  id: row.id,
  spaceId: row.space_id,
  personId: row.person_id,
  eventId: row.event_id,
  count: row.count,
  kind: row.kind,
  subjectId: row.subject_id,
  subjectType: row.subject_type,
  data: row.data,
  heldUntil: utcOrNull(row.held_until),
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at),
  readAt: utcOrNull(row.read_at),
  dismissedAt: utcOrNull(row.dismissed_at)
})
