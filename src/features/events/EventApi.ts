/** The Hub endpoints of events: a listing, and a stream of what happens. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, stream } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { described, pageQuery, TimestampInput, WorkspaceId } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { Event } from "./Event.ts"
import { PositionText } from "./StreamPosition.ts"

const pageDefault = 50
const pageMax = 200 // rows; compatibility reference §13.3

const filter = {
  type: Schema.optional(Schema.String),
  workspaceId: Schema.optional(WorkspaceId)
}

export const EventApi = HttpApiGroup.make("events")
  .annotate(OpenApi.Description, "Events: what happened to your records and those of your agents.")
  .add(
    read("events.list", {
      path: "/events",
      query: Schema.Struct({
        ...filter,
        subjectType: described("First word of the type.", Schema.optional(Schema.String)),
        subjectId: Schema.optional(Schema.UUID),
        fromDate: described("Earliest time; 7 days ago by default.", Schema.optional(TimestampInput)),
        ...pageQuery(pageDefault, pageMax)
      }),
      success: pageOf(Event),
      door: fullGrant("hub-protocol.read"),
      summary: "List your events, newest first."
    })
  )
  .add(
    stream("events.stream", {
      path: "/events/stream",
      query: Schema.Struct({
        ...filter,
        entityType: described("First word of the type.", Schema.optional(Schema.String)),
        since: described(
          "The `id` of your last event; the header Last-Event-ID comes first.",
          Schema.optional(PositionText)
        )
      }),
      item: Event,
      // The scope hub-protocol.read passes too: who may list events may watch them.
      door: fullGrant("realtime:observe"),
      summary: "Watch your events as server-sent events."
    })
  )
