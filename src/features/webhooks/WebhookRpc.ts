/**
 * The procedures of webhooks. They create, change, test and delete webhooks, and list webhooks and their deliveries.
 */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { described, DeleteResponse, TimestampInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import { DeliveryChannel } from "./ChannelGateway.ts"
import { Delivery, DeliveryAttempt, DeliveryInput, WebhookFigures } from "./Delivery.ts"
import {
  EventTypes,
  WebhookWithoutSecret,
  WebhookChange,
  WebhookDraft,
  WebhookPage,
  WorkspaceWebhook,
  WorkspaceWebhookDraft,
  WorkspaceWebhookPage,
  WorkspaceWebhookSwitch
} from "./Webhook.ts"

const door = (action: "create" | "update" | "delete") => writes("hub-protocol.write", "webhook", [action])

const Since = described("Earliest time of the wanted deliveries or events; at most 29 days ago.", TimestampInput)

const WebhookWithSecret = Schema.Struct({
  subscription: described("The created or changed webhook, without its secret.", WebhookWithoutSecret),
  secret: described("The secret. Only this answer shows it: store it now.", Schema.String)
})

export const WebhookProcedures = RpcGroup.make(
  query("webhooks.list", {
    input: WebhookPage,
    success: pageOf(WebhookWithoutSecret),
    door: rows("hub-protocol.read", "webhook"),
    summary:
      "List your webhooks, newest first; a key without the grant `*` lists only the webhooks that were created with it."
  }),
  query("channelGateway.list", {
    input: NoInput,
    success: Schema.Array(DeliveryChannel),
    door: fullGrant("hub-protocol.read"),
    summary: "List the ways in which the pod tells you about events: notifications in the pod, and your webhooks."
  }),
  query("webhooks.deliveries", {
    input: DeliveryInput,
    success: pageOf(Delivery),
    errors: [NotFound],
    door: rows("hub-protocol.read", "webhook"),
    summary: "List the latest deliveries of a webhook, newest first."
  }),
  query("webhooks.attempts", {
    input: Schema.Struct({ subscriptionId: Id, deliveryId: Id }),
    success: Schema.Array(DeliveryAttempt),
    errors: [NotFound],
    door: rows("hub-protocol.read", "webhook"),
    summary:
      "List the latest calls of a delivery, oldest first, each with its latency, what the pod sent and what the receiver answered."
  }),
  query("webhooks.figures", {
    input: NoInput,
    success: Schema.Array(WebhookFigures),
    door: rows("hub-protocol.read", "webhook"),
    summary: "Read how the deliveries of your webhooks went in the last 24 hours: success, latency and the next call."
  }),
  mutation("webhooks.create", {
    input: WebhookDraft,
    success: WebhookWithSecret,
    door: door("create"),
    answersSecret: true,
    summary:
      "Create a webhook: the pod sends events of the given types to an address. Only this answer shows the secret. Only for people."
  }),
  mutation("webhooks.update", {
    input: WebhookChange,
    success: WebhookWithoutSecret,
    door: door("update"),
    summary: "Change a webhook. Only for people."
  }),
  mutation("webhooks.rotateSecret", {
    input: Schema.Struct({ id: Id }),
    success: WebhookWithSecret,
    door: door("update"),
    answersSecret: true,
    summary:
      "Replace the secret of a webhook; only this answer shows the new secret. For 24 hours, the header `webhook-signature` has one signature with the old secret and one with the new secret. The header `X-Svc-Signature` uses the new secret at once. Only for people."
  }),
  mutation("webhooks.test", {
    input: Schema.Struct({ id: Id }),
    success: Schema.Struct({ deliveryId: Id }),
    door: door("create"),
    summary: "Send a test event to a webhook. Only for people."
  }),
  mutation("webhooks.resend", {
    input: Schema.Struct({ subscriptionId: Id, deliveryId: Id }),
    success: Schema.Struct({ deliveryId: Id }),
    door: door("create"),
    summary: "Send one delivery again. Only for people."
  }),
  mutation("webhooks.recover", {
    input: Schema.Struct({ id: Id, since: Since }),
    success: Schema.Struct({ count: described("Number of deliveries that the pod sends again.", Schema.Number) }),
    errors: [NotFound],
    door: door("create"),
    summary:
      "Repeat the failed deliveries of a webhook since a given time, earliest first. At most 10,000 deliveries may wait. Only for people."
  }),
  mutation("webhooks.replay", {
    input: Schema.Struct({
      id: Id,
      since: Since,
      until: described("Latest time of the events. Default: now.", Schema.optional(TimestampInput)),
      eventTypes: described(
        "Send only missed events of these types, for example `task.create`. Default: every type that the webhook follows.",
        Schema.optional(EventTypes)
      )
    }),
    success: Schema.Struct({ jobId: described("Id of the job that plans the deliveries.", Id) }),
    errors: [NotFound],
    door: door("create"),
    summary:
      "Send the events that a webhook missed since a given time, for example while the webhook was paused. A job plans the deliveries in order; at most 10,000 deliveries may wait. Only for people."
  }),
  mutation("webhooks.delete", {
    input: Schema.Struct({ id: Id }),
    success: DeleteResponse,
    door: door("delete"),
    summary: "Delete a webhook. Only for people."
  }),
  query("webhooks.listForWorkspace", {
    input: WorkspaceWebhookPage,
    success: pageOf(WebhookWithoutSecret),
    door: rows("hub-protocol.read", "webhook"),
    summary:
      "List your webhooks of one workspace, newest first; a key without the grant `*` lists only the webhooks that were created with it."
  }),
  mutation("webhooks.createForWorkspace", {
    input: WorkspaceWebhookDraft,
    success: WebhookWithSecret,
    door: door("create"),
    answersSecret: true,
    summary: "Create a webhook for the events of one workspace. Only this answer shows the secret. Only for people."
  }),
  mutation("webhooks.toggleForWorkspace", {
    input: WorkspaceWebhookSwitch,
    success: WebhookWithoutSecret,
    door: door("update"),
    summary: "Switch one of your webhooks of a workspace on or off. Only for people."
  }),
  mutation("webhooks.deleteForWorkspace", {
    input: WorkspaceWebhook,
    success: DeleteResponse,
    door: door("delete"),
    summary: "Delete one of your webhooks of a workspace. Only for people."
  })
)
