/**
 * Finds when a schedule was last due. It does not use `Cron.prev` of Effect, which has two faults. `Cron.prev` does not
 * find an earlier 29 February if the search begins in March or later of a year without 29 February. For 31 February it
 * returns 3 March.
 */
import { Cron } from "effect"

const dayMs = 86_400_000

/** Returns the values of a cron field, highest first. An empty field means every number below `size`. */
const descending = (field: ReadonlySet<number>, size: number): ReadonlyArray<number> =>
  (field.size === 0 ? Array.from({ length: size }, (_, at) => at) : [...field]).toSorted((one, other) => other - one)

/**
 * Returns the latest time of a schedule that is later than `after` and not later than `until`. Returns null if there is
 * no such time. All times are milliseconds since 1970, in UTC. A schedule is exact to the minute. Throws if the cron
 * cannot be read.
 */
export const latestTime = (cron: string, after: number, until: number): number | null => {
  const times = Cron.unsafeParse(cron, "UTC")
  const hours = descending(times.hours, 24)
  const minutes = descending(times.minutes, 60)
  const inDay = (day: number): number | undefined => {
    for (const hour of hours) {
      const minute = minutes.find((each) => day + (hour * 60 + each) * 60_000 <= until)
      if (minute !== undefined) return day + (hour * 60 + minute) * 60_000
    }
    return undefined
  }
  let day = Math.floor(until / dayMs) * dayMs
  while (day + dayMs > after) {
    const date = new Date(day)
    if (times.months.size > 0 && !times.months.has(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0) // the last day of the previous month
      continue
    }
    const at = inDay(day)
    if (at !== undefined && Cron.match(times, at)) return at > after ? at : null
    day -= dayMs
  }
  return null
}
