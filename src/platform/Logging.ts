/** Log lines: JSON on standard output, or short text for a person at a terminal. Never a header, a key or a body. */
import { Cause, HashMap, Layer, Logger, LogLevel } from "effect"
import type { LogFormat, LogOutput } from "./LogOutput.ts"

const levels = { debug: LogLevel.Debug, info: LogLevel.Info, warn: LogLevel.Warning, error: LogLevel.Error } as const

const text = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ")

/** Text that looks like a credential, anywhere in a message or an error. */
const credential = /svc_(?:user|hub_live|hub_test)_[0-9A-Za-z_-]{8,}/g
const redact = (line: string) => line.replaceAll(credential, "svc_…")

const logger = (format: LogFormat, write: LogOutput) =>
  Logger.make(({ annotations, cause, date, logLevel, message }) => {
    const fields = Object.fromEntries(HashMap.toEntries(annotations))
    const why = Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause, { renderErrorCause: true }) }
    const line =
      format === "json"
        ? JSON.stringify({
            time: date.toISOString(),
            level: logLevel.label.toLowerCase(),
            msg: text(message),
            ...fields,
            ...why
          })
        : [
            `  ${logLevel.label.toLowerCase()}: ${text(message)}`,
            ...Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`),
            ...("cause" in why ? [`\n${why.cause}`] : [])
          ].join(" ")
    write(`${redact(line)}\n`)
  })

export const layer = (level: keyof typeof levels, format: LogFormat, write: LogOutput) =>
  Layer.merge(Logger.replace(Logger.defaultLogger, logger(format, write)), Logger.minimumLogLevel(levels[level]))
