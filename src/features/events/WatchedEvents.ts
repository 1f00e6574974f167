/**
 * The filter, the answers and the permission of a caller who watches events. They are the same over REST and in a
 * subscription.
 */
import { Schema } from "effect"
import { fullGrant } from "../../doors/Door.ts"
import { described, TimestampInput, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { Event } from "./Event.ts"
import { MetadataKind } from "./EventMetadata.ts"

/** The filter by the kind of metadata, which every list and stream of events has. */
export const byMetadataKind = {
  metadataKind: described("Only events whose metadata has this kind.", Schema.optional(MetadataKind))
}

/** The filters that every list of events has: the focus session, the actor, and the latest time. */
export const eventListFilters = {
  sessionId: described("Only events of writes in the focus session with this id.", Schema.optional(Id)),
  actorId: described("Only events that the person or agent with this id caused.", Schema.optional(Id)),
  until: described("Latest time of the events.", Schema.optional(TimestampInput))
}

export const chosenEvents = {
  ...byMetadataKind,
  type: Schema.optional(Schema.String),
  workspaceId: Schema.optional(WorkspaceId)
}

export const eventStreamFilters = {
  ...chosenEvents,
  entityType: described("First word of the event type.", Schema.optional(Schema.String))
}

export const watchedEvents = {
  item: Event,
  // The scope `hub-protocol.read` is enough too, because a caller who is allowed to list events is also allowed to
  // watch events.
  door: fullGrant("realtime:observe")
}
