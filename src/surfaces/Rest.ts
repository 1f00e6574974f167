/**
 * Serves REST. Translates an HTTP request into a call of an operation, and the outcome of the operation into an HTTP
 * answer. Decides nothing about access or content.
 */
import { Effect, Either, Runtime } from "effect"
import * as FindMyWay from "find-my-way-ts"
import { dialectOf } from "../doors/Dialect.ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import type { Outcome } from "../doors/Call.ts"
import { scopeOf } from "../doors/DoorRequirements.ts"
import { type Failure, Forbidden, invalid, type Invalid, MethodNotAllowed, NotFound } from "../doors/Failure.ts"
import { withHeaderFields } from "../doors/HeaderFields.ts"
import type { RestInput } from "../doors/InputReader.ts"
import type { RestOperation } from "../doors/Operation.ts"
import type { RawText } from "../doors/RawText.ts"
import type { Streams } from "../doors/Streams.ts"
import { acceptsIdempotencyKey, deprecationHeaders } from "../doors/Declaration.ts"
import { type BodyLimits, readJson } from "./Body.ts"
import type { BodyMemory } from "./BodyMemory.ts"
import { frameStream } from "./FrameStream.ts"
import { type Exchange, noteFailure, noteOutcome, notePrincipal, sendFailure, sendJson, sendText } from "./Exchange.ts"
import { textFault } from "./Json.ts"
import { eventFormat, lastPosition, sendStream, type StreamTimes } from "./EventStream.ts"
import { isLenient } from "./Prefer.ts"
import { hasSecretIn, secretInUrl } from "./UrlSecrets.ts"
import { isPath, queryOf, encodePath } from "./RestInput.ts"

export interface RestSettings {
  readonly bodyLimitBytes: number
  readonly memory: BodyMemory
  /** A second path for the same routes. A request below `from` is served like the same request below `to`. */
  readonly alias: { readonly from: string; readonly to: string }
  /** The paths that belong to these routes, with all paths below them. */
  readonly mounts: ReadonlyArray<string>
  /** True if a page at the origin of the request is allowed to make changes with a session, without a key. */
  readonly isOriginAllowed: (request: Exchange["request"]) => boolean
  readonly times: StreamTimes
}

const noSuchPath = new NotFound({ why: "This pod has no such path. /openapi.json lists its REST operations." })
// The maximum number of bytes of a body for an operation that needs no credential. A sign-in needs much less.
const publicBodyBytes = 64 * 1024

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
type Method = (typeof methods)[number]

/** A body that the pod has read. `whole` also has the fields that the client sent as headers. */
interface SentBody {
  readonly text: string
  readonly value: unknown
  readonly whole: Either.Either<unknown, Invalid>
}

/**
 * Returns the text by which the pod recognises a repeated request. The text includes the fields that the client sent as
 * headers.
 */
const comparedBody = ({ text, value, whole }: SentBody): string =>
  Either.isLeft(whole) || whole.right === value ? text : JSON.stringify(whole.right)

const unrepeatable = invalid(
  "Idempotency-Key",
  "The pod does not store the answer of this operation, so a repeated request would run again. Leave out the header Idempotency-Key."
)

/** Tells the client that the operation is deprecated, and what to use instead. */
const noteDeprecation = ({ response }: Exchange, { deprecated }: RestOperation, mount: string) => {
  if (deprecated === undefined) return
  for (const [name, value] of Object.entries(deprecationHeaders(deprecated, mount))) response.setHeader(name, value)
}

/**
 * Answers 404 for a path at which the pod serves nothing. Such a request might not have a credential, so the pod counts
 * it against the rate limit of the client's address.
 */
