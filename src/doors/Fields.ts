/**
 * Schemas that many declarations share: timestamps, identifiers and JSON, in the forms that queries and bodies use.
 */
import { DateTime, Option, ParseResult, Schema, SchemaAST } from "effect"
import { isoTextOf } from "../platform/IsoTime.ts"
import { notAccepted, withQuickParts } from "./CompiledSchema.ts"
import { Id } from "./Id.ts"

const instant = { type: "string", format: "date-time" }

/** A point in time. Requests contain it as ISO 8601 text, and answers contain it as ISO 8601 text in UTC. */
export const Timestamp = withQuickParts(Schema.DateTimeUtc.annotations({ jsonSchema: instant }), {
  encode: (moment) =>
    DateTime.isDateTime(moment) && DateTime.isUtc(moment) ? isoTextOf(moment.epochMillis) : notAccepted
})

const isTimeStorable = (moment: DateTime.Utc): boolean => {
  const year = DateTime.getPartUtc(moment, "year")
  return year >= 1 && year <= 9999
}

/** A point in time in an input. Only years that every part of the pod can store and read are accepted. */
export const TimestampInput = Timestamp.pipe(
  Schema.filter(isTimeStorable, { message: () => "Use a time in the years 0001 to 9999.", jsonSchema: instant })
)

/**
 * Adds a description to a field of a struct. The API description, the reference and tool inputs show this description.
 * If the schema of the field has a name, the description is written beside the reference to this schema.
 */
export const described = <F extends Schema.Struct.Field>(meaning: string, field: F): F => {
  const isNamed = (ast: SchemaAST.AST) => Option.isSome(SchemaAST.getIdentifierAnnotation(ast))
  // If a schema has its own JSON Schema, as a timestamp has, the API description shows only this JSON Schema. So the
  // description is added to the JSON Schema too.
  const annotate = (schema: Schema.Schema.All) =>
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
      : annotate(field)) as unknown as F
  }
  const { from } = field as { readonly from?: Schema.Schema.All }
  const isOptional =
    field.ast._tag === "PropertySignatureDeclaration" &&
    field.ast.isOptional &&
    SchemaAST.isUnion(field.ast.type) &&
    field.ast.type.types.some(SchemaAST.isUndefinedKeyword)
  return (isOptional && from !== undefined && !isNamed(from.ast)
    ? Schema.optional(annotate(from))
    : field.annotations({ description: meaning })) as unknown as F
}

const exampleKey = Symbol.for("pod/Fields/example")

/**
 * Returns the example of a schema. Effect's `Schema` loses its own example annotation on fields with defaults, so the
 * pod uses another annotation.
 */
export const exampleOf = (ast: SchemaAST.AST): unknown =>
  Option.getOrUndefined(SchemaAST.getAnnotation<unknown>(ast, exampleKey))

/**
 * Adds an encoded example value to a schema. The API description shows it as a sample body. An annotation does not
 * change the type of a schema, so the cast is safe.
 */
export const example = <S extends Schema.Schema.Any>(schema: S, value: Schema.Schema.Encoded<S>): S =>
  schema.annotations({
    // A new annotation removes the identifier of a schema, so this code sets the identifier again.
    ...Option.match(SchemaAST.getIdentifierAnnotation(schema.ast), {
      onNone: () => ({}),
      onSome: (identifier) => ({ identifier })
    }),
    [exampleKey]: value
  }) as S

const id = (identifier: string, description: string) => Id.annotations({ identifier, description })

export const WorkspaceId = id("WorkspaceId", "Id of a workspace; null means the personal space.")
export const ProjectId = id("ProjectId", "Id of a project.")
export const AgentId = id("AgentId", "Id of an agent of the caller.")
export const PersonId = id("PersonId", "Id of the person who owns the record.")
export const FocusSessionId = id("FocusSessionId", "Id of the focus session that the record belongs to.")
/**
 * The id of the message from which a record comes. The client chooses this id. The pod does not look the message up,
 * because it can be in another chat system.
 */
export const SourceMessageId = described(
  "Id of the message that the record comes from.",
  Schema.optional(Schema.String.pipe(Schema.maxLength(200)))
)
/** The id of the user in whose name an older client acts. Only the id of the caller is accepted. */
export const CallerId = Schema.String.annotations({
  identifier: "CallerId",
  description: "Id of the caller; any other id is refused."
})

/** The id of a user in a read. Older clients send it, and the pod ignores it: a read always reads for the caller. */
export const IgnoredUserId = described("Ignored: the credential identifies the caller.", Schema.String)

/** Why a caller makes a write. If a person must approve the write, this person reads the reason. */
export const Reasoning = Schema.String.pipe(Schema.maxLength(10_000)).annotations({
  identifier: "Reasoning",
  description: "Reason for the write, for the approving person."
})

export const Json = Schema.Unknown.annotations({ identifier: "Json", jsonSchema: {} })

export const JsonObject = Schema.Record({ key: Schema.String, value: Json }).annotations({ identifier: "JsonObject" })

