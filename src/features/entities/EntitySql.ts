/** Entities in SQL: each request one statement that carries its own authority. */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { governed, withinReach } from "../../doors/Authority.ts"
import { type Bounds, Reach } from "../../doors/Reach.ts"
import { actorOf, appended } from "../events/AppendEvent.ts"
import { type Entity, EntityChanged, EntityNotFound, ProfileUnknown } from "./Entity.ts"
import { addingBounds, EntityStore, narrowed } from "./EntityStore.ts"

interface EntityRow {
  readonly id: string
  readonly space_id: string
  readonly profile_slug: string
  readonly title: string
  readonly preview: string | null
  readonly description: string | null
  readonly properties: Record<string, unknown>
  readonly system_data: Record<string, unknown>
  readonly user_id: string
  readonly document_id: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fromRow = (row: EntityRow): Entity => ({
  id: row.id,
  profileSlug: row.profile_slug,
  type: row.profile_slug,
  title: row.title,
  preview: row.preview,
  description: row.description,
  properties: row.properties,
  systemData: row.system_data,
  userId: row.user_id,
  workspaceId: row.space_id === row.user_id ? null : row.space_id,
  documentId: row.document_id,
  version: row.version,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

const hitsMost = 10_000 // hits of a search that are looked through when something else narrows it; ids and ranks only

const columnNames = [
  "id",
  "space_id",
  "profile_slug",
  "title",
  "preview",
  "description",
  "properties",
  "system_data",
  "user_id",
  "document_id",
  "version",
  "created_at",
  "updated_at"
]
const columnsOf = (alias: string) => columnNames.map((name) => `${alias}.${name}`).join(", ")

export const layer = Layer.effect(
  EntityStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const entityColumns = sql.literal(columnsOf("entity"))
    const changedColumns = sql.literal(columnsOf("changed"))

    const one = (id: string, bounds: Bounds) =>
      Effect.flatMap(Reach, (reach) =>
        governed<EntityRow & { readonly project_ids: ReadonlyArray<string> }>(
          sql,
          reach,
          bounds,
          (authority) => sql`
            WITH ${authority}
            SELECT found.*
            FROM authority LEFT JOIN LATERAL (
              SELECT ${entityColumns}
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

    return {
      list: (filter, spaces) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = narrowed(reach, spaces)
          const filed =
            filter.projectId === undefined
              ? sql.literal("")
              : sql`AND EXISTS (
                  SELECT 1 FROM entity_projects filed
                  WHERE filed.entity_id = entity.id
                    AND filed.space_id = entity.space_id
                    AND filed.project_id = ${filter.projectId}::uuid)`
          const kinds =
            filter.kind === undefined
              ? bounds.kinds
              : bounds.kinds === null || bounds.kinds.includes(filter.kind)
                ? [filter.kind]
                : []
          const most = filter.limit + filter.offset
          // The search knows spaces and one kind; whatever else narrows is applied to its hits, so it must not stop early.
          const isNarrowed = [filter.projectId ?? null, bounds.kinds, bounds.objects, bounds.projects].some(
            (axis) => axis !== null
          )
          const hits = isNarrowed ? hitsMost : most
          const rows = yield* governed<EntityRow>(sql, reach, bounds, (authority) =>
            filter.search === undefined
              ? sql`
                  WITH ${authority}
                  SELECT listed.*
                  FROM authority LEFT JOIN LATERAL (
                    SELECT entity.*
                    FROM ${page(bounds, kinds, most, filed)}
                    ORDER BY entity.updated_at DESC, entity.id DESC
                    LIMIT ${filter.limit} OFFSET ${filter.offset}) listed ON true`
              : sql`
                  WITH ${authority}
                  SELECT listed.*
                  FROM authority LEFT JOIN LATERAL (
                    SELECT ${entityColumns}
                    FROM search_entities(${filter.search}, ${filter.kind ?? null}, ${hits}) hit
                    JOIN entities entity ON entity.id = hit.id AND entity.space_id = hit.space_id
                    WHERE ${withinReach(sql, bounds, "entity")}
                      ${filed}
                    ORDER BY hit.rank DESC, entity.updated_at DESC, entity.id DESC
                    LIMIT ${filter.limit} OFFSET ${filter.offset}) listed ON true`
          )
          return rows.map(fromRow)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      get: (id) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const [row] = yield* one(id, reach.bounds("entity", "read"))
          return row === undefined ? yield* new EntityNotFound({ id }) : fromRow(row)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      place: (id, action) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const [touched] = yield* one(id, reach.bounds("entity", action))
          const [row] = touched === undefined ? yield* one(id, reach.bounds("entity", "read")) : [touched]
          if (row === undefined) return yield* new EntityNotFound({ id })
          // A project limit is part of the bounds: a row found through the action's own bounds is inside it.
          const projectIds = touched === undefined ? [] : (reach.bounds("entity", action).projects ?? [])
          return { entity: fromRow(row), spaceId: row.space_id, projectIds }
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      add: (made, event) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = addingBounds(reach, made.kind)
          const filed =
            made.projectId === undefined
              ? sql.literal("")
              : sql`filed AS (
                  INSERT INTO entity_projects (space_id, entity_id, project_id)
                  SELECT changed.space_id, changed.id, ${made.projectId}::uuid FROM changed),`
          const [row] = yield* governed<EntityRow>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority},
              changed AS (
                INSERT INTO entities (id, space_id, profile_slug, title, preview, description, properties, user_id,
                  actor_id)
                SELECT ${made.id}::uuid, ${made.spaceId}::uuid, profile.slug, ${made.title}, ${made.preview},
                  ${made.description}, ${JSON.stringify(made.properties)}::jsonb, ${reach.principal.personId}::uuid,
                  ${actorOf(reach)}::uuid
                FROM authority
                JOIN profiles profile ON profile.slug = ${made.kind}
                  AND profile.space_id IN ('00000000-0000-0000-0000-000000000000', ${made.spaceId}::uuid)
                WHERE ${made.spaceId}::uuid = ANY (authority.spaces::uuid[])
                LIMIT 1
                RETURNING *),
              ${filed}
              ${appended(sql, reach, event)}
              SELECT ${changedColumns}
              FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
          )
          return row === undefined ? yield* new ProfileUnknown({ slug: made.kind }) : fromRow(row)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      change: (id, change, event) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = reach.bounds("entity", "update")
          const assigned = (name: string, value: string | null | undefined) =>
            value === undefined ? sql`${sql(name)} = entity.${sql(name)}` : sql`${sql(name)} = ${value}`
          const [row] = yield* governed<EntityRow & { readonly is_changed: boolean; readonly found_version: number }>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority},
              found AS (
                SELECT entity.id, entity.space_id, entity.version
                FROM entities entity, authority
                WHERE entity.id = ${id}::uuid
                  AND ${withinReach(sql, bounds, "entity")}
                  AND entity.archived_at IS NULL
                FOR UPDATE OF entity),
              changed AS (
                UPDATE entities entity
                SET ${assigned("title", change.title)},
                  ${assigned("description", change.description)},
                  ${assigned("preview", change.preview)},
                  properties = (entity.properties || ${JSON.stringify(change.properties ?? {})}::jsonb)
                    - ${[...(change.deleteProperties ?? [])]}::text[],
                  version = entity.version + 1,
                  updated_at = now()
                FROM found
                WHERE entity.id = found.id AND entity.space_id = found.space_id
                  AND (${change.version ?? null}::integer IS NULL OR found.version = ${change.version ?? null}::integer)
                RETURNING entity.*),
              ${appended(sql, reach, event)}
              SELECT ${changedColumns}, found.id AS id, found.version AS found_version,
                changed.id IS NOT NULL AS is_changed
              FROM authority LEFT JOIN found ON true LEFT JOIN changed ON true LEFT JOIN logged ON true`
          )
          if (row === undefined) return yield* new EntityNotFound({ id })
          return row.is_changed ? fromRow(row) : yield* new EntityChanged({ version: row.found_version })
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      remove: (id, expectedVersion, event) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = reach.bounds("entity", "delete")
          const [row] = yield* governed<{
            readonly id: string
            readonly is_changed: boolean
            readonly found_version: number
          }>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority},
              found AS (
                SELECT entity.id, entity.space_id, entity.version
                FROM entities entity, authority
                WHERE entity.id = ${id}::uuid
                  AND ${withinReach(sql, bounds, "entity")}
                  AND entity.archived_at IS NULL
                FOR UPDATE OF entity),
              changed AS (
                UPDATE entities entity
                SET archived_at = now(), updated_at = now(), version = entity.version + 1
                FROM found
                WHERE entity.id = found.id AND entity.space_id = found.space_id
                  AND (${expectedVersion}::integer IS NULL OR found.version = ${expectedVersion}::integer)
                RETURNING entity.id, entity.space_id),
              ${appended(sql, reach, event)}
              SELECT found.id, found.version AS found_version, changed.id IS NOT NULL AS is_changed
              FROM authority LEFT JOIN found ON true LEFT JOIN changed ON true LEFT JOIN logged ON true`
          )
          if (row === undefined) return yield* new EntityNotFound({ id })
          if (!row.is_changed) return yield* new EntityChanged({ version: row.found_version })
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      restore: (id, event) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = reach.bounds("entity", "update")
          const [row] = yield* governed<EntityRow>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority},
              changed AS (
                UPDATE entities entity
                SET archived_at = NULL, updated_at = now(), version = entity.version + 1
                FROM authority
                WHERE entity.id = ${id}::uuid
                  AND ${withinReach(sql, bounds, "entity")}
                  AND entity.archived_at IS NOT NULL
                RETURNING entity.*),
              ${appended(sql, reach, event)}
              SELECT ${changedColumns} FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
          )
          return row === undefined ? yield* new EntityNotFound({ id }) : fromRow(row)
        }).pipe(Effect.catchTag("SqlError", Effect.die))
    }
  })
)
