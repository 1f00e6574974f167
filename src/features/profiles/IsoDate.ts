/** Parses dates and times in ISO 8601. The result is the range of instants that the text means. */

const form =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/
// milliseconds
const minute = 60_000
const day = 24 * 60 * minute

/** The first and the last instant, in milliseconds since 1970. A day without a time means all instants of this day. */
export interface Instants {
  readonly first: number
  readonly last: number
}

/**
 * Returns the first and the last instant of a date or time. Returns null if the text is not a date, or if the day does
 * not exist. Reads a time without an offset as UTC.
 */
export const instantsOf = (text: string): Instants | null => {
  const [, date, hours, minutes, seconds, fraction, sign, offsetHours, offsetMinutes] = form.exec(text) ?? []
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  // JavaScript reads 30 February as 1 March or 2 March. So the code compares the parsed day with the given day.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return null
  if (hours === undefined) return { first: midnight, last: midnight + day - 1 }
  const offset = sign === undefined ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * minute
  const ms = Math.trunc(Number(`0.${fraction ?? 0}`) * 1000)
  const time = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds ?? 0) * 1000 + ms
  const instant = midnight + time - (sign === "-" ? -offset : offset)
  return { first: instant, last: instant }
}
