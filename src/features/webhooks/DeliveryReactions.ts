/** Shows the deliveries of webhooks in the pulse. */
import { Effect } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { ReactionSource } from "../events/Reaction.ts"
import type { SentEvents } from "./SentEvents.ts"
import type { Webhook } from "./Webhook.ts"

/** `readableIds` has the webhooks whose deliveries the caller may read; null means every webhook of the person. */
export const deliveryReactions = (
  sentEvents: typeof SentEvents.Service,
  readableIds: Effect.Effect<ReadonlyArray<string> | null, never, Reach>,
  webhooksAmong: (
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Pick<Webhook, "id" | "name">>, never, Reach>
): ReactionSource => ({
  kind: "webhook",
  recent: (query) => Effect.flatMap(readableIds, (ids) => sentEvents.recent(query, ids)),
  of: Effect.fnUntraced(function* (eventIds) {
    const sent = yield* sentEvents.of(eventIds, yield* readableIds)
    const ids = [...new Set(sent.map(({ webhookId }) => webhookId))]
    const names = new Map((yield* webhooksAmong(ids)).map((webhook) => [webhook.id, webhook.name]))
    return sent.map(({ error, eventId, responseStatus, status, webhookId }) => ({
      eventId,
      reaction: {
        kind: "webhook" as const,
        label: names.get(webhookId) ?? "A webhook that was deleted",
        status,
        ...(responseStatus === null ? {} : { responseStatus }),
        ...(error === null ? {} : { detail: error })
      }
    }))
  })
})
