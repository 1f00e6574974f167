/** The fields of a page that declarations share: its length, its offset and its cursor. */
import { ParseResult, Schema } from "effect"

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
 * The place where the next page of a list begins: after the row with this time and id. If the list is sorted by
 * creation, `at` is null and the id alone is enough.
 */
export interface Cursor {
  readonly at: string | null
  readonly id: string
}

const cursorForm = /^(?:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) )?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * Returns true if the time exists. The pattern accepts 30 February and the year 0000, but the database refuses both.
 */
const isTime = (text: string): boolean => {
  const time = new Date(text)
  return !text.startsWith("0000") && !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** Returns the text of a cursor as clients get it. Clients must not interpret this text. */
export const cursorText = ({ at, id }: Cursor): string =>
  Buffer.from(at === null ? id : `${at} ${id}`).toString("base64url")

const CursorValue = Schema.Struct({ at: Schema.NullOr(Schema.String), id: Schema.String })

const CursorText = Schema.transformOrFail(Schema.String.pipe(Schema.maxLength(200)), CursorValue, {
  strict: true,
  decode: (text, _, ast) => {
    const [, at, id] = cursorForm.exec(Buffer.from(text, "base64url").toString("latin1")) ?? []
    return id === undefined || (at !== undefined && !isTime(at))
      ? ParseResult.fail(
          new ParseResult.Type(
            ast,
            text,
            "This is not a cursor of this list. Send the cursor that the previous page returned."
          )
        )
      : ParseResult.succeed<Cursor>({ at: at ?? null, id })
  },
  encode: (cursor) => ParseResult.succeed(cursorText(cursor))
})

/**
 * The field `cursor` of a query or an input. Its value is the value of the header `X-Svc-Next-Cursor` of the previous
 * page.
 */
export const cursorField = Schema.optional(
  CursorText.annotations({
    jsonSchema: {
      description: "Start of the page: the header `X-Svc-Next-Cursor` of the previous page.",
      type: "string",
      maxLength: 200
    }
  })
)

/** Makes the fields `limit`, `offset` and `cursor` of the query string of a listing. */
export const pageQuery = (fallback: number, max: number) => ({
  limit: limitQuery(fallback, max),
  offset: offsetQuery,
  cursor: cursorField
})

/** Makes the page fields (`limit`, `offset`, `cursor`) of a JSON input. */
export const pageInput = (fallback: number, max: number) => ({
  limit: limitInput(fallback, max),
  offset: offsetInput,
  cursor: cursorField
})
