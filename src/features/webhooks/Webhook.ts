/**
 * A webhook: a URL, and the types of events that the pod sends to this URL. A webhook belongs to one person, and the
 * pod shows the secret of the webhook only once. The store of deliveries keeps the time of the last call, and whether
 * the pod has stopped calling the webhook.
 */
import { Schema } from "effect"
import { described, WorkspaceId, Timestamp } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf, inWorkspace } from "../records/RecordInputs.ts"
import { commonFields, recordType } from "../records/RecordType.ts"
import { EventLens, type WebhookState } from "./Delivery.ts"

// the minimum number of characters of a secret that the caller chooses
const secretLengthMin = 16

/** The type of an event by its name, `*` for all types, or `*.create` for every type that ends with `.create`. */
const EventType = Schema.String.pipe(
  Schema.maxLength(128),
  Schema.pattern(/^(?:\*|(?:\*\.)?[a-z0-9_]+(?:\.[a-z0-9_-]+)*)$/i)
)

/** One or more types of events. */
export const EventTypes = Schema.Array(EventType).pipe(Schema.minItems(1), Schema.maxItems(100))

const RetryConfig = Schema.Struct({
  maxRetries: described("Largest number of retries of a failed call.", Schema.Int.pipe(Schema.between(0, 20)))
})

export const Webhook = recordType("webhook", {
  identifier: "StoredWebhook",
  subject: "webhook",
  table: "webhooks",
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))),
    url: writable(Schema.String.pipe(Schema.maxLength(2048))),
    eventTypes: writable(EventTypes, {
      meaning: "Types of the events that the webhook subscribes to."
    }),
    lens: writable(EventLens, {
      meaning:
        "Which events are sent: `all`; `external`, those that come from outside (source `sync` or `migration`, or a type that begins with `cron.`, `feed.item.` or `webhook.received`); `internal`, all others.",
      default: "all"
    }),
    secret: writable(described("The secret. Only this answer shows it: store it now.", Schema.String), {
      draft: described(
        "If absent, the pod makes a secret.",
        Schema.optional(Schema.String.pipe(Schema.minLength(secretLengthMin), Schema.maxLength(200)))
      ),
      change: false
    }),
    active: writable(Schema.Boolean, { meaning: "Whether the webhook is active.", default: true }),
    retryConfig: writable(RetryConfig, {
      meaning: "How many times the pod repeats a failed call.",
      default: { maxRetries: 3 }
    }),
    formerSecret: described(
      "Former secret, from before the last rotation; null after this secret has expired.",
      Schema.NullOr(Schema.String)
    ),
    formerSecretEnds: described(
      "Time until which each call is also signed with the former secret; null without a former secret.",
      Schema.NullOr(Timestamp)
    ),
    keyId: described("Key that chose the address of the webhook; null for a sign-in session.", Schema.NullOr(Id)),
    lastTriggeredAt: described("Time of the last call of the webhook.", Schema.NullOr(Timestamp))
  },
  visibility: "own",
  order: "created"
})
export type Webhook = typeof Webhook.schema.Type

const { active, eventTypes, formerSecretEnds, lastTriggeredAt, lens, name, retryConfig, url } = Webhook.stored

/** A webhook in the form that the API returns, without the secret. */
export const WebhookWithoutSecret = Schema.Struct({
  ...commonFields,
  name,
  url,
  eventTypes,
  lens,
  active,
  retryConfig,
  formerSecretEnds,
  lastTriggeredAt,
  disabledReason: described(
    "Why the pod stopped calling the webhook. To resume, set `active` to true.",
    Schema.NullOr(Schema.Literal("gone", "failing"))
  )
}).annotations({ identifier: "Webhook" })

/**
 * Converts a webhook to the form that the API returns. A webhook that the pod has stopped calling is shown as inactive.
 */
export const toWire = (
  { formerSecret: _former, keyId: _key, secret: _secret, ...shown }: Webhook,
  state: WebhookState | undefined
): typeof WebhookWithoutSecret.Type => ({
  ...shown,
  active: shown.active && (state?.disabledReason ?? null) === null,
  lastTriggeredAt: state?.lastTriggeredAt ?? null,
  disabledReason: state?.disabledReason ?? null
})

export const WebhookDraft = inputOf("WebhookDraft", { ...inWorkspace, ...Webhook.draft })

export const WorkspaceWebhookDraft = inputOf("WorkspaceWebhookDraft", {
  ...WebhookDraft.fields,
  workspaceId: WorkspaceId
})

export const WebhookChange = inputOf("WebhookChange", { id: Id, ...Webhook.change })

export const WebhookQuery = Schema.Struct(pageQuery("webhooks", 50, 200))
export const WebhookPage = Schema.Struct(pageInput("webhooks", 50, 200))
export const WorkspaceWebhookPage = Schema.Struct({
  workspaceId: WorkspaceId,
  ...pageInput("workspaceWebhooks", 50, 200, "workspaceId")
})

/** A webhook of the caller in a workspace. */
export const WorkspaceWebhook = Schema.Struct({ workspaceId: WorkspaceId, id: Id })
export const WorkspaceWebhookSwitch = Schema.Struct({
  ...WorkspaceWebhook.fields,
  active: described(
    "Whether the webhook is active after the call. Without this field, the call switches an active webhook off and a paused webhook on.",
    Schema.optional(Schema.Boolean)
  )
})
