/**
 * The body and the headers of a call: those of Standard Webhooks 1.0.0, and beside them the signature that older receivers
 * compare (a bare hexadecimal HMAC of the body).
 */
import { DateTime } from "effect"
import { createHmac } from "node:crypto"
import type { Event } from "../events/Event.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import type { Webhook } from "./Webhook.ts"

const secretPrefix = "whsec_"

/** The key of a secret: the decoded bytes if it is base64, as the receivers read it, else its text. */
const keyOf = (secret: string): Buffer => {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  return Buffer.from(text, isBase64 ? "base64" : "utf8")
}

export const newSecret = (random: Buffer): string => secretPrefix + random.toString("base64")

/** `v1,` and the base64 HMAC-SHA256 of id, time and body. */
export const standardSignature = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`

/** The hexadecimal HMAC-SHA256 of the body, with the text of the secret as the key. */
export const plainSignature = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** The event as a receiver gets it. */
export type SentEvent = Omit<Event, "data" | "metadata" | "decision">

/**
 * What happened to which object, without the content, as a part of the body that is equal for all webhooks. The receiver reads
 * the content with its own key, which decides what it may see.
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

/** The body: the text of the event, and of which webhook and call it is. */
export const bodyOf = (text: string, { attempt, webhookId }: ClaimedDelivery, at: DateTime.Utc): string => {
  const webhook = { subscriptionId: webhookId, attempt, deliveredAt: DateTime.formatIso(at) }
  return `${text.slice(0, -1)},"webhook":${JSON.stringify(webhook)}}`
}

/** The secrets that sign a call at this time, the newest first. */
export const secretsAt = (
  { formerSecret, formerSecretEnds, secret }: Pick<Webhook, "secret" | "formerSecret" | "formerSecretEnds">,
  at: DateTime.Utc
): Secrets =>
  formerSecret === null || formerSecretEnds === null || DateTime.lessThanOrEqualTo(formerSecretEnds, at)
    ? [secret]
    : [secret, formerSecret]

type Secrets = readonly [newest: string, ...former: ReadonlyArray<string>]

/**
 * The headers of a call. `webhook-signature` has one signature for each secret, so a receiver verifies with any of them. Older
 * receivers compare `x-svc-signature` as a whole, so it can have only one: that of the newest secret. A receiver that does not
 * have it yet refuses the call, and gets it again by the retries after its person has stored the secret. A receiver that
 * has it already would refuse every call until the end of the former one, and no retry would help.
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
