/** Writes a time relative to now in words. */
const units: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60]
]

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" })

/** Turns a time in ISO 8601 into words, such as "in 3 days", "2 minutes ago" or "just now". */
export const relativeTime = (at: string, nowMs: number = Date.now()): string => {
  const seconds = (Date.parse(at) - nowMs) / 1000
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1]
  return unit === "second" ? "just now" : words.format(Math.round(seconds / size), unit)
}
