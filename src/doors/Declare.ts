/** The only ways to declare an operation. Each takes its door; leaving it out does not compile. */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Rpc } from "@effect/rpc"
import { Context, Schema } from "effect"
import type { Door, PublicDoor, ReadDoor, SessionDoor, WriteDoor } from "./Door.ts"
import type { ActorField } from "./Identity.ts"
import { RawText } from "./RawText.ts"

/** What an operation promises about itself, carried by its declaration as an annotation. */
export interface Declared {
  readonly name: string
  readonly door: Door
  readonly kind: "query" | "mutation"
  readonly summary: string
  /** The answer holds a secret that is shown once: it is never kept for replay. */
  readonly answersSecret: boolean
  /** It can be that there is nothing to answer, although its path names nothing. */
  readonly mayFindNothing?: boolean
  /** It answers a `RawText`: over REST the text itself. */
  readonly answersText?: boolean
  /** The field of its input that names whom it is about; everywhere else such a field names who acts. */
  readonly about?: ActorField | undefined
}

export class Declaration extends Context.Tag("pod/Declaration")<Declaration, Declared>() {}

type Anything = Schema.Schema.Any
type TypeOf<S> = [S] extends [never] ? never : S extends Anything ? Schema.Schema.Type<S> : never

interface Spoken {
  /** One sentence that a stranger can act on; shown in the reference, in MCP and in the console. */
  readonly summary: string
}

interface ReadSpec<P, Q, S> extends Spoken {
  readonly path: `/${string}`
  readonly params?: P
  readonly query?: Q
  readonly success: S
}

interface Writes {
  readonly answersSecret?: true
  readonly about?: ActorField
}

interface WriteSpec<P, Q, B, S> extends ReadSpec<P, Q, S>, Writes {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly payload?: B
}

/** What a write's declaration keeps of its description. */
const writing = <N extends string, D extends Door>(name: N, spec: Spoken & Writes & { readonly door: D }) => ({
  name,
  door: spec.door,
  kind: "mutation" as const,
  summary: spec.summary,
  answersSecret: spec.answersSecret ?? false,
  about: spec.about
})

type Endpoint<N extends string, P, Q, B, S> = HttpApiEndpoint.HttpApiEndpoint<
  N,
  "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  TypeOf<P>,
  TypeOf<Q>,
  TypeOf<B>,
  never,
  TypeOf<S>
>

const endpoint = <N extends string, P, Q, B, S>(
  declared: Declared,
  spec: ReadSpec<P, Q, S> & { readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; readonly payload?: B }
): Endpoint<N, P, Q, B, S> => {
  let made = HttpApiEndpoint.make(spec.method)(declared.name, spec.path) as unknown as HttpApiEndpoint.HttpApiEndpoint<
    string,
    "POST"
  >
  // The builder's methods narrow their own type parameters one by one; the result type is stated once, below.
  if (spec.params !== undefined) made = made.setPath(spec.params as never) as never
  if (spec.query !== undefined) made = made.setUrlParams(spec.query as never) as never
  if (spec.payload !== undefined) made = made.setPayload(spec.payload as never) as never
  return made
    .addSuccess(spec.success as unknown as Anything)
    .annotate(Declaration, declared)
    .annotate(OpenApi.Identifier, declared.name)
    .annotate(OpenApi.Summary, declared.summary) as unknown as Endpoint<N, P, Q, B, S>
}

/** A REST read. By POST where what is asked about is too long for a URL: it changes nothing all the same. */
export const read = <const N extends string, S extends Anything, P = never, Q = never, B = never>(
  name: N,
  spec: ReadSpec<P, Q, S> & { readonly door: ReadDoor; readonly mayFindNothing?: true } & (
      | { readonly method?: never; readonly payload?: never }
      | { readonly method: "POST"; readonly payload: B }
    )
) =>
  endpoint<N, P, Q, B, S>(
    {
      name,
      door: spec.door,
      kind: "query",
      summary: spec.summary,
      answersSecret: false,
      mayFindNothing: spec.mayFindNothing ?? false,
      answersText: (spec.success as Anything) === RawText
    },
    { ...spec, method: spec.method ?? "GET" }
  )

/** A REST write. */
export const write = <const N extends string, S extends Anything, P = never, Q = never, B = never>(
  name: N,
  spec: WriteSpec<P, Q, B, S> & { readonly door: WriteDoor }
) => endpoint<N, P, Q, B, S>(writing(name, spec), spec)

/** A REST operation open to everybody; the door says why. */
export const open = <const N extends string, S extends Anything, P = never, Q = never, B = never>(
  name: N,
  spec: ReadSpec<P, Q, S> & { readonly method?: "POST"; readonly payload?: B; readonly door: PublicDoor }
) =>
  endpoint<N, P, Q, B, S>(
    {
      name,
      door: spec.door,
      kind: spec.method === undefined ? "query" : "mutation",
      summary: spec.summary,
      answersSecret: false
    },
    { ...spec, method: spec.method ?? "GET" }
  )

/** A REST operation for a person's sign-in session alone. */
export const personal = <const N extends string, S extends Anything, P = never, Q = never, B = never>(
  name: N,
  spec: WriteSpec<P, Q, B, S> & { readonly door: SessionDoor }
) => endpoint<N, P, Q, B, S>(writing(name, spec), spec)

interface ProcedureSpec<I extends Anything, S extends Anything> extends Spoken {
  readonly input: I
  readonly success: S
}

const procedure = <const N extends string, I extends Anything, S extends Anything>(
  declared: Declared & { readonly name: N },
  spec: ProcedureSpec<I, S>
) => Rpc.make(declared.name, { payload: spec.input, success: spec.success }).annotate(Declaration, declared)

/** A procedure that reads: answered on GET by the tRPC wire. */
export const query = <const N extends string, I extends Anything, S extends Anything>(
  name: N,
  spec: ProcedureSpec<I, S> & { readonly door: ReadDoor | SessionDoor }
) => procedure({ name, door: spec.door, kind: "query", summary: spec.summary, answersSecret: false }, spec)

/** A procedure that changes something: answered on POST by the tRPC wire. */
export const mutation = <const N extends string, I extends Anything, S extends Anything>(
  name: N,
  spec: ProcedureSpec<I, S> & Writes & { readonly door: WriteDoor | SessionDoor }
) => procedure(writing(name, spec), spec)

/** An MCP tool. Its input and success are structs: the protocol knows objects only. */
export interface Tool<N extends string, I extends Anything, S extends Anything> {
  readonly name: N
  readonly title: string
  readonly input: I
  readonly success: S
  readonly declared: Declared
}

export type AnyTool = Tool<string, Anything, Anything>

export const tool = <const N extends `svc_${string}`, I extends Anything, S extends Anything>(
  name: N,
  spec: ProcedureSpec<I, S> & { readonly title: string; readonly door: ReadDoor | WriteDoor }
): Tool<N, I, S> => ({
  name,
  title: spec.title,
  input: spec.input,
  success: spec.success,
  declared: {
    name,
    door: spec.door,
    kind: spec.door._tag === "Write" ? "mutation" : "query",
    summary: spec.summary,
    answersSecret: false
  }
})

/** The input of an operation that takes none. A client may send nothing, `null` or `{}`. */
export const NoInput = Schema.Struct({})
