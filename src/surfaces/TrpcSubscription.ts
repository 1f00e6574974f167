/** The frames of a tRPC subscription: server-sent events as `httpSubscriptionLink` reads them. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { SerializedRefusal } from "./TrpcError.ts"

export const subscriptionHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no"
} as const

/** Whether the request comes from an event source: no other client accepts only this media type, or prefers it. */
export const isEventSource = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? "").split(/[,;]/, 1)[0]?.trim().toLowerCase() === "text/event-stream"

const frame = (...lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n\n\n`

/**
 * The first frame. It may have the position, so that an event source that is cut before the first item goes on from here. A
 * client that hears nothing for `reconnectAfterInactivityMs` connects again.
 */
export const connectedFrame = (reconnectAfterInactivityMs: number, position?: string): string =>
  frame(
    "event: connected",
    `data: ${JSON.stringify({ reconnectAfterInactivityMs })}`,
    ...(position === undefined ? [] : [`id: ${position}`])
  )

/** An item; with a position it is a tracked one, and the client goes on after it. */
export const itemFrame = (value: unknown, position?: string): string =>
  frame(`data: ${JSON.stringify(value)}`, ...(position === undefined ? [] : [`id: ${position}`]))

export const pingFrame = frame("event: ping", "data: ")

/** Says that nothing more will come, so that the client does not connect again. */
export const returnFrame = frame("event: return", "data: ")

export const errorFrame = (refused: SerializedRefusal): string =>
  frame("event: serialized-error", `data: ${refused.error}`)

/**
 * Answers a refused subscription. The status is 200, because an event source shows its program neither the status nor the
 * body of any other answer.
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
