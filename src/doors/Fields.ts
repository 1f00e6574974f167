/**
 * Schemas that many declarations share: pages, timestamps and identifiers, in the forms that queries and bodies use.
 */
import { DateTime, Option, ParseResult, Schema, SchemaAST } from "effect"
import { isoTextOf } from "../platform/IsoTime.ts"
import { unfit, withQuickParts } from "./CompiledSchema.ts"
import { Id } from "./Id.ts"

const instant = { type: "string", format: "date-time" }

/** An instant: ISO 8601 in UTC on the wire. */
export const Timestamp = withQuickParts(Schema.DateTimeUtc.annotations({ jsonSchema: instant }), {
  encode: (moment) => (DateTime.isDateTime(moment) && DateTime.isUtc(moment) ? isoTextOf(moment.epochMillis) : unfit)
})

const isKept = (moment: DateTime.Utc): boolean => {
  const year = DateTime.getPartUtc(moment, "year")
  return year >= 1 && year <= 9999
}

/** A point in time in an input. Only years that every part of the pod can store and read are accepted. */
export const TimestampInput = Timestamp.pipe(
  Schema.filter(isKept, { message: () => "Use a time in the years 0001 to 9999.", jsonSchema: instant })
)

/**
 * A field of a struct with its description, for the API description, the reference and tool inputs. If the schema of
 * the field has a name, the description is written beside the reference to this schema.
 */
export const described = <F extends Schema.Struct.Field>(meaning: string, field: F): F => {
  const isNamed = (ast: SchemaAST.AST) => Option.isSome(SchemaAST.getIdentifierAnnotation(ast))
  // If a schema has its own JSON Schema, as a timestamp has, the API description uses only that. So the description is
  // added there too.
  const saying = (schema: Schema.Schema.All) =>
    schema.annotations({
      description: meaning,
      ...Option.match(SchemaAST.getJSONSchemaAnnotation(schema.ast), {
        onNone: () => ({}),
        onSome: (own) => ({ jsonSchema: { ...own, description: meaning } })
      })
    })
  // These fields are used only inside structs. In a struct, a schema and its property signature decode in the same way
  // and have the same types, but the generic type F cannot express this.
  if (Schema.isSchema(field)) {
    return (isNamed(field.ast)
      ? Schema.propertySignature(field).annotations({ description: meaning })
      : saying(field)) as unknown as F
  }
  const { from } = field as { readonly from?: Schema.Schema.All }
  const isOptional =
    field.ast._tag === "PropertySignatureDeclaration" &&
    field.ast.isOptional &&
    SchemaAST.isUnion(field.ast.type) &&
    field.ast.type.types.some(SchemaAST.isUndefinedKeyword)
  return (isOptional && from !== undefined && !isNamed(from.ast)
    ? Schema.optional(saying(from))
    : field.annotations({ description: meaning })) as unknown as F
}

const exampleKey = Symbol.for("pod/Fields/example")

/**
 * The example of a schema. The library loses its own example annotation on fields with defaults, so the pod uses
 * another annotation.
 */
export const exampleOf = (ast: SchemaAST.AST): unknown =>
  Option.getOrUndefined(SchemaAST.getAnnotation<unknown>(ast, exampleKey))

/** Adds an encoded example value to a schema. The API description shows it as a sample body. */
export const example = <S extends Schema.Schema.Any>(schema: S, value: Schema.Schema.Encoded<S>): S =>
  schema.annotations({
    // A new annotation removes the identifier of a schema, so it is set again.
    ...Option.match(SchemaAST.getIdentifierAnnotation(schema.ast), {
      onNone: () => ({}),
      onSome: (identifier) => ({ identifier })
    }),
    [exampleKey]: value
  }) as S

const id = (identifier: string, description: string) => Id.annotations({ identifier, description })

/** Ids that many records use. Each has one shared description. */
export const WorkspaceId = id("WorkspaceId", "Id of a workspace; null means the personal space.")
export const ProjectId = id("ProjectId", "The id of a project.")
export const AgentId = id("AgentId", "The id of an agent of the caller.")
export const PersonId = id("PersonId", "The person who owns the record.")
export const FocusSessionId = id("SessionId", "Id of the focus session that the record belongs to.")
/**
 * The id of the message from which a record comes, as the client names it. The pod does not look it up, because the
 * message may be in another chat system.
 */
export const SourceMessageId = described(
  "Id of the message that the record comes from.",
  Schema.optional(Schema.String.pipe(Schema.maxLength(200)))
)
/** The id of the user in whose name an older client acts. Only the id of the caller is accepted. */
export const CallerId = Schema.String.annotations({
  identifier: "CallerId",
  description: "The id of the caller; any other id is refused."
})

