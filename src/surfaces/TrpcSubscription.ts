/** Writes the server-sent events of a tRPC subscription, in the form that `httpSubscriptionLink` reads. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { SerializedRefusal } from "./TrpcError.ts"

export const subscriptionHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no"
} as const

/**
 * True if the request comes from an `EventSource`. Only an `EventSource` names this media type first in its `accept`
 * header.
 */
export const isEventSource = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? "").split(/[,;]/, 1)[0]?.trim().toLowerCase() === "text/event-stream"

const frame = (...lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n\n\n`

/**
 * Returns the first event of a subscription. The event can contain a position. A client that loses the connection
 * before the first item continues at this position. A client that receives nothing for `reconnectAfterInactivityMs`
 * connects again.
 */
export const connectedFrame = (reconnectAfterInactivityMs: number, position?: string): string =>
  frame(
    "event: connected",
    `data: ${JSON.stringify({ reconnectAfterInactivityMs })}`,
    ...(position === undefined ? [] : [`id: ${position}`])
  )

/**
 * Returns the event of an item. If the event has a position and the client connects again, the stream continues after
 * this item.
 */
export const itemFrame = (value: unknown, position?: string): string =>
  frame(`data: ${JSON.stringify(value)}`, ...(position === undefined ? [] : [`id: ${position}`]))

export const pingFrame = frame("event: ping", "data: ")

export const errorFrame = (refused: SerializedRefusal): string =>
  frame("event: serialized-error", `data: ${refused.error}`)

/**
 * Answers a subscription that the pod refuses. The status is 200, because an `EventSource` hides the status and the
 * body of any other answer from its program.
 */
export const refuseSubscription = (
  response: ServerResponse,
  refused: SerializedRefusal,
  reconnectAfterInactivityMs: number
): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(200, { ...refused.headers, ...subscriptionHeaders })
  response.end(connectedFrame(reconnectAfterInactivityMs) + errorFrame(refused))
}