/**
 * The limits of one free-form JSON field in an input. They are needed because the pod copies, compares and stores the
 * whole field at once.
 */
// the maximum number of characters in all texts and names of one JSON value together
const textMax = 1_000_000
// the maximum number of parts of one JSON field; each value and each name of an object property is a part
const valuesMax = 20_000
// the maximum number of levels of nesting; a recursive parser can read this many levels without a stack overflow
const depthMax = 64

/**
 * Returns true if the database can store the text. The database accepts neither U+0000 nor half of a surrogate pair.
 */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

/**
 * Returns true if the pod can store a JSON value as one field. The value must be small enough and not nested too
 * deeply, and the database must be able to store all its texts.
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
  `One field may have at most ${textMax} characters, ${valuesMax} values and names, and ${depthMax} levels of nesting. ` +
  "It must not contain U+0000 or half a surrogate pair."

// This message replaces the message of Effect's `Schema`, which would repeat the value.
const sizeMessage = { message: () => oneFieldMessage, jsonSchema: {} }

/** Schema of a free-form JSON value in an input. Decoding fails if `fitsOneField` returns false for the value. */
export const JsonInput = Json.pipe(Schema.filter(fitsOneField, sizeMessage))

/** Makes the schema of a free-form object in an input. Decoding fails if `fitsOneField` returns false for the object. */
export const objectInput = (schema: typeof JsonObject) => schema.pipe(Schema.filter(fitsOneField, sizeMessage))

export const JsonObjectInput = objectInput(JsonObject)

/** Data that the pod stores for clients and does not read. */
export const ClientData = JsonObject.annotations({ identifier: "ClientData", description: "Data that clients store." })
export const ClientDataInput = objectInput(ClientData)

/** Settings that the pod stores for clients and does not read. */
export const ClientSettings = JsonObject.annotations({
  identifier: "ClientSettings",
  description: "Settings that clients store."
})
export const ClientSettingsInput = objectInput(ClientSettings)

/** Hints for user interfaces, in a profile or in a property definition. */
export const UiHints = JsonObject.annotations({
  identifier: "UiHints",
  description: "Hints for clients about display, such as the position in a list (`displayOrder`)."
})
export const UiHintsInput = objectInput(UiHints)

/**
 * Makes a flag of a query string with the values `true` and `false`. If the client omits the flag, its value is
 * `fallback`.
 */
export const flagQuery = (fallback: boolean) =>
  Schema.optionalWith(
    Schema.transform(Schema.Literal("true", "false", "1", "0"), Schema.Boolean, {
      decode: (text) => text === "true" || text === "1",
      encode: (flag) => (flag ? "true" : "false"),
      strict: true
    }),
    { default: () => fallback }
  )

/** An id in a path. It must be a UUID. */
export const idPath = Schema.Struct({ id: described("Id of the record.", Id) })

/** Makes a field that the client can omit or set to null. Both mean the same. */
export const optionalOrNull = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Makes an optional field whose decoded value is null if the input leaves it out. */
export const nullByDefault = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

/** Makes the schema of a list in a query string: items separated by commas. Empty items are left out. */
export const commaList = <A, I extends string>(
  items: Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>>,
  charactersMax: number
): Schema.Schema<ReadonlyArray<A>, string> =>
  Schema.transform(Schema.String.pipe(Schema.maxLength(charactersMax)), items, {
    strict: true,
    // `items` checks each part after this step, so the cast is safe.
    decode: (text) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim() as I])),
    encode: (parts) => parts.join(",")
  })

/**
 * Makes the schema of a struct that names an agent. `agentId` and `agentUserId` are two names of the same field, and
 * clients can send either name. An input with both names and different ids is refused. The decoded struct has only one
 * of the two fields: the field that the argument `name` names.
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
    [alias]: other(`Another name for \`${name}\`.`),
    ...(isNeeded ? { [name]: other(`Id of the agent. Required unless \`${alias}\` is sent.`) } : {})
  }
  // The name of one field is computed, so the compiler cannot give these structs a precise type.
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
          `\`${name}\` and \`${alias}\` are two names of one field, but this request has different ids in them. Send only one of them.`
        )
      }
      if (agent === undefined) return isNeeded ? fault(ast, sent, "is missing") : ParseResult.succeed(rest)
      return ParseResult.succeed({ ...rest, [name]: agent })
    },
    encode: (value) => ParseResult.succeed(value)
  }) as unknown as Schema.Schema<Schema.Struct.Type<F>, Schema.Struct.Encoded<F>>
}

export const DeleteResponse = Schema.Struct({ success: Schema.Literal(true), id: Id }).annotations({
  identifier: "Removed"
})
export const deleteResponse = ({ id }: { readonly id: string }): typeof DeleteResponse.Type => ({ success: true, id })

/** The answer of an operation that returns no data, only whether it did something. */
export const Done = Schema.Struct({ success: Schema.Boolean }).annotations({ identifier: "Done" })
