/** The Hub endpoints of events: a list, and a stream of new events. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, stream } from "../../doors/DeclareRest.ts"
import { described, flagQuery, TimestampInput } from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import { Event, eventsDoor, EventSource } from "./Event.ts"
import { PositionText } from "./StreamPosition.ts"
import { chosenEvents, eventListFilters, watchedEvents, eventStreamFilters } from "./WatchedEvents.ts"

const pageDefault = 50
const pageMax = 200 // the maximum number of rows of one page (compatibility reference §13.3)

export const EventApi = HttpApiGroup.make("events")
  .annotate(OpenApi.Description, "Events: what happened to your records and to the records of your agents.")
  .add(
    read("events.list", {
      path: "/events",
      query: Schema.Struct({
        ...chosenEvents,
        subjectType: described("First word of the event type.", Schema.optional(Schema.String)),
        subjectId: Schema.optional(Id),
        source: described("Source of the event.", Schema.optional(EventSource)),
        correlationId: described("Only the events of the request with this id.", Schema.optional(Id)),
        causationId: described("Only the events that the event with this id caused.", Schema.optional(Id)),
        fromDate: described("Earliest time of the events. Default: 7 days ago.", Schema.optional(TimestampInput)),
        ...eventListFilters,
        hasMetadata: described("`true`: return only events that have metadata.", flagQuery(false)),
        ...pageQuery("events", pageDefault, pageMax)
      }),
      success: pageOf(Event),
      door: eventsDoor,
      summary: "List your events, newest first."
    })
  )
  .add(
    stream("events.stream", {
      path: "/events/stream",
      query: Schema.Struct({
        ...eventStreamFilters,
        since: described(
          "Id of the last event that you received. The header `Last-Event-ID` has priority.",
          Schema.optional(PositionText)
        )
      }),
      ...watchedEvents,
      summary: "Watch your events as server-sent events."
    })
  )
