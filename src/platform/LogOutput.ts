/**
 * Standard output for the pod. If its reader is slow or gone, lines are dropped, so that the pod neither stops nor
 * fills its memory.
 */
import type { Writable } from "node:stream"

// the maximum number of characters that are kept for a slow reader
const unreadMax = 1_000_000

/** Writes text to a stream. While too much text is unread, new text is dropped and counted. */
export type LogOutput = (text: string) => void

/**
 * Makes an output that writes to a stream. `droppedLine` makes a line that says how many lines were dropped. The output
 * writes this line as soon as there is room, before the next text.
 */
export const logOutput = (stream: Writable, droppedLine: (dropped: number) => string): LogOutput => {
  let dropped = 0
  // If the reader has ended, each write fails. Without this listener the error would end the process.
  stream.on("error", () => {})
  return (text) => {
    if (stream.writableLength + text.length > unreadMax) {
      dropped += 1
      return
    }
    if (dropped > 0) stream.write(droppedLine(dropped))
    dropped = 0
    stream.write(text)
  }
}

export type LogFormat = "pretty" | "json"

const droppedLineIn = (format: LogFormat) => (dropped: number) => {
  const msg = `${dropped} log entries were dropped, because standard output was not read fast enough`
  return format === "json"
    ? `${JSON.stringify({ time: new Date().toISOString(), level: "warn", msg })}\n`
    : `  warn: ${msg}\n`
}

/** Makes the output that writes to standard output. A process makes only one such output. */
export const standardOutput = (format: LogFormat): LogOutput => {
  process.stderr.on("error", () => {})
  return logOutput(process.stdout, droppedLineIn(format))
}
