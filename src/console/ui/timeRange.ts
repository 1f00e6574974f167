/** The range of time that a list shows. The address of every page with such a list has the same three values. */
import { endOfDay, startOfDay, timeIn } from "./localDays.ts"
import { oneOf } from "./searchValues.ts"

export const periodNames = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days"
} as const

export type Period = keyof typeof periodNames

// `Object.keys` returns exactly the names of this literal.
export const periods = Object.keys(periodNames) as ReadonlyArray<Period>

const minuteMs = 60_000
const hours: Readonly<Record<Period, number>> = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "90d": 90 * 24 }

export interface TimeRange {
  /**
   * A period that ends now, so a link with it shows other rows tomorrow. If it is set, `since` and `until` have no
   * effect.
   */
  readonly last?: Period | undefined
  /** The time of the first shown rows, such as `2027-02-28T00:00:00.000Z`. */
  readonly since?: string | undefined
  /** The time of the last shown rows. */
  readonly until?: string | undefined
}

/** The address without a range of time. The page then shows its own usual range. */
export const noTimeRange = { last: undefined, since: undefined, until: undefined } as const

export const isRange = ({ last, since, until }: TimeRange): boolean =>
  last !== undefined || since !== undefined || until !== undefined

/** Reads the range from the search part of an address. */
export const timeRangeIn = (raw: Record<string, unknown>): TimeRange => ({
  last: oneOf(raw["last"], periods),
  since: timeIn(raw["since"], startOfDay),
  until: timeIn(raw["until"], endOfDay)
})

/**
 * The times of the range, as the pod wants them. The beginning of a period is a whole minute, so that a page does not
 * read the list again each time it is drawn.
 */
export const timesOf = (
  { last, since, until }: TimeRange,
  nowMs = Date.now()
): { readonly fromDate?: string; readonly until?: string } => {
  if (last !== undefined) {
    const beginMs = Math.floor(nowMs / minuteMs) * minuteMs - hours[last] * 60 * minuteMs
    return { fromDate: new Date(beginMs).toISOString() }
  }
  return { ...(since === undefined ? {} : { fromDate: since }), ...(until === undefined ? {} : { until }) }
}
