/** The answer to a tRPC request, and how it is written to the response. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { endWithText } from "./EndWithText.ts"
import { envelope, statusOfBatch, type SerializedOutcome, type SerializedRefusal } from "./TrpcError.ts"
import { canReceive, streamBatch } from "./TrpcStream.ts"
import { isEventSource, refuseSubscription } from "./TrpcSubscription.ts"

/**
 * The form of the answer: one object, an array, a stream of lines, or a subscription. `gone` means no answer, because
 * the client has disconnected.
 */
export type TrpcAnswer =
  | { readonly shape: "single"; readonly settled: SerializedOutcome }
  | { readonly shape: "batch"; readonly settled: ReadonlyArray<SerializedOutcome> }
  | { readonly shape: "stream"; readonly calls: ReadonlyArray<Promise<SerializedOutcome>> }
  | { readonly shape: "subscription"; readonly begin: () => void }
  | { readonly shape: "unsubscribed"; readonly settled: SerializedRefusal }
  | { readonly shape: "gone" }

const addVary = (response: ServerResponse): void => {
  const present = String(response.getHeader("vary") ?? "")
  if (present === "") return void response.setHeader("vary", "trpc-accept, accept")
  const names = new Set(present.split(",").map((name) => name.trim().toLowerCase()))
  const missing = ["trpc-accept", "accept"].filter((name) => !names.has(name)).join(", ")
  if (missing !== "") response.setHeader("vary", `${present}, ${missing}`)
}

/**
 * Copies the headers of refused calls to the response. If several calls set the same header, the response has the
 * highest number, for example the longest `Retry-After`. If the values are not numbers, the response has the value of
 * the first call.
 */
const addHeaders = (response: ServerResponse, settled: ReadonlyArray<SerializedOutcome>): void => {
  for (const one of settled) {
    if (one.ok) continue
    for (const [name, value] of Object.entries(one.headers)) {
      const present = response.getHeader(name)
      if (present === undefined || Number(value) > Number(present)) response.setHeader(name, value)
    }
  }
}

/** Sends a JSON text with the headers of its refused calls. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  settled: ReadonlyArray<SerializedOutcome>,
  body: string
): void => {
  if (!canReceive(response)) return
  addHeaders(response, settled)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  endWithText(response, body)
}

/** Writes the answer to a request. Its promise resolves when the answer is written. */
export const writeAnswer = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: TrpcAnswer,
  reconnectAfterInactivityMs: number
): Promise<void> => {
  if (answer.shape === "gone" || !canReceive(response)) return
  addVary(response)
  if (answer.shape === "subscription") return answer.begin()
  if (answer.shape === "unsubscribed") return refuseSubscription(response, answer.settled, reconnectAfterInactivityMs)
  // An `EventSource` gets every failure in the form of a refused subscription, whatever the kind of the procedure.
  // Otherwise an anonymous caller could find out which names are subscriptions.
  if (answer.shape === "single" && !answer.settled.ok && isEventSource(request)) {
    return refuseSubscription(response, answer.settled, reconnectAfterInactivityMs)
  }
  response.setHeader("cache-control", "no-store")
  if (answer.shape === "single") {
    sendJson(response, answer.settled.status, [answer.settled], envelope(answer.settled))
  } else if (answer.shape === "batch") {
    sendJson(response, statusOfBatch(answer.settled), answer.settled, `[${answer.settled.map(envelope).join(",")}]`)
  } else {
    await streamBatch(response, answer.calls)
  }
}
