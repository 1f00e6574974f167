/** The Hub endpoints that read webhooks. Procedures create and change them. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { pageOf } from "../../doors/Page.ts"
import { WebhookWithoutSecret, WebhookQuery } from "./Webhook.ts"

export const WebhookApi = HttpApiGroup.make("webhooks")
  .annotate(
    OpenApi.Description,
    "Webhooks: addresses that subscribe to events. The pod stores webhooks but does not deliver events yet."
  )
  .add(
    read("webhooks.list", {
      path: "/webhooks",
      query: WebhookQuery,
      success: pageOf(WebhookWithoutSecret),
      door: rows("hub-protocol.read", "webhook"),
      summary:
        "List your webhooks, newest first; a key with limits lists only the webhooks that were created with the key."
    })
  )
