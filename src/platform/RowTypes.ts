/**
 * Parses the values of a row from the text in which PostgreSQL sends them. The pod has its own parsers for points in
 * time and for lists. Their speed matters, because a listing of fifty records contains a hundred points in time, and
 * the row of a caller has several lists. For a point in time, the pod's parser takes 0.14 µs and the driver's parser
 * 0.51 µs. For a list of four ids, the times are 0.32 µs and 2.6 µs (CPU time, Node 20.20). `times.test.ts` and
 * `rowLists.test.ts` compare the results with those of the driver. Remove the pod's parsers when the parsers of the
 * driver are as fast.
 */
import pg from "pg"

type Reader = (text: string) => unknown

// The types of the driver list only some object ids, but the driver accepts every object id.
const readerOfDriver = pg.types.getTypeParser as unknown as (oid: number, format: string) => Reader
const timestamptz: number = pg.types.builtins.TIMESTAMPTZ
// The driver has no names for the types of lists, so this file contains their ids (PostgreSQL: `pg_type.dat`).
const textArray = 1009
const uuidArray = 2951

// the character code of "0"
const zero = 48
const two = (text: string, at: number): number => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero
const digit = (text: string, at: number): number => text.charCodeAt(at) - zero

const plainList = /^\{[^"{}]+\}$/

const inUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/
const parseByDriver = readerOfDriver(timestamptz, "text")

/**
 * Parses a point in time. The database sends times to the sessions of the pod in ISO format and in UTC. The function
 * drops digits below a millisecond. The driver's parser takes three times as long (measured). All other forms go to the
 * driver's parser: years before 100 or after 9999, other offsets, infinity.
 */
export const parseTime = (text: string): unknown => {
  if (!inUtc.test(text) || text.startsWith("00")) return parseByDriver(text)
  // 46 is the code of a dot
  const hasFraction = text.charCodeAt(19) === 46
  const end = text.length - 3
  const ms = hasFraction
    ? digit(text, 20) * 100 + (end > 21 ? digit(text, 21) * 10 : 0) + (end > 22 ? digit(text, 22) : 0)
    : 0
  const year = two(text, 0) * 100 + two(text, 2)
  return new Date(Date.UTC(year, two(text, 5) - 1, two(text, 8), two(text, 11), two(text, 14), two(text, 17), ms))
}

const readTexts = readerOfDriver(textArray, "text")

/**
 * Parses a list of texts or of ids. The driver's parser is slower, because it reads a list character by character.
 * Lists that contain a quoted text, a null or a list go to the driver's parser.
 */
export const parseTexts = (text: string): unknown => {
  if (text === "{}") return []
  return plainList.test(text) && !text.includes("NULL") ? text.slice(1, -1).split(",") : readTexts(text)
}

/** Returns the parser for the values of a type. `oid` is the id of the type in PostgreSQL. */
export const readerOf = (oid: number): Reader => {
  if (oid === timestamptz) return parseTime
  return oid === textArray || oid === uuidArray ? parseTexts : readerOfDriver(oid, "text")
}

/**
 * The parsers of `readerOf`, in the form that the driver expects. The cast is needed, because the type of the driver has
 * an overload for each format.
 */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format = "text") =>
    format === "text" ? readerOf(oid) : readerOfDriver(oid, format)) as pg.CustomTypesConfig["getTypeParser"]
}
