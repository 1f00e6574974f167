/**
 * Connects handlers with declarations. The types of a handler come from its declaration. A declaration without a
 * handler does not compile.
 */
import type { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { Rpc, RpcGroup } from "@effect/rpc"
import { Context, Effect, Layer, type Schema } from "effect"
import type { AnyTool } from "./DeclareTool.ts"
import type { Failure } from "./Failure.ts"
import type { Proposed } from "./Proposed.ts"
import type { Reach } from "./Reach.ts"

/** The common type of all stored handlers. The exact types of each handler were checked when the handler was added. */
export type AnyHandler = (input: never) => Effect.Effect<unknown, Failure | Proposed, Reach>

/**
 * Every handler of the pod. The key of the map has the surface and the name of the handler (`handlerKey`). The layers
 * fill this map at start, and then the compiler of operations reads it once.
 */
export class Implementations extends Context.Tag("pod/Implementations")<Implementations, Map<string, AnyHandler>>() {
  static readonly layer = Layer.sync(this, () => new Map())
}

type Endpoints<G extends HttpApiGroup.HttpApiGroup.Any> = HttpApiGroup.HttpApiGroup.Endpoints<G>
type NamedEndpoint<
  G extends HttpApiGroup.HttpApiGroup.Any,
  N extends string
> = HttpApiEndpoint.HttpApiEndpoint.WithName<Endpoints<G>, N>

/**
 * One function for each endpoint. It gets the decoded path, query and payload, can use `Reach`, and returns the
 * declared success.
 */
export type EndpointHandlers<G extends HttpApiGroup.HttpApiGroup.Any> = {
  readonly [N in HttpApiEndpoint.HttpApiEndpoint.Name<Endpoints<G>>]: (
    request: Omit<HttpApiEndpoint.HttpApiEndpoint.Request<NamedEndpoint<G, N>>, "request">
  ) => Effect.Effect<
    HttpApiEndpoint.HttpApiEndpoint.SuccessWithName<Endpoints<G>, N>,
    HttpApiEndpoint.HttpApiEndpoint.ErrorWithName<Endpoints<G>, N> | Proposed,
    Reach
  >
}

/** One function for each procedure. It gets the decoded input. */
export type ProcedureHandlers<R extends Rpc.Any> = {
  readonly [P in R as P["_tag"]]: (
    input: Rpc.Payload<P>
  ) => Effect.Effect<Rpc.Success<P>, Rpc.Error<P> | Proposed, Reach>
}

/** One function for each tool. It gets the decoded arguments. */
export type ToolHandlers<T extends AnyTool> = {
  readonly [P in T as P["name"]]: (
    input: Schema.Schema.Type<P["input"]>
  ) => Effect.Effect<Schema.Schema.Type<P["success"]>, NonNullable<P["Failure"]> | Proposed, Reach>
}

/**
 * Marks a handler that needs no input and no service, and that does not wait. For a public operation, REST calls this
 * handler directly, because a fiber would take more time than the answer. Compared with a hand-written server, `GET
 * /livez` took 4.2 times as long with a fiber, and 1.66 times as long without one (`bench/README.md`). A part of this
 * difference comes from other improvements. `plainHandlers.test.ts` compares the answer with that of the fiber. Remove
 * `plainHandler` when a fiber takes less than a tenth of the time of such an answer.
 */
export const plainHandler = <A>(answer: () => A): (() => Effect.Effect<A>) & { readonly plain: () => A } =>
  Object.assign(() => Effect.sync(answer), { plain: answer })

// Only `plainHandler` makes handlers with this property.
const hasPlain = (handler: object): handler is { readonly plain: () => unknown } => "plain" in handler

/** Returns the plain function of a handler that was made by `plainHandler`. Returns undefined for any other handler. */
export const plainFunctionOf = (handler: object): (() => unknown) | undefined =>
  hasPlain(handler) ? handler.plain : undefined

/**
 * Returns the key of a handler in the map of handlers. The key contains the surface, because REST and the procedures
 * can have operations of the same name.
 */
export const handlerKey = (surface: "rest" | "procedure" | "tool", name: string): string => `${surface} ${name}`

const register = <E, R>(
  surface: Parameters<typeof handlerKey>[0],
  build: Effect.Effect<Record<string, unknown>, E, R>
) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const implementations = yield* Implementations
      for (const [name, handler] of Object.entries(yield* build)) {
        const key = handlerKey(surface, name)
        if (implementations.has(key)) return yield* Effect.dieMessage(`${key} has two handlers`)
        // The types `EndpointHandlers`, `ProcedureHandlers` and `ToolHandlers` have checked the handler. The map stores
        // it without its input type.
        implementations.set(key, handler as AnyHandler)
      }
    })
  )

/** Binds the handlers of a REST group. */
export const implement = <G extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  _group: G,
  build: Effect.Effect<EndpointHandlers<G>, E, R>
): Layer.Layer<never, E, R | Implementations> => register("rest", build)

/** Binds the handlers of a group of procedures. */
export const implementProcedures = <P extends Rpc.Any, E, R>(
  _group: RpcGroup.RpcGroup<P>,
  build: Effect.Effect<ProcedureHandlers<P>, E, R>
): Layer.Layer<never, E, R | Implementations> => register("procedure", build)

/** Binds the handlers of MCP tools. */
export const implementTools = <const T extends ReadonlyArray<AnyTool>, E, R>(
  _tools: T,
  build: Effect.Effect<ToolHandlers<T[number]>, E, R>
): Layer.Layer<never, E, R | Implementations> => register("tool", build)
