/**
 * The only functions that declare an operation. Each function requires a door, and a declaration without a door does
 * not compile.
 */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Rpc } from "@effect/rpc"
import { Context, Schema } from "effect"
import {
  type Door,
  type EveryKindDoor,
  type FullGrantDoor,
  type OperatorDoor,
  type PublicDoor,
  type ReadDoor,
  refusesGrants,
  type SessionDoor,
  type WriteDoor
} from "./Door.ts"
import {
  Broken,
  Conflict,
  type FailureType,
  Forbidden,
  GrantDoorUnsupported,
  Invalid,
  NotFound,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia
} from "./Failure.ts"
import { dialectOf, failureAnswersOf } from "./Dialect.ts"
import type { ActorField } from "./Identity.ts"
import { batchOf } from "./Batch.ts"
import { RawText } from "./RawText.ts"
import type { ToolProfile } from "./ToolProfile.ts"

/** The properties of an operation, attached to its declaration as an annotation. */
export interface OperationProperties {
  readonly name: string
  readonly door: Door
  readonly kind: "query" | "mutation"
  readonly summary: string
  /** Whether the answer has a secret that is shown once. Such an answer is never stored for repeated requests. */
  readonly answersSecret: boolean
  /**
   * Every failure of the operation, caused by its door, its input or its handler. A handler that fails in another way
   * does not compile.
   */
  readonly errors: ReadonlyArray<FailureType>
  /** Whether the answer is a `RawText`. REST then sends the text itself instead of JSON. */
  readonly answersText?: boolean
  /**
   * Whether the answer is a batch of a stream. Surfaces then send server-sent events, one batch after the other. A
   * procedure of this kind is a subscription.
   */
  readonly answersStream?: boolean
  /**
   * The schema of the frames that the operation may send before its answer. REST then sends server-sent events, if the
   * handler sends a frame at all.
   */
  readonly frames?: Anything
  /**
   * The input field that holds the id of the user whom the operation is about. If a field with the id of a user is not
   * listed here, it means the user who acts.
   */
  readonly about?: ActorField | undefined
  /**
   * Why the operation may answer while the database does not, when nobody can say whether a credential is valid. It then runs
   * as through a public door: without a caller, and without access to any row.
   */
  readonly withoutDatabase?: string
  /**
   * The replacement of the operation, set if clients should stop using it. Every answer then says so in the headers
   * `Deprecation` (RFC 9745) and `Link`.
   */
  readonly deprecated?: Deprecated
  /** The tool profiles that have the tool. A key without a profile has every tool. Absent for all other operations. */
  readonly profiles?: ReadonlyArray<ToolProfile>
  /**
   * Whether the operation reads one record by its id, also one that a probe wrote, if the call has the scope `probe`. Every
   * other query hides what probes wrote.
   */
  readonly showsProbes?: true
  /** Whether an encoded answer says that the request waits for somebody. REST then sends it with the status 202. */
  readonly isAccepted?: (answer: unknown) => boolean
}

/** The kind of a procedure as tRPC names it. A streamed one only reads, so elsewhere it counts as a query. */
export const procedureKindOf = ({
  answersStream,
  kind
}: Pick<OperationProperties, "kind" | "answersStream">): OperationProperties["kind"] | "subscription" =>
  answersStream === true ? "subscription" : kind

/** The day from which clients should no longer use an operation, and the operation that replaces it. */
export interface Deprecated {
  /** A day in UTC, such as `2026-01-01`. */
  readonly since: string
  /** The path of the operation that replaces this one, below the mount of the Hub. */
  readonly successor: `/${string}`
}

export class Declaration extends Context.Tag("pod/Declaration")<Declaration, OperationProperties>() {}

/** Failures of every operation. */
const always = [Invalid, Broken, Unavailable] as const
/** Failures of an operation that needs a credential. */
const guarded = [...always, Unauthorized, Forbidden, TooMany] as const
/** Failures of an operation that reads a body. */
const withBody = [TooLarge, UnsupportedMedia] as const
/** Failures of a change: a conflict is a duplicate record, or an idempotency key that was used for another request. */
const changing = [...guarded, ...withBody, Conflict] as const
/** Failures of a write that passes the gate. The record that the write changes may be missing. */
const governed = [...changing, NotFound] as const

