/** The SQL store of figures (counts of records). Each statement counts only records that the call may read. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { countedMax } from "../../doors/Page.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { utcOrNull } from "../../platform/RowTimes.ts"
import { archivedStatus } from "../knowledge/KnowledgeEntry.ts"
import { knowledgeBounds } from "../knowledge/KnowledgeTable.ts"
import { memoryBounds } from "../memory/FactTable.ts"
import { FigureStore } from "./FigureStore.ts"

interface FileRow {
  readonly id: number
  readonly bytes: string
  readonly first_at: Date | null
}

export const layer = Layer.effect(
  FigureStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    recent: Effect.fnUntraced(function* (minutes, countMax) {
      const reach = yield* Reach
      const [row] = yield* authorizedRead<{ readonly id: number; readonly errors: number }>(
        sql,
        reach,
        reach.bounds("event", "read"),
        ({ within }) => sql`
            SELECT count(*)::integer AS id,
              (count(*) FILTER (WHERE newest.type = 'access.refused' OR newest.type LIKE '%.failed'))::integer AS errors
            FROM (
              SELECT event.type, event.at
              FROM events event
              WHERE ${within("event")}
                AND event.user_id = ${reach.principal.personId}
              ORDER BY event.id DESC
              LIMIT ${countMax}) newest
            WHERE newest.at > now() - make_interval(mins => ${minutes}::integer)`
      )
      return { events: row?.id ?? 0, errors: row?.errors ?? 0 }
    }),

    attachments: Effect.fnUntraced(function* (countMax) {
      const reach = yield* Reach
      const [row] = yield* authorizedRead<FileRow>(sql, reach, reach.bounds("entity", "read"), ({ within }) => {
        const files = (order: "ASC" | "DESC", limit: number) => sql`
            SELECT one.*
            FROM unnest(authority.spaces) AS within(space_id)
            CROSS JOIN LATERAL (
              SELECT attachment.id, attachment.size_bytes, attachment.created_at
              FROM attachments attachment
              WHERE attachment.space_id = within.space_id AND attachment.archived_at IS NULL
                AND (
                  SELECT true FROM entities entity
                  WHERE entity.id = attachment.entity_id AND entity.space_id = within.space_id
                    AND ${within("entity", "within.space_id")} AND entity.archived_at IS NULL)
              ORDER BY attachment.id ${sql.literal(order)}
              LIMIT ${limit}) one
            ORDER BY one.id ${sql.literal(order)}
            LIMIT ${limit}`
        return sql`
            SELECT count(*)::integer AS id, coalesce(sum(newest.size_bytes), 0)::text AS bytes,
              (SELECT first.created_at FROM (${files("ASC", 1)}) first) AS first_at
            FROM (${files("DESC", countMax)}) newest`
      })
      return { count: row?.id ?? 0, bytes: Number(row?.bytes ?? 0), firstAt: utcOrNull(row?.first_at) }
    }),

    firstDocument: Effect.gen(function* () {
      const reach = yield* Reach
      const [row] = yield* authorizedRead<{ readonly id: string; readonly first_at: Date }>(
        sql,
        reach,
        reach.bounds("document", "read"),
        ({ within }) => sql`
          SELECT first.id, first.created_at AS first_at
          FROM unnest(authority.spaces) AS within(space_id)
          CROSS JOIN LATERAL (
            SELECT record.id, record.created_at
            FROM documents record
            WHERE record.space_id = within.space_id AND ${within("record", "within.space_id")} AND record.archived_at IS NULL
            ORDER BY record.id
            LIMIT 1) first
          ORDER BY first.id
          LIMIT 1`
      )
      return utcOrNull(row?.first_at)
    }),

    knowledge: Effect.gen(function* () {
      const reach = yield* Reach
      const [row] = yield* authorizedRead<{ readonly id: number }>(
        sql,
        reach,
        knowledgeBounds(reach, "read"),
        ({ within }) => sql`
          SELECT count(*)::integer AS id
          FROM (
            SELECT 1
            FROM knowledge_entries entry
            WHERE ${within("entry")} AND entry.status <> ${archivedStatus}
            LIMIT ${countedMax}) one`
      )
      return row?.id ?? 0
    }),

    lastBackup: Effect.gen(function* () {
      const [row] = yield* authorizedRead<{ readonly id: string; readonly made_at: Date; readonly size_bytes: string }>(
        sql,
        yield* Reach,
        emptyBounds,
        () => sql`SELECT made.id, made.made_at, made.size_bytes FROM backups made ORDER BY made.id DESC LIMIT 1`
      )
      return row === undefined
        ? null
        : { madeAt: DateTime.unsafeFromDate(row.made_at), sizeBytes: Number(row.size_bytes) }
    }),

    migrations: Effect.gen(function* () {
      const rows = yield* authorizedRead<{ readonly id: string; readonly applied_at: Date }>(
        sql,
        yield* Reach,
        emptyBounds,
        () =>
          sql`SELECT applied.name AS id, applied.applied_at FROM applied_migrations() applied ORDER BY applied.name COLLATE "C"`
      )
      return rows.map(({ applied_at, id }) => ({ name: id, appliedAt: DateTime.unsafeFromDate(applied_at) }))
    }),

    databaseBytes: Effect.gen(function* () {
      const [row] = yield* authorizedRead<{ readonly id: string }>(
        sql,
        yield* Reach,
        emptyBounds,
        () => sql`SELECT pg_database_size(current_database())::text AS id`
      )
      return row === undefined ? null : Number(row.id)
    }),

    facts: Effect.gen(function* () {
      const reach = yield* Reach
      const [row] = yield* authorizedRead<{ readonly id: number }>(
        sql,
        reach,
        memoryBounds(reach, "read"),
        ({ within }) => sql`
          SELECT count(*)::integer AS id
          FROM (
            SELECT 1
            FROM memory_facts record
            WHERE ${within("record")} AND record.valid_to IS NULL
              AND (record.valid_from <= record.created_at OR record.valid_from <= now())
            LIMIT ${countedMax}) one`
      )
      return row?.id ?? 0
    })
  }))
)
