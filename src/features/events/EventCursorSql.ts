/** The SQL store of the cursors of consumers. A cursor says how far a consumer has read the event log. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead, authorizedWriteWithoutEvent } from "../../doors/Authority.ts"
import { inSpaces, Reach } from "../../doors/Reach.ts"
import { probeKind } from "./EventMetadata.ts"
import type { EventSource } from "./Event.ts"
import { EventCursors, type LoggedEvent, logPartOf } from "./EventCursors.ts"
import { newsOf } from "./EventNews.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

interface EventRow {
  readonly id: string
  readonly seq: string
  readonly type: string
  readonly subject_id: string | null
  readonly user_id: string
  readonly actor_id: string
  readonly source: EventSource
  readonly correlation_id: string
  readonly causation_id: string | null
  readonly at: Date
  readonly run_depth: number | null
  readonly metadata: Readonly<Record<string, unknown>> | null
}

const loggedOf = (row: EventRow): LoggedEvent => ({
  id: row.id,
  seq: Number(row.seq),
  type: row.type,
  subjectId: row.subject_id,
  userId: row.user_id,
  actorId: row.actor_id,
  source: row.source,
  correlationId: row.correlation_id,
  causationId: row.causation_id,
  at: DateTime.unsafeFromDate(row.at),
  runDepth: row.run_depth
})

export const layer = Layer.effect(
  EventCursors,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(
      "event.id, event.seq::text AS seq, event.type, event.subject_id, event.user_id, event.actor_id, event.source, event.correlation_id, event.causation_id, event.at, event.run_depth, event.metadata"
    )
    const boundsOf = (spaceId: string) =>
      Effect.map(Reach, (reach) => ({ reach, bounds: inSpaces(reach.bounds("event", "read"), [spaceId]) }))
    return {
      news: newsOf(sql),

      began: (consumer) =>
        dieOnSqlError(
          Effect.map(
            // `DO UPDATE` does not change the row. Without it, the statement would not return a row that an earlier
            // call stored.
            sql<{ readonly began_at: Date }>`
              INSERT INTO event_consumers (name) VALUES (${consumer})
              ON CONFLICT (name) DO UPDATE SET name = excluded.name
              RETURNING began_at`,
            ([row]) => DateTime.unsafeFromDate(row.began_at)
          )
        ),

      spacesWithUnread: (consumer, limit, types) =>
        dieOnSqlError(
          Effect.map(
            types === undefined
              ? sql<{ readonly id: string }>`SELECT id FROM spaces_behind(${consumer}, ${limit})`
              : sql<{ readonly id: string }>`SELECT id FROM pass_events(${consumer}, ${[...types]}::text[], ${limit})`,
            (rows) => rows.map(({ id }) => id)
          )
        ),

      lock: Effect.fnUntraced(function* (consumer, spaceId, since) {
        const { bounds, reach } = yield* boundsOf(spaceId)
        const [row] = yield* authorizedWriteWithoutEvent<{ readonly id: string; readonly seq: string }>(
          sql,
          reach,
          bounds,
          // `DO UPDATE` keeps `seq` and locks the row. So the statement returns the row as the last transaction left
          // it.
          ({ within }) => ({
            changed: sql`
              INSERT INTO event_cursors (consumer, space_id, seq)
              SELECT ${consumer}, ${spaceId}::uuid, coalesce((
                SELECT event.seq
                FROM events event
                WHERE ${within("event")} AND event.space_id = ${spaceId}::uuid
                  AND event.at < ${DateTime.toDateUtc(since)}::timestamptz
                  -- A cursor that already exists keeps its position.
                  AND NOT EXISTS (
                    SELECT 1 FROM event_cursors known
                    WHERE known.consumer = ${consumer} AND known.space_id = ${spaceId}::uuid)
                ORDER BY event.seq DESC
                LIMIT 1), 0)
              FROM authority WHERE ${spaceId}::uuid = ANY (authority.spaces)
              ON CONFLICT (consumer, space_id) DO UPDATE SET updated_at = now()
              RETURNING space_id AS id, seq::text AS seq`
          })
        )
        return Number(row?.seq ?? 0)
      }),

      after: Effect.fnUntraced(function* (spaceId, seq, limit) {
        const { bounds, reach } = yield* boundsOf(spaceId)
        const rows = yield* authorizedRead<EventRow>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT ${columns}
              FROM events event
              WHERE ${within("event")} AND event.space_id = ${spaceId}::uuid AND event.seq > ${seq}::bigint
              ORDER BY event.seq
              LIMIT ${limit}`
        )
        return logPartOf(rows, loggedOf)
      }),

      listBetween: Effect.fnUntraced(function* (spaceId, { seq, since, until, userId }, limit) {
        const { bounds, reach } = yield* boundsOf(spaceId)
        const rows = yield* authorizedRead<EventRow>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT ${columns}
              FROM events event
              WHERE ${within("event")} AND event.space_id = ${spaceId}::uuid AND event.seq > ${seq}::bigint
                AND event.user_id = ${userId}::uuid
                AND (event.metadata ->> 'kind') IS DISTINCT FROM ${probeKind}
                AND event.at BETWEEN ${DateTime.toDateUtc(since)}::timestamptz AND ${DateTime.toDateUtc(until)}::timestamptz
              ORDER BY event.seq
              LIMIT ${limit}`
        )
        return rows.map(loggedOf)
      }),

      move: Effect.fnUntraced(function* (consumer, spaceId, seq) {
        const { bounds, reach } = yield* boundsOf(spaceId)
        yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
          changed: sql`
            INSERT INTO event_cursors (consumer, space_id, seq)
            SELECT ${consumer}, ${spaceId}::uuid, ${seq}::bigint
            FROM authority WHERE ${spaceId}::uuid = ANY (authority.spaces)
            ON CONFLICT (consumer, space_id) DO UPDATE SET
              seq = GREATEST(event_cursors.seq, excluded.seq), updated_at = now()
            RETURNING space_id AS id`
        }))
      })
    }
  })
)
