/**
 * An event: something that happened. The pod stores an event forever, in the log of the event's space (specification
 * §2.9).
 */
import { Data, type DateTime, Schema } from "effect"
import { WorkspaceId, described, JsonObject, JsonObjectInput, Timestamp } from "../../doors/Fields.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { Id } from "../../doors/Id.ts"
import type { PagePlace } from "../../doors/PageOrder.ts"
import { Verdict } from "../../doors/GateVerdict.ts"
import { type MetadataKind, MetadataInput } from "./EventMetadata.ts"
import { isReservedType } from "./ReservedEvents.ts"

export const EventSource = Schema.Literal("api", "automation", "sync", "migration", "system", "intelligence")
export type EventSource = typeof EventSource.Type

/** An event type that a caller is allowed to log. */
export const LoggedType = Schema.String.pipe(
  Schema.pattern(/^[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_*-]+)*$/),
  Schema.minLength(1),
  Schema.maxLength(128),
  Schema.filter((type) => !isReservedType(type) || "Only the pod may log events of this type; use another type.")
)

/** What a caller needs to read the events of the log. */
export const eventsDoor = fullGrantInSpaces("hub-protocol.read")

/** The fields of an event that a caller sets. */
export const eventContent = {
  type: LoggedType,
  data: Schema.optionalWith(JsonObjectInput, { default: () => ({}) }),
  subjectId: Schema.optional(Id),
  source: Schema.optionalWith(EventSource, { default: () => "api" as const }),
  metadata: Schema.optional(MetadataInput),
  causationId: Schema.optional(Id)
}

export const Event = Schema.Struct({
  id: Id,
  version: described("Version of the event format.", Schema.Literal("v1")),
  type: Schema.String,
  subjectId: described("Id of the object that the event is about.", Schema.optional(Id)),
  subjectType: described("First word of the event type.", Schema.optional(Schema.String)),
  data: described("Content of the event; its fields depend on the event type.", JsonObject),
  metadata: described("Data that the client stored with the event.", Schema.optional(JsonObject)),
  userId: described("Id of the person who owns the log.", Id),
  actorId: described("Who acted: the person, or an agent or service of the person.", Id),
  source: described("Source of the event.", EventSource),
  workspaceId: Schema.NullOr(WorkspaceId),
  seq: described(
    "Position in the log of the space, from 1. If an answer skips a number, the caller may not read the event with this number.",
    Schema.Number
  ),
  timestamp: Timestamp,
  correlationId: described("Id that all events of one request share.", Id),
  causationId: described("Id of the event that caused this event.", Schema.optional(Id)),
  sessionId: described("Focus session to which the caller assigned the write.", Schema.optional(Id)),
  decision: described(
    "Decision about the write; the id of the decision is the id of the event.",
    Schema.optional(
      Schema.Struct({
        verdict: Verdict,
        rung: described("The rung (access rule) that made this decision.", Schema.String),
        permission: Schema.String
      })
    )
  )
}).annotations({ identifier: "Event" })
export type Event = typeof Event.Type

/** Returns the fields of an event that say which object the event is about. */
export const aboutOf = (type: string, subjectId: string | undefined): Pick<Event, "subjectId" | "subjectType"> =>
  subjectId === undefined ? {} : { subjectId, subjectType: type.split(".")[0] }

/**
 * The fields of an event that a feature sets when it appends the event. The pod derives the other fields from the
 * caller.
 */
export interface EventDraft {
  /**
   * The id of the event. A caller sets it only if the caller must know the id before the write. An event with a
   * decision always has the id of the decision.
   */
  readonly id?: string | undefined
  readonly type: string
  readonly subjectId?: string | undefined
  readonly data: Readonly<Record<string, unknown>>
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly source?: EventSource | undefined
  readonly causationId?: string | undefined
}

export interface EventFilter extends PagePlace {
  readonly type?: string | undefined
  readonly source?: EventSource | undefined
  readonly hasMetadata?: boolean | undefined
  readonly metadataKind?: MetadataKind | undefined
  readonly actorId?: string | undefined
  readonly sessionId?: string | undefined
  readonly until?: DateTime.Utc | undefined
}

export class EventNotFound extends Data.TaggedError("EventNotFound")<{ readonly eventId: string }> {}
