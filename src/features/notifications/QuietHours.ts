/** Quiet hours: the part of each day in which a person wants no new notifications. */
import { DateTime, Option, Schema } from "effect"
import { described } from "../../doors/Fields.ts"

const hour = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/**
 * A name of the time zone database, such as `Europe/Berlin`. An offset such as `+01:00` is not allowed, because it does
 * not follow summer time.
 */
const zoneName = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/

const TimeOfDay = Schema.String.pipe(Schema.pattern(hour))
const TimeZone = Schema.String.pipe(
  Schema.maxLength(64),
  Schema.filter(
    (name) =>
      (zoneName.test(name) && Option.isSome(DateTime.zoneMakeNamed(name))) ||
      "Send the name of an IANA time zone, such as `Europe/Berlin`.",
    {
      jsonSchema: { type: "string", maxLength: 64, description: "IANA time zone, such as `Europe/Berlin`." },
      arbitrary: () => (check) => check.constantFrom("UTC", "Europe/Berlin", "Asia/Kolkata")
    }
  )
)

export const QuietHours = Schema.Struct({
  from: described("Beginning of the quiet hours, as `HH:MM`.", TimeOfDay),
  to: described(
    "End of the quiet hours, as `HH:MM`. An end that is earlier than `from` is on the next day.",
    TimeOfDay
  ),
  timezone: described("IANA time zone, such as `Europe/Berlin`.", TimeZone)
})
  .pipe(
    Schema.filter(
      ({ from, to }) =>
        from !== to || { path: ["to"], message: "The end of the quiet hours is equal to `from`. Use another time." }
    )
  )
  .annotations({ identifier: "QuietHours" })
export type QuietHours = typeof QuietHours.Type

const partsOf = (time: string) => ({ hours: Number(time.slice(0, 2)), minutes: Number(time.slice(3)) })

/**
 * Returns the end of the quiet hours that contain this moment. Returns null if the moment is not in quiet hours. The
 * end is the next time at which the clocks of the time zone show `to`. So if summer time begins or ends in a night, the
 * quiet hours of that night are an hour shorter or longer.
 */
export const quietUntil = (quiet: QuietHours | null, now: DateTime.Utc): DateTime.Utc | null => {
  if (quiet === null) return null
  const zoned = DateTime.unsafeMakeZoned(now, { timeZone: quiet.timezone })
  const { hours, minutes } = DateTime.toParts(zoned)
  const time = `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`
  const { from, to } = quiet
  const isQuiet = from < to ? from <= time && time < to : time >= from || time < to
  if (!isQuiet) return null
  const today = DateTime.setParts(zoned, { ...partsOf(to), seconds: 0, millis: 0 })
  const end = DateTime.greaterThan(today, zoned) ? today : DateTime.add(today, { days: 1 })
  return DateTime.toUtc(end)
}
