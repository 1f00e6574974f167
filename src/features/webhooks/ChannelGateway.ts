/** The channels by which the pod tells people about events: notifications in the pod, and the caller's webhooks. */
import { Schema } from "effect"
import { described, WorkspaceId } from "../../doors/Fields.ts"
import type { WebhookWithoutSecret } from "./Webhook.ts"

export const DeliveryChannel = Schema.Struct({
  id: described("Id of the webhook; `in_pod` for notifications in the pod.", Schema.String),
  type: described(
    "`in_pod`: notifications in the pod; `webhook`: calls of a webhook.",
    Schema.Literal("in_pod", "webhook")
  ),
  name: Schema.String,
  status: described(
    "`failing`: the pod stopped calling the webhook, because the receiver does not answer.",
    Schema.Literal("active", "paused", "failing")
  ),
  workspaceId: described("Workspace of the webhook, if any.", Schema.NullOr(WorkspaceId))
}).annotations({ identifier: "DeliveryChannel" })
type DeliveryChannel = typeof DeliveryChannel.Type

/** The channel for notifications in the pod, which every pod has. */
export const inPodChannel: DeliveryChannel = {
  id: "in_pod",
  type: "in_pod",
  name: "Notifications in the pod",
  status: "active",
  workspaceId: null
}

export const channelOf = ({
  active,
  disabledReason,
  id,
  name,
  workspaceId
}: typeof WebhookWithoutSecret.Type): DeliveryChannel => ({
  id,
  type: "webhook",
  name,
  status: disabledReason === null ? (active ? "active" : "paused") : "failing",
  workspaceId
})
