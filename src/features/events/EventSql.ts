/** The event log in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { governedRead } from "../../doors/Authority.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { actorOf, correlationOf, governedWrite } from "./AppendEvent.ts"
import { type Event, EventNotFound, type EventSource } from "./Event.ts"
import { EventLog } from "./EventLog.ts"

interface EventRow {
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
  readonly decision: Event["decision"] | null
}

const fromRow = (row: EventRow): Event => ({
  id: row.id,
  version: "v1",
  type: row.type,
  ...(row.subject_id === null ? {} : { subjectId: row.subject_id }),
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
  ...(row.decision === null ? {} : { decision: row.decision })
})

export const layer = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(
      `event.id, event.space_id, event.seq, event.type, event.subject_id, event.data, event.metadata, event.user_id,
      event.actor_id, event.source, event.at, event.correlation_id, event.causation_id,
      event.decision`
    )
    return {
      append: (spaceId, draft, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const [row] = yield* governedWrite<Pick<EventRow, "id" | "seq" | "at" | "decision" | "causation_id">>(
            sql,
            reach,
            reach.bounds("event", "create"),
            passed,
            draft,
            () => ({
              changed: sql`
                SELECT space.id AS space_id
                FROM authority, unnest(authority.spaces) AS space(id)
                WHERE space.id = ${spaceId}::uuid`,
              columns: sql.literal("logged.id, logged.seq, logged.at, logged.decision, logged.causation_id"),
              joins: sql.literal("")
            })
          )
          if (row === undefined) return yield* Effect.dieMessage("an event was appended outside the reach of its call")
          return {
            id: row.id,
            version: "v1" as const,
            type: draft.type,
            ...(draft.subjectId === undefined ? {} : { subjectId: draft.subjectId }),
            data: draft.data,
            ...(draft.metadata === undefined ? {} : { metadata: draft.metadata }),
            userId: reach.principal.personId,
            actorId: actorOf(reach),
            source: draft.source ?? "api",
            workspaceId: workspaceIdOf(spaceId, reach.principal.personId),
            seq: Number(row.seq),
            timestamp: DateTime.unsafeFromDate(row.at),
            correlationId: correlationOf(reach),
            ...(row.causation_id === null ? {} : { causationId: row.causation_id }),
            ...(row.decision === null ? {} : { decision: row.decision })
          }
        }),
      list: (filter) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const further = [
            ...(filter.type === undefined ? [] : [sql`AND event.type = ${filter.type}`]),
            ...(filter.source === undefined ? [] : [sql`AND event.source = ${filter.source}`]),
            ...(filter.hasMetadata === true ? [sql`AND event.metadata IS NOT NULL`] : [])
          ].reduce((all, condition) => sql`${all} ${condition}`, sql.literal(""))
          const rows = yield* governedRead<EventRow>(
            sql,
            reach,
            reach.bounds("event", "read"),
            ({ within }) => sql`
              SELECT ${columns}
              FROM events event
              WHERE ${within("event")}
                AND event.user_id = ${reach.principal.personId}
                ${further}
              ORDER BY event.id DESC
              LIMIT ${filter.limit} OFFSET ${filter.offset}`
          )
          return rows.map(fromRow)
        }),
      get: (eventId) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = reach.bounds("event", "read")
          const [row] = yield* governedRead<EventRow>(
            sql,
            reach,
            bounds,
            ({ within }) => sql`
              SELECT ${columns}
              FROM events event
              WHERE ${within("event")}
                AND event.user_id = ${reach.principal.personId}
                AND event.id = ${eventId}::uuid`
          )
          return row === undefined ? yield* new EventNotFound({ eventId }) : fromRow(row)
        }),
      decided: (eventId) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const spaces = reach.principal.memberships.map(({ spaceId }) => spaceId)
          const bounds = { ...emptyBounds, spaces }
          const [row] = yield* governedRead<EventRow & { readonly credential_id: string | null }>(
            sql,
            reach,
            bounds,
            ({ within }) => sql`
              SELECT ${columns}, event.credential_id
              FROM events event
              WHERE ${within("event")}
                AND event.user_id = ${reach.principal.personId}
                AND event.decision IS NOT NULL
                AND event.id = ${eventId}::uuid`
          )
          if (row === undefined) return yield* new EventNotFound({ eventId })
          return { event: fromRow(row), credentialId: row.credential_id }
        })
    }
  })
)
