/**
 * Converts between the days that a person chooses in a date field and the times in the address of the page. A day begins
 * and ends at midnight where the person is, but a time is the same for everybody who opens the address.
 */

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/

/** The beginning of the local day that is `days` days later than this day. Undefined if the text is no day. */
const midnight = (day: string, days: number): Date | undefined => {
  const [, year, month, date] = dayForm.exec(day) ?? []
  if (year === undefined) return undefined
  const found = new Date(Number(year), Number(month) - 1, Number(date) + days)
  return Number.isNaN(found.getTime()) ? undefined : found
}

/** The first moment of a day such as `2027-02-28`, as a time such as `2027-02-28T05:00:00.000Z`. */
export const startOfDay = (day: string): string | undefined => midnight(day, 0)?.toISOString()

/** The last millisecond of a day. */
export const endOfDay = (day: string): string | undefined => {
  const next = midnight(day, 1)
  return next === undefined ? undefined : new Date(next.getTime() - 1).toISOString()
}

const twoDigits = (number: number) => String(number).padStart(2, "0")

/** The local day of a time, for a date field. Empty without a time. */
export const dayOf = (time: string | undefined): string => {
  if (time === undefined) return ""
  const at = new Date(time)
  return `${String(at.getFullYear()).padStart(4, "0")}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
}

/**
 * Reads a time in an address. A day without a time of day becomes the time that `ofDay` returns. Undefined if the text
 * is no time.
 */
export const timeIn = (value: unknown, ofDay: (day: string) => string | undefined): string | undefined => {
  if (typeof value !== "string" || value === "") return undefined
  if (dayForm.test(value)) return ofDay(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
