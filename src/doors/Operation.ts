/** Compiles each declaration with its handler to an operation, once at start. */
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { Rpc, RpcGroup } from "@effect/rpc"
import { type Context, type Effect, Option, type Schema } from "effect"
import { encoderOf } from "./CompiledSchema.ts"
import { type CursorReader, cursorReader, cursorText } from "./Cursor.ts"
import { closedSchema, declarationIn, type OperationProperties } from "./Declaration.ts"
import { NoInput } from "./DeclareProcedure.ts"
import type { AnyTool } from "./DeclareTool.ts"
import { dialectOf } from "./Dialect.ts"
import type { Failure } from "./Failure.ts"
import { type HeaderField, procedureHeaderFields, restHeaderFields } from "./HeaderFields.ts"
import { type AnyHandler, handlerKey, plainFunctionOf } from "./Implement.ts"
import { argumentDecoders, type InputDecoders, objectDecoders, restDecoders, type RestInput } from "./InputReader.ts"
import type { PagedAnswer } from "./Page.ts"
import type { Proposed } from "./Proposed.ts"
import type { Reach } from "./Reach.ts"
import { fieldFinder } from "./UnknownFields.ts"

interface EncodedAnswer {
  readonly answer: unknown
  readonly next: string | undefined
}

export interface Operation extends OperationProperties, InputDecoders {
  /** Returns the parts of an input whose fields can hold the id of the user who acts. */
  readonly callerInputs: (input: unknown) => ReadonlyArray<unknown>
  readonly run: (input: unknown) => Effect.Effect<unknown, Failure | Proposed, Reach>
  /**
   * Encodes the handler's answer to JSON. Throws if the answer does not fit the declared schema, because such an answer
   * is a defect.
   */
  readonly encode: (answer: unknown) => unknown
  /** Reads the cursors of the operation. Undefined if the operation is not a list with cursors. */
  readonly cursors: CursorReader | undefined
  /**
   * Encodes the handler's answer, and returns it with the cursor of the next page. The cursor is undefined if the
   * answer is not a page, or is the last page. `mark` is the mark of the list for this caller.
   */
  readonly answerOf: (answer: unknown, mark: (() => string) | undefined) => EncodedAnswer
}

export interface ProcedureOperation extends Operation {
  /** False for a procedure without input. Such a procedure ignores every input that the client sends. */
  readonly takesInput: boolean
  /** Whether the input can have a field named `json`. */
  readonly takesJson: boolean
  /** Headers that clients can send in place of a field of the input. */
  readonly headerFields: ReadonlyArray<HeaderField>
}

export interface RestOperation extends Operation {
  readonly method: string
  /** The whole path of the route, such as `/api/hub/entities/:id`. */
  readonly path: string
  readonly takesBody: boolean
  /**
   * Makes the encoded answer of a public operation that needs no input and no service. Absent for all other operations.
   */
  readonly answerPlainly?: () => unknown
  /** Headers that clients can send in place of a field of the body. */
  readonly headerFields: ReadonlyArray<HeaderField>
}

export interface ToolOperation extends Operation {
  readonly title: string
  readonly input: Schema.Schema.Any
  readonly success: Schema.Schema.Any
}

const whole = (input: unknown) => [input]
const inputAlone = (input: unknown) => ({ query: input, path: [] })

/** The decoded parts of a REST request that say which list it asks for. */
interface DecodedRequest {
  readonly path?: Readonly<Record<string, unknown>>
  readonly urlParams: unknown
}

const encoder = (schema: Schema.Schema.Any) => encoderOf(closedSchema(schema))

/** Makes the functions for answers of this schema. */
const answerParts = (success: Schema.Schema.Any): Pick<Operation, "encode" | "answerOf"> => {
  const encode = encoder(success)
  return {
    encode,
    answerOf: (answer, mark) => {
      if (mark === undefined || !isPaged(answer) || answer.next === null)
        return { answer: encode(answer), next: undefined }
      const next = cursorText(answer.next, mark())
      return { answer: encode({ ...answer, next }), next }
    }
  }
}

/** The answers of a list are pages, or structs together with a cursor (`hasNextCursor`). Others fail in the encoder. */
const isPaged = (answer: unknown): answer is Pick<PagedAnswer<unknown>, "next"> =>
  typeof answer === "object" && answer !== null && "next" in answer

/** Throws if a list with cursors has a public door: a cursor belongs to a person, and such a call has none. */
const withCursors = (declared: OperationProperties, cursors: CursorReader | undefined) => {
  if (cursors !== undefined && declared.door._tag === "Public") {
    throw new Error(`${declared.name} is public, so it cannot have cursors.`)
  }
  return { cursors }
}

/** Returns the declaration if it has a door. Otherwise throws an error that names the operation (`what`). */
const withDoor = (declared: OperationProperties | undefined, what: string): OperationProperties => {
  if (declared?.door === undefined)
    throw new Error(
      `${what} has no door. Declare it with read, write, stream, open, sessionOnly, operatorOnly, query, mutation, subscription or tool.`
    )
  return declared
}

