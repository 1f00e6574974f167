/** The two tRPC interfaces of the pod: `/api/hub/trpc` for keys, and `/trpc` for sign-in sessions. */
import { Cause, Effect, Either, Runtime } from "effect"
import type { CatalogShape } from "../doors/Catalog.ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import type { Call, Outcome, Surface } from "../doors/Call.ts"
import { procedureKindOf } from "../doors/Declaration.ts"
import { positionField } from "../doors/DeclareProcedure.ts"
import type { Failure } from "../doors/Failure.ts"
import { withHeaderFields } from "../doors/HeaderFields.ts"
import type { ProcedureOperation } from "../doors/Operation.ts"
import type { Principal } from "../doors/Principal.ts"
import { logInternalError } from "../doors/Recovery.ts"
import type { Streams } from "../doors/Streams.ts"
import { sentenceOf, wireAnswerOf } from "../doors/WireAnswer.ts"
import { answerMemoryBusy, type BodyMemory } from "./BodyMemory.ts"
import { sendStream, type StreamFormat, type StreamTimes } from "./EventStream.ts"
import { countCalls } from "./CountedCalls.ts"
import { type Exchange, noteFailure, noteOutcome, notePrincipal } from "./Exchange.ts"
import { isLenient } from "./Prefer.ts"
import { refuseWith, serializeRefusal, type TrpcCode, type TrpcOutcome, type TrpcRefusal } from "./TrpcError.ts"
import {
  connectedFrame,
  errorFrame,
  itemFrame,
  pingFrame,
  refuseSubscription,
  subscriptionHeaders
} from "./TrpcSubscription.ts"
import { serveTrpc } from "./TrpcWire.ts"
import type { TrpcClient } from "./TrpcCalls.ts"
import { hasSecretIn, secretInUrl } from "./UrlSecrets.ts"

const codeOf: Record<Failure["_tag"], TrpcCode> = {
  Unauthorized: "UNAUTHORIZED",
  Forbidden: "FORBIDDEN",
  GrantDoorUnsupported: "FORBIDDEN",
  Invalid: "BAD_REQUEST",
  NotFound: "NOT_FOUND",
  Conflict: "CONFLICT",
  NotImplemented: "NOT_IMPLEMENTED",
  TooLarge: "PAYLOAD_TOO_LARGE",
  UnsupportedMedia: "UNSUPPORTED_MEDIA_TYPE",
  MethodNotAllowed: "METHOD_NOT_SUPPORTED",
  TooMany: "TOO_MANY_REQUESTS",
  Unavailable: "SERVICE_UNAVAILABLE",
  NoProvider: "SERVICE_UNAVAILABLE",
  UpstreamFailed: "BAD_GATEWAY",
  UpstreamTimedOut: "GATEWAY_TIMEOUT",
  Broken: "INTERNAL_SERVER_ERROR"
}

/**
 * Turns a failure into a tRPC refusal. Fields that stand beside `error` in a REST answer go into `data`, because tRPC
 * clients look for them there.
 */
const refusalOf = (failure: Failure): TrpcRefusal => {
  const answer = wireAnswerOf(failure)
  const { error: _code, message: _sentence, ...data } = answer.body
  return {
    ok: false,
    code: codeOf[failure._tag],
    message: failure._tag === "Invalid" ? JSON.stringify(failure.faults) : sentenceOf(answer),
    data: { ...data, ...("code" in data ? { code: codeOf[failure._tag], reason: data["code"] } : {}) },
    ...(answer.headers === undefined ? {} : { headers: answer.headers })
  }
}

export interface TrpcSettings {
  readonly surface: Extract<Surface, "bridge" | "session">
  readonly basePath: string
  readonly batchLimit: number
  readonly bodyLimitBytes: number
  readonly memory: BodyMemory
  readonly times: StreamTimes
}

// If an `EventSource` misses this many pings in a row, it opens a new connection.
const missedPings = 3

/**
 * Adds a position to the input of a subscription, so that the subscription continues after this position. An input that
 * is not an object stays unchanged, and later code refuses it.
 */
const inputFrom = (input: unknown, position: string | undefined): unknown => {
  const fields = input ?? {}
  if (position === undefined || Array.isArray(fields) || typeof fields !== "object") return input
  return { ...fields, [positionField]: position }
}

const formatOf = (path: string, reconnectAfterInactivityMs: number): StreamFormat => ({
  headers: subscriptionHeaders,
  opened: (from) => connectedFrame(reconnectAfterInactivityMs, from),
  batch: ({ items }) => items.map(({ position, value }) => itemFrame(value, position)).join(""),
  heartbeat: pingFrame,
  refused: (failure) => errorFrame(serializeRefusal(refusalOf(failure), path))
})

/** What the functions of this file need to serve the procedures below one base path. */
interface Served {
  readonly procedures: CatalogShape["procedures"]
  readonly dispatch: typeof Dispatch.Service
  readonly streams: typeof Streams.Service
  readonly settings: TrpcSettings
  readonly runtime: Runtime.Runtime<never>
}

const inputOf = (operation: ProcedureOperation, { request }: Exchange, input: unknown): Call["input"] =>
  withHeaderFields(operation.headerFields, request.headers, input)

/** Makes the call of a procedure, and adds the name of the procedure to the route that the access log shows. */
const callOf = (
  { basePath, surface }: TrpcSettings,
  path: string,
  exchange: Exchange,
  input: Call["input"],
  idempotent: Call["idempotent"]
): Call => {
  const { client, note, presented, request, requestId, span } = exchange
  note.route += `${note.route === basePath ? "/" : ","}${path}`
  return {
    surface,
    presented,
    requestId,
    client,
    span,
    isLenient: isLenient(request),
    input,
    frames: undefined,
    idempotent
  }
}

