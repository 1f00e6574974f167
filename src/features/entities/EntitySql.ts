/**
 * The SQL store of entities. Each request is one statement, which also checks the credential and the reach of the call.
 * This file is longer than other stores, but it is about one noun, the entity. The code for pages, filters and signals
 * only makes parts of the statements of this store.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { byUpdate, pageOfSorted } from "../../doors/PageOrder.ts"
import { behindSql } from "../../doors/PageSql.ts"
import { authorizedRead, type Within } from "../../doors/Authority.ts"
import { singlePage } from "../../doors/Page.ts"
import { type Bounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import { actorOf, authorizedWrite, type RowChange, type WriteOutcome } from "../events/AppendEvent.ts"
import { EntityChanged, type EntityFilter, EntityNotFound, ProfileUnknown } from "./Entity.ts"
import { columnsOf, type EntityHeadRow, type EntityRow, fromRow, headColumns, headFromRow } from "./EntityRow.ts"
import { sameNameKey, type Signal, signalsOf } from "../identity/ResolveIdentity.ts"
import { countByKind } from "./EntityCountSql.ts"
import { createBounds, EntityStore, listingBounds } from "./EntityStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

// If a project has fewer entities than this, the statement that lists them reads the table `entity_projects`.
const filingsFew = 1_000
const hitsMax = 10_000 // the maximum number of hits (ids and ranks) that a search reads if other filters apply

/** Makes the conditions that filter a list by project and by facet. Each condition begins with AND. */
const filterConditions = (
  sql: SqlClient.SqlClient,
  { bounds }: ReachShape,
  { facet, projectId }: Pick<EntityFilter, "facet" | "projectId">
) => {
  const readable = bounds("facet", "read")
  // The limits of a grant cannot name facets, and facets belong to no project. So a caller whose grant is limited to
  // objects or projects reads no facets.
  const spaces = readable.objects === null && readable.projects === null ? readable.spaces : []
  const nothing = sql.literal("")
  return {
    filed:
      projectId === undefined
        ? nothing
        : sql`AND EXISTS (
            SELECT 1 FROM entity_projects filed
            WHERE filed.entity_id = entity.id
              AND filed.space_id = entity.space_id
              AND filed.project_id = ${projectId}::uuid)`,
    playing:
      facet === undefined
        ? nothing
        : sql`AND EXISTS (
            SELECT 1 FROM entity_facets facet
            WHERE facet.entity_id = entity.id
              AND facet.space_id = entity.space_id
              AND facet.space_id = ANY (${[...spaces]}::uuid[])
              AND facet.slug = ${facet}
              AND facet.archived_at IS NULL)`
  }
}

/** Makes an additional column for a SELECT: the ids of the projects that contain the entity. */
const projectIdsColumn = (sql: SqlClient.SqlClient): Statement.Fragment => sql`, (
  SELECT coalesce(array_agg(filed.project_id::text), '{}') FROM entity_projects filed
  WHERE filed.entity_id = entity.id AND filed.space_id = entity.space_id) AS project_ids`

