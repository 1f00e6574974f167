/**
 * The SQL store of memory facts. Each method is one statement, which also checks the authority of the caller. Only the
 * method `write` changes rows. `FactWriteSql.ts` has the parts of its statement.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer, Option } from "effect"
import { mapPage } from "../../doors/Page.ts"
import { byCreation, pageOfSorted } from "../../doors/PageOrder.ts"
import { pageSql } from "../../doors/PageSql.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { countedMax } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { actorOf, authorizedWrite } from "../events/AppendEvent.ts"
import { columnsOf, type FactColumns, factOf, type RevisionColumns, revisionOf } from "./FactColumns.ts"
import { memoryBounds } from "./FactTable.ts"
import { partsOfFactWrite } from "./FactWriteSql.ts"
import { byPlace, indexBounds, MemoryStore, placeOf } from "./MemoryStore.ts"
import { floatsOf, packedVectorFrom } from "../search/vectors/PackedVector.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"

export const layer = Layer.effect(
  MemoryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf("record"))
    const writtenColumns = sql.literal(columnsOf("written"))
    const partsOf = partsOfFactWrite(sql)
    const nothing: Statement.Fragment = sql.literal("")
    const holdsNow = sql`record.valid_to IS NULL
      AND (record.valid_from <= record.created_at OR record.valid_from <= now())`

    return {
      list: Effect.fnUntraced(function* ({ asOf, forgotten = false, level, sessionId, trust, ...place }) {
        const reach = yield* Reach
        const columnsOfOrder = { time: "record.created_at", id: "record.id" }
        const { behind, ordered } = pageSql(sql, byCreation, columnsOfOrder, place)
        const time = asOf === undefined ? null : DateTime.formatIso(asOf)
        const holds = forgotten
          ? sql`record.valid_to IS NOT NULL AND record.superseded_by IS NULL`
          : time === null
            ? holdsNow
            : sql`record.valid_from <= ${time}::timestamptz
                  AND (record.valid_to IS NULL OR record.valid_to > ${time}::timestamptz)`
        const further = [
          // The words of a fixed list are part of the SQL text, so that the planner knows how many facts have them.
          ...(level === undefined ? [] : [sql.literal(`AND record.level = ${textLiteral(level)}`)]),
          ...(trust === undefined ? [] : [sql.literal(`AND record.trust = ${textLiteral(trust)}`)]),
          ...(sessionId === undefined ? [] : [sql`AND record.session_id = ${sessionId}`]),
          behind
        ].reduce((all, condition) => sql`${all} ${condition}`, nothing)
        const rows = yield* authorizedRead<FactColumns>(
          sql,
          reach,
          memoryBounds(reach, "read"),
          ({ within }) => sql`
              SELECT ${columns}
              FROM memory_facts record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND ${within("record")}
                AND ${holds}
                ${further}
              ${ordered}`
        )
        return pageOfSorted(byCreation, rows.map(factOf), place)
      }),

      count: Effect.gen(function* () {
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
                WHERE record.space_id = ${reach.principal.personId}::uuid
                  AND ${within("record")}
                  AND ${holdsNow}
                -- This order makes the planner use the index. Otherwise it reads the whole table for a person with few facts.
                ORDER BY record.created_at DESC, record.id DESC
                LIMIT ${countedMax}) one`
        )
        return row?.id ?? 0
      }),

      byIds: Effect.fnUntraced(function* (ids, action) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<FactColumns>(
          sql,
          reach,
          memoryBounds(reach, action),
          ({ within }) => sql`
              SELECT ${columns}
              FROM memory_facts record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.id = ANY (${[...ids]}::uuid[])
                AND ${within("record")}`
        )
        return rows.map(factOf)
      }),

      since: Effect.fnUntraced(function* (place, limit) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<FactColumns>(
          sql,
          reach,
          indexBounds(reach),
          ({ within }) => sql`
              SELECT ${columns}
              FROM memory_facts record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND ${within("record")}
                AND (record.seq, record.id) > (${place.seq}::bigint, ${place.id}::uuid)
              ORDER BY record.seq, record.id
              LIMIT ${limit}`
        )
        return rows.map(factOf)
      }),

      withoutVectors: (model, limit) =>
        dieOnSqlError(
          Effect.map(
            sql<{ readonly id: string }>`SELECT id FROM persons_without_fact_vectors(${model}, ${limit})`,
            (rows) => rows.map(({ id }) => id)
          )
        ),

      vectorsSince: Effect.fnUntraced(function* (place, limit) {
        const reach = yield* Reach
        // The database returns the vector as base64 text, because the embedded engine returns text ten times as fast as
        // bytes.
        const rows = yield* authorizedRead<{ readonly id: string; readonly seq: string; readonly packed: string }>(
          sql,
          reach,
          indexBounds(reach),
          ({ within }) => sql`
              SELECT record.fact_id AS id, record.seq, encode(record.packed, 'base64') AS packed
              FROM memory_vectors record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND ${within("record")}
                AND (record.seq, record.fact_id) > (${place.seq}::bigint, ${place.id}::uuid)
              ORDER BY record.seq, record.fact_id
              LIMIT ${limit}`
        )
        return rows.map(({ id, seq, packed }) => ({
          id,
          seq: Number(seq),
          ...packedVectorFrom(Buffer.from(packed, "base64"))
        }))
      }),

      vectors: Effect.fnUntraced(function* (ids) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string; readonly floats: string }>(
          sql,
          reach,
          memoryBounds(reach, "read"),
          ({ within }) => sql`
              SELECT record.fact_id AS id, encode(record.floats, 'base64') AS floats
              FROM memory_vectors record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.fact_id = ANY (${[...ids]}::uuid[])
                AND ${within("record")}`
        )
        return rows.map(({ id, floats }) => ({ id, floats: floatsOf(Buffer.from(floats, "base64")) }))
      }),

      history: Effect.fnUntraced(function* (id, { cursor, limit, offset = 0 }) {
        const reach = yield* Reach
        const past = cursor === undefined ? undefined : placeOf(cursor.id)
        const rows = yield* authorizedRead<RevisionColumns>(
          sql,
          reach,
          memoryBounds(reach, "read"),
          ({ within }) => sql`
              SELECT revision.fact_id AS id, revision.seq, revision.place, revision.fact_id, revision.what, revision.fact,
                revision.trust, revision.actor_id, revision.reason, revision.superseded_by, revision.source_entity_id,
                revision.source_message_id, revision.event_id, revision.at
              FROM memory_facts record
              JOIN memory_revisions revision
                ON revision.space_id = record.space_id AND revision.lineage = record.lineage
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.id = ${id}::uuid
                AND ${within("record")}
                ${past === undefined ? nothing : sql`AND (revision.seq, revision.place) < (${past.seq}::bigint, ${past.place}::integer)`}
              ORDER BY revision.seq DESC, revision.place DESC
              LIMIT ${limit + 1} OFFSET ${offset}`
        )
        return mapPage(pageOfSorted(byPlace, rows.map(revisionOf), { limit }), ({ revision }) => revision)
      }),

      findRepeated: Effect.fnUntraced(function* (writtenAs) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string; readonly written_as: string }>(
          sql,
          reach,
          indexBounds(reach),
          ({ within }) => sql`
              SELECT record.fact_id AS id, record.written_as
              FROM memory_revisions record
              WHERE record.space_id = ${reach.principal.personId}::uuid
                AND record.written_as = ANY (${[...writtenAs]}::uuid[])
                AND record.what = 'fold'
                AND ${within("record")}`
        )
        return rows.map(({ id, written_as }) => ({ id, writtenAs: written_as }))
      }),

      write: Effect.fnUntraced(function* (action, planned, event, passed) {
        const reach = yield* Reach
        const { personId } = reach.principal
        // The statement first locks the person's row in `memory_heads`. So another write for the same person waits for
        // this lock, before it locks rows of facts.
        const rows = yield* authorizedWrite<FactColumns>(
          sql,
          reach,
          { bounds: memoryBounds(reach, action), passed, event },
          () => ({
            changed: sql`
              INSERT INTO memory_heads AS record (space_id, seq)
              SELECT ${personId}::uuid, 1
              FROM authority
              WHERE ${personId}::uuid = ANY (authority.spaces)
              ON CONFLICT (space_id) DO UPDATE SET seq = record.seq + 1 WHERE record.seq = ${planned.known}::bigint
              RETURNING record.space_id, record.seq`,
            after: partsOf(planned, personId, actorOf(reach)),
            columns: writtenColumns,
            joins: sql.literal("LEFT JOIN written ON true")
          })
        )
        return rows.length === 0 ? Option.none() : Option.some(rows.map(factOf))
      })
    }
  })
)
