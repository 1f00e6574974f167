/** The range of time of a list: the two fields of its input, and the rule that both keep together. */
import { DateTime, Effect, Schema } from "effect"
import { type Invalid, invalid } from "./Failure.ts"
import { described, TimestampInput } from "./Fields.ts"

/** Both times belong to the range. */
export interface TimeRange {
  readonly since?: DateTime.Utc | undefined
  readonly until?: DateTime.Utc | undefined
}

/** Makes the fields of a list of `what`, such as `the deliveries`. */
export const timeRangeFields = (what: string) => ({
  since: described(`Earliest time of ${what}.`, Schema.optional(TimestampInput)),
  until: described(`Latest time of ${what}.`, Schema.optional(TimestampInput))
})

/** Refuses a range that ends before it begins. */
export const checkTimeRange = ({ since, until }: TimeRange): Effect.Effect<void, Invalid> =>
  since !== undefined && until !== undefined && DateTime.lessThan(until, since)
    ? invalid("until", "Use a time that is not before the time in `since`.")
    : Effect.void
