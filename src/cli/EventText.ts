/** Writes one event of the log for people. The text fits the width of the terminal, and always has the whole id. */
import { type Fields, textOf } from "./AnswerFields.ts"
import { cell, timeCell } from "./Output.ts"

const idWidth = 36
const typeWidth = 24
// the longest type of an event in a line of a pipe
const typeMax = 32
const gap = "  "

interface Place {
  /** The width of the terminal; undefined if there is no terminal. */
  readonly columns: number | undefined
  /** Spaces before the event, in a tree of events. */
  readonly indent?: string
  /** A mark before the event. */
  readonly mark?: string
}

/**
 * Returns one line with the time, the type, the subject and the id of an event. On a terminal that is too narrow for
 * this line, the subject is left out. If the line is still too long, the id has a line of its own.
 */
export const eventText = (event: Fields, { columns, indent = "", mark = "" }: Place): string => {
  const time = `${indent}${mark}${timeCell(event["timestamp"], "second")}`
  const id = textOf(event["id"])
  const type = cell(event["type"], typeMax).padEnd(typeWidth)
  const short = [time, type, id].join(gap)
  const whole = [time, type, cell(event["subjectId"] ?? "", idWidth).padEnd(idWidth), id].join(gap)
  if (columns === undefined || whole.length <= columns) return whole
  if (short.length <= columns) return short
  const room = Math.max(1, columns - time.length - gap.length)
  const idIndent = " ".repeat(Math.max(0, Math.min(indent.length + gap.length, columns - idWidth)))
  return `${time}${gap}${cell(event["type"], room)}\n${idIndent}${id}`
}
