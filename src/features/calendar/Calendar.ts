/** The state of a calendar feed, and the calendar events that a feed shows. */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import type { Entity } from "../entities/Entity.ts"
import { instantsOf } from "../profiles/IsoDate.ts"
import type { CalendarItem, CalendarMoment } from "./ICalendar.ts"

export const CalendarFeedState = Schema.Struct({
  isActive: described("Whether you have a calendar feed.", Schema.Boolean),
  createdAt: described("Time when the URL of the feed was made; null without a feed.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "CalendarFeedState" })

export const CalendarFeedUrl = Schema.Struct({
  url: described(
    "URL of the feed, shown only in this answer. Anybody with the URL can read your records with dates.",
    Schema.String
  )
}).annotations({ identifier: "CalendarFeedUrl" })

/**
 * Names of the properties that contain the date at which the calendar event of a record starts. If a record has several
 * of these properties, the first name in this list is used. Letter case, `_` and `-` are ignored.
 */
const startNames = ["start", "startdate", "startsat", "begin", "date", "due", "duedate", "deadline", "closedate"]
const endNames = ["end", "enddate", "endsat", "until"]

const momentIn = (properties: ReadonlyMap<string, unknown>, names: ReadonlyArray<string>): CalendarMoment | null => {
  for (const name of names) {
    const value = properties.get(name)
    const instants = typeof value === "string" ? instantsOf(value) : null
    if (instants !== null) return { ms: instants.first, isDay: instants.last !== instants.first }
  }
  return null
}

/** Makes the calendar event of a record. Returns null if the record has no date. */
export const calendarItemOf = ({ description, id, properties, title, updatedAt }: Entity): CalendarItem | null => {
  const byName = new Map(
    Object.entries(properties).map(([name, value]) => [name.toLowerCase().replaceAll(/[-_]/g, ""), value])
  )
  const start = momentIn(byName, startNames)
  return start === null
    ? null
    : { id, title, description, start, end: momentIn(byName, endNames), changedAt: updatedAt }
}