export const serveUnknownPath =
  (dispatch: typeof Dispatch.Service) =>
  (exchange: Exchange): void => {
    const counted = dispatch.countCalls(undefined, exchange.client)
    sendFailure(exchange, Either.isLeft(counted) ? counted.left : noSuchPath)
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
  const runFork = Runtime.runFork(runtime)
  const canonical = (path: string) =>
    path === settings.alias.from || path.startsWith(`${settings.alias.from}/`)
      ? settings.alias.to + path.slice(settings.alias.from.length)
      : path

  const limitsOf = ({ door }: RestOperation): BodyLimits => ({
    limitBytes: door._tag === "Public" ? Math.min(publicBodyBytes, settings.bodyLimitBytes) : settings.bodyLimitBytes,
    memory: settings.memory
  })

  const answerWith =
    (exchange: Exchange, { answersText, isAccepted }: RestOperation, stream?: ReturnType<typeof frameStream>) =>
    (outcome: Outcome) => {
      if (stream?.finish(outcome) === true) return
      noteOutcome(exchange, outcome)
      if (Either.isLeft(outcome.result)) sendFailure(exchange, outcome.result.left)
      // An operation that answers a text is declared with the schema `RawText`, so the cast is safe.
      else if (answersText === true) sendText(exchange, outcome.result.right as RawText)
      else sendJson(exchange, isAccepted?.(outcome.result.right) === true ? 202 : 200, outcome.result.right)
    }

  const run = (exchange: Exchange, operation: RestOperation, params: Record<string, string | undefined>) => {
    const { note, request } = exchange
    note.route = operation.path
    noteDeprecation(exchange, operation, settings.alias.to)
    const search = operation.ignoresQuery === true ? "" : exchange.search
    if (operation.answerPlainly !== undefined && search === "") {
      return sendJson(exchange, 200, operation.answerPlainly())
    }
    const header = request.headers["idempotency-key"]
    const isRepeatable = acceptsIdempotencyKey(operation)
    const isUnrepeatable = header !== undefined && operation.kind === "mutation" && !isRepeatable
    let body: SentBody | undefined
    const parts = (): Either.Either<Omit<RestInput, "body">, Invalid> => {
      const query = queryOf(search)
      if (Either.isLeft(query)) return Either.left(query.left)
      const path: Record<string, string> = {}
      for (const [name, value] of Object.entries(params)) {
        const fault = textFault(value ?? "")
        if (fault !== undefined) return Either.left(invalid(name, fault))
        path[name] = value ?? ""
      }
      return Either.right({ path, query: query.right })
    }
    const input: Effect.Effect<RestInput, Failure> = Effect.suspend(() => {
      const named = parts()
      if (isUnrepeatable) return Either.left(unrepeatable)
      // The pod reads the body of a write even if the operation declares no fields. So the pod refuses unexpected
      // content and does not silently ignore it.
      if (Either.isLeft(named) || (operation.kind === "query" && !operation.takesBody))
        return Either.map(named, ({ path, query }) => ({ path, query, body: undefined }))
      const bodyRead = body === undefined ? readJson(request, limitsOf(operation)) : Effect.succeed(body)
      return Effect.flatMap(bodyRead, (read) => {
        const { text, value } = read
        const whole = withHeaderFields(operation.headerFields, request.headers, value)
        body = { text, value, whole }
        const { path, query } = named.right
        return Either.map(whole, (filled) => ({ path, query, body: filled }))
      })
    })
    const call = {
      surface: "rest" as const,
      presented: exchange.presented,
      requestId: exchange.requestId,
      client: exchange.client,
      span: exchange.span,
      // OpenAI clients send fields that the pod does not know. So the pod ignores unknown fields on the paths that
      // these clients call.
      isLenient: (operation.takesBody && dialectOf(exchange.path) === "openai") || isLenient(request)
    }
    if (operation.answersStream === true) {
      const inputAt = (position = lastPosition(request)) =>
        Effect.map(input, (read) =>
          position === undefined ? read : { ...read, query: { ...read.query, since: position } }
        )
      return sendStream(exchange, settings.times, eventFormat, answerWith(exchange, operation), (reader) =>
        streams.follow(operation, { ...call, inputAt }, reader)
      )
    }
    const stream = operation.frames === undefined ? undefined : frameStream(exchange, settings.times)
    const idempotent =
      typeof header === "string" && isRepeatable
        ? {
            header,
            describe: () => ({
              method: operation.method,
              route: `${exchange.path}?${exchange.search}`,
              body: body === undefined ? "" : comparedBody(body)
            })
          }
        : undefined
    const { client, isLenient: lenient, presented, requestId, span, surface } = call
    const cancel = dispatch.start(
      operation,
      // Every request makes this object. The code writes the fields out, because a spread would take several times as
      // long.
      { surface, presented, requestId, client, span, isLenient: lenient, input, frames: stream?.frames, idempotent },
      answerWith(exchange, operation, stream)
    )
    exchange.response.on("close", () => {
      if (!exchange.response.writableEnded) cancel()
    })
  }

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
        const counted = dispatch.countCalls(principal, exchange.client)
        return Either.isLeft(counted) ? counted.left : Either.isLeft(identified) ? identified.left : failure
      })
    ).addObserver((exit) => sendFailure(exchange, exit._tag === "Success" ? exit.value : failure))

  return (exchange) => {
    const { request } = exchange
    if (!isPath(exchange.path)) {
      sendFailure(
        exchange,
        invalid(
          "",
          "The path is not valid URL encoding. Write each special character as `%` and two hexadecimal digits."
        )
      )
      return true
    }
    const path = encodePath(canonical(exchange.path))
    const isOwned = settings.mounts.some((mount) => path === mount || path.startsWith(`${mount}/`))
    const httpMethod = request.method === "HEAD" ? "GET" : request.method
    const method = methods.find((each) => each === httpMethod)
    const found = method === undefined ? undefined : router.find(method, path)
    if (found !== undefined) {
      const operation = found.handler
      if (hasSecretIn(exchange.search)) sendFailure(exchange, invalid("", secretInUrl))
      else if (
        operation.kind === "mutation" &&
        scopeOf(operation.door) === null &&
        !settings.isOriginAllowed(request)
      ) {
        sendFailure(
          exchange,
          new Forbidden({
            code: "ORIGIN_FORBIDDEN",
            why: "A web page of this origin is not allowed to change data with a session. The operator can allow the origin in `POD_CORS_ORIGINS`.",
            required: [],
            granted: []
          })
        )
      } else run(exchange, operation, found.params)
      return true
    }
    const allowed = methods.filter((other) => router.find(other, path) !== undefined)
    if (allowed.length > 0) {
      if (isOwned) answerNoRoute(exchange, new MethodNotAllowed({ allowed }))
      else sendFailure(exchange, new MethodNotAllowed({ allowed }))
      return true
    }
    if (!isOwned) return false
    answerNoRoute(exchange, noSuchPath)
    return true
  }
}
