/** Calls the procedures of the pod, with types from the pod's own declarations. */
import { queryOptions } from "@tanstack/react-query"
import { createTRPCUntypedClient, httpBatchLink, type TRPCLink } from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import { observable } from "@trpc/server/observable"
import type { AppRouter } from "../../../types/app-router.d.ts"
import type { PageAnswer } from "./everyPage.ts"
import { noticedRefusal, sessionHeaders } from "./hub.ts"
import { inTime } from "./inTime.ts"
import { objectIdIn } from "./objectId.ts"
import { type Refusal, refusalOf } from "./refusal.ts"
import { podRoot } from "./root.ts"

type Inputs = inferRouterInputs<AppRouter>
type Outputs = inferRouterOutputs<AppRouter>
/** The name of a procedure, such as `apiKeys.list`. */
export type ProcedureName = {
  [G in keyof Inputs & string]: { [N in keyof Inputs[G] & string]: `${G}.${N}` }[keyof Inputs[G] & string]
}[keyof Inputs & string]
type At<Table, Name extends ProcedureName> = Name extends `${infer G}.${infer N}`
  ? G extends keyof Table
    ? N extends keyof Table[G]
      ? Table[G][N]
      : never
    : never
  : never
export type ProcedureInput<N extends ProcedureName> = At<Inputs, N>
export type ProcedureOutput<N extends ProcedureName> = At<Outputs, N>

/** Reads the cursor of the next page, which stands beside the data of a result, and gives it to the caller. */
const cursorLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        ...observer,
        next: (value) => {
          const cursor = "nextCursor" in value.result ? value.result.nextCursor : undefined
          const hear = op.context["hearCursor"]
          if (typeof cursor === "string" && typeof hear === "function") hear(cursor)
          observer.next(value)
        }
      })
    )

const client = createTRPCUntypedClient<AppRouter>({
  links: [cursorLink, httpBatchLink({ url: `${podRoot}trpc`, headers: sessionHeaders, maxItems: 10 })]
})

const throwRefusal =
  (operation: string, input: unknown) =>
  (failure: unknown): never => {
    throw noticedRefusal(refusalOf(failure, { operation, objectId: objectIdIn(input) }))
  }

const read = <N extends ProcedureName>(
  name: N,
  input: ProcedureInput<N>,
  signal: AbortSignal | undefined,
  hearCursor?: (cursor: string) => void
): Promise<ProcedureOutput<N>> =>
  // The pod answers a procedure with its declared type, so the cast is safe.
  inTime((within) => client.query(name, input, { signal: within, context: { hearCursor } }), signal).catch(
    throwRefusal(name, input)
  ) as Promise<ProcedureOutput<N>>

/** Calls one procedure that only reads. If the call fails or gets no answer in time, throws a `Refusal`. */
export const ask = <N extends ProcedureName>(
  name: N,
  input: ProcedureInput<N>,
  signal?: AbortSignal
): Promise<ProcedureOutput<N>> => read(name, input, signal)

/** Calls a procedure in the same way, and returns also the cursor of the next page. */
export const askPage = async <N extends ProcedureName>(
  name: N,
  input: ProcedureInput<N>,
  signal?: AbortSignal
): Promise<PageAnswer<ProcedureOutput<N>>> => {
  let next: string | undefined
  const answer = await read(name, input, signal, (cursor: string) => {
    next = cursor
  })
  return { answer, next }
}

/** Calls one procedure that writes. Throws a `Refusal` if the call fails. */
export const change = <N extends ProcedureName>(name: N, input: ProcedureInput<N>): Promise<ProcedureOutput<N>> =>
  // The pod answers a procedure with its declared type, so the cast is safe.
  client.mutation(name, input).catch(throwRefusal(name, input)) as Promise<ProcedureOutput<N>>

/**
 * The `useQuery` options for a read of one procedure. The cache key begins with the group of the procedure, such as
 * `apiKeys`.
 */
export const procedureQuery = <N extends ProcedureName>(name: N, input: ProcedureInput<N>) =>
  queryOptions<ProcedureOutput<N>, Refusal>({
    queryKey: [name.split(".")[0], name, input],
    queryFn: ({ signal }) => ask(name, input, signal)
  })
