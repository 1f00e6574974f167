/** Writes a point in time as ISO text. */

const dayMs = 86_400_000
// the latest time of a JavaScript Date in milliseconds; minus this number is the earliest time
const lastMs = 8.64e15
// the texts of this many days are cached; the times of one listing rarely fall on more days
const daysMax = 1000

const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"))
const three = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"))

const days = new Map<number, string>()

/** Returns the date of a day with the `T` at its end. */
const dayOf = (day: number): string => {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * dayMs).toISOString().slice(0, -"00:00:00.000Z".length)
  if (days.size >= daysMax) days.clear()
  days.set(day, text)
  return text
}

/**
 * Returns the same text as `new Date(epochMs).toISOString()`, in a third of the time (measured). This matters because a
 * listing of fifty records contains a hundred points in time. For numbers with a fraction and for invalid times, the
 * function calls `toISOString`. Remove this function when `toISOString` is as fast.
 */
export const isoTextOf = (epochMs: number): string => {
  if (!Number.isInteger(epochMs) || Math.abs(epochMs) > lastMs) return new Date(epochMs).toISOString()
  const day = Math.floor(epochMs / dayMs)
  const ms = epochMs - day * dayMs
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${dayOf(day)}${two[hours]}:${two[minutes - hours * 60]}:${two[seconds - minutes * 60]}.${three[ms - seconds * 1000]}Z`
}
