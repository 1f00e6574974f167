/** Compiles each declaration with its handler to an operation, once at start. */
import { HttpApi, type HttpApiGroup } from "@effect/platform"
import type { Rpc, RpcGroup } from "@effect/rpc"
import { Context, type Effect, Either, Option, Schema } from "effect"
import { encoderOf, quickDecoderOf, unfit } from "./CompiledSchema.ts"
import { Declaration, type OperationProperties } from "./Declaration.ts"
import { NoInput } from "./DeclareProcedure.ts"
import type { AnyTool } from "./DeclareTool.ts"
import { type Dialect, dialectOf } from "./Dialect.ts"
import { givesAuthority } from "./Door.ts"
import type { Failure, Fault } from "./Failure.ts"
import { decoderOf, faultsOf } from "./Faults.ts"
import { callerFields } from "./Identity.ts"
import { type AnyHandler, handlerKey, plainOf } from "./Implement.ts"
import { type PagedAnswer, hasNextCursor } from "./Page.ts"
import type { Proposed } from "./Proposed.ts"
import type { Reach } from "./Reach.ts"
import { fieldFinder, type FieldFinder } from "./UnknownFields.ts"

/** The parts of a REST request before they are decoded. `body` is undefined if the request had no body. */
export interface RestInput {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A decoded input, and the paths of the ignored fields, such as `properties.0.due`. */
export interface Decoded {
  readonly input: unknown
  readonly ignored: ReadonlyArray<string>
}

export interface Operation extends OperationProperties {
  /** The parts of an input whose fields may hold the id of the user who acts. */
  readonly identitySignals: (input: unknown) => ReadonlyArray<unknown>
  /** Decodes an input and refuses unknown fields. Each fault suggests the most similar known name. */
  readonly decode: (input: unknown) => Either.Either<unknown, ReadonlyArray<Fault>>
  /** Decodes an input and lists unknown fields. Absent for operations that change access rights. */
  readonly decodeLeniently?: (input: unknown) => Either.Either<Decoded, ReadonlyArray<Fault>>
  readonly run: (input: unknown) => Effect.Effect<unknown, Failure | Proposed, Reach>
  /** Encodes the handler's answer to JSON. Throws if the answer does not fit the declared schema, which is a defect. */
  readonly encode: (answer: unknown) => unknown
  /** The cursor of the next page. Undefined if the handler answered no page, or the last page. */
  readonly nextOf: (answer: unknown) => string | undefined
}

export interface ProcedureOperation extends Operation {
  /** False for a procedure without input. Such a procedure ignores every input that the client sends. */
  readonly takesInput: boolean
  /** Whether the input may have a field named `json`. */
  readonly takesJson: boolean
}

export interface RestOperation extends Operation {
  readonly method: string
  /** The path below the mount of the Hub, such as `/entities/:id`. */
  readonly path: string
  readonly takesBody: boolean
  /** The encoded answer of a public operation that needs nothing to make it. */
  readonly answerPlainly?: () => unknown
  /** Headers whose value counts as a field of the body that does not have the field. */
  readonly headerFields: ReadonlyArray<HeaderField>
}

interface HeaderField {
  readonly header: string
  readonly field: string
  /** Absent if the header counts in every dialect. */
  readonly dialect?: Dialect
}

const headerFields: ReadonlyArray<HeaderField> = [
  // The focus session to which a write belongs.
  { header: "x-session-id", field: "sessionId" },
  // The body of an OpenAI client has no field of its own for the workspace.
  { header: "x-svc-workspace-id", field: "workspaceId", dialect: "openai" }
]

export interface ToolOperation extends Operation {
  readonly title: string
  readonly input: Schema.Schema.Any
  readonly success: Schema.Schema.Any
}

const whole = (input: unknown) => [input]

type Read = Either.Either<Decoded, ReadonlyArray<Fault>>
type Reader = (input: unknown, isLenient: boolean) => Read

const unknownMax = 50 // faults of one answer; a body may hold a million names

const unknownFaults = (finder: FieldFinder, unknown: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Fault> => {
  const faults = unknown.slice(0, unknownMax).map(finder.faultOf)
  const more = unknown.length - faults.length
  return more === 0 ? faults : [...faults, { path: "", message: `There are ${more} more unknown fields.` }]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nothingSent = Schema.NullishOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const spelling = (name: string) => name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase()

/** Whether an unknown field is a declared one in another spelling, such as `workspace_id`. Nobody wants to have that ignored. */
const isMisspelt = ({ names }: FieldFinder, [name, ...inside]: ReadonlyArray<string>): boolean =>
  inside.length === 0 && [...names].some((declared) => spelling(declared) === spelling(name))

/** Makes the reader of one part of an input. Without a schema, the part must be empty. */
const reader = (schema: Schema.Schema.Any | undefined, besides: ReadonlyArray<string>): Reader => {
  const finder = fieldFinder(schema?.ast, besides)
  // Every schema of a declaration needs no services, but the type `Schema.Schema.Any` cannot express this.
  const closed = (schema ?? nothingSent) as Schema.Schema<unknown>
  const quickly = schema === undefined ? () => unfit : quickDecoderOf(closed)
  const loosely = decoderOf(closed)
  // Needed although unknown fields are also searched: a union must not choose a member by dropping fields.
  const strictly = decoderOf(closed, { onExcessProperty: "error" })
  const extra = besides.filter((name) => !finder.names.has(name))
  const declared = (input: unknown) =>
    isObject(input) && extra.some((name) => Object.hasOwn(input, name))
      ? Object.fromEntries(Object.entries(input).filter(([name]) => !extra.includes(name)))
      : input
  return (input, isLenient): Read => {
    const decodedAtOnce = quickly(declared(input))
    if (decodedAtOnce !== unfit) return Either.right({ input: decodedAtOnce, ignored: [] })
    const unknown = finder.unknownIn(input)
    if (unknown.length === 0) {
      return Either.mapBoth(strictly(declared(input)), {
        onLeft: (error) => faultsOf(error),
        onRight: (read) => ({ input: read, ignored: [] })
      })
    }
    const decoded = Either.mapLeft(loosely(input), (error) => faultsOf(error))
    if (isLenient && Either.isRight(decoded) && !unknown.some((path) => isMisspelt(finder, path))) {
      return Either.right({ input: decoded.right, ignored: unknown.map((path) => path.join(".")) })
    }
    return Either.left([
      ...unknownFaults(finder, unknown),
      ...Either.match(decoded, { onLeft: (faults) => faults, onRight: () => [] })
    ])
  }
}

const reading = (declared: OperationProperties, read: Reader): Pick<Operation, "decode" | "decodeLeniently"> => ({
  decode: (input) => Either.map(read(input, false), (decoded) => decoded.input),
  ...(givesAuthority(declared.door, declared.kind) ? {} : { decodeLeniently: (input) => read(input, true) })
})

/** The fields that name the caller. A field that names whom the operation is about is none of them. */
const callerFieldsOf = ({ about, door }: OperationProperties): ReadonlyArray<string> =>
  callerFields(door).filter((name) => name !== about)

/** Makes the reader of an input that is one object. The object may be absent. */
const readerOf = (declared: OperationProperties, schema: Schema.Schema.Any): Reader => {
  const read = reader(schema, callerFieldsOf(declared))
  return (input, isLenient) => read(input ?? {}, isLenient)
}

/** Makes the reader of a path. The template of the path determines the names, so a path has no unknown names. */
const pathReader = (schema: Schema.Schema.Any): Reader => {
  // The schema needs no services, like every schema of a declaration.
  const closed = schema as Schema.Schema<unknown>
  const quickly = quickDecoderOf(closed)
  const decode = Schema.decodeUnknownEither(closed, { errors: "all" })
  return (input) => {
    const decodedAtOnce = quickly(input)
    return Either.mapBoth(decodedAtOnce === unfit ? decode(input) : Either.right(decodedAtOnce), {
      onLeft: (error) => faultsOf(error),
      onRight: (read) => ({ input: read, ignored: [] })
    })
  }
}

/** Makes the reader of the three parts of a REST request. A query or a body without a schema must be empty. */
const restReader = (
  declared: OperationProperties,
  endpoint: {
    readonly pathSchema: Option.Option<unknown>
    readonly urlParamsSchema: Option.Option<unknown>
    readonly payloadSchema: Option.Option<unknown>
  }
): Reader => {
  const besides = callerFieldsOf(declared)
  type Part = readonly [name: "path" | "urlParams" | "payload", isDeclared: boolean, read: Reader]
  const part = (name: Part[0], schema: Option.Option<unknown>): Part => {
    const declaredSchema = Option.getOrUndefined(schema) as Schema.Schema.Any | undefined
    return [name, declaredSchema !== undefined, reader(declaredSchema, besides)]
  }
  const parts: ReadonlyArray<Part> = [
    ...Option.toArray(
      Option.map(endpoint.pathSchema, (schema): Part => ["path", true, pathReader(schema as Schema.Schema.Any)])
    ),
    part("urlParams", endpoint.urlParamsSchema),
    part("payload", endpoint.payloadSchema)
  ]
  return (input, isLenient) => {
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

// The schema needs no services, like every schema of a declaration.
const encoder = (schema: Schema.Schema.Any) => encoderOf(schema as Schema.Schema<unknown>)

/** Says how an answer of this schema is encoded, and how the next page of its listing is found. */
const answering = (success: Schema.Schema.Any): Pick<Operation, "encode" | "nextOf"> => ({
  encode: encoder(success),
  // Such a schema has a page, or a struct with the cursor of a next page, as its type.
  nextOf: hasNextCursor(success) ? (answer) => (answer as PagedAnswer<unknown>).next ?? undefined : () => undefined
})

/** Returns the declaration if it has a door. Otherwise throws an error with the operation's name, `what`. */
const withDoor = (declared: OperationProperties | undefined, what: string): OperationProperties => {
  if (declared?.door === undefined)
    throw new Error(
      `${what} has no door. Declare it with read, write, open, personal, operated, query, mutation or tool.`
    )
  return declared
}

const declaredBy = (annotations: Context.Context<never>, what: string): OperationProperties =>
  withDoor(Option.getOrUndefined(Context.getOption(annotations as Context.Context<Declaration>, Declaration)), what)

/** Makes a function that refuses a second operation of the same name, which would replace the first. */
const onlyOnce = () => {
  const seen = new Set<string>()
  return (what: string) => {
    if (seen.has(what)) throw new Error(`${what} is declared twice.`)
    seen.add(what)
  }
}

const handlerOf = (
  handlers: ReadonlyMap<string, AnyHandler>,
  surface: Parameters<typeof handlerKey>[0],
  name: string
) => {
  const handler = handlers.get(handlerKey(surface, name))
  if (handler === undefined) throw new Error(`${name} has a door but no handler.`)
  return handler as (input: unknown) => Effect.Effect<unknown, Failure | Proposed, Reach>
}

/**
 * Every endpoint of the assembled API, found by reflection, so that none can be forgotten. Throws if an endpoint has no
 * door or no handler, or if two endpoints have the same name or route.
 */
export const compileRest = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  handlers: ReadonlyMap<string, AnyHandler>
): ReadonlyArray<RestOperation> => {
  const operations: Array<RestOperation> = []
  const note = onlyOnce()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      // Only the endpoint's own annotations count: an annotation of the group would give a door to every endpoint in it.
      const declared = declaredBy(endpoint.annotations, `${endpoint.method} ${endpoint.path}`)
      note(declared.name)
      note(`${endpoint.method} ${endpoint.path.replaceAll(/:[^/]+/g, ":")}`)
      const run = handlerOf(handlers, "rest", declared.name)
      const answers = answering(endpoint.successSchema)
      const plain = declared.door._tag === "Public" ? plainOf(run) : undefined
      operations.push({
        ...declared,
        method: endpoint.method,
        path: endpoint.path,
        takesBody: Option.isSome(endpoint.payloadSchema),
        headerFields: headerFields.filter(
          ({ dialect, field }) =>
            (dialect === undefined || dialect === dialectOf(endpoint.path)) &&
            Option.exists(endpoint.payloadSchema, ({ ast }) => fieldFinder(ast).names.has(field))
        ),
        identitySignals: (input) => {
          const { body, query } = input as RestInput
          return [query, body]
        },
        ...reading(declared, restReader(declared, endpoint)),
        run,
        ...answers,
        ...(plain === undefined ? {} : { answerPlainly: () => answers.encode(plain()) })
      })
    }
  })
  return operations
}

/** Every procedure of the groups, by path. Throws if a procedure has no door or no handler. */
export const compileProcedures = <P extends Rpc.Any>(
  group: RpcGroup.RpcGroup<P>,
  handlers: ReadonlyMap<string, AnyHandler>
): ReadonlyMap<string, ProcedureOperation> => {
  const operations = new Map<string, ProcedureOperation>()
  for (const [path, request] of group.requests as unknown as ReadonlyMap<string, Rpc.AnyWithProps>) {
    const declared = declaredBy(request.annotations, `procedure ${path}`)
    operations.set(path, {
      ...declared,
      takesInput: request.payloadSchema !== NoInput,
      takesJson: fieldFinder(request.payloadSchema.ast).names.has("json"),
      identitySignals: whole,
      ...reading(declared, readerOf(declared, request.payloadSchema)),
      run: handlerOf(handlers, "procedure", path),
      ...answering(request.successSchema)
    })
  }
  return operations
}

/** Every MCP tool, by name. Throws if a tool has no door or no handler, or if two tools have the same name. */
export const compileTools = (
  tools: ReadonlyArray<AnyTool>,
  handlers: ReadonlyMap<string, AnyHandler>
): ReadonlyMap<string, ToolOperation> => {
  const note = onlyOnce()
  return new Map(
    tools.map((tool) => {
      note(tool.name)
      const declared = withDoor(tool.declared, `tool ${tool.name}`)
      return [
        tool.name,
        {
          ...declared,
          title: tool.title,
          input: tool.input,
          success: tool.success,
          identitySignals: whole,
          ...reading(declared, readerOf(declared, tool.input)),
          run: handlerOf(handlers, "tool", tool.name),
          ...answering(tool.success)
        }
      ] as const
    })
  )
}
