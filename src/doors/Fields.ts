/** Schemas that many declarations share: pages, timestamps, identifiers as they travel in queries and bodies. */
import { Schema } from "effect"

/** An instant: ISO 8601 in UTC on the wire. */
export const Timestamp = Schema.DateTimeUtc.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** Any JSON value. */
export const Json = Schema.Unknown.annotations({ identifier: "Json", jsonSchema: {} })

/** A free-form JSON object. */
export const JsonObject = Schema.Record({ key: Schema.String, value: Json })

const wholeText = Schema.NumberFromString.pipe(Schema.int())

/** `limit` of a query string: a whole number from 1 to `most`. */
export const limitQuery = (fallback: number, most: number) =>
  Schema.optionalWith(
    wholeText
      .pipe(Schema.between(1, most))
      .annotations({ jsonSchema: { type: "integer", minimum: 1, maximum: most, default: fallback } }),
    { default: () => fallback }
  )

/** Offsets past this are refused: paging that deep is what cursors are for. */
export const offsetMost = 10_000 // rows

/** `offset` of a query string. */
export const offsetQuery = Schema.optionalWith(
  wholeText
    .pipe(Schema.between(0, offsetMost))
    .annotations({ jsonSchema: { type: "integer", minimum: 0, maximum: offsetMost, default: 0 } }),
  { default: () => 0 }
)

/** `limit` and `offset` where they travel as JSON numbers. */
export const limitInput = (fallback: number, most: number) =>
  Schema.optionalWith(Schema.Int.pipe(Schema.between(1, most)), { default: () => fallback })
export const offsetInput = Schema.optionalWith(Schema.Int.pipe(Schema.between(0, offsetMost)), { default: () => 0 })

/** A flag of a query string: `true` or `false`. */
export const flagQuery = (fallback: boolean) =>
  Schema.optionalWith(
    Schema.transform(Schema.Literal("true", "false"), Schema.Boolean, {
      decode: (text) => text === "true",
      encode: (flag) => (flag ? "true" : "false"),
      strict: true
    }),
    { default: () => fallback }
  )

/** An id in a path: a UUID, or there is no such thing. */
export const idPath = Schema.Struct({ id: Schema.UUID })

/** A field that may be left out or null, which mean the same. */
export const optionalOrNull = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))