/** Any JSON value. */
export const Json = Schema.Unknown.annotations({ identifier: "Json", jsonSchema: {} })

/** A free-form JSON object. */
export const JsonObject = Schema.Record({ key: Schema.String, value: Json }).annotations({ identifier: "JsonObject" })

/**
 * The limits of one free-form JSON field in an input. They are needed because the pod copies, compares and stores the
 * whole field at once.
 */
const textMax = 1_000_000 // the most characters in all texts and names of one value together
const valuesMax = 20_000 // the most values and names of object fields in one value
const depthMax = 64 // the most levels of nesting; people need fewer, and a recursive parser does not run out of stack

/** Whether the database can store the text. The database accepts neither U+0000 nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

/**
 * Whether a JSON value may be stored as one field. It must be small enough, not nested too deeply, and its texts must
 * be storable. Reads the value once.
 */
export const fitsOneField = (value: unknown): boolean => {
  let characters = 0
  let values = 1
  const isText = (text: string) => (characters += text.length) <= textMax && isStorable(text)
  const isPart = (part: unknown, depth: number): boolean => {
    if (typeof part === "string") return isText(part)
    if (typeof part !== "object" || part === null) return true
    const isArray = Array.isArray(part)
    const inside = Object.entries(part)
    values += isArray ? inside.length : 2 * inside.length
    return (
      depth <= depthMax &&
      values <= valuesMax &&
      inside.every(([name, each]) => (isArray || isText(name)) && isPart(each, depth + 1))
    )
  }
  return isPart(value, 1)
}

export const oneFieldMessage =
  `Use at most ${textMax} characters, ${valuesMax} values and names and ${depthMax} levels in one field, ` +
  "without U+0000 and without half a surrogate pair."

// This message replaces the library's message, which would repeat the value.
const bounded = { message: () => oneFieldMessage, jsonSchema: {} }

/** Schema of a free-form JSON value in an input. Decoding fails if the value may not be stored as one field. */
export const JsonInput = Json.pipe(Schema.filter(fitsOneField, bounded))

/** Schema of a free-form JSON object in an input. Decoding fails if the object may not be stored as one field. */
export const JsonObjectInput = JsonObject.pipe(Schema.filter(fitsOneField, bounded))

const wholeText = Schema.NumberFromString.pipe(Schema.int())

const wholeFromOne = wholeText.pipe(Schema.greaterThanOrEqualTo(1))

/**
 * The field `limit` of a query string. It is a whole number from 1, and `fallback` if the client omits it. A number
 * above `most` counts as `most`, because existing clients send large numbers to get everything.
 */
export const limitQuery = (fallback: number, most: number) =>
  Schema.optionalWith(
    Schema.transform(wholeFromOne, Schema.Int.pipe(Schema.between(1, most)), {
      decode: (asked) => Math.min(asked, most),
      encode: (limit) => limit,
      strict: true
    }).annotations({
      jsonSchema: {
        description: `Largest number of items; the pod returns at most ${most}.`,
        type: "integer",
        minimum: 1,
        default: fallback
      }
    }),
    { default: () => fallback }
  )

/**
 * Like `limitQuery`, but a number above `most` is refused. For operations whose range the specification states (§8).
 */
export const rangeLimitQuery = (fallback: number, most: number) =>
  Schema.optionalWith(
    wholeText.pipe(Schema.between(1, most)).annotations({
      jsonSchema: {
        description: "How many items to return at most.",
        type: "integer",
        minimum: 1,
        maximum: most,
        default: fallback
      }
    }),
    { default: () => fallback }
  )

/** The largest accepted offset. A client that wants rows after it uses cursors. */
export const offsetMax = 10_000 // rows

/** The field `offset` of a query string. */
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

/** The field `limit` of a JSON input: a number from 1 to `most`, and `fallback` if the client omits it. */
export const limitInput = (fallback: number, most: number) =>
  Schema.optionalWith(Schema.Int.pipe(Schema.between(1, most)), { default: () => fallback })
export const offsetInput = Schema.optionalWith(Schema.Int.pipe(Schema.between(0, offsetMax)), { default: () => 0 })

/** A flag of a query string with the values `true` and `false`. It is `fallback` if the client omits it. */
export const flagQuery = (fallback: boolean) =>
  Schema.optionalWith(
    Schema.transform(Schema.Literal("true", "false"), Schema.Boolean, {
      decode: (text) => text === "true",
      encode: (flag) => (flag ? "true" : "false"),
      strict: true
    }),
    { default: () => fallback }
  )

