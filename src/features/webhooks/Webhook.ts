/**
 * A webhook: an address and the types of events to send to it. It belongs to one person, and its secret is shown once.
 * The store of deliveries has the time of the last call, and whether the pod has stopped calling the webhook.
 */
import { Schema } from "effect"
import { described, WorkspaceId, optionalOrNull, Timestamp } from "../../doors/Fields.ts"
import { pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { common, recordType } from "../records/RecordType.ts"
import { EventLens, type WebhookState } from "./Delivery.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))
const Url = Schema.String.pipe(Schema.maxLength(2048))
const secretLeast = 16 // a secret that the caller chooses has at least this many characters
const Secret = Schema.String.pipe(Schema.minLength(secretLeast), Schema.maxLength(200))

/** The type of an event by its name, `*` for all types, or `*.create` for every type that ends with `.create`. */
const EventType = Schema.String.pipe(
  Schema.maxLength(128),
  Schema.pattern(/^(?:\*|(?:\*\.)?[a-z0-9_]+(?:\.[a-z0-9_-]+)*)$/i)
)
const EventTypes = Schema.Array(EventType).pipe(Schema.minItems(1), Schema.maxItems(100))

const RetryConfig = Schema.Struct({
  maxRetries: described("Largest number of retries of a failed call.", Schema.Int.pipe(Schema.between(0, 20)))
})
const retriesByDefault = { maxRetries: 3 }

const Lens = described(
  "Which events are sent: `all`; `external`, those that come from outside (source `sync` or `migration`, or a type that begins with `cron.`, `feed.item.` or `webhook.received`); `internal`, all others.",
  EventLens
)

const FormerSecretEnds = described(
  "Time until which each call is also signed with the former secret; null without a former secret.",
  Schema.NullOr(Timestamp)
)

export const Webhook = recordType("webhook", {
  identifier: "StoredWebhook",
  subject: "webhook",
  table: "webhooks",
  fields: {
    name: Name,
    url: Url,
    eventTypes: described("Types of the events that the webhook subscribes to.", EventTypes),
    lens: Lens,
    secret: described("The secret. Only this answer shows it: store it now.", Schema.String),
    active: described("Whether the webhook is active.", Schema.Boolean),
    retryConfig: described("How often the pod repeats a failed call.", RetryConfig),
    formerSecret: described("Secret before the last rotation; null after its end.", Schema.NullOr(Schema.String)),
    formerSecretEnds: FormerSecretEnds,
    keyId: described("Key that chose the address of the webhook; null for a sign-in session.", Schema.NullOr(Id)),
    lastTriggeredAt: described("Time of the last call of the webhook.", Schema.NullOr(Timestamp))
  },
  visibility: "own",
  order: "created"
})
export type Webhook = typeof Webhook.schema.Type

/** A webhook as the API returns it: without the secret. */
export const WebhookWithoutSecret = Schema.Struct({
  ...common,
  name: Name,
  url: Url,
  eventTypes: described("Types of the events that the webhook subscribes to.", EventTypes),
  lens: Lens,
  active: described("Whether the webhook is active.", Schema.Boolean),
  retryConfig: described("How often the pod repeats a failed call.", RetryConfig),
  formerSecretEnds: FormerSecretEnds,
  lastTriggeredAt: described("Time of the last call of the webhook.", Schema.NullOr(Timestamp)),
  disabledReason: described(
    "Why the pod stopped calling the webhook; set `active` to resume.",
    Schema.NullOr(Schema.Literal("gone", "failing"))
  )
}).annotations({ identifier: "Webhook" })

/** A webhook as the API returns it. A webhook that the pod has stopped calling is shown as inactive. */
export const toWire = (
  { formerSecret: _former, keyId: _key, secret: _secret, ...shown }: Webhook,
  state: WebhookState | undefined
): typeof WebhookWithoutSecret.Type => ({
  ...shown,
  active: shown.active && (state?.disabledReason ?? null) === null,
  lastTriggeredAt: state?.lastTriggeredAt ?? null,
  disabledReason: state?.disabledReason ?? null
})

export const WebhookDraft = Schema.Struct({
  workspaceId: optionalOrNull(WorkspaceId),
  name: Name,
  url: Url,
  eventTypes: described("Types of the events that the webhook subscribes to.", EventTypes),
  lens: Schema.optionalWith(Lens, { default: () => "all" as const }),
  secret: described("If absent, the pod makes a secret.", Schema.optional(Secret)),
  active: described("Whether the webhook is active.", Schema.optionalWith(Schema.Boolean, { default: () => true })),
  retryConfig: described(
    "How often the pod repeats a failed call.",
    Schema.optionalWith(RetryConfig, { default: () => retriesByDefault })
  )
}).annotations({ identifier: "WebhookDraft" })

export const WorkspaceWebhookDraft = Schema.Struct({ ...WebhookDraft.fields, workspaceId: WorkspaceId }).annotations({
  identifier: "WorkspaceWebhookDraft"
})

export const WebhookChange = Schema.Struct({
  id: Id,
  name: Schema.optional(Name),
  url: Schema.optional(Url),
  eventTypes: described("Types of the events that the webhook subscribes to.", Schema.optional(EventTypes)),
  lens: Schema.optional(Lens),
  active: described("Whether the webhook is active.", Schema.optional(Schema.Boolean)),
  retryConfig: described("How often the pod repeats a failed call.", Schema.optional(RetryConfig))
}).annotations({ identifier: "WebhookChange" })

export const WebhookQuery = Schema.Struct(pageQuery(50, 200))
export const WebhookPage = Schema.Struct(pageInput(50, 200))
export const WorkspaceWebhookPage = Schema.Struct({ workspaceId: WorkspaceId, ...pageInput(50, 200) })

/** A webhook of the caller in a workspace. */
export const WorkspaceWebhook = Schema.Struct({ workspaceId: WorkspaceId, id: Id })
export const WorkspaceWebhookSwitch = Schema.Struct({
  ...WorkspaceWebhook.fields,
  active: described(
    "Whether the webhook is active after the call; without this field, the call changes it.",
    Schema.optional(Schema.Boolean)
  )
})
