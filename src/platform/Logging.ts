/**
 * Writes log lines: JSON on standard output, or short text for a person at a terminal. A line never contains a header,
 * a key or a body.
 */
import { SqlError } from "@effect/sql"
import { Cause, Effect, HashMap, Layer, Logger, LogLevel } from "effect"
import { classify } from "./Database.ts"
import { escapeInvisible } from "../shared/visibleText.ts"
import type { LogFormat, LogOutput } from "./LogOutput.ts"
import { stepField } from "./StartSteps.ts"
import { type LogRepeats, logRepeats } from "./LogRepeats.ts"

const levels = { debug: LogLevel.Debug, info: LogLevel.Info, warn: LogLevel.Warning, error: LogLevel.Error } as const

const text = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ")

/** Text that looks like a credential, anywhere in a message or an error. */
const credential = /svc_(?:user|hub_live|hub_test)_[0-9A-Za-z_-]{8,}/g
const redact = (line: string) => line.replaceAll(credential, "svc_…")

/** Returns the name and the message of a failure and of its causes, without the stack. */
const failureText = (failure: unknown): string => {
  if (!(failure instanceof Error)) return String(failure)
  const inner = failure.cause === undefined ? "" : `: ${failureText(failure.cause)}`
  return `${failure.name} ${failure.message}${inner}`
}

const failureTexts = (cause: Cause.Cause<unknown>): string =>
  [...Cause.failures(cause), ...Cause.defects(cause)].map(failureText).join("; ")

/** Returns true if the only reason is that the database cannot be reached or cannot store anything. */
const isOutage = (cause: Cause.Cause<unknown>): boolean => {
  const reasons = [...Cause.failures(cause), ...Cause.defects(cause)]
  return (
    reasons.length > 0 &&
    reasons.every((reason) => reason instanceof SqlError.SqlError && classify(reason) === "unavailable")
  )
}

/**
 * Returns the reason for an entry. The text has a stack trace, unless the reason is an outage of the database. An outage
 * is no mistake of the pod, and ends many calls at the same time.
 */
const reasonOf = (cause: Cause.Cause<unknown>): string | undefined => {
  if (Cause.isEmpty(cause)) return undefined
  return isOutage(cause) ? failureTexts(cause) : Cause.pretty(cause, { renderErrorCause: true })
}

const logger = (format: LogFormat, write: LogOutput, repeats: LogRepeats) =>
  Logger.make(({ annotations, cause, date, logLevel, message }) => {
    const line = (time: Date, fields: Readonly<Record<string, unknown>>, why?: string) => {
      const level = logLevel.label.toLowerCase()
      const written =
        format === "json"
          ? JSON.stringify({
              time: time.toISOString(),
              level,
              msg: text(message),
              ...fields,
              ...(why === undefined ? {} : { cause: why })
            })
          : // A reason can quote a text of a request, which must not move the cursor or hide a line.
            escapeInvisible(
              [
                `  ${level}: ${text(message)}`,
                ...Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`),
                ...(why === undefined ? [] : [`\n${why}`])
              ].join(" ")
            )
      write(`${redact(written)}\n`)
    }
    const fields = Object.fromEntries(HashMap.toEntries(annotations))
    if (format === "pretty" && stepField in fields) return write(`${redact(escapeInvisible(`  ▸ ${text(message)}`))}\n`)
    const { errorId, requestId, ...others } = fields
    // An entry about one request is always written. An entry with an error id is always written too, because somebody
    // might search for the id. If an entry with an error id repeats, it is written without the stack.
    if (LogLevel.greaterThanEqual(logLevel, LogLevel.Warning) && (requestId === undefined || errorId !== undefined)) {
      const kind = JSON.stringify([logLevel.label, text(message), others, failureTexts(cause)])
      const isFirst = repeats.isFirst(kind, (count) => line(new Date(), { ...others, repeats: count }))
      if (!isFirst) return errorId === undefined ? undefined : line(date, fields, failureTexts(cause))
    }
    line(date, fields, reasonOf(cause))
  })

export const layer = (level: keyof typeof levels, format: LogFormat, write: LogOutput) =>
  Layer.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(Effect.sync(logRepeats), (repeats) => Effect.sync(repeats.close)),
      (repeats) =>
        Layer.merge(
          Logger.replace(Logger.defaultLogger, logger(format, write, repeats)),
          Logger.minimumLogLevel(levels[level])
        )
    )
  )
