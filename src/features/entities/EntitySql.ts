/** Entities in SQL: each request one statement that carries its own authority. */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governed, withinReach } from "../../doors/Authority.ts"
import { wholePage } from "../../doors/Page.ts"
import { type Bounds, Reach } from "../../doors/Reach.ts"
import { actorOf, appended, writing } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { EntityChanged, EntityNotFound, ProfileUnknown } from "./Entity.ts"
import { pageByOrder } from "../records/Records.ts"
import { columnsOf, type EntityRow, fromRow } from "./EntityRow.ts"
import { filedIn, narrowing } from "./NarrowingSql.ts"
import { sameNameKey, type Signal, signalsOf } from "./identity/ResolveIdentity.ts"
import { addingBounds, EntityStore, latestFirst, narrowed } from "./EntityStore.ts"

const hitsMost = 10_000 // hits of a search that are looked through when something else narrows it; ids and ranks only

export const layer = Layer.effect(
  EntityStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const entityColumns = sql.literal(columnsOf("entity"))
    const changedColumns = sql.literal(columnsOf("changed"))

    const one = (id: string, bounds: Bounds, further = sql.literal("")) =>
      Effect.flatMap(Reach, (reach) =>
        governed<EntityRow & { readonly project_ids: ReadonlyArray<string> }>(
          sql,
          reach,
          bounds,
          (authority) => sql`
            WITH ${authority}
            SELECT found.*
            FROM authority LEFT JOIN LATERAL (
              SELECT ${entityColumns}${further}
              FROM entities entity
              WHERE entity.id = ${id}::uuid
                AND ${withinReach(sql, bounds, "entity")}
                AND entity.archived_at IS NULL) found ON true`
        )
      )

    /** The newest rows of one space (and kind): an index walk that stops at the limit, merged over spaces afterwards. */
    const page = (bounds: Bounds, kinds: ReadonlyArray<string> | null, most: number, further: Statement.Fragment) =>
      kinds === null
        ? sql`
            unnest(authority.spaces::uuid[]) AS within(space_id)
            CROSS JOIN LATERAL (
              SELECT ${entityColumns}
              FROM entities entity
              WHERE entity.space_id = within.space_id
                AND ${withinReach(sql, bounds, "entity", "within.space_id")}
                AND entity.archived_at IS NULL
                ${further}
              ORDER BY entity.updated_at DESC, entity.id DESC
              LIMIT ${most}) entity`
        : sql`
            unnest(authority.spaces::uuid[]) AS within(space_id)
            CROSS JOIN unnest(${`{${kinds.join(",")}}`}::text[]) AS of(kind)
            CROSS JOIN LATERAL (
              SELECT ${entityColumns}
              FROM entities entity
              WHERE entity.space_id = within.space_id
                AND entity.profile_slug = of.kind
                AND ${withinReach(sql, bounds, "entity", "within.space_id")}
                AND entity.archived_at IS NULL
                ${further}
              ORDER BY entity.updated_at DESC, entity.id DESC
              LIMIT ${most}) entity`

    const signalRows = (signals: ReadonlyArray<Signal>) =>
      sql`unnest(${signals.map(({ name }) => name)}::text[], ${signals.map(({ value }) => value)}::text[])
        AS said(name, value)`

    /** By what the changed entity is told to be the same as another: a part of a statement, after `changed`. */
    const said = (signals: ReadonlyArray<Signal>) => sql`
      signalled AS (
        INSERT INTO entity_signals (space_id, entity_id, name, value)
        SELECT changed.space_id, changed.id, said.name, said.value FROM changed, ${signalRows(signals)}
        ON CONFLICT DO NOTHING),`
    const resaid = (signals: ReadonlyArray<Signal>) => sql`
      unsaid AS (
        DELETE FROM entity_signals signal USING changed
        WHERE signal.entity_id = changed.id AND signal.space_id = changed.space_id
          AND NOT EXISTS (
            SELECT 1 FROM ${signalRows(signals)} WHERE said.name = signal.name AND said.value = signal.value)),
      ${said(signals)}`

    /** Locks the row, writes it when it is at the expected version, and appends the event. */
    const rewritten = (
      id: string,
      bounds: Bounds,
      expectedVersion: number | null,
      isArchived: boolean,
      assignments: Statement.Fragment,
      beside: Statement.Fragment,
      event: EventDraft,
      passed: Passed
    ) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const archived = sql.literal(isArchived ? "entity.archived_at IS NOT NULL" : "entity.archived_at IS NULL")
        const [row] = yield* writing<EntityRow & { readonly is_changed: boolean; readonly found_version: number }>(
          sql,
          reach,
          bounds,
          passed,
          (authority) => sql`
            WITH ${authority},
            found AS (
              SELECT entity.id, entity.space_id, entity.version
              FROM entities entity, authority
              WHERE entity.id = ${id}::uuid
                AND ${withinReach(sql, bounds, "entity")}
                AND ${archived}
              FOR UPDATE OF entity),
            changed AS (
              UPDATE entities entity
              SET ${assignments}, version = entity.version + 1, updated_at = now()
              FROM found
              WHERE entity.id = found.id AND entity.space_id = found.space_id
                AND (${expectedVersion}::integer IS NULL OR found.version = ${expectedVersion}::integer)
              RETURNING entity.*),
            ${beside}
            ${appended(sql, reach, passed, event)}
            SELECT ${changedColumns}, found.id AS id, found.version AS found_version,
              changed.id IS NOT NULL AS is_changed
            FROM authority LEFT JOIN found ON true LEFT JOIN changed ON true LEFT JOIN logged ON true`
        )
        if (row?.is_changed) return fromRow(row)
        return yield* row === undefined ? new EntityNotFound({ id }) : new EntityChanged({ version: row.found_version })
      }).pipe(Effect.catchTag("SqlError", Effect.die))

    return {
      list: (filter, spaces) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = narrowed(reach, spaces)
          const { filed, playing } = narrowing(sql, reach, filter)
          const kinds =
            filter.kind === undefined
              ? bounds.kinds
              : bounds.kinds === null || bounds.kinds.includes(filter.kind)
                ? [filter.kind]
                : []
          const past =
            filter.cursor === undefined
              ? sql.literal("")
              : sql`AND (entity.updated_at, entity.id) < (${filter.cursor.at}::timestamptz, ${filter.cursor.id}::uuid)`
          const most = filter.limit + filter.offset + 1
          // The search knows spaces and one kind; whatever else narrows is applied to its hits, so it must not stop early.
          const axes = [filter.projectId ?? filter.facet ?? null, bounds.kinds, bounds.objects, bounds.projects]
          const isNarrowed = axes.some((axis) => axis !== null)
          const hits = isNarrowed ? hitsMost : most
          const rows = yield* governed<EntityRow>(sql, reach, bounds, (authority) =>
            filter.search === undefined
              ? sql`
                  WITH ${authority}
                  SELECT listed.*
                  FROM authority LEFT JOIN LATERAL (
                    SELECT entity.*
                    FROM ${page(bounds, kinds, most, sql`${filed} ${playing} ${past}`)}
                    ORDER BY entity.updated_at DESC, entity.id DESC
                    LIMIT ${filter.limit + 1} OFFSET ${filter.offset}) listed ON true`
              : sql`
                  WITH ${authority}
                  SELECT listed.*
                  FROM authority LEFT JOIN LATERAL (
                    SELECT ${entityColumns}
                    FROM search_entities(${filter.search}, ${filter.kind ?? null}, ${hits}) hit
                    JOIN entities entity ON entity.id = hit.id AND entity.space_id = hit.space_id
                    WHERE ${withinReach(sql, bounds, "entity")}
                      ${filed} ${playing}
                    ORDER BY hit.rank DESC, entity.updated_at DESC, entity.id DESC
                    LIMIT ${filter.limit} OFFSET ${filter.offset}) listed ON true`
          )
          const found = rows.map(fromRow)
          return filter.search === undefined ? pageByOrder(latestFirst, found, filter.limit) : wholePage(found)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      get: (id) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const [row] = yield* one(id, reach.bounds("entity", "read"))
          return row === undefined ? yield* new EntityNotFound({ id }) : fromRow(row)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      tally: Effect.gen(function* () {
        const reach = yield* Reach
        const bounds = narrowed(reach, null)
        const rows = yield* governed<{ readonly id: string; readonly kind: string; readonly count: number }>(
          sql,
          reach,
          bounds,
          (authority) => sql`
            WITH ${authority}
            SELECT counted.*
            FROM authority LEFT JOIN LATERAL (
              SELECT entity.space_id AS id, entity.profile_slug AS kind, count(*)::integer AS count
              FROM entities entity
              WHERE ${withinReach(sql, bounds, "entity")} AND entity.archived_at IS NULL
              GROUP BY entity.space_id, entity.profile_slug
              ORDER BY entity.space_id, entity.profile_slug) counted ON true`
        )
        return rows.map(({ count, id, kind }) => ({ spaceId: id, kind, count }))
      }).pipe(Effect.catchTag("SqlError", Effect.die)),

      place: (id, action) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const [touched] = yield* one(id, reach.bounds("entity", action), filedIn(sql))
          const [row] = touched === undefined ? yield* one(id, reach.bounds("entity", "read"), filedIn(sql)) : [touched]
          if (row === undefined) return yield* new EntityNotFound({ id })
          return { entity: fromRow(row), spaceId: row.space_id, projectIds: row.project_ids }
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      add: (made, event, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = addingBounds(reach, made.kind)
          const signals = signalsOf(made.properties)
          const stamp = made.schemaStamp ?? null
          const filed =
            made.projectId === undefined
              ? sql.literal("")
              : sql`filed AS (
                  INSERT INTO entity_projects (space_id, entity_id, project_id)
                  SELECT changed.space_id, changed.id, ${made.projectId}::uuid FROM changed),`
          const [row] = yield* writing<EntityRow>(
            sql,
            reach,
            bounds,
            passed,
            (authority) => sql`
              WITH ${authority},
              changed AS (
                INSERT INTO entities (id, space_id, profile_slug, title, title_key, preview, description, properties,
                  document_id, user_id, actor_id)
                SELECT ${made.id}::uuid, ${made.spaceId}::uuid, profile.slug, ${made.title},
                  ${sameNameKey(made.title)}, ${made.preview}, ${made.description}, ${JSON.stringify(made.properties)}::jsonb,
                  ${made.documentId ?? null}::uuid, ${reach.principal.personId}::uuid,
                  ${actorOf(reach)}::uuid
                FROM authority
                JOIN profiles profile ON profile.slug = ${made.kind}
                  AND profile.profile_kind = 'kind' AND profile.archived_at IS NULL
                  AND profile.space_id IN ('00000000-0000-0000-0000-000000000000', ${made.spaceId}::uuid)
                WHERE ${made.spaceId}::uuid = ANY (authority.spaces::uuid[])
                  AND (${stamp}::integer IS NULL OR schema_stamp(${made.spaceId}::uuid) = ${stamp}::integer)
                LIMIT 1
                RETURNING *),
              ${filed}
              ${signals.length === 0 ? sql.literal("") : said(signals)}
              ${appended(sql, reach, passed, event)}
              SELECT ${changedColumns}
              FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
          )
          return row === undefined ? yield* new ProfileUnknown({ slug: made.kind }) : fromRow(row)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      change: (id, change, event, passed) =>
        Effect.gen(function* () {
          const { bounds } = yield* Reach
          const assigned = (name: string, value: string | null | undefined) =>
            value === undefined ? sql`${sql(name)} = entity.${sql(name)}` : sql`${sql(name)} = ${value}`
          const { deleteProperties = [], properties = {}, signals, title, version = null } = change
          const assignments = sql`${assigned("title", title)},
            ${assigned("title_key", title === undefined ? undefined : sameNameKey(title))},
            ${assigned("description", change.description)},
            ${assigned("preview", change.preview)},
            properties = (entity.properties || ${JSON.stringify(properties)}::jsonb) - ${[...deleteProperties]}::text[]`
          const beside = signals === undefined ? sql.literal("") : resaid(signals)
          return yield* rewritten(id, bounds("entity", "update"), version, false, assignments, beside, event, passed)
        }),

      remove: (id, expectedVersion, event, passed) =>
        Effect.flatMap(Reach, ({ bounds }) => {
          const archived = sql`archived_at = now()`
          return rewritten(
            id,
            bounds("entity", "delete"),
            expectedVersion,
            false,
            archived,
            sql.literal(""),
            event,
            passed
          )
        }),

      restore: (id, event, passed) =>
        Effect.flatMap(Reach, ({ bounds }) =>
          rewritten(id, bounds("entity", "update"), null, true, sql`archived_at = NULL`, sql.literal(""), event, passed)
        ).pipe(Effect.catchTag("EntityChanged", Effect.die))
    }
  })
)
