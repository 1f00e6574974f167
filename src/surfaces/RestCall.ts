/**
 * Runs one REST request whose operation is known. Reads the path, the query and the body, starts the operation, and
 * answers with its outcome.
 */
import { Effect, Either } from "effect"
import type { Call, Outcome } from "../doors/Call.ts"
import { deprecationHeaders } from "../doors/Declaration.ts"
import { dialectOf } from "../doors/Dialect.ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import { type Failure, invalid, type Invalid } from "../doors/Failure.ts"
import { withHeaderFields } from "../doors/HeaderFields.ts"
import type { RestInput } from "../doors/InputReader.ts"
import type { RestOperation } from "../doors/Operation.ts"
import type { RawText } from "../doors/RawText.ts"
import type { Streams } from "../doors/Streams.ts"
import { type BodyLimits, readJson } from "./Body.ts"
import { answerMemoryBusy, type BodyMemory } from "./BodyMemory.ts"
import { eventFormat, lastPosition, sendStream, type StreamTimes } from "./EventStream.ts"
import { type Exchange, noteFailure, noteOutcome, sendFailure, sendJson, sendJsonText, sendText } from "./Exchange.ts"
import { frameStream } from "./FrameStream.ts"
import { textFault } from "./Json.ts"
import { isLenient } from "./Prefer.ts"
import { queryOf } from "./RestInput.ts"

export interface RestCallSettings {
  readonly bodyLimitBytes: number
  readonly memory: BodyMemory
  /** A second path for the same routes. A request below `from` is served like the same request below `to`. */
  readonly alias: { readonly from: string; readonly to: string }
  readonly times: StreamTimes
}

/** The parts of the path that the route names, such as the id of a record. */
type PathParams = Readonly<Record<string, string | undefined>>

// The maximum number of bytes of a body for an operation that needs no credential. A sign-in needs much less.
const publicBodyBytes = 64 * 1024

const limitsOf = ({ door }: RestOperation, { bodyLimitBytes, memory }: RestCallSettings): BodyLimits => ({
  limitBytes: door._tag === "Public" ? Math.min(publicBodyBytes, bodyLimitBytes) : bodyLimitBytes,
  memory
})

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

/** Tells the client that the operation is deprecated, and what to use instead. */
const noteDeprecation = ({ response }: Exchange, { deprecated }: RestOperation, mount: string) => {
  if (deprecated === undefined) return
  for (const [name, value] of Object.entries(deprecationHeaders(deprecated, mount))) response.setHeader(name, value)
}

