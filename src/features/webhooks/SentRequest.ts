/** The request of a call to a webhook, as the receiver gets it and as the pod keeps it. */
import type { DateTime } from "effect"
import { attemptBodyMax, type ClaimedDelivery } from "./Delivery.ts"
import { bodyOf, headersOf, secretsAt } from "./Signature.ts"
import type { Webhook } from "./Webhook.ts"

/** The body is in two parts, because the start is the same in every call of a delivery and is stored only once. */
export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly bodyStart: string
  readonly bodyEnd: string
  /** Whether the sent body was longer than the kept parts. */
  readonly isCut: boolean
}

/** Cuts a text after `max` UTF-16 units, but never between the two halves of a surrogate pair. */
const cutAt = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "")

/** Returns the part of a request that the pod keeps: all headers, and the beginning of the body. */
export const requestToKeep = (
  headers: SentRequest["headers"],
  { end, start }: { readonly start: string; readonly end: string }
): SentRequest => ({
  headers,
  bodyStart: cutAt(start, attemptBodyMax),
  bodyEnd: cutAt(end, Math.max(0, attemptBodyMax - start.length)),
  isCut: start.length + end.length > attemptBodyMax
})

/** Makes the request of a call at this time. `text` is the event as the receiver gets it. */
export const requestOf = (claimed: ClaimedDelivery, webhook: Webhook, text: string, at: DateTime.Utc) => {
  const parts = bodyOf(text, claimed, at)
  const body = `${parts.start}${parts.end}`
  const headers = headersOf(claimed, secretsAt(webhook, at), body, at)
  return { body, headers, keptRequest: requestToKeep(headers, parts) }
}
