/** An event: something that happened, kept for ever in the log of its space (specification §2.9). */
import { Data, Schema } from "effect"
import { WorkspaceId, described, JsonObject, JsonObjectInput, Timestamp } from "../../doors/Fields.ts"
import { isOwnType } from "./OwnEvents.ts"

export const EventSource = Schema.Literal("api", "automation", "sync", "migration", "system", "intelligence")
export type EventSource = typeof EventSource.Type

/** A type that a caller may log. */
export const LoggedType = Schema.String.pipe(
  Schema.pattern(/^[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_*-]+)*$/),
  Schema.minLength(1),
  Schema.maxLength(128),
  Schema.filter((type) => !isOwnType(type) || "Events of this type are logged by the pod alone; use another word.")
)

/** What a caller says of an event. */
export const eventContent = {
  type: LoggedType,
  data: Schema.optionalWith(JsonObjectInput, { default: () => ({}) }),
  subjectId: Schema.optional(Schema.UUID),
  source: Schema.optionalWith(EventSource, { default: () => "api" as const }),
  metadata: Schema.optional(JsonObjectInput),
  causationId: Schema.optional(Schema.UUID)
}

export const Event = Schema.Struct({
  id: Schema.UUID,
  version: described("Counts its writes, from 1.", Schema.Literal("v1")),
  type: Schema.String,
  subjectId: described("The object it is about, by id.", Schema.optional(Schema.UUID)),
  data: described("What it holds, by its type.", JsonObject),
  metadata: described("Free data of the client.", Schema.optional(JsonObject)),
  userId: described("The person whose stream it belongs to.", Schema.UUID),
  actorId: described("Who did it: the person, or the agent or service acting for them.", Schema.UUID),
  source: described("Where it comes from.", EventSource),
  workspaceId: Schema.NullOr(WorkspaceId),
  seq: described("Position in the log of its space, from 1, without gaps.", Schema.Number),
  timestamp: described("When it happened.", Timestamp),
  correlationId: described("Ties together what belongs to one undertaking.", Schema.UUID),
  causationId: described("The event that led to this one.", Schema.optional(Schema.UUID)),
  decision: described(
    "What the gate decided, where it decided something; the decision's id is the event's.",
    Schema.optional(
      Schema.Struct({
        verdict: described("What the gate said: allow, deny or propose.", Schema.Literal("allow", "deny", "propose")),
        rung: described("The rule of the gate that decided.", Schema.String),
        permission: described("The permission it is about.", Schema.String)
      })
    )
  )
}).annotations({ identifier: "Event" })
export type Event = typeof Event.Type

/** What the one who appends says of an event; the rest follows from who they are. */
export interface EventDraft {
  /** Where it has to be known beforehand. An event that carries a decision has the decision's. */
  readonly id?: string | undefined
  readonly type: string
  readonly subjectId?: string | undefined
  readonly data: Readonly<Record<string, unknown>>
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly source?: EventSource | undefined
  readonly causationId?: string | undefined
}

export interface EventFilter {
  readonly type?: string | undefined
  readonly source?: EventSource | undefined
  readonly hasMetadata?: boolean | undefined
  readonly limit: number
  readonly offset: number
}

export class EventNotFound extends Data.TaggedError("EventNotFound")<{ readonly eventId: string }> {}