/** Reads the named parts of the path and the fields of the query. */
const partsOf = (params: PathParams, search: string): Either.Either<Omit<RestInput, "body">, Invalid> => {
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

/**
 * Reads the input of a request. The pod reads the body once, and each further run of the call gets the same input, or
 * the same refusal of the body.
 */
const inputReader = (
  { request }: Exchange,
  operation: RestOperation,
  params: PathParams,
  search: string,
  settings: RestCallSettings
) => {
  let body: Either.Either<SentBody, Failure> | undefined
  const readBody = Effect.map(Effect.either(readJson(request, limitsOf(operation, settings))), (read) => {
    body = Either.map(read, ({ text, value }) => ({
      text,
      value,
      whole: withHeaderFields(operation.headerFields, request.headers, value)
    }))
    return body
  })
  const input: Effect.Effect<RestInput, Failure> = Effect.suspend(() => {
    const named = partsOf(params, search)
    // The pod reads the body of a write even if the operation declares no fields. So the pod refuses unexpected content
    // and does not silently ignore it.
    if (Either.isLeft(named) || (operation.kind === "query" && !operation.takesBody))
      return Either.map(named, ({ path, query }) => ({ path, query, body: undefined }))
    const { path, query } = named.right
    return Effect.flatMap(body === undefined ? readBody : Effect.succeed(body), (read) =>
      Either.map(
        Either.flatMap(read, ({ whole }) => whole),
        (filled) => ({ path, query, body: filled })
      )
    )
  })
  return { input, comparedText: () => (body === undefined || Either.isLeft(body) ? "" : comparedBody(body.right)) }
}

/**
 * Returns the idempotency key of the request, and the function that describes the request for comparison. Returns
 * undefined if the client sent no such key.
 */
const idempotencyOf = (
  { path, request, search }: Exchange,
  { method }: RestOperation,
  comparedText: () => string
): Call["idempotent"] => {
  const header = request.headers["idempotency-key"]
  if (typeof header !== "string") return undefined
  return { header, describe: () => ({ method, route: `${path}?${search}`, body: comparedText() }) }
}

/**
 * Sends the answer of a successful call. If there is no memory for the answer of a read, the caller gets a refusal. The
 * answer of a write is always sent, because the write has happened.
 */
const sendAnswer = (
  exchange: Exchange,
  { answersText, isAccepted, kind }: RestOperation,
  { principal, result }: Outcome,
  memory: BodyMemory
) => {
  if (Either.isLeft(result)) return sendFailure(exchange, result.left)
  const answer = result.right
  // An operation that answers a text is declared with the schema `RawText`, so the cast is safe.
  const raw = answersText === true ? (answer as RawText) : undefined
  const text = raw === undefined ? JSON.stringify(answer) : raw.text
  if (kind === "query" && !memory.admitAnswer(exchange.request, principal?.personId ?? "", text.length)) {
    noteFailure(exchange, answerMemoryBusy)
    return sendFailure(exchange, answerMemoryBusy)
  }
  if (raw !== undefined) sendText(exchange, raw)
  else sendJsonText(exchange, isAccepted?.(answer) === true ? 202 : 200, text)
}

const answerWith =
  (exchange: Exchange, operation: RestOperation, memory: BodyMemory, stream?: ReturnType<typeof frameStream>) =>
  (outcome: Outcome) => {
    if (stream?.finish(outcome) === true) return
    noteOutcome(exchange, outcome)
    sendAnswer(exchange, operation, outcome, memory)
  }

/** Makes the function that runs the operation of a request and sends its answer. */
export const restCalls =
  (dispatch: typeof Dispatch.Service, streams: typeof Streams.Service, settings: RestCallSettings) =>
  (exchange: Exchange, operation: RestOperation, params: PathParams): void => {
    const { client, note, presented, request, requestId, response, span } = exchange
    note.route = operation.path
    noteDeprecation(exchange, operation, settings.alias.to)
    const search = operation.ignoresQuery === true ? "" : exchange.search
    if (operation.answerPlainly !== undefined && search === "") {
      return sendJson(exchange, 200, operation.answerPlainly())
    }
    const { comparedText, input } = inputReader(exchange, operation, params, search, settings)
    // OpenAI clients send fields that the pod does not know. So the pod ignores unknown fields on the paths that these
    // clients call.
    const lenient = (operation.takesBody && dialectOf(exchange.path) === "openai") || isLenient(request)
    if (operation.answersStream === true) {
      const call = { surface: "rest" as const, presented, requestId, client, span, isLenient: lenient }
      const inputAt = (position = lastPosition(request)) =>
        Effect.map(input, (read) =>
          position === undefined ? read : { ...read, query: { ...read.query, since: position } }
        )
      return sendStream(
        exchange,
        settings.times,
        eventFormat,
        answerWith(exchange, operation, settings.memory),
        (reader) => streams.follow(operation, { ...call, inputAt }, reader)
      )
    }
    const stream = operation.frames === undefined ? undefined : frameStream(exchange, settings.times)
    const idempotent = idempotencyOf(exchange, operation, comparedText)
    const cancel = dispatch.start(
      operation,
      // Every request makes this object. The code writes the fields out, because a spread would take several times as
      // long.
      {
        surface: "rest",
        presented,
        requestId,
        client,
        span,
        isLenient: lenient,
        input,
        frames: stream?.frames,
        idempotent
      },
      answerWith(exchange, operation, settings.memory, stream)
    )
    response.on("close", () => {
      if (!response.writableEnded) cancel()
    })
  }