type Failures = ReadonlyArray<FailureType>
type FailureIn<E extends Failures> = InstanceType<E[number]>

/** The failure of an operation whose door cannot be limited by some grants. The list is empty for other doors. */
const ofDoor = (door: Door): Failures => (refusesGrants(door) ? [GrantDoorUnsupported] : [])
type FailureOfDoor<D extends Door> = D extends EveryKindDoor | FullGrantDoor | { readonly reads: EveryKindDoor }
  ? GrantDoorUnsupported
  : never

type Anything = Schema.Schema.Any
type TypeOf<S> = [S] extends [never] ? never : S extends Anything ? Schema.Schema.Type<S> : never

interface Described<E extends Failures = Failures> {
  /** Failures of the handler, in addition to the failures of the door, of the input and of the gate. */
  readonly errors?: E
  /** One sentence that a new user can act on. It is shown in the API reference, in MCP and in the console. */
  readonly summary: string
}

interface ReadSpec<P, Q, S, E extends Failures = Failures> extends Described<E> {
  readonly path: `/${string}`
  /** The frames that the operation may send before its answer. */
  readonly frames?: Anything
  readonly params?: P
  readonly query?: Q
  readonly success: S
}

interface Writes {
  readonly answersSecret?: true
  readonly about?: ActorField
}

interface WriteSpec<P, Q, B, S, E extends Failures = Failures> extends ReadSpec<P, Q, S, E>, Writes {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly payload?: B
}

/** The properties of a write, from its description. */
const writing = <N extends string, D extends Door>(
  name: N,
  spec: Described & Writes & { readonly door: D; readonly frames?: Anything },
  errors: Failures
) => ({
  name,
  door: spec.door,
  kind: "mutation" as const,
  summary: spec.summary,
  errors: [...errors, ...(spec.errors ?? [])],
  answersSecret: spec.answersSecret ?? false,
  about: spec.about,
  ...(spec.frames === undefined ? {} : { frames: spec.frames })
})

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

const endpoint = <N extends string, P, Q, B, S, F>(
  declared: OperationProperties,
  spec: ReadSpec<P, Q, S> & {
    readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
    readonly payload?: B
    readonly accepted?: Anything | undefined
  }
): Endpoint<N, P, Q, B, S, F> => {
  let made = HttpApiEndpoint.make(spec.method)(declared.name, spec.path) as unknown as HttpApiEndpoint.HttpApiEndpoint<
    string,
    "POST"
  >
  // The builder's methods narrow their own type parameters one by one; the result type is stated once, below.
  if (spec.params !== undefined) made = made.setPath(spec.params as never) as never
  if (spec.query !== undefined) made = made.setUrlParams(spec.query as never) as never
  if (spec.payload !== undefined) made = made.setPayload(spec.payload as never) as never
  for (const { schema, status } of failureAnswersOf(declared.errors, dialectOf(spec.path))) {
    made = made.addError(schema, { status }) as never
  }
  if (spec.accepted !== undefined) made = made.addSuccess(spec.accepted, { status: 202 }) as never
  return made
    .addSuccess(spec.success as unknown as Anything)
    .annotate(Declaration, (spec.success as Anything) === RawText ? { ...declared, answersText: true } : declared)
    .annotate(OpenApi.Identifier, declared.name)
    .annotate(OpenApi.Summary, declared.summary) as unknown as Endpoint<N, P, Q, B, S, F>
}

/**
 * Declares a REST operation that only reads. It uses POST if its input is too long for a URL, and still changes
 * nothing.
 */
