/**
 * Writes the access log. The log has a line for every request that was slow, for every request that the pod failed to
 * serve, and for every stream. At log level `debug`, it has a line for every request. In an outage every request gets
 * status 503, so the log only counts such requests by route and failure.
 */
import { Effect, FiberRef, LogLevel, Runtime } from "effect"
import { nameOfFailure } from "../doors/Failure.ts"
import { endStatusOf, type Exchange } from "./Exchange.ts"

// A request that takes more than this many milliseconds counts as slow. A normal request takes much less time.
const slowMs = 1_000

// The pod answers with this status while it cannot serve requests, for example while its database is down.
const unavailableStatus = 503

/**
 * Makes the function that logs a finished request. The log level is read only once, so a request that is not logged
 * costs almost nothing.
 */
export const accessLog: Effect.Effect<(exchange: Exchange, durationMs: number) => void> = Effect.gen(function* () {
  const runFork = Runtime.runFork(yield* Effect.runtime())
  const isEverything = LogLevel.lessThanEqual(yield* FiberRef.get(FiberRef.currentMinimumLogLevel), LogLevel.Debug)
  return (exchange, durationMs) => {
    const status = endStatusOf(exchange)
    const { stream } = exchange.note
    const isNotable = status >= 500 || (durationMs > slowMs && !isListening(exchange))
    if (!isNotable && !isEverything && stream === undefined) return
    const { note, request, requestId } = exchange
    const route = note.route === "" ? "none" : note.route
    const isRepeated = status === unavailableStatus && stream === undefined
    if (isRepeated) {
      // The log counts lines with equal text and writes them only once. So this line contains no id and no duration,
      // because these would make every line different.
      const failure = note.failure === undefined ? {} : { failure: nameOfFailure(note.failure) }
      const fields = { method: request.method, route, status: unavailableStatus, ...failure }
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
        status,
        durationMs: Math.round(durationMs),
        ...stream,
        ...(note.credentialId === undefined ? {} : { credentialId: note.credentialId })
      })
    )
  }
})

/**
 * True if the request was an event stream that the client has closed. The length of a stream says nothing about the
 * pod, because a stream lasts as long as the client reads. So a stream does not count as slow.
 */
const isListening = ({ response }: Exchange): boolean =>
  !response.writableFinished && String(response.getHeader("content-type")).startsWith("text/event-stream")
