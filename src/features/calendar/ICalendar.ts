/** Writes a calendar in the format of RFC 5545: events with a day or an instant, escaped texts, and folded lines. */
import { DateTime } from "effect"

export interface CalendarItem {
  readonly id: string
  readonly title: string
  readonly description: string | null
  /** The start as the record states it: a day or an instant. `end` is null if the record has no end. */
  readonly start: CalendarMoment
  readonly end: CalendarMoment | null
  readonly changedAt: DateTime.Utc
}

export interface CalendarMoment {
  readonly ms: number
  readonly isDay: boolean
}

const lineBytes = 75 // the maximum number of octets of a line, without its line break (RFC 5545, section 3.1)

/** Escapes a text (RFC 5545, section 3.3.11). Control characters are not allowed, so they become spaces. */
const escapeText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    // oxlint-disable-next-line no-control-regex -- exactly the characters that the format forbids
    .replaceAll(/[\x00-\x09\x0b-\x1f\x7f]/g, " ")
    .replaceAll(/[\\;,]/g, (special) => `\\${special}`)
    .replaceAll("\n", "\\n")

/**
 * Cuts a line into pieces of at most 75 octets, but never inside a character. Each piece after the first begins with a
 * space.
 */
const foldLine = (line: string): string => {
  const pieces: Array<string> = []
  let piece = ""
  let bytes = 0
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (bytes + size > lineBytes) {
      pieces.push(piece)
      piece = " "
      bytes = 1
    }
    piece += letter
    bytes += size
  }
  return [...pieces, piece].join("\r\n")
}

const instant = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, "")
const day = (ms: number) => instant(ms).slice(0, 8)
const dayMs = 86_400_000

const momentOf = (name: string, { isDay, ms }: CalendarMoment) =>
  isDay ? `${name};VALUE=DATE:${day(ms)}` : `${name}:${instant(ms)}`

/**
 * Returns the end of an event. The end is a day if the start is a day, and otherwise an instant. RFC 5545 excludes the
 * end day from the event, so this function returns the day after the last day. Returns null if there is no valid end.
 */
const endOf = ({ end, start }: CalendarItem): CalendarMoment | null => {
  if (end === null || end.ms < start.ms) return null
  if (start.isDay) return { isDay: true, ms: Math.floor(end.ms / dayMs) * dayMs + dayMs }
  if (end.ms === start.ms) return null
  return { isDay: false, ms: end.isDay ? end.ms + dayMs : end.ms }
}

const eventLines = (item: CalendarItem): ReadonlyArray<string> => {
  const end = endOf(item)
  return [
    "BEGIN:VEVENT",
    `UID:${item.id}@pod`,
    `DTSTAMP:${instant(DateTime.toEpochMillis(item.changedAt))}`,
    momentOf("DTSTART", item.start),
    ...(end === null ? [] : [momentOf("DTEND", end)]),
    `SUMMARY:${escapeText(item.title)}`,
    ...(item.description === null ? [] : [`DESCRIPTION:${escapeText(item.description)}`]),
    "END:VEVENT"
  ]
}

export const calendarText = (name: string, items: ReadonlyArray<CalendarItem>): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Pod//Calendar feed//EN",
    "CALSCALE:GREGORIAN",
    `X-WR-CALNAME:${escapeText(name)}`,
    ...items.flatMap(eventLines),
    "END:VCALENDAR"
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join("")
