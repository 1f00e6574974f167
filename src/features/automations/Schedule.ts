/**
 * Converts a schedule from words to cron and back. For example, "every monday at 9:00" is `0 9 * * 1`. Times are UTC.
 */
import { Cron, Either, Option } from "effect"

const dayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

type Read = Either.Either<string, string>
const notASchedule = (why: string): Read => Either.left(why)

const fieldForm = /^(?:\*|\d{1,2}(?:-\d{1,2})?)(?:\/[1-9]\d?)?(?:,\d{1,2}(?:-\d{1,2})?(?:\/[1-9]\d?)?)*$/

/** Reads five cron fields. Refuses a schedule that never occurs, such as one for only 30 February. */
const readCron = (text: string): Read => {
  const fields = text.split(" ")
  const refusal = "must have these five cron fields: minute, hour, day, month, weekday."
  if (fields.length !== 5 || !fields.every((field) => fieldForm.test(field))) return notASchedule(refusal)
  return Either.match(Cron.parse(text), {
    onLeft: () => notASchedule(refusal),
    onRight: ({ days, months }) => {
      const inMonths = months.size === 0 ? [1] : [...months]
      // If the weekday field of a cron begins with a star, only the day of the month counts, and no month might have
      // this day. With any other weekday field, the weekday alone is enough, so the schedule always occurs.
      const hasWeekday = !fields[4].startsWith("*")
      const first = days.size === 0 ? 1 : Math.min(...days)
      const isPossible = hasWeekday || inMonths.some((month) => first <= daysInMonth[month - 1])
      return isPossible ? Either.right(text) : notASchedule("contains a day that no month has.")
    }
  })
}

const clockForm = /^(\d{1,2})(?:[:.](\d\d))?\s?(am|pm)?$/

/** Reads a time of day, such as "9", "9:30", "9 pm", "noon" or "midnight", into the cron fields for minute and hour. */
const readClock = (text: string): Option.Option<string> => {
  if (text === "noon") return Option.some("0 12")
  if (text === "midnight") return Option.some("0 0")
  const match = clockForm.exec(text)
  if (match === null) return Option.none()
  const [, digits, minutes = "0", half] = match
  const hour = half === undefined ? Number(digits) : (Number(digits) % 12) + (half === "pm" ? 12 : 0)
  const isTime =
    Number(minutes) < 60 && hour < 24 && (half === undefined || (Number(digits) > 0 && Number(digits) < 13))
  return isTime ? Option.some(`${Number(minutes)} ${hour}`) : Option.none()
}

/** Reads "monday and thursday", "weekday" or "weekend" into the cron field for weekdays. */
const readDays = (text: string): Option.Option<string> => {
  if (/^(?:weekday|workday)s?$/.test(text)) return Option.some("1-5")
  if (/^weekends?$/.test(text)) return Option.some("0,6")
  const days = text.split(/, and | and |, | /).map((name) => dayNames.indexOf(name.replace(/s$/, "")))
  return days.includes(-1)
    ? Option.none()
    : Option.some([...new Set(days)].toSorted((one, other) => one - other).join(","))
}

const divides = { minute: 60, hour: 24, month: 12 } as const

/**
 * Reads a schedule such as "every 15 minutes". Cron starts to count again in each hour, day or year. So the number must
 * divide 60 minutes, 24 hours or 12 months evenly. Otherwise the time between two runs would not always be the same.
 */
const readStep = (count: number, unit: string): Option.Option<Read> => {
  if (unit !== "minute" && unit !== "hour" && unit !== "month") return Option.none()
  const whole = divides[unit]
  if (count < 1 || count >= whole || whole % count !== 0) {
    const steps = Array.from({ length: whole - 1 }, (_, at) => at + 1).filter((step) => whole % step === 0)
    return Option.some(
      notASchedule(`cannot run every ${count} ${unit}s at even intervals: use one of the numbers ${steps.join(", ")}.`)
    )
  }
  const step = count === 1 ? "*" : `*/${count}`
  if (unit === "minute") return Option.some(Either.right(`${step} * * * *`))
  if (unit === "hour") return Option.some(Either.right(`0 ${step} * * *`))
  return Option.none()
}

const adverbs: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  weekly: "week",
  monthly: "month",
  yearly: "year",
  annually: "year"
}
const dayTimes = /^(?:morning|afternoon|evening|night)s?$/

const examples =
  "must give the time in a form such as “every day at 9:00”, “every monday”, “every 15 minutes” or “every month on day 1”."

