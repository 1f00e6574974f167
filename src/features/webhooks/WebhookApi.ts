/** The Hub endpoints that read webhooks. The procedures in `WebhookRpc.ts` create and change webhooks. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/DeclareRest.ts"
import { rows } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Delivery, DeliveryQuery } from "./Delivery.ts"
import { WebhookWithoutSecret, WebhookQuery } from "./Webhook.ts"

export const WebhookApi = HttpApiGroup.make("webhooks")
  .annotate(
    OpenApi.Description,
    "Webhooks: addresses to which the pod sends events. Each call is signed (Standard Webhooks)."
  )
  .add(
    read("webhooks.list", {
      path: "/webhooks",
      query: WebhookQuery,
      success: pageOf(WebhookWithoutSecret),
      door: rows("hub-protocol.read", "webhook"),
      summary:
        "List your webhooks, newest first; a key without the grant `*` lists only the webhooks that were created with it."
    })
  )
  .add(
    read("webhooks.deliveries", {
      path: "/webhooks/:id/deliveries",
      params: idPath,
      query: DeliveryQuery,
      success: pageOf(Delivery),
      errors: [NotFound],
      door: rows("hub-protocol.read", "webhook"),
      summary: "List the latest deliveries of a webhook, newest first."
    })
  )
