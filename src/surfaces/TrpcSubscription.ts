/** Writes the frames of a tRPC subscription: server-sent events in the form that `httpSubscriptionLink` reads. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { SerializedRefusal } from "./TrpcError.ts"

export const subscriptionHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no"
} as const

/**
 * True if the request comes from an event source. Only an event source names this media type first in its `accept`
 * header.
 */
export const isEventSource = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? "").split(/[,;]/, 1)[0]?.trim().toLowerCase() === "text/event-stream"

const frame = (...lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n\n\n`

/**
 * Returns the first frame. It may contain a position. An event source that is disconnected before the first item then
 * continues at this position. If the client receives nothing for `reconnectAfterInactivityMs`, it connects again.
 */
export const connectedFrame = (reconnectAfterInactivityMs: number, position?: string): string =>
  frame(
    "event: connected",
    `data: ${JSON.stringify({ reconnectAfterInactivityMs })}`,
    ...(position === undefined ? [] : [`id: ${position}`])
  )

/**
 * Returns the frame of an item. If the frame has a position and the client connects again, the stream continues after
 * this item.
 */
export const itemFrame = (value: unknown, position?: string): string =>
  frame(`data: ${JSON.stringify(value)}`, ...(position === undefined ? [] : [`id: ${position}`]))

export const pingFrame = frame("event: ping", "data: ")

/** The last frame of a finished subscription. It tells the client not to connect again. */
export const returnFrame = frame("event: return", "data: ")

export const errorFrame = (refused: SerializedRefusal): string =>
  frame("event: serialized-error", `data: ${refused.error}`)

/**
 * Answers a subscription that the pod refuses. The status is 200, because an event source hides the status and the body
 * of any other answer from its program.
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
