/** The procedures of the event log (specification §6.1). */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, query, subscription } from "../../doors/DeclareProcedure.ts"
import { writes } from "../../doors/Door.ts"
import { WorkspaceId, described } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { Event, eventContent, eventsDoor, EventSource } from "./Event.ts"
import { PositionText } from "./StreamPosition.ts"
import { byMetadataKind, eventListFilters, watchedEvents, eventStreamFilters } from "./WatchedEvents.ts"

const pageDefault = 50
const pageMax = 100

export const EventProcedures = RpcGroup.make(
  mutation("events.log", {
    input: Schema.Struct({ ...eventContent, workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)) }),
    success: Event,
    door: writes("hub-protocol.write", "event", ["create"]),
    summary: "Append an event to your own log or to the log of a workspace."
  }),
  query("events.list", {
    input: Schema.Struct({
      ...pageInput("events", pageDefault, pageMax),
      type: Schema.optional(Schema.String),
      hasMetadata: described("`true`: return only events that have metadata.", Schema.optional(Schema.Boolean)),
      ...byMetadataKind,
      ...eventListFilters,
      source: described("Source of the event.", Schema.optional(EventSource))
    }),
    success: pageOf(Event),
    door: eventsDoor,
    summary: "List your events, newest first."
  }),
  query("events.get", {
    input: Schema.Struct({ eventId: Id }),
    success: Event,
    door: eventsDoor,
    errors: [NotFound],
    summary: "Read one event."
  }),
  subscription("events.stream", {
    input: Schema.Struct({
      ...eventStreamFilters,
      lastEventId: described(
        "The `id` of the last event that you received. tRPC clients send it when they connect again.",
        Schema.optional(Schema.NullOr(PositionText))
      )
    }),
    ...watchedEvents,
    summary: "Watch your events as a subscription. To continue later, send the id of the last event that you received."
  })
)
