/** The SQL store of entities. Each request is one statement, which also checks the credential and the reach of the call. */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { byUpdate, pageOfSorted } from "../../doors/PageOrder.ts"
import { behindSql } from "../../doors/PageSql.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { singlePage } from "../../doors/Page.ts"
import { type Bounds, Reach } from "../../doors/Reach.ts"
import { actorOf, authorizedWrite, type RowChange, type WriteOutcome } from "../events/AppendEvent.ts"
import { EntityChanged, EntityNotFound, ProfileUnknown } from "./Entity.ts"
import { columnsOf, type EntityHeadRow, type EntityRow, fromRow, headColumns, headFromRow } from "./EntityRow.ts"
import { sameNameKey, signalsOf } from "../identity/ResolveIdentity.ts"
import { countByKind } from "./EntityCountSql.ts"
import { entityPages, filtersOf } from "./EntityPageSql.ts"
import { signalParts } from "./EntitySignalSql.ts"
import { createBounds, listingBounds } from "./EntityBounds.ts"
import { EntityStore } from "./EntityStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { inParts } from "../../platform/ResultSize.ts"

const hitsMax = 10_000 // the maximum number of hits (ids and ranks) that a search reads if other filters apply

/** Makes an additional column for a SELECT: the ids of the projects that contain the entity. */
const projectIdsColumn = (sql: SqlClient.SqlClient): Statement.Fragment => sql`, (
  SELECT coalesce(array_agg(filed.project_id::text), '{}') FROM entity_projects filed
  WHERE filed.entity_id = entity.id AND filed.space_id = entity.space_id) AS project_ids`

