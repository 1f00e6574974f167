/** The frames of a tRPC subscription. They are server-sent events in the form that `httpSubscriptionLink` reads. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { SerializedRefusal } from "./TrpcError.ts"

export const subscriptionHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no"
} as const

/**
 * Whether the request comes from an event source. Only an event source names this media type first in its `accept`
 * header.
 */
export const isEventSource = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? "").split(/[,;]/, 1)[0]?.trim().toLowerCase() === "text/event-stream"

const frame = (...lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n\n\n`

/**
 * The first frame. It may contain a position. If an event source is disconnected before the first item, it then
 * continues from this position. A client that receives nothing for `reconnectAfterInactivityMs` connects again.
 */
export const connectedFrame = (reconnectAfterInactivityMs: number, position?: string): string =>
  frame(
    "event: connected",
    `data: ${JSON.stringify({ reconnectAfterInactivityMs })}`,
    ...(position === undefined ? [] : [`id: ${position}`])
  )

/**
 * The frame of an item. If the frame has a position and the client connects again, the stream continues after this
 * item.
 */
export const itemFrame = (value: unknown, position?: string): string =>
  frame(`data: ${JSON.stringify(value)}`, ...(position === undefined ? [] : [`id: ${position}`]))

export const pingFrame = frame("event: ping", "data: ")

/** The last frame of a finished subscription. It tells the client not to connect again. */
export const returnFrame = frame("event: return", "data: ")

export const errorFrame = (refused: SerializedRefusal): string =>
  frame("event: serialized-error", `data: ${refused.error}`)

/**
 * Answers a refused subscription. The status is 200: for any other status, an event source shows its program neither
 * the status nor the body.
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
