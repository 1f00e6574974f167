/** The fields of a page that declarations share: its length, its offset and its cursor. */
import { Schema } from "effect"
import { cursorField } from "./Cursor.ts"

const wholeText = Schema.NumberFromString.pipe(Schema.int())

const wholeFromOne = wholeText.pipe(Schema.greaterThanOrEqualTo(1))

/**
 * Makes the field `limit` of a query string: a whole number from 1, and `fallback` if the client omits the field. A
 * number above `max` means `max`, because existing clients send large numbers to get everything.
 */
export const limitQuery = (fallback: number, max: number) =>
  Schema.optionalWith(
    Schema.transform(wholeFromOne, Schema.Int.pipe(Schema.between(1, max)), {
      decode: (requestedLimit) => Math.min(requestedLimit, max),
      encode: (limit) => limit,
      strict: true
    }).annotations({
      jsonSchema: {
        description: `How many items to return; the pod returns at most ${max}.`,
        type: "integer",
        minimum: 1,
        default: fallback
      }
    }),
    { default: () => fallback }
  )

/**
 * Makes the same field as `limitQuery`, but the pod refuses a number above `max`. Use it for operations whose largest
 * limit the specification defines (§8).
 */
export const rangeLimitQuery = (fallback: number, max: number) =>
  Schema.optionalWith(
    wholeText.pipe(Schema.between(1, max)).annotations({
      jsonSchema: {
        description: "How many items to return at most.",
        type: "integer",
        minimum: 1,
        maximum: max,
        default: fallback
      }
    }),
    { default: () => fallback }
  )

/** The largest accepted offset, in rows. A client that wants later rows uses cursors. */
export const offsetMax = 10_000

export const offsetQuery = Schema.optionalWith(
  wholeText.pipe(Schema.between(0, offsetMax)).annotations({
    jsonSchema: {
      description: "How many items to skip. For pages far into a listing, use `cursor` instead.",
      type: "integer",
      minimum: 0,
      maximum: offsetMax,
      default: 0
    }
  }),
  { default: () => 0 }
)

/** Makes the field `limit` of a JSON input: a number from 1 to `max`, and `fallback` if the client omits the field. */
export const limitInput = (fallback: number, max: number) =>
  Schema.optionalWith(Schema.Int.pipe(Schema.between(1, max)), { default: () => fallback })
export const offsetInput = Schema.optionalWith(Schema.Int.pipe(Schema.between(0, offsetMax)), { default: () => 0 })

/**
 * Makes the fields `limit`, `offset` and `cursor` of the query string of a list. `list` and `of` say to which list a
 * cursor belongs (`cursorField`).
 */
export const pageQuery = (list: string, fallback: number, max: number, of?: string) => ({
  limit: limitQuery(fallback, max),
  offset: offsetQuery,
  cursor: cursorField(list, of)
})

/** Makes the same fields of a JSON input. */
export const pageInput = (list: string, fallback: number, max: number, of?: string) => ({
  limit: limitInput(fallback, max),
  offset: offsetInput,
  cursor: cursorField(list, of)
})
