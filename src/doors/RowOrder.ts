/**
 * The orders in which the in-memory stores list their rows, and the place of a cursor in them. The SQL stores write the
 * same as `ORDER BY updated_at DESC, id DESC`.
 */
import { DateTime } from "effect"
import type { Cursor } from "./Cursor.ts"

interface Row {
  readonly id: string
}

interface UpdatedRow extends Row {
  readonly updatedAt: DateTime.Utc
}

/** Compares two rows, so that the newest is first. An id begins with the time at which it was made. */
export const newestFirst = ({ id: one }: Row, { id: other }: Row): number => (one < other ? 1 : one > other ? -1 : 0)

/** Compares two rows, so that the row with the latest update is first. */
export const latestFirst = (one: UpdatedRow, other: UpdatedRow): number =>
  DateTime.distance(one.updatedAt, other.updatedAt) || newestFirst(one, other)

/** Returns true if a row with this time and this id is behind the cursor. Without a cursor, every row is. */
export const isBehind = (cursor: Cursor | undefined, time: DateTime.Utc, id: string): boolean => {
  if (cursor === undefined || cursor.at === null) return true
  const at = DateTime.formatIso(time)
  return at < cursor.at || (at === cursor.at && id < cursor.id)
}
