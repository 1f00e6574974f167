/**
 * The access log. It has a line for every request that was slow or failed because of the pod, and for every stream. At
 * log level debug, it has a line for every request. Requests that were answered with 503 are counted by route and
 * failure, because during an outage each request fails.
 */
import { Effect, FiberRef, LogLevel, Runtime } from "effect"
import { nameOfFailure } from "../doors/Failure.ts"
import type { Exchange } from "./Exchange.ts"

const slowMs = 1_000 // milliseconds from which a request counts as slow; a normal request takes much less time

const unavailable = 503 // the status while the pod cannot serve, for example without its database
const clientLeft = 499 // the status that nginx logs for a client that did not wait for its answer

/**
 * Makes the function that logs a finished request. The log level is read only once, so a request that is not logged
 * costs almost nothing.
 */
export const accessLog: Effect.Effect<(exchange: Exchange, durationMs: number) => void> = Effect.gen(function* () {
  const runFork = Runtime.runFork(yield* Effect.runtime())
  const isEverything = LogLevel.lessThanEqual(yield* FiberRef.get(FiberRef.currentMinimumLogLevel), LogLevel.Debug)
  return (exchange, durationMs) => {
    const { response } = exchange
    const { stream } = exchange.note
    const isNotable = response.statusCode >= 500 || (durationMs > slowMs && !isListening(exchange))
    if (!isNotable && !isEverything && stream === undefined) return
    const { note, request, requestId } = exchange
    const route = note.route === "" ? "none" : note.route
    const isRepeated = response.statusCode === unavailable && stream === undefined
    if (isRepeated) {
      // This line has neither an id nor a duration. So the log counts equal lines, and does not write each of them.
      const failure = note.failure === undefined ? {} : { failure: nameOfFailure(note.failure) }
      const fields = { method: request.method, route, status: unavailable, ...failure }
      runFork(Effect.annotateLogs(Effect.logWarning("request"), fields))
      if (!isEverything) return
    }
    const line =
      stream !== undefined
        ? Effect.logInfo("stream")
        : isNotable && !isRepeated
          ? Effect.logWarning("request")
          : Effect.logDebug("request")
    runFork(
      Effect.annotateLogs(line, {
        requestId,
        method: request.method,
        route,
        status: response.headersSent ? response.statusCode : clientLeft,
        durationMs: Math.round(durationMs),
        ...stream,
        ...(note.credentialId === undefined ? {} : { credentialId: note.credentialId })
      })
    )
  }
})

/**
 * Whether the request was an event stream that the client has closed. A stream does not count as slow, because it lasts
 * as long as somebody reads it.
 */
const isListening = ({ response }: Exchange): boolean =>
  !response.writableFinished && String(response.getHeader("content-type")).startsWith("text/event-stream")