export const layer = Layer.effect(
  EntityStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const entityColumns = sql.literal(columnsOf("entity"))
    const changedColumns = sql.literal(columnsOf("changed"))

    const one = (id: string, bounds: Bounds, further = sql.literal("")) =>
      Effect.flatMap(Reach, (reach) =>
        authorizedRead<EntityRow & { readonly project_ids: ReadonlyArray<string> }>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
            SELECT ${entityColumns}${further}
            FROM entities entity
            WHERE entity.id = ${id}::uuid
              AND ${within("entity")}
              AND entity.archived_at IS NULL`
        )
      )

    const { page, pageOfMatches } = entityPages(sql)
    const { addSignals, removeSignals } = signalParts(sql)
    const filedAs = (projectId: string) => sql`
      filed AS (
        INSERT INTO entity_projects (space_id, entity_id, project_id)
        SELECT changed.space_id, changed.id, ${projectId}::uuid FROM changed)`

    /** Locks the row of an entity, writes it if it has the expected version, and appends the event. */
    const rewritten = Effect.fnUntraced(function* (
      id: string,
      { after = [], assignments, bounds, event, expectedVersion = null, from = "present", passed }: RowChange
    ) {
      const reach = yield* Reach
      const [row] = yield* authorizedWrite<EntityRow & WriteOutcome>(
        sql,
        reach,
        { bounds, passed, event },
        ({ within }) => ({
          found: sql`
            SELECT entity.id, entity.space_id, entity.version
            FROM entities entity, authority
            WHERE entity.id = ${id}::uuid
              AND ${within("entity")}
              AND ${sql.literal(from === "archived" ? "entity.archived_at IS NOT NULL" : "entity.archived_at IS NULL")}
            FOR UPDATE OF entity`,
          changed: sql`
            UPDATE entities entity
            SET ${assignments}, version = entity.version + 1, updated_at = now()
            FROM found
            WHERE entity.id = found.id AND entity.space_id = found.space_id
              AND (${expectedVersion}::integer IS NULL OR found.version = ${expectedVersion}::integer)
            RETURNING entity.*`,
          columns: changedColumns,
          after
        })
      )
      if (row?.is_changed) return fromRow(row)
      return yield* row === undefined ? new EntityNotFound({ id }) : new EntityChanged({ version: row.found_version })
    })

    return {
      list: Effect.fnUntraced(function* (filter, spaces) {
        const reach = yield* Reach
        const bounds = listingBounds(reach, spaces)
        const { inProject, withFacet } = filtersOf(sql, reach, filter)
        const nothing = sql.literal("")
        const [first, second] = [inProject, withFacet].filter((one) => one !== undefined)
        const kinds =
          filter.kind === undefined
            ? bounds.kinds
            : bounds.kinds === null || bounds.kinds.includes(filter.kind)
              ? [filter.kind]
              : []
        const past = behindSql(sql, { time: "entity.updated_at", id: "entity.id" }, filter.cursor)
        const rowsLimit = filter.limit + filter.offset + 1
        // The search itself filters only by space and by one kind. The other filters apply later to the hits of the
        // search. So the search must return more hits than the page has.
        const axes = [filter.projectId ?? filter.facet ?? null, bounds.kinds, bounds.objects, bounds.projects]
        const isNarrowed = axes.some((axis) => axis !== null)
        const hits = isNarrowed ? hitsMax : rowsLimit
        const rows = yield* authorizedRead<EntityRow>(sql, reach, bounds, ({ within }) =>
          filter.search === undefined
            ? sql`
                  SELECT entity.*
                  FROM ${
                    first === undefined
                      ? page(within, kinds, rowsLimit, past)
                      : pageOfMatches(within, first, kinds, rowsLimit, sql`${second?.condition ?? nothing} ${past}`)
                  }
                  ORDER BY entity.updated_at DESC, entity.id DESC
                  LIMIT ${filter.limit + 1} OFFSET ${filter.offset}`
            : sql`
                  SELECT ${entityColumns}
                  FROM search_entities(${filter.search}, ${filter.kind ?? null}, ${hits}) hit
                  JOIN entities entity ON entity.id = hit.id AND entity.space_id = hit.space_id
                  WHERE ${within("entity")}
                    ${first?.condition ?? nothing} ${second?.condition ?? nothing}
                  ORDER BY hit.rank DESC, entity.updated_at DESC, entity.id DESC
                  LIMIT ${filter.limit} OFFSET ${filter.offset}`
        )
        const listed = rows.map(fromRow)
        return filter.search === undefined ? pageOfSorted(byUpdate, listed, filter) : singlePage(listed)
      }),

      get: Effect.fnUntraced(function* (id) {
        const reach = yield* Reach
        const [row] = yield* one(id, reach.bounds("entity", "read"))
        return row === undefined ? yield* new EntityNotFound({ id }) : fromRow(row)
      }),

      listByIds: inParts(
        Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
          const reach = yield* Reach
          const rows = yield* authorizedRead<EntityRow>(
            sql,
            reach,
            reach.bounds("entity", "read"),
            ({ within }) => sql`
              SELECT ${entityColumns}
              FROM entities entity
              WHERE entity.id = ANY (${arrayLiteral(ids)}::uuid[])
                AND ${within("entity")}
                AND entity.archived_at IS NULL`
          )
          return rows.map(fromRow)
        })
      ),

      heads: Effect.fnUntraced(function* (ids) {
        if (ids.length === 0) return []
        const reach = yield* Reach
        const rows = yield* authorizedRead<EntityHeadRow>(
          sql,
          reach,
          reach.bounds("entity", "read"),
          ({ within }) => sql`
              SELECT ${sql.literal(headColumns)}
              FROM entities entity
              WHERE entity.id = ANY (${arrayLiteral(ids)}::uuid[])
                AND ${within("entity")}
                AND entity.archived_at IS NULL`
        )
        return rows.map(headFromRow)
      }),

      countByKind: countByKind(sql),

      locate: Effect.fnUntraced(function* (id, action) {
        const reach = yield* Reach
        const [locatedRow] = yield* one(id, reach.bounds("entity", action), projectIdsColumn(sql))
        const [row] =
          locatedRow === undefined
            ? yield* one(id, reach.bounds("entity", "read"), projectIdsColumn(sql))
            : [locatedRow]
        if (row === undefined) return yield* new EntityNotFound({ id })
        return { entity: fromRow(row), spaceId: row.space_id, projectIds: row.project_ids }
      }),

      add: Effect.fnUntraced(function* (entity, event, passed) {
        const reach = yield* Reach
        const signals = signalsOf(entity.properties)
        const stamp = entity.schemaStamp ?? null
        const besides = [
          ...(entity.projectId === undefined ? [] : [filedAs(entity.projectId)]),
          ...(signals.length === 0 ? [] : [addSignals(signals)])
        ]
        const [row] = yield* authorizedWrite<EntityRow>(
          sql,
          reach,
          { bounds: createBounds(reach, entity.kind), passed, event },
          () => ({
            changed: sql`
              INSERT INTO entities (id, space_id, profile_slug, title, title_key, preview, description, properties,
                document_id, user_id, actor_id)
              SELECT ${entity.id}::uuid, ${entity.spaceId}::uuid, profile.slug, ${entity.title},
                ${sameNameKey(entity.title)}, ${entity.preview}, ${entity.description}, ${JSON.stringify(entity.properties)}::jsonb,
                ${entity.documentId ?? null}::uuid, ${reach.principal.personId}::uuid,
                ${actorOf(reach)}::uuid
              FROM authority
              JOIN profiles profile ON profile.slug = ${entity.kind}
                AND profile.profile_kind = 'kind' AND profile.archived_at IS NULL
                AND profile.space_id IN ('00000000-0000-0000-0000-000000000000', ${entity.spaceId}::uuid)
              WHERE ${entity.spaceId}::uuid = ANY (authority.spaces::uuid[])
                AND (${stamp}::integer IS NULL OR schema_stamp(${entity.spaceId}::uuid) = ${stamp}::integer)
              ORDER BY profile.id
              LIMIT 1
              RETURNING *`,
            columns: changedColumns,
            after: besides
          })
        )
        return row === undefined ? yield* new ProfileUnknown({ slug: entity.kind }) : fromRow(row)
      }),

      change: Effect.fnUntraced(function* (id, change, event, passed) {
        const { bounds } = yield* Reach
        const assigned = (name: string, value: string | null | undefined) =>
          value === undefined ? sql`${sql(name)} = entity.${sql(name)}` : sql`${sql(name)} = ${value}`
        const { deleteProperties = [], properties = {}, signals, title, version = null } = change
        const assignments = sql`${assigned("title", title)},
            ${assigned("title_key", title === undefined ? undefined : sameNameKey(title))},
            ${assigned("description", change.description)},
            ${assigned("preview", change.preview)},
            properties = (entity.properties || ${JSON.stringify(properties)}::jsonb) - ${[...deleteProperties]}::text[]`
        const after = signals === undefined ? [] : [removeSignals(signals.removed), addSignals(signals.present)]
        return yield* rewritten(id, {
          bounds: bounds("entity", "update"),
          expectedVersion: version,
          assignments,
          event,
          passed,
          after
        })
      }),

      remove: (id, expectedVersion, event, passed) =>
        Effect.flatMap(Reach, ({ bounds }) =>
          rewritten(id, {
            bounds: bounds("entity", "delete"),
            expectedVersion,
            assignments: sql`archived_at = now()`,
            event,
            passed
          })
        ),

      restore: (id, event, passed) =>
        Effect.flatMap(Reach, ({ bounds }) =>
          rewritten(id, {
            bounds: bounds("entity", "update"),
            from: "archived",
            assignments: sql`archived_at = NULL`,
            event,
            passed
          })
        ).pipe(Effect.catchTag("EntityChanged", Effect.die))
    }
  })
)
