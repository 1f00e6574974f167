/** Standard output as the pod writes to it: a reader that is slow or gone costs lines, never the pod or its memory. */
import type { Writable } from "node:stream"

const unreadMost = 1_000_000 // characters kept for a reader that is behind

/** Writes text to a stream. What finds too much unread text before it is dropped, and counted. */
export type LogOutput = (text: string) => void

/** `tell` makes the line that says how many were dropped; it goes out before the next one that finds room. */
export const logOutput = (stream: Writable, tell: (dropped: number) => string): LogOutput => {
  let dropped = 0
  // Nobody reads any more: each write fails on its own, and an error that nobody hears would end the process.
  stream.on("error", () => {})
  return (text) => {
    if (stream.writableLength + text.length > unreadMost) {
      dropped += 1
      return
    }
    if (dropped > 0) stream.write(tell(dropped))
    dropped = 0
    stream.write(text)
  }
}

export type LogFormat = "pretty" | "json"

const telling = (format: LogFormat) => (dropped: number) => {
  const msg = `${dropped} log entries were dropped, because nobody read them`
  return format === "json"
    ? `${JSON.stringify({ time: new Date().toISOString(), level: "warn", msg })}\n`
    : `  warn: ${msg}\n`
}

/** The one way to standard output; made once. */
export const standardOutput = (format: LogFormat): LogOutput => {
  process.stderr.on("error", () => {})
  return logOutput(process.stdout, telling(format))
}