/** Makes the parts of a write that store the identity signals of an entity together with the entity. */
const signalParts = (sql: SqlClient.SqlClient) => {
  const signalRows = (signals: ReadonlyArray<Signal>) =>
    sql`unnest(${signals.map(({ name }) => name)}::text[], ${signals.map(({ value }) => value)}::text[])
      AS given(name, value)`

  /**
   * Makes the part of a statement that stores the identity signals of an entity. This part follows the part `changed`,
   * which writes the entity.
   */
  const addSignals = (signals: ReadonlyArray<Signal>) => sql`
    signalled AS (
      INSERT INTO entity_signals (space_id, entity_id, name, value)
      SELECT changed.space_id, changed.id, given.name, given.value FROM changed, ${signalRows(signals)}
      ON CONFLICT DO NOTHING)`
  const removeSignals = (signals: ReadonlyArray<Signal>) => sql`
    removed_signals AS (
      DELETE FROM entity_signals signal USING changed
      WHERE signal.entity_id = changed.id AND signal.space_id = changed.space_id
        AND EXISTS (
          SELECT 1 FROM ${signalRows(signals)} WHERE given.name = signal.name AND given.value = signal.value))`
  return { addSignals, removeSignals }
}

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

    /**
     * Selects the newest rows of one space, or of one kind in this space. The statement reads the index only up to the
     * limit. A later step merges the rows of all spaces.
     */
    const page = (within: Within, kinds: ReadonlyArray<string> | null, limit: number, further: Statement.Fragment) =>
      kinds === null
        ? sql`
            unnest(authority.spaces::uuid[]) AS within(space_id)
            CROSS JOIN LATERAL (
              SELECT ${entityColumns}
              FROM entities entity
              WHERE entity.space_id = within.space_id
                AND ${within("entity", "within.space_id")}
                AND entity.archived_at IS NULL
                ${further}
              ORDER BY entity.updated_at DESC, entity.id DESC
              LIMIT ${limit}) entity`
        : sql`
            unnest(authority.spaces::uuid[]) AS within(space_id)
            CROSS JOIN unnest(${arrayLiteral(kinds)}::text[]) AS of(kind)
            CROSS JOIN LATERAL (
              SELECT ${entityColumns}
              FROM entities entity
              WHERE entity.space_id = within.space_id
                AND entity.profile_slug = of.kind
                AND ${within("entity", "within.space_id")}
                AND entity.archived_at IS NULL
                ${further}
              ORDER BY entity.updated_at DESC, entity.id DESC
              LIMIT ${limit}) entity`

    /**
     * Selects the newest entities of a project. For a small project, the statement reads the table `entity_projects`,
     * because the newest rows of a large space possibly contain no entity of the project. For a larger project, the
     * statement reads the newest rows of the space.
     */
    const pageOfProject = (
      within: Within,
      projectId: string,
      kinds: ReadonlyArray<string> | null,
      limit: number,
      { filed, further }: { readonly filed: Statement.Fragment; readonly further: Statement.Fragment }
    ) => {
      const isLarge = sql`(
        SELECT count(*) = ${filingsFew}
        FROM (
          SELECT 1 FROM entity_projects filed
          WHERE filed.project_id = ${projectId}::uuid AND filed.space_id = ANY (authority.spaces)
          LIMIT ${filingsFew}) one)`
      const ofKind =
        kinds === null ? sql.literal("") : sql`AND entity.profile_slug = ANY (${arrayLiteral(kinds)}::text[])`
      return sql`(
        (SELECT entity.* FROM ${page(within, kinds, limit, sql`AND ${isLarge} ${filed} ${further}`)})
        UNION ALL
        (SELECT entity.*
        FROM entity_projects filed
        -- With LIMIT 1, the planner reads each row of entity_projects first, and then its entity.
        CROSS JOIN LATERAL (
          SELECT ${entityColumns}
          FROM entities entity
          WHERE entity.id = filed.entity_id AND entity.space_id = filed.space_id
            AND ${within("entity")}
            AND entity.archived_at IS NULL
            ${ofKind} ${further}
          ORDER BY entity.id
          LIMIT 1) entity
        WHERE filed.project_id = ${projectId}::uuid AND NOT ${isLarge}
        ORDER BY entity.updated_at DESC, entity.id DESC
        LIMIT ${limit})) entity`
    }

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
        bounds,
        passed,
        event,
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
        const { filed, playing } = filterConditions(sql, reach, filter)
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
                    filter.projectId === undefined
                      ? page(within, kinds, rowsLimit, sql`${playing} ${past}`)
                      : pageOfProject(within, filter.projectId, kinds, rowsLimit, {
                          filed,
                          further: sql`${playing} ${past}`
                        })
                  }
                  ORDER BY entity.updated_at DESC, entity.id DESC
                  LIMIT ${filter.limit + 1} OFFSET ${filter.offset}`
            : sql`
                  SELECT ${entityColumns}
                  FROM search_entities(${filter.search}, ${filter.kind ?? null}, ${hits}) hit
                  JOIN entities entity ON entity.id = hit.id AND entity.space_id = hit.space_id
                  WHERE ${within("entity")}
                    ${filed} ${playing}
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

      listByIds: Effect.fnUntraced(function* (ids) {
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
      }),

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
          createBounds(reach, entity.kind),
          passed,
          event,
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
