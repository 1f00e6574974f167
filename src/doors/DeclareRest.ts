/**
 * The only functions that declare a REST operation. Each requires a door, so a declaration without a door does not
 * compile.
 */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { type Context, Option, Schema, SchemaAST } from "effect"
import { batchOf } from "./Batch.ts"
import { type AnySchema, Declaration, type Deprecated, type OperationProperties } from "./Declaration.ts"
import {
  commonFailures,
  changeFailures,
  type OperationDescription,
  type FailureIn,
  type FailureOfDoor,
  type Failures,
  governedFailures,
  credentialFailures,
  ofDoor,
  streamProperties,
  type TypeOf,
  bodyFailures,
  type Writes,
  writeProperties
} from "./DeclaredFailures.ts"
import { dialectOf, failureAnswersOf } from "./Dialect.ts"
import type { OperatorDoor, PublicDoor, ReadDoor, SessionDoor, WriteDoor } from "./Door.ts"
import { RawText } from "./RawText.ts"

interface ReadSpec<P, Q, S, E extends Failures = Failures> extends OperationDescription<E> {
  readonly path: `/${string}`
  /** The frames (parts of the answer) that the operation can send while it still runs. */
  readonly frames?: AnySchema
  readonly params?: P
  readonly query?: Q
  readonly success: S
}

interface WriteSpec<P, Q, B, S, E extends Failures = Failures> extends ReadSpec<P, Q, S, E>, Writes {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly payload?: B
}

type Endpoint<N extends string, P, Q, B, S, F> = HttpApiEndpoint.HttpApiEndpoint<
  N,
  "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  TypeOf<P>,
  TypeOf<Q>,
  TypeOf<B>,
  never,
  TypeOf<S>,
  F
>

/**
 * Gives a schema the status 202. The library `@effect/platform` drops the identifier of a schema when it adds a status,
 * so this code sets the identifier again.
 */
const asAccepted = (schema: AnySchema) =>
  schema.annotations({
    ...HttpApiSchema.annotations({ status: 202 }),
    ...Option.match(SchemaAST.getIdentifierAnnotation(schema.ast), {
      onNone: () => ({}),
      onSome: (identifier) => ({ identifier })
    })
  })

/**
 * The builder of an endpoint without the types of its parts. Each method of the library narrows one type parameter, and
 * code with all these types would be long. So the code states only the type of the whole endpoint.
 */
interface Builder {
  readonly setPath: (schema: unknown) => Builder
  readonly setUrlParams: (schema: unknown) => Builder
  readonly setPayload: (schema: unknown) => Builder
  readonly addError: (schema: AnySchema, options: { readonly status: number }) => Builder
  readonly addSuccess: (schema: unknown) => Builder
  readonly annotate: <I, A>(tag: Context.Tag<I, A>, value: A) => Builder
}

const endpoint = <N extends string, P, Q, B, S, F>(
  declared: OperationProperties,
  spec: ReadSpec<P, Q, S> & {
    readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
    readonly payload?: B
    readonly accepted?: AnySchema | undefined
  }
): Endpoint<N, P, Q, B, S, F> => {
  // The library and `Builder` state the same methods with different types, so the casts are safe.
  let endpoint = HttpApiEndpoint.make(spec.method)(declared.name, spec.path) as unknown as Builder
  if (spec.params !== undefined) endpoint = endpoint.setPath(spec.params)
  if (spec.query !== undefined) endpoint = endpoint.setUrlParams(spec.query)
  if (spec.payload !== undefined) endpoint = endpoint.setPayload(spec.payload)
  for (const { schema, status } of failureAnswersOf(declared.errors, dialectOf(spec.path))) {
    endpoint = endpoint.addError(schema, { status })
  }
  if (spec.accepted !== undefined) endpoint = endpoint.addSuccess(asAccepted(spec.accepted))
  // The parts have the types of `spec`, so the endpoint has the stated type.
  return endpoint
    .addSuccess(spec.success)
    .annotate(Declaration, Object.is(spec.success, RawText) ? { ...declared, answersText: true } : declared)
    .annotate(OpenApi.Identifier, declared.name)
    .annotate(OpenApi.Summary, declared.summary) as unknown as Endpoint<N, P, Q, B, S, F>
}

/**
 * Declares a REST operation that only reads. An operation whose input is too long for a URL uses POST, and still
 * changes nothing.
 */
export const read = <
  const N extends string,
  S extends AnySchema,
  P = never,
  Q = never,
  B = never,
  const E extends Failures = [],
  D extends ReadDoor = ReadDoor
