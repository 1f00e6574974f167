/** Prints the output of a command: the data on stdout, everything else on stderr. */
import { Context, Effect, Layer } from "effect"
import { escapeInvisible } from "../shared/visibleText.ts"
import { type CliFailure, envelopeOf } from "./CliFailure.ts"
import { type Format, Globals, type GlobalsShape } from "./Globals.ts"
import { type Column, tableLines } from "./Table.ts"
import { columnsOf, endProgress } from "./ProgressLine.ts"

export interface Meta {
  readonly requestId?: string | undefined
  /** The cursor of the next page. Undefined if there is no next page. */
  readonly next?: string | undefined
}

/**
 * Says how data is printed for people. If absent, the data is printed as indented JSON. `columns` is the width of the
 * terminal. It is undefined if stdout is not a terminal, and then no text is shortened.
 */
export type ForPeople<A> =
  | { readonly text: (data: A, columns: number | undefined) => string }
  | { readonly columns: ReadonlyArray<Column<A extends ReadonlyArray<infer Row> ? Row : never>>; readonly none: string }

export interface OutputShape {
  readonly format: Format
  /** Prints the answer in the format that the person asked for. */
  readonly data: <A>(data: A, forPeople?: ForPeople<A>, meta?: Meta) => void
  /** Prints one item of an answer that has no end, such as an event: as a line of JSON, or as a text for people. */
  readonly item: <A>(item: A, text: (item: A, columns: number | undefined) => string) => void
  /** Prints only a text, such as a secret or a file. If the output format is JSON, prints `data` instead. */
  readonly alone: (text: string, data: unknown, meta?: Meta) => void
  /** Prints a note for people on stderr. With `--quiet` or with JSON output, prints nothing. */
  readonly note: (text: string) => void
  readonly failure: (failure: CliFailure) => void
  readonly paint: Paint
}

