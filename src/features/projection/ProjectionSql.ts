/** Implements `ProjectionStore` in SQL, as one statement under row-level security. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { type PublicProjection, titleField } from "../workspaces/WorkspaceSettings.ts"
import { type ProjectedEntity, type ProjectionQuery, publicOfRoleMax } from "./Projection.ts"
import { ProjectionStore } from "./ProjectionStore.ts"

interface Row {
  readonly id: string
  readonly config: PublicProjection
  readonly entities: ReadonlyArray<ProjectedEntity> | null
}

export const layer = Layer.effect(
  ProjectionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /**
     * Reads the public entities. The public roles and fields come from `draft` if it is given, and otherwise from the
     * stored configuration.
     */
    const found = Effect.fnUntraced(function* (draft: PublicProjection | null, query: ProjectionQuery) {
      const { limit, workspace } = query
      const [q, role] = [query.q ?? null, query.role ?? null]
      const storedConfig = sql.literal("space.settings -> 'publicProjection'")
      const config = draft === null ? storedConfig : sql`${JSON.stringify(draft)}::jsonb`
      const reach = yield* Reach
      const spaces = reach.bounds("workspace", "read").spaces.filter((id) => id === workspace)
      const [row] = yield* authorizedRead<Row>(
        sql,
        reach,
        { ...emptyBounds, spaces },
        () => sql`
              WITH published AS (
                SELECT space.id, ${config} AS config
                FROM authority JOIN spaces space ON space.id = ANY (authority.spaces)
                WHERE space.kind = 'workspace'
                  AND space.archived_at IS NULL
                  AND ${config} -> 'enabled' = 'true'::jsonb),
              requested AS (
                SELECT published.id,
                  ARRAY(SELECT jsonb_array_elements_text(published.config -> 'fields')) AS fields,
                  CASE WHEN published.config -> 'roles' @> to_jsonb(${role}::text) THEN ARRAY[${role}::text]
                    ELSE ARRAY(SELECT jsonb_array_elements_text(published.config -> 'roles')) END AS roles
                FROM published),
              -- Each role is read through an index up to a limit. With one condition for kinds and roles together, the
              -- database would read every entity of the space.
              listed AS (
                SELECT entity.id
                FROM authority
                JOIN requested ON true
                CROSS JOIN unnest(requested.roles) AS role (slug)
                CROSS JOIN LATERAL (
                  SELECT entity.id FROM entities entity
                  WHERE entity.space_id = requested.id AND entity.space_id = ANY (authority.spaces)
                    AND entity.profile_slug = role.slug
                    AND entity.archived_at IS NULL
                  ORDER BY entity.updated_at DESC, entity.id DESC
                  LIMIT ${publicOfRoleMax}) entity
                UNION
                SELECT facet.entity_id
                FROM authority
                JOIN requested ON true
                CROSS JOIN unnest(requested.roles) AS role (slug)
                CROSS JOIN LATERAL (
                  SELECT facet.entity_id FROM entity_facets facet
                  WHERE facet.space_id = requested.id AND facet.space_id = ANY (authority.spaces)
                    AND facet.slug = role.slug
                    AND facet.archived_at IS NULL
                  ORDER BY facet.updated_at DESC, facet.id DESC
                  LIMIT ${publicOfRoleMax}) facet),
              found AS (
                SELECT entity.id, entity.title, entity.properties, entity.updated_at, entity.profile_slug
                FROM authority
                JOIN requested ON true
                CROSS JOIN listed
                -- The limit makes the planner read each listed entity by its id. Otherwise it can read the whole table.
                CROSS JOIN LATERAL (
                  SELECT entity.id, entity.title, entity.properties, entity.updated_at, entity.profile_slug
                  FROM entities entity
                  WHERE entity.id = listed.id
                    AND entity.space_id = requested.id AND entity.space_id = ANY (authority.spaces)
                    AND entity.archived_at IS NULL
                  ORDER BY entity.id
                  LIMIT 1) entity
                WHERE (${q}::text IS NULL OR EXISTS (
                    SELECT 1 FROM unnest(requested.fields) AS field (name)
                    WHERE strpos(lower(CASE
                      WHEN field.name = ${titleField} THEN entity.title
                      WHEN jsonb_typeof(entity.properties -> field.name) IN ('string', 'number', 'boolean')
                        THEN entity.properties ->> field.name END), lower(${q}::text)) > 0))
                ORDER BY entity.updated_at DESC, entity.id DESC
                LIMIT ${limit})
              SELECT published.id, published.config,
                (SELECT jsonb_agg(jsonb_build_object('id', found.id, 'title', found.title,
                    'roles', ARRAY[found.profile_slug] || ARRAY(
                      SELECT facet.slug FROM entity_facets facet
                      WHERE facet.entity_id = found.id
                        AND facet.space_id = published.id
                        AND facet.archived_at IS NULL
                      ORDER BY facet.slug COLLATE "C"),
                    'properties', found.properties)
                  ORDER BY found.updated_at DESC, found.id DESC) FROM found) AS entities
              FROM published`
      )
      return row === undefined ? null : { config: row.config, entities: row.entities ?? [] }
    })
    return { read: (query) => found(null, query), preview: found }
  })
)
