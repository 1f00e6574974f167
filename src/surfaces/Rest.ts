/**
 * Serves REST. Translates an HTTP request into a call of an operation, and the outcome of the operation into an HTTP
 * answer. Decides nothing about access or content.
 */
import { Effect, Either, Runtime } from "effect"
import * as FindMyWay from "find-my-way-ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import { scopeOf } from "../doors/DoorRequirements.ts"
import { type Failure, Forbidden, invalid, MethodNotAllowed, NotFound } from "../doors/Failure.ts"
import { isAtOrBelow } from "../doors/Mounts.ts"
import type { RestOperation } from "../doors/Operation.ts"
import type { Streams } from "../doors/Streams.ts"
import { countCalls } from "./CountedCalls.ts"
import { type Exchange, noteFailure, notePrincipal, sendFailure } from "./Exchange.ts"
import { restCalls, type RestCallSettings } from "./RestCall.ts"
import { encodePath, isPath } from "./RestInput.ts"
import { hasSecretIn, secretInUrl } from "./UrlSecrets.ts"

export interface RestSettings extends RestCallSettings {
  /** The paths that belong to these routes, with all paths below them. */
  readonly mounts: ReadonlyArray<string>
  /** True if a page at the origin of the request is allowed to make changes with a session, without a key. */
  readonly isOriginAllowed: (request: Exchange["request"]) => boolean
}

const noSuchPath = new NotFound({ why: "This pod has no such path. /openapi.json lists its REST operations." })

const malformedPath = invalid(
  "",
  "The path is not valid URL encoding. Write each special character as `%` and two hexadecimal digits."
)
const foreignOrigin = new Forbidden({
  code: "ORIGIN_FORBIDDEN",
  why: "A web page of this origin is not allowed to change data with a session. The operator can allow the origin in `POD_CORS_ORIGINS`.",
  required: [],
  granted: []
})

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
type Method = (typeof methods)[number]

/**
 * Answers 404 for a path at which the pod serves nothing. Such a request might not have a credential, so the pod counts
 * it against the rate limit of the client's address.
 */
export const serveUnknownPath =
  (dispatch: typeof Dispatch.Service) =>
  (exchange: Exchange): void => {
    sendFailure(exchange, countCalls(dispatch, exchange, undefined) ?? noSuchPath)
  }

/**
 * Serves the REST operations below their base path and below the older name of this path. Returns a function that gets
 * an exchange and returns true if it answers the exchange. Below the base path, the function answers every request,
 * with 404 or 405 if there is no such operation. Outside the base path, it returns false if no operation has the path.
 */
export const serveRest = (
  operations: ReadonlyArray<RestOperation>,
  dispatch: typeof Dispatch.Service,
  streams: typeof Streams.Service,
  settings: RestSettings,
  runtime: Runtime.Runtime<never>
): ((exchange: Exchange) => boolean) => {
  const router = FindMyWay.make<RestOperation>({
    ignoreTrailingSlash: true,
    // The router keeps a double slash. Otherwise the pod and the proxy that passes the request on could read different
    // paths.
    ignoreDuplicateSlashes: false,
    caseSensitive: true,
    maxParamLength: 4096
  })
  // `compileRest` takes method and path from endpoints, which have only these methods and paths that begin with `/`.
  for (const operation of operations) router.on(operation.method as Method, operation.path as `/${string}`, operation)
  const run = restCalls(dispatch, streams, settings)
  const runFork = Runtime.runFork(runtime)
  const canonical = (path: string) =>
    isAtOrBelow(settings.alias.from, path) ? settings.alias.to + path.slice(settings.alias.from.length) : path

  /**
   * Answers a request for an unknown route. The status is 401 if the credential is not valid, as on every other route.
   * Otherwise the status is 404. Both answers count against the rate limit.
   */
  const answerNoRoute = (exchange: Exchange, failure: Failure) =>
    runFork(
      Effect.gen(function* () {
        const identification = dispatch.identify("rest", exchange.presented, exchange.requestId)
        const identified = yield* Effect.either(identification)
        const principal = Either.isRight(identified) ? identified.right : undefined
        if (principal !== undefined) notePrincipal(exchange, principal)
        noteFailure(exchange, Either.isLeft(identified) ? identified.left : failure)
        const exceeded = countCalls(dispatch, exchange, principal)
        return exceeded ?? (Either.isLeft(identified) ? identified.left : failure)
      })
    ).addObserver((exit) => sendFailure(exchange, exit._tag === "Success" ? exit.value : failure))

  /** Returns why the pod does not run this operation for this request at all, or undefined if it does. */
  const refusalOf = (operation: RestOperation, { request, search }: Exchange): Failure | undefined => {
    if (hasSecretIn(search)) return invalid("", secretInUrl)
    const takesNoKey = operation.kind === "mutation" && scopeOf(operation.door) === null
    return takesNoKey && !settings.isOriginAllowed(request) ? foreignOrigin : undefined
  }

  return (exchange) => {
    const { request } = exchange
    if (!isPath(exchange.path)) {
      sendFailure(exchange, malformedPath)
      return true
    }
    const path = encodePath(canonical(exchange.path))
    const httpMethod = request.method === "HEAD" ? "GET" : request.method
    const method = methods.find((each) => each === httpMethod)
    const found = method === undefined ? undefined : router.find(method, path)
    if (found !== undefined) {
      const refusal = refusalOf(found.handler, exchange)
      if (refusal === undefined) run(exchange, found.handler, found.params)
      else sendFailure(exchange, refusal)
      return true
    }
    const isOwned = settings.mounts.some((mount) => isAtOrBelow(mount, path))
    const allowed = methods.filter((other) => router.find(other, path) !== undefined)
    if (allowed.length === 0 && !isOwned) return false
    const failure = allowed.length > 0 ? new MethodNotAllowed({ allowed }) : noSuchPath
    if (isOwned) answerNoRoute(exchange, failure)
    else sendFailure(exchange, failure)
    return true
  }
}
