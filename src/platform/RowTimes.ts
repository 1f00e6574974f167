/** Converts times of rows that can be null, and compares times. The driver has a `Date`, and the pod a `DateTime`. */
import { DateTime } from "effect"

/** Undefined stands for the column of a row that does not exist. */
export const utcOrNull = (at: Date | null | undefined): DateTime.Utc | null =>
  at == null ? null : DateTime.unsafeFromDate(at)

export const dateOrNull = (at: DateTime.Utc | null): Date | null => (at === null ? null : DateTime.toDateUtc(at))

/** Makes the text of a time for a statement that reads its rows from JSON. */
export const isoOrNull = (at: DateTime.Utc | null): string | null => (at === null ? null : DateTime.formatIso(at))

/** Returns the earliest time. Returns null if there is no time. */
export const earliestOf = (times: ReadonlyArray<DateTime.Utc>): DateTime.Utc | null =>
  times.reduce<DateTime.Utc | null>((earliest, at) => (earliest === null ? at : DateTime.min(earliest, at)), null)