/** An id in a path. It must be a UUID. */
export const idPath = Schema.Struct({ id: described("Id of the record.", Id) })

/** A field that the client may omit or set to null. Both mean the same. */
export const optionalOrNull = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/**
 * The fields of a struct that names an agent. `agentId` and `agentUserId` are two names of the same field; clients may
 * send either. The decoded struct has the field `name`. An input with both names and different ids is refused.
 */
export const namingAgent = <
  const N extends "agentId" | "agentUserId",
  const F extends Schema.Struct.Fields & { readonly [P in N]: Schema.Struct.Field }
>(
  name: N,
  fields: F
): Schema.Schema<Schema.Struct.Type<F>, Schema.Struct.Encoded<F>> => {
  const alias = name === "agentId" ? "agentUserId" : "agentId"
  const struct = Schema.Struct(fields)
  const isNeeded = SchemaAST.getPropertySignatures(struct.ast).some((field) => field.name === name && !field.isOptional)
  const fault = (ast: SchemaAST.AST, sent: unknown, message: string) =>
    ParseResult.fail(new ParseResult.Pointer(name, sent, new ParseResult.Type(ast, sent, message)))
  const other = (what: string) => Schema.optional(Id.annotations({ description: what }))
  const either = {
    [alias]: other(`Another name for ${name}.`),
    ...(isNeeded ? { [name]: other(`The agent. Required unless ${alias} is sent.`) } : {})
  }
  // Both schemas decode to the fields below. The compiler cannot check this, because the name of a field is computed.
  const wire = Schema.Struct({ ...fields, ...either }) as unknown as Schema.Schema<Readonly<Record<string, unknown>>>
  const named = Schema.typeSchema(struct) as unknown as Schema.Schema<Readonly<Record<string, unknown>>>
  return Schema.transformOrFail(wire, named, {
    strict: true,
    decode: (sent, _, ast) => {
      const { [alias]: aliased, ...rest } = sent
      const agent = rest[name] ?? aliased
      if (aliased !== undefined && agent !== aliased) {
        return fault(
          ast,
          sent,
          `${name} and ${alias} are two names of one field, but this request has different ids in them. Send only one of them.`
        )
      }
      if (agent === undefined) return isNeeded ? fault(ast, sent, "is missing") : ParseResult.succeed(rest)
      return ParseResult.succeed({ ...rest, [name]: agent })
    },
    encode: (value) => ParseResult.succeed(value)
  }) as unknown as Schema.Schema<Schema.Struct.Type<F>, Schema.Struct.Encoded<F>>
}

/** The answer to a delete. */
export const DeleteResponse = Schema.Struct({ success: Schema.Literal(true), id: Id }).annotations({
  identifier: "Removed"
})
export const deleteResponse = ({ id }: { readonly id: string }): typeof DeleteResponse.Type => ({ success: true, id })

/**
 * The place where the next page of a list begins: after the row with this time and id. If the list is sorted by
 * creation, `at` is null and the id alone is enough.
 */
export interface Cursor {
  readonly at: string | null
  readonly id: string
}

const cursorForm = /^(?:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) )?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Whether the time exists. The pattern accepts 30 February and the year 0000, but the database refuses both. */
const isTime = (text: string): boolean => {
  const time = new Date(text)
  return !text.startsWith("0000") && !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** The text of a cursor as clients get it. Clients must not interpret this text. */
export const cursorText = ({ at, id }: Cursor): string =>
  Buffer.from(at === null ? id : `${at} ${id}`).toString("base64url")

const CursorText = Schema.transformOrFail(Schema.String.pipe(Schema.maxLength(200)), Schema.Any, {
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
  encode: (cursor) => ParseResult.succeed(cursorText(cursor as Cursor))
}) as unknown as Schema.Schema<Cursor, string>

/** The field `cursor` of a query or an input. Its value is the header `X-Svc-Next-Cursor` of the previous page. */
export const cursorField = Schema.optional(
  CursorText.annotations({
    jsonSchema: {
      description: "The start of the page: the value of the header X-Svc-Next-Cursor of the previous page.",
      type: "string",
      maxLength: 200
    }
  })
)

/** The fields `limit`, `offset` and `cursor` of the query string of a listing. */
export const pageQuery = (fallback: number, most: number) => ({
  limit: limitQuery(fallback, most),
  offset: offsetQuery,
  cursor: cursorField
})

/** The page fields (`limit`, `offset`, `cursor`) of a JSON input. */
export const pageInput = (fallback: number, most: number) => ({
  limit: limitInput(fallback, most),
  offset: offsetInput,
  cursor: cursorField
})
