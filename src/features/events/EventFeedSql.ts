/** The SQL store of the event log for callers. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { byId, pageOfSorted } from "../../doors/PageOrder.ts"
import { pageSql } from "../../doors/PageSql.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { EventFeed, feedBounds, feedResultOf, type FeedFilter, PositionUnknown } from "./EventFeed.ts"
import { newsOf } from "./EventNews.ts"
import { listedConditions } from "./EventListingSql.ts"
import { eventColumns, eventOfRow, type EventRow, metadataKindColumn } from "./EventRow.ts"

/**
 * One row for each event that matches, with the latest event number of its space. If a space has new events but no
 * matching event, it has one row with a null event.
 */
interface HeadRow extends Omit<EventRow, "id"> {
  readonly id: string
  readonly head: string
  readonly known: string
  readonly event_id: string | null
}

export const layer = Layer.effect(
  EventFeed,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(eventColumns)

    /** Returns the SQL conditions for events that match the filter and belong to the person. */
    const chosen = (
      { causationId, correlationId, metadataKind, source, subjectId, subjectType, type }: FeedFilter,
      personId: string
    ) =>
      [
        ...(type === undefined ? [] : [sql`AND event.type = ${type}`]),
        ...(subjectId === undefined ? [] : [sql`AND event.subject_id = ${subjectId}::uuid`]),
        ...(subjectType === undefined
          ? []
          : [sql`AND event.subject_id IS NOT NULL AND split_part(event.type, '.', 1) = ${subjectType}`]),
        ...(source === undefined ? [] : [sql`AND event.source = ${source}`]),
        ...(correlationId === undefined ? [] : [sql`AND event.correlation_id = ${correlationId}::uuid`]),
        ...(causationId === undefined ? [] : [sql`AND event.causation_id = ${causationId}::uuid`]),
        ...(metadataKind === undefined ? [] : [sql`AND ${sql.literal(metadataKindColumn)} = ${metadataKind}`])
      ].reduce((all, condition) => sql`${all} ${condition}`, sql`event.user_id = ${personId}::uuid`)

    return {
      news: newsOf(sql),
      page: Effect.fnUntraced(function* ({
        actorId,
        cursor,
        from,
        hasMetadata,
        limit,
        offset,
        sessionId,
        until,
        ...filter
      }) {
        const reach = yield* Reach
        const { behind, ordered } = pageSql(sql, byId, { id: "event.id" }, { cursor, limit, offset })
        const listed = listedConditions(sql, reach.principal.personId, { actorId, sessionId, until }).reduce(
          (all, condition) => sql`${all} ${condition}`,
          sql.literal("")
        )
        const rows = yield* authorizedRead<EventRow>(
          sql,
          reach,
          feedBounds(reach, filter),
          ({ within }) => sql`
              SELECT ${columns}
              FROM events event
              WHERE ${within("event")}
                AND ${chosen(filter, reach.principal.personId)}
                AND event.at >= ${DateTime.toDateUtc(from)}::timestamptz
                ${listed}
                ${hasMetadata === true ? sql`AND event.metadata IS NOT NULL` : sql.literal("")}
                ${behind}
              ${ordered}`
        )
        return pageOfSorted(byId, rows.map(eventOfRow), { limit })
      }),

      after: Effect.fnUntraced(function* (filter, position, limit) {
        const reach = yield* Reach
        const bounds = feedBounds(reach, filter)
        if (position === undefined) {
          const heads = yield* authorizedRead<{ readonly id: string; readonly seq: string }>(
            sql,
            reach,
            bounds,
            ({ within }) => sql`
                SELECT head.space_id AS id, head.seq::text AS seq
                FROM stream_heads head
                WHERE ${within("event", "head.space_id")}`
          )
          return { events: [], readTo: new Map(heads.map(({ id, seq }) => [id, Number(seq)])), isMore: false }
        }
        const spaces = [...position.keys()]
        const numbers = [...position.values()].map(String)
        const rows = yield* authorizedRead<HeadRow>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
              SELECT head.space_id AS id, head.seq::text AS head, COALESCE(known.seq, 0)::text AS known, later.*
              FROM stream_heads head
              LEFT JOIN unnest(${spaces}::uuid[], ${numbers}::bigint[]) AS known(space_id, seq)
                ON known.space_id = head.space_id
              LEFT JOIN LATERAL (
                SELECT event.id AS event_id, ${sql.literal(eventColumns.replace("event.id, ", ""))}
                FROM events event
                WHERE event.space_id = head.space_id
                  AND event.seq > COALESCE(known.seq, 0)
                  AND ${chosen(filter, reach.principal.personId)}
                ORDER BY event.seq
                LIMIT ${limit}) later ON true
              WHERE ${within("event", "head.space_id")}
                AND head.seq <> COALESCE(known.seq, 0)
              ORDER BY head.space_id, later.seq
              LIMIT ${limit}`
        )
        if (rows.some(({ head, known }) => Number(head) < Number(known))) return yield* new PositionUnknown()
        return feedResultOf(
          rows.map(({ event_id, head, id, ...event }) => ({
            spaceId: id,
            head: Number(head),
            event: event_id === null ? null : eventOfRow({ ...event, id: event_id })
          })),
          limit
        )
      }),

      changesSince: Effect.fnUntraced(function* ({ authorities, heads }) {
        const reach = yield* Reach
        const ofKind = (kind: "key" | "session") => {
          const those = authorities.filter((authority) => authority.kind === kind)
          return {
            ids: those.map(({ credentialId }) => credentialId),
            epochs: those.map(({ epoch }) => String(epoch))
          }
        }
        const [keys, sessions] = [ofKind("key"), ofKind("session")]
        const rows = yield* authorizedRead<{ readonly id: string; readonly seq: string | null }>(
          sql,
          reach,
          reach.bounds("event", "read"),
          ({ within }) => sql`
              SELECT head.space_id::text AS id, head.seq::text AS seq
              FROM unnest(${[...heads.keys()]}::uuid[], ${[...heads.values()].map(String)}::bigint[]) AS known(space_id, seq)
              JOIN stream_heads head ON head.space_id = known.space_id
              WHERE ${within("event", "head.space_id")} AND head.seq > known.seq
              UNION ALL
              SELECT known.id || ' ' || known.epoch, NULL
              FROM unnest(${keys.ids}::uuid[], ${keys.epochs}::bigint[]) AS known(id, epoch)
              WHERE NOT EXISTS (
                SELECT 1
                FROM api_keys credential
                JOIN users person ON person.id = credential.person_id
                JOIN users holder ON holder.id = credential.user_id
                WHERE credential.id = known.id
                  AND credential.revoked_at IS NULL
                  AND (credential.expires_at IS NULL OR credential.expires_at > now())
                  AND person.authz_epoch = known.epoch
                  AND person.suspended_at IS NULL
                  AND holder.suspended_at IS NULL)
              UNION ALL
              SELECT known.id || ' ' || known.epoch, NULL
              FROM unnest(${sessions.ids}::text[], ${sessions.epochs}::bigint[]) AS known(id, epoch)
              WHERE NOT EXISTS (
                SELECT 1
                FROM auth_sessions credential
                JOIN users person ON person.id = credential.user_id::uuid
                WHERE credential.id = known.id
                  AND credential.expires_at > now()
                  AND person.authz_epoch = known.epoch
                  AND person.suspended_at IS NULL)`
        )
        return {
          heads: new Map(rows.flatMap(({ id, seq }) => (seq === null ? [] : [[id, Number(seq)] as const]))),
          lost: new Set(rows.flatMap(({ id, seq }) => (seq === null ? [id] : [])))
        }
      })
    }
  })
)
