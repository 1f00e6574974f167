/**
 * The SQL store of the history of records. The record type names the table of its revisions. The caller gets only
 * revisions of records that the caller can access.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import type { Revision } from "./MemoryRevisions.ts"
import { pageOfRevisions, RecordHistory } from "./RecordHistory.ts"
import { columnLists, fieldsOf } from "./RecordRow.ts"
import { RecordNotFound } from "./Records.ts"
import type { Common, RecordType } from "./RecordType.ts"

interface Row {
  readonly id: string
  readonly record_id: string
  readonly version: number
  readonly actor_id: string
  readonly at: Date
}

export const layer = Layer.effect(
  RecordHistory,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const known = new Map<unknown, { fields: Statement.Fragment; read: ReturnType<typeof fieldsOf> }>()
    const parts = <A extends Common>(type: RecordType<A>) => {
      const typeParts = known.get(type) ?? { fields: sql.literal(columnLists(type).ofRevision), read: fieldsOf(type) }
      known.set(type, typeParts)
      return typeParts
    }

    /**
     * Reads the revisions of one record that the caller may read, latest first. `narrowed` is SQL with further
     * conditions and the limit of the page.
     */
    const revisions = <A extends Common>(type: RecordType<A>, id: string, narrowed: Statement.Fragment) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const bounds = reach.bounds(type.subject, "read")
        const isOwn =
          type.visibility === "space" ? sql.literal("true") : sql`record.user_id = ${reach.principal.personId}::uuid`
        const { fields, read } = parts(type)
        const rows = yield* authorizedRead<Row>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
            SELECT revision.event_id AS id, revision.record_id, revision.version, revision.actor_id, revision.at,
              ${fields}
            FROM ${sql.literal(type.table)} record
            JOIN ${sql.literal(type.history ?? "")} revision
              ON revision.record_id = record.id AND revision.space_id = record.space_id
            WHERE record.id = ${id}::uuid
              AND ${within("record")}
              AND ${isOwn}
              AND record.archived_at IS NULL
              ${narrowed}`
        )
        return rows.map((row): Revision<A> => ({
          recordId: row.record_id,
          version: row.version,
          actorId: row.actor_id,
          eventId: row.id,
          at: DateTime.unsafeFromDate(row.at),
          // `read` decodes the columns of this record type, so the cast is safe.
          fields: read(row) as Revision<A>["fields"]
        }))
      })

    return {
      list: Effect.fnUntraced(function* (type, id, { cursor, limit, offset = 0 }) {
        const past =
          cursor === undefined
            ? sql.literal("")
            : sql`AND revision.version < (
                  SELECT seen.version
                  FROM ${sql.literal(type.history ?? "")} seen
                  WHERE seen.record_id = ${id}::uuid AND seen.event_id = ${cursor.id}::uuid)`
        const page = sql`${past} ORDER BY revision.version DESC LIMIT ${limit + 1} OFFSET ${offset}`
        return pageOfRevisions(yield* revisions(type, id, page), limit)
      }),
      get: Effect.fnUntraced(function* (type, id, version) {
        const [revision] = yield* revisions(type, id, sql`AND revision.version = ${version}::integer`)
        return revision ?? (yield* new RecordNotFound({ id }))
      })
    }
  })
)
