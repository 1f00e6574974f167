/** Converts a row of the table of events to an event. */
import { DateTime } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { knownKinds } from "./EventMetadata.ts"
import { aboutOf, type Event, type EventSource } from "./Event.ts"

export interface EventRow {
  readonly id: string
  readonly space_id: string
  readonly seq: string
  readonly type: string
  readonly subject_id: string | null
  readonly data: Record<string, unknown>
  readonly metadata: Record<string, unknown> | null
  readonly user_id: string
  readonly actor_id: string
  readonly source: EventSource
  readonly at: Date
  readonly correlation_id: string
  readonly causation_id: string | null
  readonly session_id: string | null
  readonly decision: Event["decision"] | null
}

export const eventOfRow = (row: EventRow): Event => ({
  id: row.id,
  version: "v1",
  type: row.type,
  ...aboutOf(row.type, row.subject_id ?? undefined),
  data: row.data,
  ...(row.metadata === null ? {} : { metadata: row.metadata }),
  userId: row.user_id,
  actorId: row.actor_id,
  source: row.source,
  workspaceId: workspaceIdOf(row.space_id, row.user_id),
  seq: Number(row.seq),
  timestamp: DateTime.unsafeFromDate(row.at),
  correlationId: row.correlation_id,
  ...(row.causation_id === null ? {} : { causationId: row.causation_id }),
  ...(row.session_id === null ? {} : { sessionId: row.session_id }),
  ...(row.decision === null ? {} : { decision: row.decision })
})

/** The columns of an `EventRow`, as SQL for a table with the alias `event`. */
export const eventColumns = `event.id, event.space_id, event.seq, event.type, event.subject_id, event.data, event.metadata,
      event.user_id, event.actor_id, event.source, event.at, event.correlation_id, event.causation_id,
      event.session_id, event.decision`

/**
 * The SQL expression for the kind of an event's metadata. It has the same result as `metadataKindOf`. The names of the
 * kinds come from the source code and not from a caller, so it is safe to put them into the SQL text.
 */
export const metadataKindColumn = `CASE
        WHEN event.metadata IS NULL THEN NULL
        WHEN event.metadata ->> 'kind' IN (${knownKinds.map((kind) => `'${kind}'`).join(", ")}) THEN event.metadata ->> 'kind'
        ELSE 'custom' END`
