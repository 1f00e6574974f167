/** Sends one request to a model service and reads its answer. Limits the time and the size of the answer. */
import { Clock, DateTime, Effect, Option, Redacted, type Scope } from "effect"
import { outsideTransaction } from "../CommitHooks.ts"
import { elapsedMsBy } from "../ElapsedTime.ts"
import type { ModelEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"
import { failureOfAnswer } from "./ProviderErrors.ts"

// the maximum number of bytes of an error answer that are read; the error code is at the beginning of the answer
const errorBytesMax = 64 * 1024

/**
 * Returns the longest wait for the first byte of an answer and for each further piece. It is half of the time limit of
 * the call.
 */
const silenceMsOf = ({ timeoutMs }: ModelEndpoint): number => timeoutMs / 2

const settingsFetch: NonNullable<ModelEndpoint["fetch"]> = (url, request) =>
  fetch(url, { ...request, redirect: "manual" })

/**
 * Returns the failure for a connection that was refused, reset or cut. The cause is left out, because it can contain
 * the address and the key.
 */
const serviceUnreachable = () => new ModelFailure({ code: "upstream_error", isTransient: true })

const inTime = <A>(endpoint: ModelEndpoint, work: Effect.Effect<A, ModelFailure>): Effect.Effect<A, ModelFailure> =>
  // A mutation cannot be interrupted. Here the call to the service becomes interruptible, so that the time limit can
  // end the call.
  Effect.timeoutFail(Effect.interruptible(work), {
    duration: silenceMsOf(endpoint),
    onTimeout: () => new ModelFailure({ code: "timeout" })
  })

export interface ModelAnswer {
  readonly headers: Headers
  /**
   * Reads the next piece of the answer. Returns none at the end of the answer. Fails if the answer is larger than
   * `bytesMax`.
   */
  readonly next: Effect.Effect<Option.Option<Uint8Array>, ModelFailure>
  /**
   * Runs work that reads pieces. Fails if a piece takes too long. The limit does not include the time between two
   * readings.
   */
  readonly inTime: <A, R>(work: Effect.Effect<A, ModelFailure, R>) => Effect.Effect<A, ModelFailure, R>
}

/**
 * Sends a request and returns the answer if its status means success. The connection closes with the scope, even if the
 * answer was not read to its end. Without `body` the request is a GET.
 */
export const requestModel = (
  endpoint: ModelEndpoint,
  path: `/${string}`,
  { body, bytesMax }: { readonly body?: unknown; readonly bytesMax: number }
): Effect.Effect<ModelAnswer, ModelFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const controller = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    const sent = Effect.tryPromise({
      try: () =>
        (endpoint.fetch ?? settingsFetch)(endpoint.url + path, {
          method: body === undefined ? "GET" : "POST",
          signal: controller.signal,
          headers: {
            accept: "application/json, text/event-stream",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...Option.match(endpoint.key, {
              onNone: () => ({}),
              onSome: (key) => ({ authorization: `Bearer ${Redacted.value(key)}` })
            })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        }),
      catch: serviceUnreachable
    })
    const response = yield* inTime(endpoint, sent)
    const reader = response.body?.getReader()
    const max = response.ok ? bytesMax : errorBytesMax
    let read = 0
    const piece = Effect.tryPromise({
      try: async () => (reader === undefined ? { done: true as const, value: undefined } : await reader.read()),
      catch: serviceUnreachable
    })
    const clock = yield* Effect.clock
    let waitingSince: number | undefined
    const next = Effect.suspend(() => {
      waitingSince = elapsedMsBy(clock)
      return Effect.flatMap(piece, ({ done, value }) => {
        waitingSince = undefined
        if (done) return Effect.succeedNone
        read += value.length
        return read > max ? Effect.fail(new ModelFailure({ code: "invalid_response" })) : Effect.succeedSome(value)
      })
    })
    const silenceMs = silenceMsOf(endpoint)
    // One timer watches the wait for all pieces. A model sends a piece for each word, so a timeout for each piece would
    // cost more than reading the piece.
    const silence = Effect.gen(function* () {
      for (;;) {
        const leftMs = waitingSince === undefined ? silenceMs : waitingSince + silenceMs - elapsedMsBy(clock)
        if (leftMs <= 0) {
          // The abort ends even a read that cannot be interrupted.
          controller.abort()
          return yield* new ModelFailure({ code: "timeout" })
        }
        yield* Effect.sleep(leftMs)
      }
    })
    // The work can be a part of code that is not interruptible, such as a write. The timer must still be interruptible
    // and end together with the work. Otherwise the write would wait for the timer forever.
    const answer: ModelAnswer = {
      headers: response.headers,
      next,
      inTime: (work) => Effect.raceFirst(Effect.interruptible(work), Effect.interruptible(silence))
    }
    if (response.ok) return answer
    const errorBody = yield* Effect.option(jsonOf(answer))
    const now = DateTime.unsafeMake(yield* Clock.currentTimeMillis)
    return yield* failureOfAnswer(response, Option.getOrUndefined(errorBody), now)
  }).pipe(outsideTransaction)

/** Reads the whole answer as JSON. Fails with the code `invalid_response` if the answer is not JSON. */
export const jsonOf = ({ inTime: within, next }: ModelAnswer): Effect.Effect<unknown, ModelFailure> =>
  Effect.gen(function* () {
    const pieces: Array<Uint8Array> = []
    for (;;) {
      const piece = yield* next
      if (Option.isNone(piece)) break
      pieces.push(piece.value)
    }
    return yield* Effect.try({
      try: (): unknown => JSON.parse(Buffer.concat(pieces).toString("utf8")),
      catch: () => new ModelFailure({ code: "invalid_response" })
    })
  }).pipe(within)

/**
 * Checks whether the service answers and accepts the key, by a request for its list of models. The circuit breaker
 * ignores the result.
 */
export const probeModel = (endpoint: ModelEndpoint): Effect.Effect<void, ModelFailure> =>
  requestModel({ ...endpoint, timeoutMs: Math.min(endpoint.timeoutMs, probeMs) }, "/models", {
    bytesMax: probeBytesMax
  }).pipe(Effect.scoped, Effect.asVoid)

// the longest time of this check; half of it is the longest wait for the first byte
const probeMs = 6_000
// the maximum number of bytes of the answer, because this check does not read the list of models
const probeBytesMax = 1
