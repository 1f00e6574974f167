/** The Hub endpoints of the pulse (specification §4.6). */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { Forbidden, NotFound } from "../../doors/Failure.ts"
import { described, WorkspaceId } from "../../doors/Fields.ts"
import { cursorField } from "../../doors/Cursor.ts"
import { rangeLimitQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { ReactionKind, ReactionLens } from "../events/ReactionKind.ts"
import { ReactionEvent } from "./ReactionEvent.ts"

const limitDefault = 100
const limitMax = 500

const lens = described(
  "`internal`: only reactions inside the pod; `external`: only webhooks and messages that leave the pod.",
  Schema.optionalWith(ReactionLens, { default: () => "all" as const })
)

export const PulseQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  kind: Schema.optional(ReactionKind),
  eventType: described("Only events of this type.", Schema.optional(Schema.String)),
  lens,
  limit: rangeLimitQuery(limitDefault, limitMax),
  cursor: cursorField("reactions")
})

const door = fullGrantInSpaces("hub-protocol.read")

export const PulseApi = HttpApiGroup.make("pulse")
  .annotate(
    OpenApi.Description,
    "Events, and the reactions to them, such as runs of rules, notifications and calls of webhooks."
  )
  .add(
    read("subscriptions.list", {
      path: "/subscriptions",
      query: PulseQuery,
      success: pagedStruct(Schema.Struct({ items: described("Events, newest first.", Schema.Array(ReactionEvent)) })),
      errors: [Forbidden],
      door,
      summary: "List your events that caused reactions (such as calls of webhooks) or are reactions, newest first."
    })
  )
  .add(
    read("subscriptions.fanout", {
      path: "/subscriptions/:eventId/fanout",
      params: Schema.Struct({ eventId: described("Id of the event.", Id) }),
      query: Schema.Struct({ lens }),
      success: ReactionEvent,
      errors: [NotFound],
      door,
      summary: "Read one event and all reactions to it."
    })
  )
