/**
 * The SQL store of records of every type. The statements are the same for all types. The type gives only the table and
 * the columns.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { pageOfSorted } from "../../doors/PageOrder.ts"
import { authorizedRead, type Within, notPrivateToOther } from "../../doors/Authority.ts"
import { countedMax } from "../../doors/Page.ts"
import { type Bounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import { actorOf, authorizedWrite, type WriteOutcome } from "../events/AppendEvent.ts"
import { filterConditions, listedSpaces } from "./RecordFilterSql.ts"
import { createBounds, orderOf, RecordChanged, RecordNotFound, Records } from "./Records.ts"
import { boundsOf } from "./RecordTable.ts"
import { formerInEvent, formerOf, type Parts, partsOf, type RecordRewrite } from "./RecordParts.ts"
import { headColumns, headOf, type Row } from "./RecordRow.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import type { Common, OwnFields, RecordType } from "./RecordType.ts"
import { columnOf, columnsOf, jsonOf, recordedNames } from "./RecordType.ts"

export const layer = Layer.effect(
  Records,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const known = new Map<unknown, Parts>()
    const parts = <A extends Common>(type: RecordType<A>) => {
      const typeParts = known.get(type) ?? partsOf(sql, type)
      known.set(type, typeParts)
      return typeParts
    }

    // The cast is safe, because `parts(type)` has the parts that were made for this type.
    const toRecord = <A extends Common>(type: RecordType<A>) => parts(type).toRecord as (row: Row) => A

    /** Makes the SQL condition for the rows of a type that a call can access. */
    const visible = <A extends Common>(
      type: RecordType<A>,
      within: Within,
      reach: ReachShape,
      spaceColumn?: string
    ) => {
      const inReach = within("record", spaceColumn)
      if (type.visibility === "space") return inReach
      const { personId } = reach.principal
      if (type.visibility === "own") return sql`${inReach} AND record.user_id = ${personId}::uuid`
      const { field, own } = type.visibility
      return sql`${inReach} AND ${notPrivateToOther(sql, personId, "record", { column: columnOf(field), own })}`
    }

    const find = <A extends Common>(type: RecordType<A>, id: string, bounds: Bounds) =>
      Effect.flatMap(Reach, (reach) =>
        authorizedRead<Row>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
            SELECT record.*
            FROM ${parts(type).table} record
            WHERE record.id = ${id}::uuid
              AND ${visible(type, within, reach)}
              AND record.archived_at IS NULL`
        )
      )

    /**
     * Makes the part of the write statement that adds a revision, if the type has a history. The id of the revision is
     * the id of the write's event.
     */
    const revisionPart = <A extends Common>(type: RecordType<A>, reach: ReachShape) => {
      const { fields, history, ofChanged } = parts(type)
      if (history === undefined) return []
      return [
        sql`
          kept AS (
            INSERT INTO ${history} (record_id, space_id, version, actor_id, event_id, at, ${fields})
            SELECT changed.id, changed.space_id, changed.version, ${actorOf(reach)}::uuid, logged.id,
              changed.updated_at, ${ofChanged}
            FROM changed, logged)`
      ]
    }

    /** Locks the row of a record, changes it if the record has the expected version, and appends the event. */
    const rewritten = <A extends Common>(
      type: RecordType<A>,
      id: string,
      { assignments, bounds, event, expectedVersion = null, from = "present", passed, recorded = [] }: RecordRewrite
    ) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const { table } = parts(type)
        const write = { bounds, passed, event }
        const [row] = yield* authorizedWrite<Row & WriteOutcome>(sql, reach, write, ({ within }) => ({
          found: sql`
            SELECT record.id, record.space_id, record.version, ${sql.literal(formerOf(recorded))} AS former
            FROM ${table} record, authority
            WHERE record.id = ${id}::uuid
              AND ${visible(type, within, reach)}
              AND ${sql.literal(from === "archived" ? "record.archived_at IS NOT NULL" : "record.archived_at IS NULL")}
            FOR UPDATE OF record`,
          changed: sql`
            UPDATE ${table} record
            SET ${assignments}, version = record.version + 1, updated_at = now()
            FROM found
            WHERE record.id = found.id AND record.space_id = found.space_id
              AND (${expectedVersion}::integer IS NULL OR found.version = ${expectedVersion}::integer)
            RETURNING record.*`,
          ...(recorded.length === 0 ? {} : { eventData: sql.literal(formerInEvent) }),
          after: revisionPart(type, reach)
        }))
        if (row === undefined) return yield* new RecordNotFound({ id })
        return row.is_changed ? toRecord(type)(row) : yield* new RecordChanged({ version: row.found_version })
      })

    const written = <A extends Common>(type: RecordType<A>, fields: Partial<OwnFields<A>>) => {
      const { ofMade, written: columns } = parts(type)
      const json = JSON.stringify(columnsOf(jsonOf(type, fields)))
      return sql`(${columns}) = (SELECT ${ofMade} FROM jsonb_populate_record(record, ${json}::jsonb) made)`
    }

    return {
      list: Effect.fnUntraced(function* (type, listing) {
        const reach = yield* Reach
        const { listed, order, table } = parts(type)
        const { limit, offset = 0 } = listing
        const rows = yield* authorizedRead<Row>(
          sql,
          reach,
          boundsOf(reach, type, listing.spaces),
          ({ within }) => sql`
              SELECT ${listed}
              FROM ${listedSpaces(sql, table, listing)} AS within(space_id)
              CROSS JOIN LATERAL (
                SELECT record.*
                FROM ${table} record
                WHERE record.space_id = within.space_id
                  AND ${visible(type, within, reach, "within.space_id")}
                  AND record.archived_at IS NULL
                  ${filterConditions(sql, type, parts(type), listing)}
                ORDER BY ${order}
                LIMIT ${limit + offset + 1}) record
              ORDER BY ${order}
              LIMIT ${limit + 1} OFFSET ${offset}`
        )
        return pageOfSorted(orderOf(type), rows.map(toRecord(type)), listing)
      }),

      count: Effect.fnUntraced(function* (type, listing) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<{ readonly id: number }>(
          sql,
          reach,
          boundsOf(reach, type, listing.spaces),
          ({ within }) => sql`
              SELECT count(*)::integer AS id
              FROM (
                SELECT 1
                FROM unnest(authority.spaces) AS within(space_id)
                CROSS JOIN LATERAL (
                  SELECT record.id
                  FROM ${parts(type).table} record
                  WHERE record.space_id = within.space_id
                    AND ${visible(type, within, reach, "within.space_id")}
                    AND record.archived_at IS NULL
                    ${filterConditions(sql, type, parts(type), { ...listing, limit: 0 })}
                  -- This order makes the planner use the index. Otherwise it reads the whole table for a space with few records.
                  ORDER BY ${parts(type).order}
                  LIMIT ${countedMax}) found
                LIMIT ${countedMax}) one`
        )
        return row?.id ?? 0
      }),

      countBySpace: Effect.fnUntraced(function* (type) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string; readonly count: number }>(
          sql,
          reach,
          boundsOf(reach, type, null),
          ({ within }) => sql`
              SELECT within.space_id AS id, counted.count
              FROM unnest(authority.spaces) AS within(space_id)
              CROSS JOIN LATERAL (
                SELECT count(*)::integer AS count
                FROM (
                  SELECT 1
                  FROM ${parts(type).table} record
                  WHERE record.space_id = within.space_id
                    AND ${visible(type, within, reach, "within.space_id")}
                    AND record.archived_at IS NULL
                  ORDER BY ${parts(type).order}
                  LIMIT ${countedMax}) one) counted
              WHERE counted.count > 0
              ORDER BY within.space_id`
        )
        return rows.map(({ count, id }) => ({ spaceId: id, count }))
      }),

      get: Effect.fnUntraced(function* (type, id) {
        const [row] = yield* find(type, id, (yield* Reach).bounds(type.subject, "read"))
        return row === undefined ? yield* new RecordNotFound({ id }) : toRecord(type)(row)
      }),

      among: Effect.fnUntraced(function* (type, ids, fields) {
        if (ids.length === 0) return []
        const reach = yield* Reach
        const rows = yield* authorizedRead<Row>(
          sql,
          reach,
          boundsOf(reach, type, null),
          ({ within }) => sql`
              SELECT ${sql.literal(headColumns(fields))}
              FROM ${parts(type).table} record
              WHERE record.id = ANY (${arrayLiteral(ids)}::uuid[])
                AND ${visible(type, within, reach)}
                AND record.archived_at IS NULL`
        )
        return rows.map((row) => headOf(row, fields))
      }),

      locate: Effect.fnUntraced(function* (type, id, action) {
        const reach = yield* Reach
        const [located] = yield* find(type, id, reach.bounds(type.subject, action))
        const [row] = located === undefined ? yield* find(type, id, reach.bounds(type.subject, "read")) : [located]
        if (row === undefined) return yield* new RecordNotFound({ id })
        return { record: toRecord(type)(row), spaceId: row.space_id }
      }),

      add: Effect.fnUntraced(function* (type, newRecord, event, passed) {
        const reach = yield* Reach
        const { emptyRow, ofAdded, table, written: columns } = parts(type)
        const json = JSON.stringify(columnsOf(jsonOf(type, newRecord.fields)))
        const write = { bounds: createBounds(reach, type), passed, event }
        const [row] = yield* authorizedWrite<Row>(sql, reach, write, () => ({
          changed: sql`
              INSERT INTO ${table} (id, space_id, user_id, actor_id, ${columns})
              SELECT ${newRecord.id}::uuid, ${newRecord.spaceId}::uuid, ${reach.principal.personId}::uuid,
                ${actorOf(reach)}::uuid, ${ofAdded}
              FROM authority, jsonb_populate_record(${emptyRow}, ${json}::jsonb) made
              WHERE ${newRecord.spaceId}::uuid = ANY (authority.spaces)
              RETURNING *`,
          after: revisionPart(type, reach)
        }))
        return row === undefined
          ? yield* Effect.dieMessage(`a ${type.name} was added outside the reach of its call`)
          : toRecord(type)(row)
      }),

      change: (type, id, { expectedVersion = null, fields }, event, passed) =>
        Effect.flatMap(Reach, ({ bounds }) =>
          rewritten(type, id, {
            bounds: bounds(type.subject, "update"),
            expectedVersion,
            assignments: written(type, fields),
            recorded: recordedNames(type, fields),
            event,
            passed
          })
        ),

      remove: (type, id, expectedVersion, event, passed) =>
        Effect.flatMap(Reach, ({ bounds }) =>
          rewritten(type, id, {
            bounds: bounds(type.subject, "delete"),
            expectedVersion,
            assignments: sql`archived_at = now()`,
            event,
            passed
          })
        ),

      ownerOfArchived: Effect.fnUntraced(function* (type, id) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<Pick<Row, "id" | "user_id">>(
          sql,
          reach,
          reach.bounds(type.subject, "update"),
          ({ within }) => sql`
              SELECT record.id, record.user_id
              FROM ${parts(type).table} record
              WHERE record.id = ${id}::uuid
                AND ${visible(type, within, reach)}
                AND record.archived_at IS NOT NULL`
        )
        return row?.user_id ?? null
      }),

      restore: (type, id, event, passed) =>
        Effect.flatMap(Reach, ({ bounds }) =>
          rewritten(type, id, {
            bounds: bounds(type.subject, "update"),
            from: "archived",
            assignments: sql`archived_at = NULL`,
            event,
            passed
          })
        ).pipe(Effect.catchTag("RecordChanged", Effect.die))
    }
  })
)