>(
  name: N,
  spec: ReadSpec<P, Q, S, E> & {
    readonly door: D
    readonly deprecated?: Deprecated
    readonly withoutDatabase?: string
    readonly showsProbes?: true
  } & ({ readonly method?: never; readonly payload?: never } | { readonly method: "POST"; readonly payload?: B })
) =>
  endpoint<N, P, Q, B, S, FailureIn<typeof credentialFailures> | FailureOfDoor<D> | FailureIn<E>>(
    {
      name,
      door: spec.door,
      kind: "query",
      summary: spec.summary,
      errors: [
        ...credentialFailures,
        ...ofDoor(spec.door),
        ...(spec.method === undefined ? [] : bodyFailures),
        ...(spec.errors ?? [])
      ],
      answersSecret: false,
      ...(spec.frames === undefined ? {} : { frames: spec.frames }),
      ...(spec.deprecated === undefined ? {} : { deprecated: spec.deprecated }),
      ...(spec.withoutDatabase === undefined ? {} : { withoutDatabase: spec.withoutDatabase }),
      ...(spec.showsProbes === undefined ? {} : { showsProbes: spec.showsProbes })
    },
    { ...spec, method: spec.method ?? "GET" }
  )

/**
 * Declares a REST operation that sends items as server-sent events until the reader leaves. Its handler returns one
 * batch. For each further batch the pod calls the handler again, through the same door.
 */
export const stream = <
  const N extends string,
  A,
  I,
  Q extends AnySchema,
  const E extends Failures = [],
  D extends ReadDoor = ReadDoor
>(
  name: N,
  spec: OperationDescription<E> & {
    readonly path: `/${string}`
    /** The query. Its field `since` is the position at which a batch begins. */
    readonly query: Q
    readonly item: Schema.Schema<A, I>
    readonly door: D
  }
) =>
  endpoint<
    N,
    never,
    Q,
    never,
    ReturnType<typeof batchOf<A, I>>,
    FailureIn<typeof credentialFailures> | FailureOfDoor<D> | FailureIn<E>
  >(streamProperties(name, spec), { ...spec, success: batchOf(spec.item), method: "GET" })

export const write = <
  const N extends string,
  S extends AnySchema,
  P = never,
  Q = never,
  B = never,
  const E extends Failures = [],
  D extends WriteDoor = WriteDoor
>(
  name: N,
  spec: WriteSpec<P, Q, B, S, E> & { readonly door: D }
) =>
  endpoint<N, P, Q, B, S, FailureIn<typeof governedFailures> | FailureOfDoor<D> | FailureIn<E>>(
    writeProperties(name, spec, [...governedFailures, ...ofDoor(spec.door)]),
    spec
  )

/** The failures of every public operation with this method. Without a method, the operation is a GET. */
type OfMethod<M extends "POST" | undefined> = [M] extends ["POST"] ? typeof changeFailures : typeof commonFailures

/**
 * Declares a REST operation that everybody is allowed to call. The door of the operation states the reason. If the
 * operation changes something, the handler itself checks the credential that the caller sent (`Presented`). An answer
 * that matches the schema `accepted` is sent with the status 202.
 */
export const open = <
  const N extends string,
  S extends AnySchema,
  P = never,
  Q = never,
  B = never,
  const E extends Failures = [],
  A extends AnySchema = never,
  M extends "POST" | undefined = undefined
>(
  name: N,
  spec: ReadSpec<P, Q, S, E> & {
    readonly method?: M
    readonly payload?: B
    readonly door: PublicDoor
    readonly accepted?: A
    readonly answersSecret?: true
    /** Only for an operation without `query`. */
    readonly ignoresQuery?: true
  }
) =>
  endpoint<N, P, Q, B, S | A, FailureIn<OfMethod<M>> | FailureIn<E>>(
    {
      name,
      door: spec.door,
      kind: spec.method === undefined ? "query" : "mutation",
      summary: spec.summary,
      errors: [...(spec.method === undefined ? commonFailures : changeFailures), ...(spec.errors ?? [])],
      answersSecret: spec.answersSecret ?? false,
      ...(spec.ignoresQuery === undefined ? {} : { ignoresQuery: spec.ignoresQuery }),
      ...(spec.accepted === undefined
        ? {}
        : // If `accepted` is set, its type is a schema, so the cast is safe.
          { isAccepted: Schema.is(Schema.encodedSchema(spec.accepted as AnySchema)) })
    },
    { ...spec, method: spec.method ?? "GET" }
  )

const changes =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- `sessionOnly` and `operatorOnly` state it
  <D extends SessionDoor | OperatorDoor>() =>
    <const N extends string, S extends AnySchema, P = never, Q = never, B = never, const E extends Failures = []>(
      name: N,
      spec: WriteSpec<P, Q, B, S, E> & { readonly door: D }
    ) =>
      endpoint<N, P, Q, B, S, FailureIn<typeof changeFailures> | FailureIn<E>>(
        writeProperties(name, spec, changeFailures),
        spec
      )

/** Declares a REST operation that only a person with a sign-in session is allowed to call. */
export const sessionOnly = changes<SessionDoor>()

/**
 * Declares a REST operation that only the operator of the data directory is allowed to call, over the socket in this
 * directory.
 */
export const operatorOnly = changes<OperatorDoor>()
