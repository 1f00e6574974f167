/**
 * Makes a tracing span for each request, with the method, the path template and the status. If the caller sent a span,
 * that span is the parent of the new span.
 */
import { Effect, Tracer } from "effect"
import type { IncomingMessage } from "node:http"
import { collectedSpans } from "../platform/Spans.ts"
import { endStatusOf, type Exchange, traceOf } from "./Exchange.ts"
import { routeShown } from "./RouteShown.ts"

export interface RequestSpans {
  readonly begin: (request: IncomingMessage) => Tracer.Span
  readonly end: (exchange: Exchange) => void
}

// The span of a request counts as failed if the status is at least this number. With a lower status, the server itself
// has not failed (semantic conventions of HTTP).
const failedFrom = 500

/**
 * Returns the functions that begin and end request spans. Returns undefined if spans are not collected. `mounts` are
 * the base paths of tRPC and MCP. All requests to one of these paths count as one route.
 */
export const requestSpans = (mounts: ReadonlyArray<string>): Effect.Effect<RequestSpans | undefined> =>
  Effect.map(collectedSpans, (spans) =>
    spans === undefined
      ? undefined
      : {
          begin: (request) => {
            const trace = traceOf(request)
            return spans.begin(
              request.method ?? "",
              trace === undefined ? undefined : Tracer.externalSpan(trace),
              "server"
            )
          },
          end: (exchange) => {
            const { note, request, span } = exchange
            if (span === undefined) return
            const status = endStatusOf(exchange)
            spans.end(span, {
              "http.request.method": request.method ?? "",
              "http.route": routeShown(note.route, mounts),
              "http.response.status_code": status,
              ...(status >= failedFrom ? { "error.type": String(status) } : {})
            })
          }
        }
  )