export const read = <
  const N extends string,
  S extends Anything,
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
  endpoint<N, P, Q, B, S, FailureIn<typeof guarded> | FailureOfDoor<D> | FailureIn<E>>(
    {
      name,
      door: spec.door,
      kind: "query",
      summary: spec.summary,
      errors: [
        ...guarded,
        ...ofDoor(spec.door),
        ...(spec.method === undefined ? [] : withBody),
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

/** The properties of an operation that streams, from its description. */
const streaming = <N extends string>(name: N, spec: Described & { readonly door: ReadDoor }) => ({
  name,
  door: spec.door,
  kind: "query" as const,
  summary: spec.summary,
  errors: [...guarded, ...ofDoor(spec.door), ...(spec.errors ?? [])],
  answersSecret: false,
  answersStream: true
})

/**
 * Declares a REST operation that sends items as server-sent events until the reader leaves. Its handler answers one batch,
 * and the pod calls it again for every further one, through the same door.
 */
export const stream = <
  const N extends string,
  A,
  I,
  Q extends Anything,
  const E extends Failures = [],
  D extends ReadDoor = ReadDoor
>(
  name: N,
  spec: Described<E> & {
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
    FailureIn<typeof guarded> | FailureOfDoor<D> | FailureIn<E>
  >(streaming(name, spec), { ...spec, success: batchOf(spec.item), method: "GET" })

/** Declares a REST operation that writes. */
export const write = <
  const N extends string,
  S extends Anything,
  P = never,
  Q = never,
  B = never,
  const E extends Failures = [],
  D extends WriteDoor = WriteDoor
>(
  name: N,
  spec: WriteSpec<P, Q, B, S, E> & { readonly door: D }
) =>
  endpoint<N, P, Q, B, S, FailureIn<typeof governed> | FailureOfDoor<D> | FailureIn<E>>(
    writing(name, spec, [...governed, ...ofDoor(spec.door)]),
    spec
  )

/**
 * Declares a REST operation that everybody may call. The door gives the reason. If the operation changes something, its
 * handler checks a credential itself (`Presented`). An answer that fits `accepted` is sent with the status 202.
 */
export const open = <
  const N extends string,
  S extends Anything,
  P = never,
  Q = never,
  B = never,
  const E extends Failures = [],
  A extends Anything = never
>(
  name: N,
  spec: ReadSpec<P, Q, S, E> & {
    readonly method?: "POST"
    readonly payload?: B
    readonly door: PublicDoor
    readonly accepted?: A
    readonly answersSecret?: true
  }
) =>
  endpoint<N, P, Q, B, S | A, FailureIn<typeof changing> | FailureIn<E>>(
    {
      name,
      door: spec.door,
      kind: spec.method === undefined ? "query" : "mutation",
      summary: spec.summary,
      errors: [...(spec.method === undefined ? always : changing), ...(spec.errors ?? [])],
      answersSecret: spec.answersSecret ?? false,
      ...(spec.accepted === undefined ? {} : { isAccepted: Schema.is(Schema.encodedSchema(spec.accepted as Anything)) })
    },
    { ...spec, method: spec.method ?? "GET" }
  )

/** Declares a REST operation that only the sign-in session of a person may call. */
export const personal = <
  const N extends string,
  S extends Anything,
  P = never,
  Q = never,
  B = never,
  const E extends Failures = []
>(
  name: N,
  spec: WriteSpec<P, Q, B, S, E> & { readonly door: SessionDoor }
) => endpoint<N, P, Q, B, S, FailureIn<typeof changing> | FailureIn<E>>(writing(name, spec, changing), spec)

/** Declares a REST operation that only the operator of the data directory may call, over its socket. */
export const operated = <
  const N extends string,
  S extends Anything,
  P = never,
  Q = never,
  B = never,
  const E extends Failures = []
>(
  name: N,
  spec: WriteSpec<P, Q, B, S, E> & { readonly door: OperatorDoor }
) => endpoint<N, P, Q, B, S, FailureIn<typeof changing> | FailureIn<E>>(writing(name, spec, changing), spec)

interface ProcedureSpec<I extends Anything, S extends Anything, E extends Failures> extends Described<E> {
  readonly input: I
  readonly success: S
}

const procedure = <const N extends string, I extends Anything, S extends Anything, F>(
  declared: OperationProperties & { readonly name: N },
  spec: ProcedureSpec<I, S, Failures>
) =>
  Rpc.make(declared.name, {
    payload: spec.input,
    success: spec.success,
    // This schema is the union of all errors; the function that declares the operation states their union type as `F`.
    error: Schema.Union(...failureAnswersOf(declared.errors).map(({ schema }) => schema)) as unknown as Schema.Schema<F>
  }).annotate(Declaration, declared)

/** Declares a procedure that only reads. tRPC clients call it with GET. */
export const query = <
  const N extends string,
  I extends Anything,
  S extends Anything,
  const E extends Failures = [],
  D extends ReadDoor | SessionDoor = ReadDoor | SessionDoor
>(
  name: N,
  spec: ProcedureSpec<I, S, E> & { readonly door: D }
) =>
  procedure<N, I, S, FailureIn<typeof guarded> | FailureOfDoor<D> | FailureIn<E>>(
    {
      name,
      door: spec.door,
      kind: "query",
      summary: spec.summary,
      errors: [...guarded, ...ofDoor(spec.door), ...(spec.errors ?? [])],
      answersSecret: false
    },
    spec
  )

/** The field of a subscription's input that holds the position where a batch begins. Clients of tRPC give it this name. */
export const positionField = "lastEventId"

/**
 * Declares a procedure that sends items until the reader leaves (a subscription of tRPC). Its handler answers one batch, and
 * the pod calls it again for every further one, through the same door.
 */
export const subscription = <
  const N extends string,
  A,
  I,
  In extends Anything,
  const E extends Failures = [],
  D extends ReadDoor = ReadDoor
>(
  name: N,
  spec: Described<E> & {
    /** The input. Its field `lastEventId` is the position at which a batch begins. */
    readonly input: In
    readonly item: Schema.Schema<A, I>
    readonly door: D
  }
) =>
  procedure<N, In, ReturnType<typeof batchOf<A, I>>, FailureIn<typeof guarded> | FailureOfDoor<D> | FailureIn<E>>(
    streaming(name, spec),
    { ...spec, success: batchOf(spec.item) }
  )

/** Declares a procedure that changes something. tRPC clients call it with POST. */
export const mutation = <const N extends string, I extends Anything, S extends Anything, const E extends Failures = []>(
  name: N,
  spec: ProcedureSpec<I, S, E> & Writes & { readonly door: WriteDoor | SessionDoor }
) => procedure<N, I, S, FailureIn<typeof governed> | FailureIn<E>>(writing(name, spec, governed), spec)

/** An MCP tool. Its input and its success are structs, because the protocol allows only objects. */
export interface Tool<N extends string, I extends Anything, S extends Anything, F = unknown> {
  readonly name: N
  readonly title: string
  readonly input: I
  readonly success: S
  readonly declared: OperationProperties
  /** The type of the failures of the tool's handler. Only the compiler uses this field. */
  readonly Failure?: F
}

export type AnyTool = Tool<string, Anything, Anything>

export const tool = <
  const N extends `svc_${string}`,
  I extends Anything,
  S extends Anything,
  const E extends Failures = [],
  D extends ReadDoor | WriteDoor = ReadDoor | WriteDoor
>(
  name: N,
  spec: ProcedureSpec<I, S, E> & {
    readonly title: string
    readonly door: D
    /** The tool profiles that have the tool. */
    readonly profiles?: ReadonlyArray<ToolProfile>
  }
): Tool<N, I, S, FailureIn<typeof governed> | FailureOfDoor<D> | FailureIn<E>> => ({
  name,
  title: spec.title,
  input: spec.input,
  success: spec.success,
  declared: {
    name,
    door: spec.door,
    profiles: spec.profiles ?? [],
    kind: spec.door._tag === "Write" ? "mutation" : "query",
    summary: spec.summary,
    errors: [...(spec.door._tag === "Write" ? governed : guarded), ...ofDoor(spec.door), ...(spec.errors ?? [])],
    answersSecret: false
  }
})

/** The input of an operation that has no input fields. A client may send nothing, `null` or `{}`. */
export const NoInput = Schema.Struct({})