/** Reads the days of a schedule. `time` has the cron fields for minute and hour. */
const readPeriod = (period: string, time: string): Read => {
  const ofMonth = /^month on (?:the |day )?(\d{1,2})(?:st|nd|rd|th)?$/.exec(period)
  if (ofMonth !== null) {
    const day = Number(ofMonth[1])
    return day >= 1 && day <= 28
      ? Either.right(`${time} ${day} * *`)
      : notASchedule("contains a day that some months do not have: use a day from 1 to 28.")
  }
  const months = /^(\d{1,2}) months$/.exec(period)
  if (months !== null) {
    const count = Number(months[1])
    return Option.getOrElse(readStep(count, "month"), () =>
      Either.right(`${time} 1 ${count === 1 ? "*" : `*/${count}`} *`)
    )
  }
  if (period === "day") return Either.right(`${time} * * *`)
  if (period === "week") return Either.right(`${time} * * 1`)
  if (period === "month") return Either.right(`${time} 1 * *`)
  if (period === "year") return Either.right(`${time} 1 1 *`)
  return Option.match(readDays(period.replace(/^week on /, "")), {
    onNone: () => notASchedule(examples),
    onSome: (days) => Either.right(`${time} * * ${days}`)
  })
}

const periods =
  "second minute hour day morning afternoon evening night week weekday workday weekend fortnight month year"
const beginsSchedule = new RegExp(`^(?:\\d|(?:${[...dayNames, ...periods.split(" ")].join("|")})s?(?:$|[ ,]))`)

/** Replaces "once a week" by "every week", which means the same. */
const withoutOnce = (text: string): string =>
  text.replace(/^once (?:a|an|per|each|every) (?=(?:hour|day|week|month|year)(?: |$))/, "every ")

/** Returns true if a clause looks like a schedule, even if the pod cannot read the schedule. */
export const isSchedule = (text: string): boolean =>
  text.startsWith("cron ") ||
  Object.hasOwn(adverbs, text.split(" ")[0]) ||
  beginsSchedule.test(withoutOnce(text).replace(/^(?:on|every|each) /, ""))

/**
 * Reads a schedule that is written in words, and returns its cron. The words must be in lower case with single spaces.
 * A schedule without a time of day is due at midnight, and a weekly schedule without a day is due on Monday. If the
 * function refuses the text, it returns a Left with the reason.
 */
export const readSchedule = (text: string): Read => {
  if (text.startsWith("cron ")) return readCron(text.slice("cron ".length))
  const [first, ...others] = withoutOnce(text).split(" ")
  const words = Object.hasOwn(adverbs, first)
    ? [adverbs[first], ...others]
    : /^(?:every|each|on)$/.test(first)
      ? others
      : [first, ...others]
  const phrase = words.join(" ")
  const step = /^(?:(\d{1,4}) )?(minute|hour)s?$/.exec(phrase)
  if (step !== null) {
    return Option.getOrElse(readStep(Number(step[1] ?? 1), step[2]), () => notASchedule(examples))
  }
  const at = phrase.lastIndexOf(" at ")
  const period = at < 0 ? phrase : phrase.slice(0, at)
  if (dayTimes.test(period)) {
    return at < 0
      ? notASchedule("does not say at what time: write, for example, “every day at 9:00”.")
      : readSchedule(`every day${phrase.slice(at)}`)
  }
  const time = at < 0 ? Option.some("0 0") : readClock(phrase.slice(at + " at ".length))
  return Option.match(time, {
    onNone: () =>
      notASchedule(`contains "${phrase.slice(at + " at ".length)}" as a time: write a time such as 9:00 or 21:30.`),
    onSome: (clock) => readPeriod(period, clock)
  })
}

const and = (names: ReadonlyArray<string>): string =>
  names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

/**
 * Writes a cron in words that possibly describe the same schedule. The caller parses the words again and compares the
 * result with the cron.
 */
const inWords = ([minute, hour, day, month, weekday]: ReadonlyArray<string>): string => {
  const at = minute === "0" && hour === "0" ? "" : ` at ${hour}:${minute.padStart(2, "0")}`
  if (hour === "*") return minute === "*" ? "every minute" : `every ${minute.slice(2)} minutes`
  if (hour.startsWith("*/")) return `every ${hour.slice(2)} hours`
  if (weekday === "1-5") return `every weekday${at}`
  if (weekday === "0,6") return `every weekend${at}`
  if (weekday !== "*") return `every ${and(weekday.split(",").map((name) => dayNames[Number(name)] ?? "never"))}${at}`
  if (month.startsWith("*/")) return `every ${month.slice(2)} months${at}`
  if (month === "1") return `every year${at}`
  return day === "*" ? `every day${at}` : `every month on day ${day}${at}`
}

/** Writes a schedule in words if the words mean exactly the same as the cron. Otherwise writes the cron. */
export const writeSchedule = (cron: string): string => {
  if (cron === "0 * * * *") return "every hour"
  const words = inWords(cron.split(" "))
  return Either.getOrUndefined(readSchedule(words)) === cron ? words : `cron ${cron}`
}
