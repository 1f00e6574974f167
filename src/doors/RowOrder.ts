/** Orders in which the in-memory stores list their rows. Lists with pages declare their order in `PageOrder.ts`. */
import { DateTime } from "effect"

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
