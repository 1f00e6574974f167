/**
 * Makes the readers of inputs, once, at the first input. A reader decodes an input and finds the fields that the schema
 * of the input does not have.
 */
import { Either, Option, Predicate, Schema } from "effect"
import { quickDecoderOf, notAccepted } from "./CompiledSchema.ts"
import { closedSchema, type OperationProperties } from "./Declaration.ts"
import { givesAuthority } from "./DoorRequirements.ts"
import type { Fault } from "./Failure.ts"
import { decoderOf, faultsOf } from "./Faults.ts"
import { callerFields } from "./Identity.ts"
import { withoutNullArguments } from "./NullArguments.ts"
import { atFirstUse } from "../platform/AtFirstUse.ts"
import { fieldFinder, type FieldFinder } from "./UnknownFields.ts"

/** The parts of a REST request before they are decoded. `body` is undefined if the request had no body. */
export interface RestInput {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface InputDecoders {
  /** Decodes an input and refuses unknown fields. Each fault suggests the most similar known name. */
  readonly decode: (input: unknown) => Either.Either<unknown, ReadonlyArray<Fault>>
  /** Decodes an input. Ignores unknown fields and lists them. Absent for operations that change access rights. */
  readonly decodeLeniently?: (input: unknown) => Read
}

/** A decoded input, and the paths of the ignored fields, such as `properties.0.due`. */
interface DecodedInput {
  readonly input: unknown
  readonly ignored: ReadonlyArray<string>
}

type Read = Either.Either<DecodedInput, ReadonlyArray<Fault>>
type Reader = (input: unknown, isLenient: boolean) => Read

// the maximum number of unknown fields that one answer lists, because a body can have a million unknown names
const unknownMax = 50

const unknownFaults = (
  finder: FieldFinder,
  unknown: ReadonlyArray<ReadonlyArray<string>>,
  input: unknown
): ReadonlyArray<Fault> => {
  const faults = unknown.slice(0, unknownMax).map((path) => finder.faultOf(path, input))
  const more = unknown.length - faults.length
  return more === 0 ? faults : [...faults, { path: "", message: `There are ${more} more unknown fields.` }]
}

const nothingSent = Schema.NullishOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** Accepts a part that is absent or has no fields. Most reads have no body, so the decoder does not run for them. */
const acceptNothing = (input: unknown) =>
  input == null || (Predicate.isRecord(input) && Object.keys(input).length === 0) ? input : notAccepted

const spelling = (name: string) => name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase()

/**
 * Returns true if an unknown field is a known field in another spelling, such as `workspace_id`. The pod always refuses
 * such a field. The caller meant the known field, so the pod must not ignore it.
 */
const isMisspelt = ({ names }: FieldFinder, [name, ...inside]: ReadonlyArray<string>): boolean =>
  inside.length === 0 && [...names].some((declared) => spelling(declared) === spelling(name))

/** Makes the reader of one part of an input. Without a schema, the part must be empty. */
const reader = (schema: Schema.Schema.Any | undefined, otherNames: ReadonlyArray<string>): Reader => {
  const finder = fieldFinder(schema?.ast, otherNames)
  const closed = closedSchema(schema ?? nothingSent)
  const quickly = schema === undefined ? acceptNothing : quickDecoderOf(closed)
  const lenientDecoder = decoderOf(closed)
  // This decoder refuses unknown fields. Otherwise a union could choose a wrong member and drop the fields that this
  // member does not have.
  const strictly = decoderOf(closed, { onExcessProperty: "error" })
  const extra = otherNames.filter((name) => !finder.names.has(name))
  const declared = (input: unknown) =>
    Predicate.isRecord(input) && extra.some((name) => Object.hasOwn(input, name))
      ? Object.fromEntries(Object.entries(input).filter(([name]) => !extra.includes(name)))
      : input
  return (input, isLenient): Read => {
    const decodedAtOnce = quickly(declared(input))
    if (decodedAtOnce !== notAccepted) return Either.right({ input: decodedAtOnce, ignored: [] })
    const unknown = finder.unknownIn(input)
    if (unknown.length === 0) {
      return Either.mapBoth(strictly(declared(input)), {
        onLeft: (error) => faultsOf(error),
        onRight: (read) => ({ input: read, ignored: [] })
      })
    }
    const decoded = Either.mapLeft(lenientDecoder(input), (error) => faultsOf(error))
    if (isLenient && Either.isRight(decoded) && !unknown.some((path) => isMisspelt(finder, path))) {
      return Either.right({ input: decoded.right, ignored: unknown.map((path) => path.join(".")) })
    }
    return Either.left([
      ...unknownFaults(finder, unknown, input),
      ...Either.match(decoded, { onLeft: (faults) => faults, onRight: () => [] })
    ])
  }
}

/**
 * Returns the fields that can name the caller. `about` is the name of the field with the user that the operation
 * affects, so this field is left out.
 */
const callerFieldsOf = ({ about, door }: OperationProperties): ReadonlyArray<string> =>
  callerFields(door).filter((name) => name !== about)

/** Makes the reader of an input that is one object. The object can be absent. */
const objectReader = (declared: OperationProperties, schema: Schema.Schema.Any): Reader => {
  const read = reader(schema, callerFieldsOf(declared))
  return (input, isLenient) => read(input ?? {}, isLenient)
}

/**
 * Makes the reader of the parameters in a path. Their names come from the template of the path, so no name can be
 * unknown.
 */
const pathReader = (schema: Schema.Schema.Any): Reader => {
  const closed = closedSchema(schema)
  const quickly = quickDecoderOf(closed)
  const decode = Schema.decodeUnknownEither(closed, { errors: "all" })
  return (input) => {
    const decodedAtOnce = quickly(input)
    return Either.mapBoth(decodedAtOnce === notAccepted ? decode(input) : Either.right(decodedAtOnce), {
      onLeft: (error) => faultsOf(error),
      onRight: (read) => ({ input: read, ignored: [] })
    })
  }
}

/** Returns true if the client can leave out every field of a body. */
export const acceptsNothing = (schema: Schema.Schema.Any): boolean =>
  Either.isRight(Schema.decodeUnknownEither(closedSchema(schema))({}))

/**
 * Reads a missing body as `{}` if the schema accepts `{}`, because some clients send no body if all fields of the body
 * are optional. For any other schema, a missing body is a fault.
 */
const bodyReader = (schema: Schema.Schema.Any, read: Reader): Reader => {
  return acceptsNothing(schema) ? (input, isLenient) => read(input === undefined ? {} : input, isLenient) : read
}

interface EndpointSchemas {
  readonly pathSchema: Option.Option<Schema.Schema.Any>
  readonly urlParamsSchema: Option.Option<Schema.Schema.Any>
  readonly payloadSchema: Option.Option<Schema.Schema.Any>
}

/** Makes the reader of the three parts of a REST request. A query or a body without a schema must be empty. */
const restReader = (declared: OperationProperties, endpoint: EndpointSchemas): Reader => {
  const besides = callerFieldsOf(declared)
  type Part = readonly [name: "path" | "urlParams" | "payload", isDeclared: boolean, read: Reader]
  const part = (name: Part[0], schema: Option.Option<Schema.Schema.Any>): Part => {
    const declaredSchema = Option.getOrUndefined(schema)
    const read = reader(declaredSchema, besides)
    if (declaredSchema === undefined) return [name, false, read]
    return [name, true, name === "payload" ? bodyReader(declaredSchema, read) : read]
  }
  const parts: ReadonlyArray<Part> = [
    ...Option.toArray(Option.map(endpoint.pathSchema, (schema): Part => ["path", true, pathReader(schema)])),
    ...(declared.ignoresQuery === true ? [] : [part("urlParams", endpoint.urlParamsSchema)]),
    part("payload", endpoint.payloadSchema)
  ]
  return (input, isLenient) => {
    // REST passes only inputs of this type, so the cast is safe.
    const { path, query, body } = input as RestInput
    const sent = { path, urlParams: query, payload: body }
    const decoded: Record<string, unknown> = {}
    const faults: Array<Fault> = []
    const ignored: Array<string> = []
    for (const [name, isDeclared, read] of parts) {
      const result = read(sent[name], isLenient)
      if (Either.isLeft(result)) faults.push(...result.left)
      else {
        if (isDeclared) decoded[name] = result.right.input
        ignored.push(...result.right.ignored)
      }
    }
    return faults.length === 0 ? Either.right({ input: decoded, ignored }) : Either.left(faults)
  }
}

const decodersOf = (declared: OperationProperties, make: () => Reader): InputDecoders => {
  const reader = atFirstUse(make)
  return {
    decode: (input) => Either.map(reader()(input, false), (decoded) => decoded.input),
    ...(givesAuthority(declared.door, declared.kind) ? {} : { decodeLeniently: (input) => reader()(input, true) })
  }
}

/** Makes the decoders of the arguments of a tool. Null for an optional argument counts as absent. */
export const argumentDecoders = (declared: OperationProperties, schema: Schema.Schema.Any): InputDecoders =>
  decodersOf(declared, () => {
    const read = objectReader(declared, schema)
    const present = withoutNullArguments(schema)
    return (input, isLenient) => read(present(input), isLenient)
  })

/** Makes the decoders of an input that is one object. */
export const objectDecoders = (declared: OperationProperties, schema: Schema.Schema.Any): InputDecoders =>
  decodersOf(declared, () => objectReader(declared, schema))

/** Makes the decoders of a `RestInput` (path, query and body). */
export const restDecoders = (declared: OperationProperties, endpoint: EndpointSchemas): InputDecoders =>
  decodersOf(declared, () => restReader(declared, endpoint))
