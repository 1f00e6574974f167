/** Calls the REST routes of the pod, with types from the pod's own declarations. */
import { queryOptions } from "@tanstack/react-query"
import type { HubRoutes } from "../../../types/hub-routes.d.ts"
import type { PageAnswer } from "./everyPage.ts"
import { inTime } from "./inTime.ts"
import { Refusal, refusalOf } from "./refusal.ts"
import { podRoot } from "./root.ts"
import { currentSession, endSession } from "./session.ts"

export type Route = keyof HubRoutes
export type AnswerOf<R extends Route> = HubRoutes[R]["answer"]

/** The type of query values. A URL contains every value as text, so a caller can also give a number or a boolean. */
type QueryValues<Q> = { readonly [K in keyof Q]: Q[K] | number | boolean }
type Part<R extends Route, P extends string> = P extends keyof HubRoutes[R] ? HubRoutes[R][P] : never
type Field<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Partial<Value> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }
export type InputOf<R extends Route> = Field<"params", Part<R, "params">> &
  Field<"query", QueryValues<Part<R, "query">>> &
  Field<"body", Part<R, "body">>

export interface RouteInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly body?: unknown
}

/** A value of a query. An undefined, null or empty value is not sent. */
type QueryValue = string | number | boolean | null | undefined

/** Makes the HTTP request of a route. `fetch`, curl and the API preview of a screen all use it. */
export const requestOf = (
  route: Route,
  input: RouteInput
): { method: string; url: string; body: string | undefined } => {
  const [method = "GET", template = "/"] = route.split(" ")
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ""))
  const url = new URL(path.slice(1), podRoot)
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, String(value))
  }
  return { method, url: url.href, body: input.body === undefined ? undefined : JSON.stringify(input.body) }
}

/** The header with the session token. Empty if nobody is signed in. */
export const sessionHeaders = (): Record<string, string> => {
  const session = currentSession()
  return session === undefined ? {} : { "x-session-token": session.token }
}

/** Ends the session in this browser if the pod no longer accepts it. The sign-in page then appears. */
const endRefusedSession = (refusal: Refusal): Refusal => {
  if (refusal.status === 401 && currentSession() !== undefined) endSession()
  return refusal
}
export { endRefusedSession as noticedRefusal }

const answerIn = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return response.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text
}

export interface CallOptions {
  /** True if the browser must finish the request even after the person leaves the page. */
  readonly isKeptAlive?: boolean
}

/** Calls one REST route. If it fails, or if a read gets no answer in time, throws a `Refusal`. */
export const hub = async <R extends Route>(
  route: R,
  input: InputOf<R>,
  options?: AbortSignal | CallOptions
): Promise<AnswerOf<R>> => (await hubPage(route, input, options)).answer

/** Calls a REST route in the same way, and returns also the cursor of the next page. */
export const hubPage = <R extends Route>(
  route: R,
  input: InputOf<R>,
  options?: AbortSignal | CallOptions
): Promise<PageAnswer<AnswerOf<R>>> => {
  const signal = options instanceof AbortSignal ? options : undefined
  const isKeptAlive = !(options instanceof AbortSignal) && options?.isKeptAlive === true
  // `InputOf` says for each route which of the fields of `RouteInput` it has, so the cast is safe.
  const request = requestOf(route, input as RouteInput)
  // A write has no time limit: if the console gave it up, the person would not know whether the pod carried it out.
  return request.method === "GET"
    ? inTime((within) => callOnce<R>(request, within, isKeptAlive), signal)
    : callOnce<R>(request, signal, isKeptAlive)
}

const callOnce = async <R extends Route>(
  { body, method, url }: ReturnType<typeof requestOf>,
  signal: AbortSignal | undefined,
  isKeptAlive: boolean
): Promise<PageAnswer<AnswerOf<R>>> => {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...sessionHeaders(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(isKeptAlive ? { keepalive: true } : {}),
      credentials: "omit"
    })
    const answer = await answerIn(response)
    // The pod answers a route with its declared schema, so the cast is safe.
    if (response.ok) {
      return { answer: answer as AnswerOf<R>, next: response.headers.get("x-svc-next-cursor") ?? undefined }
    }
    const refused = typeof answer === "object" && answer !== null ? { ...answer } : {}
    const attempt = { operation: `${method} ${new URL(url).pathname.slice(new URL(podRoot).pathname.length - 1)}` }
    throw endRefusedSession(
      new Refusal(response.status, refused, response.headers.get("x-request-id") ?? undefined, attempt)
    )
  } catch (failure) {
    throw refusalOf(failure)
  }
}

/**
 * The group of a route: the third part of its path, such as `entities`. A write to a route makes the cached reads of
 * the route's group stale.
 */
export const groupOf = (route: Route): string => route.split("/")[3] ?? route

/**
 * The `useQuery` options for a read of one route. The cache key begins with the group of the route. So a write can make
 * all cached reads of the group stale.
 */
export const hubQuery = <R extends Route & `GET ${string}`>(route: R, input: InputOf<R>) =>
  queryOptions<AnswerOf<R>, Refusal>({
    queryKey: [groupOf(route), route, input],
    queryFn: ({ signal }) => hub(route, input, signal)
  })

/** The `useQuery` options for a page of a list, with the cursor of the next page. */
export const hubPageQuery = <R extends Route & `GET ${string}`>(route: R, input: InputOf<R>) =>
  queryOptions<PageAnswer<AnswerOf<R>>, Refusal>({
    queryKey: [groupOf(route), route, input, "page"],
    queryFn: ({ signal }) => hubPage(route, input, signal)
  })
