/** Collects the log lines of a pod for a test, before the pod removes secrets from them. */
import { Cause, HashMap, Layer, Logger, LogLevel } from "effect"

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly cause: string
}

export interface TestLog {
  readonly layer: Layer.Layer<never>
  readonly lines: Array<LogLine>
}

export const aLog = (level: LogLevel.LogLevel = LogLevel.Info): TestLog => {
  const lines: Array<LogLine> = []
  const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    lines.push({
      level: logLevel.label.toLowerCase(),
      message: [message].flat().map(String).join(" "),
      fields: Object.fromEntries(HashMap.toEntries(annotations)),
      cause: Cause.isEmpty(cause) ? "" : Cause.pretty(cause, { renderErrorCause: true })
    })
  })
  return {
    layer: Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(level)),
    lines
  }
}