export interface Paint {
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

const escape = String.fromCharCode(27)
const sgr = (on: number, off: number) => (text: string) => `${escape}[${on}m${text}${escape}[${off}m`
/** The sequences that `colours` writes. */
const colourSequence = new RegExp(`(${escape}\\[(?:1|2|22|31|32|33|39)m)`)
const unchangedText = (text: string) => text
const plainPaint: Paint = {
  red: unchangedText,
  green: unchangedText,
  yellow: unchangedText,
  bold: unchangedText,
  dim: unchangedText
}
const colours: Paint = { red: sgr(31, 39), green: sgr(32, 39), yellow: sgr(33, 39), bold: sgr(1, 22), dim: sgr(2, 22) }

/**
 * True if a stream has colours. A stream has none if it is not a terminal, or if `--no-color`, `NO_COLOR`
 * (no-color.org) or `TERM=dumb` turns them off.
 */
export const hasColours = (stream: { readonly isTTY?: boolean }, noColor: boolean): boolean =>
  stream.isTTY === true && !noColor && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb"

/** Returns the colours for a stream. */
export const paintFor = (stream: { readonly isTTY?: boolean }, noColor: boolean): Paint =>
  hasColours(stream, noColor) ? colours : plainPaint

/**
 * Makes a text for a terminal. All control characters become escapes, also those in a text that a command forgot to
 * escape. If the stream has colours, the sequences of the colours stay.
 */
const terminalText = (text: string, paint: Paint): string =>
  paint === colours
    ? text
        .split(colourSequence)
        .map((part, at) => (at % 2 === 1 ? part : escapeInvisible(part)))
        .join("")
    : escapeInvisible(text)

/** Writes a value as JSON on one line. The escapes of invisible characters are JSON, so a program reads the same text. */
const jsonLine = (value: unknown): string => escapeInvisible(JSON.stringify(value) ?? "null")

/**
 * Writes a value on one line. Line breaks become spaces, and a text longer than `max` characters is shortened. Tables
 * pass no `max`, because they shorten texts themselves.
 */
export const cell = (value: unknown, max?: number): string => {
  const text = escapeInvisible(
    typeof value === "string" ? value : value === null || value === undefined ? "–" : JSON.stringify(value)
  )
  const line = text.replaceAll(/\s+/g, " ")
  const characters = [...line]
  return max !== undefined && characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : line
}

/** The note below a list that ends at its limit. */
export const moreText = (nouns: string): string => `There are more ${nouns}: list more with \`--limit\`.`

const lengthsOfTime = { day: 10, minute: 16, second: 19 }

/**
 * Returns a time for one cell of a table, in UTC and as exact as `unit` says, such as `2026-11-27T09:35Z`. Returns a
 * dash if there is no time.
 */
export const timeCell = (value: unknown, unit: "day" | "minute" | "second" = "minute"): string =>
  typeof value === "string" && value !== ""
    ? `${cell(value).slice(0, lengthsOfTime[unit])}${unit === "day" ? "" : "Z"}`
    : cell(null)

/**
 * Returns the first characters of an id, enough to distinguish the id from others. Ids that are made in the same minute
 * begin alike, so the text includes some random characters.
 */
export const shortId = (id: unknown): string => (typeof id === "string" ? id.slice(0, shortIdLength) : "")
// the number of characters of a short id; it includes the first random characters of the id
const shortIdLength = 18

/** Returns the width of the terminal. Returns undefined if stdout is not a terminal, and then no text is shortened. */
const terminalColumns = (): number | undefined => (process.stdout.isTTY ? columnsOf(process.stdout) : undefined)

const quoteForShell = (text: string): string =>
  /^[\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Writes an object as lines `NAME=value`, for `eval` or an env file. Nested values are JSON. A list becomes one value
 * with the name `ITEMS`.
 */
export const envLines = (data: unknown): string =>
  Object.entries(Array.isArray(data) ? { items: data } : typeof data === "object" && data !== null ? data : {})
    .map(([name, value]) => {
      const key = name
        .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
        .replaceAll(/[^A-Za-z0-9_]/g, "_")
        .toUpperCase()
      const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value)
      return `${key}=${quoteForShell(text ?? "")}`
    })
    .join("\n")

const envelope = (data: unknown, meta: Meta | undefined): string =>
  jsonLine({ data, meta: { requestId: meta?.requestId ?? null, next: meta?.next ?? null } })

export const outputOf = (globals: Pick<GlobalsShape, "output" | "quiet" | "noColor">): OutputShape => {
  const { noColor, output: format, quiet } = globals
  const paint = paintFor(process.stdout, noColor)
  const notePaint = paintFor(process.stderr, noColor)
  const printRaw = (text: string) => {
    endProgress()
    process.stdout.write(`${text}\n`)
  }
  const print = (text: string) => printRaw(terminalText(text, paint))
  const note = (text: string) => {
    endProgress()
    process.stderr.write(`${terminalText(text, notePaint)}\n`)
  }
  const isJson = format === "json" || format === "ndjson"
  return {
    format,
    paint,
    data: (data, forPeople, meta) => {
      switch (format) {
        case "json":
          return print(envelope(data, meta))
        case "ndjson":
          for (const one of Array.isArray(data) ? data : [data]) print(jsonLine(one))
          return
        case "env":
          // A shell that reads the lines needs each character unchanged.
          return (process.stdout.isTTY ? print : printRaw)(envLines(data))
        case "table":
          if (forPeople === undefined) return print(JSON.stringify(data, null, 2) ?? "")
          if ("text" in forPeople) return print(forPeople.text(data, terminalColumns()))
          // `ForPeople` allows `columns` only if `data` is a list. The columns then match the rows of this list, so the
          // cast is safe.
          const rows = data as ReadonlyArray<never>
          return rows.length === 0
            ? quiet
              ? undefined
              : note(forPeople.none)
            : print(tableLines(rows, forPeople.columns, terminalColumns(), paint.dim).join("\n"))
      }
    },
    item: (item, text) => print(format === "table" ? text(item, terminalColumns()) : jsonLine(item)),
    alone: (text, data, meta) =>
      print(format === "json" ? envelope(data, meta) : format === "ndjson" ? jsonLine(data) : text),
    note: (text) => (quiet || isJson ? undefined : note(text)),
    failure: (failure) => {
      if (isJson) return note(envelopeOf(failure))
      note(`${notePaint.red("Error")} ${escapeInvisible(failure.message)}`)
      if (failure.hint !== undefined) note(escapeInvisible(failure.hint).replaceAll(/^/gm, "  "))
      if (failure.requestId !== undefined && failure.exit === "unexpected") note(`  Request ${failure.requestId}`)
    }
  }
}

export class Output extends Context.Tag("pod/cli/Output")<Output, OutputShape>() {
  static readonly layer = Layer.effect(this, Effect.map(Globals, outputOf))
}
