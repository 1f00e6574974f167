/** What a declaration and its handler are compiled to, once, at start. */
import { HttpApi, type HttpApiGroup } from "@effect/platform"
import type { Rpc, RpcGroup } from "@effect/rpc"
import { Context, type Effect, Either, Option, Schema } from "effect"
import { type AnyTool, Declaration, type Declared, NoInput } from "./Declare.ts"
import { encoderOf } from "./Encode.ts"
import type { Failure, Fault } from "./Failure.ts"
import { decoderOf, faultsOf } from "./Faults.ts"
import { type AnyHandler, handlerKey } from "./Implement.ts"
import type { Proposed } from "./Proposed.ts"
import type { Reach } from "./Reach.ts"

/** The parts of a REST request, undecoded. `body` is undefined when there was none. */
export interface RestInput {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Operation extends Declared {
  /** The parts of an input in which a caller says who acts. */
  readonly said: (input: unknown) => ReadonlyArray<unknown>
  readonly decode: (input: unknown) => Either.Either<unknown, ReadonlyArray<Fault>>
  readonly run: (input: unknown) => Effect.Effect<unknown, Failure | Proposed, Reach>
  /** From the handler's answer to JSON. Throws when a handler broke its own promise: that is a defect. */
  readonly encode: (answer: unknown) => unknown
}

export interface ProcedureOperation extends Operation {
  /** False for a procedure without input: nothing that was sent can be wrong with it. */
  readonly takesInput: boolean
}

export interface RestOperation extends Operation {
  readonly method: string
  /** `/entities/:id`, below the mount of the Hub. */
  readonly path: string
  readonly takesBody: boolean
}

export interface ToolOperation extends Operation {
  readonly title: string
  readonly input: Schema.Schema.Any
  readonly success: Schema.Schema.Any
}

const whole = (input: unknown) => [input]

const decoder = (schema: Schema.Schema.Any, under = "") => {
  // Every schema of a declaration is closed (no services), which `Schema.Schema.Any` cannot say.
  const decode = decoderOf(schema as Schema.Schema<unknown>)
  return (input: unknown) => Either.mapLeft(decode(input), (error) => faultsOf(error, under))
}

// Closed like the rest of a declaration.
const encoder = (schema: Schema.Schema.Any) => encoderOf(schema as Schema.Schema<unknown>)

/** The declaration with its door, or a sentence that stops the start. Names what has none. */
const withDoor = (declared: Declared | undefined, what: string): Declared => {
  if (declared?.door === undefined)
    throw new Error(`${what} has no door. Declare it with read, write, open, query, mutation or tool.`)
  return declared
}

const declaredBy = (annotations: Context.Context<never>, what: string): Declared =>
  withDoor(Option.getOrUndefined(Context.getOption(annotations as Context.Context<Declaration>, Declaration)), what)

/** Of two with one name the later would silently stand in for the earlier, with another door. */
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
 * Every endpoint of the assembled API, by reflection: never a hand-kept list. Throws when one has no door or no handler,
 * or shares its name or route with another.
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
      // Its own annotations only: a group's would be a door for whatever was added to the group by hand.
      const declared = declaredBy(endpoint.annotations, `${endpoint.method} ${endpoint.path}`)
      note(declared.name)
      note(`${endpoint.method} ${endpoint.path.replaceAll(/:[^/]+/g, ":")}`)
      const part = (schema: Option.Option<unknown>, under: string) =>
        Option.getOrUndefined(Option.map(schema, (some) => decoder(some as Schema.Schema.Any, under)))
      const path = part(endpoint.pathSchema, "")
      const urlParams = part(endpoint.urlParamsSchema, "")
      const payload = part(endpoint.payloadSchema, "")
      operations.push({
        ...declared,
        method: endpoint.method,
        path: endpoint.path,
        takesBody: payload !== undefined,
        said: (input) => {
          const { body, query } = input as RestInput
          return [query, body]
        },
        decode: (input) => {
          const { path: params, query, body } = input as RestInput
          const decoded: Record<string, unknown> = {}
          const faults: Array<Fault> = []
          const take = (name: string, decode: typeof path, value: unknown) => {
            if (decode === undefined) return
            const result = decode(value)
            if (Either.isLeft(result)) faults.push(...result.left)
            else decoded[name] = result.right
          }
          take("path", path, params)
          take("urlParams", urlParams, query)
          take("payload", payload, body)
          return faults.length === 0 ? Either.right(decoded) : Either.left(faults)
        },
        run: handlerOf(handlers, "rest", declared.name),
        encode: encoder(endpoint.successSchema)
      })
    }
  })
  return operations
}

/** Every procedure of the groups, by path. Throws when one has no door or no handler. */
export const compileProcedures = <P extends Rpc.Any>(
  group: RpcGroup.RpcGroup<P>,
  handlers: ReadonlyMap<string, AnyHandler>
): ReadonlyMap<string, ProcedureOperation> => {
  const operations = new Map<string, ProcedureOperation>()
  for (const [path, request] of group.requests as unknown as ReadonlyMap<string, Rpc.AnyWithProps>) {
    const declared = declaredBy(request.annotations, `procedure ${path}`)
    const decode = decoder(request.payloadSchema)
    operations.set(path, {
      ...declared,
      takesInput: request.payloadSchema !== NoInput,
      said: whole,
      decode: (input) => decode(input ?? {}),
      run: handlerOf(handlers, "procedure", path),
      encode: encoder(request.successSchema)
    })
  }
  return operations
}

/** Every MCP tool, by name. Throws when one has no door or no handler, or shares its name. */
export const compileTools = (
  tools: ReadonlyArray<AnyTool>,
  handlers: ReadonlyMap<string, AnyHandler>
): ReadonlyMap<string, ToolOperation> => {
  const note = onlyOnce()
  return new Map(
    tools.map((tool) => {
      note(tool.name)
      const decode = decoder(tool.input)
      return [
        tool.name,
        {
          ...withDoor(tool.declared, `tool ${tool.name}`),
          title: tool.title,
          input: tool.input,
          success: tool.success,
          said: whole,
          decode: (input: unknown) => decode(input ?? {}),
          run: handlerOf(handlers, "tool", tool.name),
          encode: encoder(tool.success)
        }
      ] as const
    })
  )
}