const declaredBy = (annotations: Context.Context<never>, what: string): OperationProperties =>
  withDoor(Option.getOrUndefined(declarationIn(annotations)), what)

/**
 * Makes a function that refuses a second operation of the same name. Otherwise the second operation would replace the
 * first.
 */
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
  // The handlers were bound with the types of their declarations, so the cast is safe.
  return handler as (input: unknown) => Effect.Effect<unknown, Failure | Proposed, Reach>
}

/**
 * Compiles every endpoint of the whole API. The endpoints are read from the API itself, so that none is forgotten.
 * Throws if an endpoint has no door or no handler, or if two endpoints have the same name or route.
 */
export const compileRest = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  handlers: ReadonlyMap<string, AnyHandler>
): ReadonlyArray<RestOperation> => {
  const operations: Array<RestOperation> = []
  const note = onlyOnce()
  // `HttpApi.reflect` would also collect the failures and successes of each endpoint, which takes longer than the rest.
  // The casts are safe, because every group and every endpoint has the properties of `AnyWithProps`.
  for (const group of Object.values<HttpApiGroup.HttpApiGroup.AnyWithProps>(api.groups as never)) {
    for (const endpoint of Object.values<HttpApiEndpoint.HttpApiEndpoint.AnyWithProps>(group.endpoints)) {
      // The pod ignores annotations of the group, because such an annotation would give the same door to all endpoints
      // of the group.
      const declared = declaredBy(endpoint.annotations, `${endpoint.method} ${endpoint.path}`)
      note(declared.name)
      note(`${endpoint.method} ${endpoint.path.replaceAll(/:[^/]+/g, ":")}`)
      if (declared.ignoresQuery === true && Option.isSome(endpoint.urlParamsSchema)) {
        throw new Error(`${declared.name} declares a query and also ignores it.`)
      }
      const run = handlerOf(handlers, "rest", declared.name)
      const answers = answerParts(endpoint.successSchema)
      const plain = declared.door._tag === "Public" ? plainFunctionOf(run) : undefined
      const fields = Option.map(endpoint.payloadSchema, ({ ast }) => fieldFinder(ast).names)
      operations.push({
        ...declared,
        method: endpoint.method,
        path: endpoint.path,
        takesBody: Option.isSome(endpoint.payloadSchema),
        headerFields: restHeaderFields(
          endpoint.method,
          dialectOf(endpoint.path),
          Option.getOrElse(fields, () => new Set<string>())
        ),
        callerInputs: (input) => {
          // REST passes only inputs of this type, so the cast is safe.
          const { body, query } = input as RestInput
          return [query, body]
        },
        ...restDecoders(declared, endpoint),
        ...withCursors(
          declared,
          cursorReader(Option.getOrUndefined(endpoint.urlParamsSchema), (input) => {
            // The decoder of a REST request returns these parts, so the cast is safe.
            const { path = {}, urlParams } = input as DecodedRequest
            return { query: urlParams, path: Object.values(path) }
          })
        ),
        run,
        ...answers,
        ...(plain === undefined ? {} : { answerPlainly: () => answers.encode(plain()) })
      })
    }
  }
  return operations
}

/**
 * Compiles every procedure of the groups, and returns the procedures by path. Throws if a procedure has no door or no
 * handler.
 */
export const compileProcedures = <P extends Rpc.Any>(
  group: RpcGroup.RpcGroup<P>,
  handlers: ReadonlyMap<string, AnyHandler>
): ReadonlyMap<string, ProcedureOperation> => {
  const operations = new Map<string, ProcedureOperation>()
  // Every request of a group has these properties; the general type of the library hides them.
  for (const [path, request] of group.requests as unknown as ReadonlyMap<string, Rpc.AnyWithProps>) {
    const declared = declaredBy(request.annotations, `procedure ${path}`)
    const { names } = fieldFinder(request.payloadSchema.ast)
    operations.set(path, {
      ...declared,
      takesInput: request.payloadSchema !== NoInput,
      takesJson: names.has("json"),
      headerFields: procedureHeaderFields(declared.kind, request.payloadSchema.ast, names),
      callerInputs: whole,
      ...objectDecoders(declared, request.payloadSchema),
      ...withCursors(declared, cursorReader(request.payloadSchema, inputAlone)),
      run: handlerOf(handlers, "procedure", path),
      ...answerParts(request.successSchema)
    })
  }
  return operations
}

/**
 * Compiles every MCP tool, and returns the tools by name. Throws if a tool has no door or no handler, or if two tools
 * have the same name.
 */
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
          callerInputs: whole,
          ...argumentDecoders(declared, tool.input),
          ...withCursors(declared, cursorReader(tool.input, inputAlone)),
          run: handlerOf(handlers, "tool", tool.name),
          ...answerParts(tool.success)
        }
      ] as const
    })
  )
}
