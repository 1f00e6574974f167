/**
 * The body and the headers of a call to a webhook. The headers follow Standard Webhooks 1.0.0. One additional header,
 * for older receivers, has a hexadecimal HMAC of the body without a prefix.
 */
import { DateTime } from "effect"
import { createHmac } from "node:crypto"
import type { Event } from "../events/Event.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import type { Webhook } from "./Webhook.ts"

const secretPrefix = "whsec_"

/**
 * Returns the HMAC key for a secret. If the secret is base64, the key is the decoded bytes, because receivers also
 * decode the secret. Otherwise the key is the text of the secret.
 */
const keyOf = (secret: string): Buffer => {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  return Buffer.from(text, isBase64 ? "base64" : "utf8")
}

export const newSecret = (random: Buffer): string => secretPrefix + random.toString("base64")

/** Returns `v1,` followed by the base64 HMAC-SHA256 of the id, the time and the body. */
export const standardSignature = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`

/** Computes the hexadecimal HMAC-SHA256 of the body, with the text of the secret as the key. */
export const plainSignature = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** The event as a receiver gets it. */
export type SentEvent = Omit<Event, "data" | "metadata" | "decision">

/**
 * Makes the part of the body that is equal for all webhooks. This part says what happened to which object, without the
 * content of the object. The receiver reads the content with the receiver's own key, and this key decides what the
 * receiver can see.
 */
export const eventText = (event: SentEvent): string =>
  JSON.stringify({
    id: event.id,
    version: event.version,
    type: event.type,
    timestamp: DateTime.formatIso(event.timestamp),
    subjectId: event.subjectId,
    userId: event.userId,
    actorId: event.actorId,
    source: event.source,
    workspaceId: event.workspaceId,
    seq: event.seq,
    correlationId: event.correlationId,
    causationId: event.causationId,
    data: { eventId: event.id, subjectId: event.subjectId, workspaceId: event.workspaceId }
  })

/**
 * Makes the body of a call in two parts. The start is the text of the event, which is the same in every call of a
 * delivery. The end has the id of the webhook, the number of the attempt and the time.
 */
export const bodyOf = (
  text: string,
  { attempt, webhookId }: Pick<ClaimedDelivery, "attempt" | "webhookId">,
  at: DateTime.Utc
): { readonly start: string; readonly end: string } => {
  const webhook = { subscriptionId: webhookId, attempt, deliveredAt: DateTime.formatIso(at) }
  return { start: text.slice(0, -1), end: `,"webhook":${JSON.stringify(webhook)}}` }
}

/** Returns the secrets that sign a call at this time, newest first. */
export const secretsAt = (
  { formerSecret, formerSecretEnds, secret }: Pick<Webhook, "secret" | "formerSecret" | "formerSecretEnds">,
  at: DateTime.Utc
): Secrets =>
  formerSecret === null || formerSecretEnds === null || DateTime.lessThanOrEqualTo(formerSecretEnds, at)
    ? [secret]
    : [secret, formerSecret]

type Secrets = readonly [newest: string, ...former: ReadonlyArray<string>]

/**
 * Makes the headers of a call. `webhook-signature` has one signature for each secret, so a receiver can verify the call
 * with any of these secrets. Older receivers compare the whole header `x-svc-signature`, so this header has only the
 * signature with the newest secret. An older receiver without the newest secret refuses the call. A retry succeeds
 * after the receiver has got the newest secret.
 */
export const headersOf = (
  { eventId, eventType, id }: ClaimedDelivery,
  secrets: Secrets,
  body: string,
  at: DateTime.Utc
): Readonly<Record<string, string>> => {
  const seconds = Math.floor(DateTime.toEpochMillis(at) / 1000)
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Svc-Webhook/1.0",
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": secrets.map((secret) => standardSignature(secret, id, seconds, body)).join(" "),
    "x-svc-signature": plainSignature(secrets[0], body),
    "x-svc-event-type": eventType,
    "x-svc-event-id": eventId,
    "x-svc-delivery-id": id
  }
}
