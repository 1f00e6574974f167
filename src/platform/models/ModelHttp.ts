/** Sends one request to a model service and reads its answer, within bounds of time and size. */
import { Clock, DateTime, Effect, Option, Redacted, type Scope } from "effect"
import type { ModelEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"
import { failureOfAnswer } from "./ProviderErrors.ts"

const errorBytesMost = 64 * 1024 // an error says what it says in its first lines

/** The service may be silent for half the time of a call: before its first byte, and between two pieces of an answer. */
const silenceMsOf = ({ timeoutMs }: ModelEndpoint): number => timeoutMs / 2

/** A broken connection: refused, reset, cut in the middle. The cause is left out, because it may name the address and the key. */
const unreachable = () => new ModelFailure({ code: "upstream_error", isTransient: true })

const inTime = <A>(endpoint: ModelEndpoint, work: Effect.Effect<A, ModelFailure>): Effect.Effect<A, ModelFailure> =>
  Effect.timeoutFail(work, {
    duration: silenceMsOf(endpoint),
    onTimeout: () => new ModelFailure({ code: "timeout" })
  })

export interface ModelAnswer {
  readonly headers: Headers
  /** The next piece; none at the end. Fails when the answer becomes larger than allowed. */
  readonly next: Effect.Effect<Option.Option<Uint8Array>, ModelFailure>
}

/**
 * An answer with a status of success. The connection ends with the scope, whether or not the answer was read to its end.
 * `body`: undefined for a GET.
 */
export const requestModel = (
  endpoint: ModelEndpoint,
  path: `/${string}`,
  { body, bytesMost }: { readonly body?: unknown; readonly bytesMost: number }
): Effect.Effect<ModelAnswer, ModelFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const controller = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (made) => Effect.sync(() => made.abort())
    )
    const sent = Effect.tryPromise({
      try: () =>
        fetch(endpoint.url + path, {
          method: body === undefined ? "GET" : "POST",
          redirect: "manual",
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
      catch: unreachable
    })
    const response = yield* inTime(endpoint, sent)
    const reader = response.body?.getReader()
    const most = response.ok ? bytesMost : errorBytesMost
    let read = 0
    const piece = Effect.tryPromise({
      try: async () => (reader === undefined ? { done: true as const, value: undefined } : await reader.read()),
      catch: unreachable
    })
    const next = Effect.flatMap(inTime(endpoint, piece), ({ done, value }) => {
      if (done) return Effect.succeedNone
      read += value.length
      return read > most ? Effect.fail(new ModelFailure({ code: "invalid_response" })) : Effect.succeedSome(value)
    })
    const answer = { headers: response.headers, next }
    if (response.ok) return answer
    const said = yield* Effect.option(jsonOf(answer))
    const now = DateTime.unsafeMake(yield* Clock.currentTimeMillis)
    return yield* failureOfAnswer(response, Option.getOrUndefined(said), now)
  })

/** The whole answer as JSON. */
export const jsonOf = ({ next }: ModelAnswer): Effect.Effect<unknown, ModelFailure> =>
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
  })

/** Whether the service answers at all and accepts the key: it lists its models. Cheap, and not counted by the breaker. */
export const probeModel = (endpoint: ModelEndpoint): Effect.Effect<void, ModelFailure> =>
  requestModel({ ...endpoint, timeoutMs: Math.min(endpoint.timeoutMs, probeMs) }, "/models", {
    bytesMost: probeBytesMost
  }).pipe(Effect.scoped, Effect.asVoid)

const probeMs = 6_000 // half of it is the wait for the first byte
const probeBytesMost = 1 // the list itself is not read