/** Makes the function that refuses an answer for which there is no memory. */
const lengthRefusal =
  ({ memory }: TrpcSettings, exchange: Exchange, personId: string) =>
  (characters: number) => {
    if (memory.admitAnswer(exchange.request, personId, characters)) return undefined
    noteFailure(exchange, answerMemoryBusy)
    return refusalOf(answerMemoryBusy)
  }

/** Makes the function that runs one call of a request. */
const callerOf =
  ({ dispatch, procedures, settings }: Served) =>
  (path: string, input: unknown, exchange: Exchange, client: TrpcClient, index: number): Promise<TrpcOutcome> =>
    new Promise((resolve) => {
      const operation = procedures.get(path)!
      // All calls of a batch have the same idempotency header. With the index, two equal calls of a batch count as
      // different requests.
      const route = index === 0 ? path : `${path} ${index}`
      const header = exchange.request.headers["idempotency-key"]
      const cancel = dispatch.start(
        operation,
        callOf(
          settings,
          path,
          exchange,
          inputOf(operation, exchange, input),
          typeof header === "string"
            ? { header, describe: (read) => ({ method: "POST", route, body: JSON.stringify(read ?? null) }) }
            : undefined
        ),
        (outcome: Outcome) => {
          noteOutcome(exchange, outcome)
          const { nextCursor, principal, result } = outcome
          if (Either.isLeft(result)) return resolve(refusalOf(result.left))
          const refuseLength =
            operation.kind === "query" ? lengthRefusal(settings, exchange, principal?.personId ?? "") : undefined
          resolve({ ok: true, data: result.right, nextCursor, refuseLength })
        }
      )
      client.onLeave(cancel)
    })

/** Makes the function that answers a subscription with a stream. */
const subscriberOf =
  ({ procedures, settings, streams }: Served, reconnectAfterInactivityMs: number) =>
  (path: string, input: unknown, lastEventId: string | undefined, exchange: Exchange): void => {
    const operation = procedures.get(path)!
    const whole = inputOf(operation, exchange, input)
    const call = callOf(settings, path, exchange, whole, undefined)
    const inputAt = (position = lastEventId) => Effect.map(whole, (read) => inputFrom(read, position))
    const refuse = (outcome: Outcome) => {
      noteOutcome(exchange, outcome)
      if (Either.isRight(outcome.result)) return
      const refused = serializeRefusal(refusalOf(outcome.result.left), path)
      refuseSubscription(exchange.response, refused, reconnectAfterInactivityMs)
    }
    sendStream(exchange, settings.times, formatOf(path, reconnectAfterInactivityMs), refuse, (reader) =>
      streams.follow(operation, { ...call, inputAt }, reader)
    )
  }

/**
 * Makes the functions that run before the calls of a request: `refuse` identifies the caller and refuses an invalid
 * credential, and `countRequest` refuses a request above the rate limit.
 */
const checksOf = ({ dispatch, runtime, settings }: Served) => {
  const runPromise = Runtime.runPromise(runtime)
  const principals = new WeakMap<Exchange, Principal>()

  const identified = (exchange: Exchange, principal: Principal): undefined => {
    notePrincipal(exchange, principal)
    principals.set(exchange, principal)
  }

  return {
    refuse: (exchange: Exchange) => {
      if (hasSecretIn(exchange.search)) return Promise.resolve(refuseWith("BAD_REQUEST", secretInUrl))
      const { presented } = exchange
      const known = dispatch.recall(settings.surface, presented)
      if (known !== undefined) return identified(exchange, known)
      const identification = dispatch.identify(settings.surface, presented, exchange.requestId)
      return runPromise(
        Effect.match(identification, {
          onFailure: (failure) => {
            noteFailure(exchange, failure)
            return refusalOf(failure)
          },
          onSuccess: (principal) => identified(exchange, principal)
        })
      )
    },
    countRequest: (exchange: Exchange) => {
      const exceeded = countCalls(dispatch, exchange, principals.get(exchange))
      return exceeded && refusalOf(exceeded)
    }
  }
}

/** Serves the procedures below a base path, for the credentials that are accepted there (keys or sessions). */
export const serveProcedures = (
  { procedures }: CatalogShape,
  dispatch: typeof Dispatch.Service,
  streams: typeof Streams.Service,
  settings: TrpcSettings,
  runtime: Runtime.Runtime<never>
): ((exchange: Exchange) => void) => {
  const served: Served = { procedures, dispatch, streams, settings, runtime }
  const reconnectAfterInactivityMs = missedPings * settings.times.heartbeatMs
  const runSync = Runtime.runSync(runtime)
  const serve = serveTrpc<Exchange>(
    {
      kindOf: (path) => {
        const operation = procedures.get(path)
        return operation === undefined ? undefined : procedureKindOf(operation)
      },
      takesJson: (path) => procedures.get(path)?.takesJson ?? false,
      readsInput: (path) => procedures.get(path)?.takesInput ?? true,
      call: callerOf(served),
      subscribe: subscriberOf(served, reconnectAfterInactivityMs),
      report: (cause, { note, requestId }) =>
        String(wireAnswerOf(runSync(logInternalError(Cause.die(cause), note.route, requestId))).body["errorId"]),
      ...checksOf(served)
    },
    {
      basePath: settings.basePath,
      maxBatchSize: settings.batchLimit,
      maxBodyBytes: settings.bodyLimitBytes,
      memory: settings.memory,
      reconnectAfterInactivityMs
    }
  )
  return (exchange) => void serve(exchange.request, exchange.response, exchange)
}
