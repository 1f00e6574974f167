/** Counts entities by space and kind in SQL. Each count stops at `countedMax`. */
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { countedMax } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { listingBounds } from "./EntityBounds.ts"
import type { EntityStore } from "./EntityStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

interface Row {
  /** The id of the space. */
  readonly id: string
  readonly kind: string
  readonly count: number
}

export const countByKind =
  (sql: SqlClient.SqlClient): (typeof EntityStore)["Service"]["countByKind"] =>
  ({ projectId, spaces }) =>
    Effect.gen(function* () {
      const reach = yield* Reach
      const bounds = listingBounds(reach, spaces)
      const isNarrow = bounds.objects !== null || bounds.projects !== null
      const rows = yield* authorizedRead<Row>(sql, reach, bounds, ({ within }) => {
        // Counts at most `countedMax` entities of the project.
        if (projectId !== undefined) {
          return sql`
            SELECT one.space_id AS id, one.profile_slug AS kind, count(*)::integer AS count
            FROM (
              SELECT entity.space_id, entity.profile_slug
              FROM entity_projects filed
              JOIN entities entity ON entity.id = filed.entity_id AND entity.space_id = filed.space_id
              WHERE filed.project_id = ${projectId}::uuid AND ${within("entity")} AND entity.archived_at IS NULL
              ORDER BY filed.entity_id
              LIMIT ${countedMax}) one
            GROUP BY one.space_id, one.profile_slug
            ORDER BY one.space_id, one.profile_slug COLLATE "C"`
        }
        // Reads the first `countedMax` pairs of a project and an entity, for the projects to which the caller is limited.
        // The loop reads the projects in the order of their ids and ends at the limit, so nothing here may sort the pairs.
        // For a caller with limits, row-level security checks each row. So counting all entities of a large project
        // would take seconds.
        if (bounds.projects !== null) {
          return sql`
            SELECT one.space_id AS id, one.profile_slug AS kind, count(*)::integer AS count
            FROM (
              SELECT DISTINCT first.id, first.space_id, first.profile_slug
              FROM (
                SELECT filing.id, filing.space_id, filing.profile_slug
                FROM unnest(${arrayLiteral(bounds.projects.toSorted())}::uuid[]) AS project(id)
                CROSS JOIN LATERAL (
                  SELECT entity.id, entity.space_id, entity.profile_slug
                  FROM entity_projects filed
                  JOIN entities entity ON entity.id = filed.entity_id AND entity.space_id = filed.space_id
                  WHERE filed.project_id = project.id AND ${within("entity")} AND entity.archived_at IS NULL
                  ORDER BY filed.entity_id
                  LIMIT ${countedMax}) filing
                LIMIT ${countedMax}) first) one
            GROUP BY one.space_id, one.profile_slug
            ORDER BY one.space_id, one.profile_slug COLLATE "C"`
        }
        // If the caller is limited to certain objects, there are few rows, so the statement counts all of them.
        if (isNarrow) {
          return sql`
            SELECT entity.space_id AS id, entity.profile_slug AS kind, least(count(*), ${countedMax})::integer AS count
            FROM entities entity
            WHERE ${within("entity")} AND entity.archived_at IS NULL
            GROUP BY entity.space_id, entity.profile_slug
            ORDER BY entity.space_id, entity.profile_slug COLLATE "C"`
        }
        // If the caller is not limited to certain kinds, the statement finds the kinds of a space through an index,
        // with one step for each kind. So it does not read all rows of a space with a million entities.
        const kinds =
          bounds.kinds === null
            ? sql`
              WITH RECURSIVE step AS (
                SELECT space.id AS space_id, (
                  SELECT min(entity.profile_slug) FROM entities entity
                  WHERE entity.space_id = space.id AND ${within("entity", "space.id")} AND entity.archived_at IS NULL
                ) AS kind
                FROM unnest(authority.spaces) AS space(id)
                UNION ALL
                SELECT step.space_id, (
                  SELECT min(entity.profile_slug) FROM entities entity
                  WHERE entity.space_id = step.space_id AND ${within("entity", "step.space_id")}
                    AND entity.archived_at IS NULL AND entity.profile_slug > step.kind)
                FROM step
                WHERE step.kind IS NOT NULL)
              SELECT step.space_id, step.kind FROM step WHERE step.kind IS NOT NULL`
            : sql`
              SELECT space.id AS space_id, named.kind
              FROM unnest(authority.spaces) AS space(id), unnest(${arrayLiteral(bounds.kinds)}::text[]) AS named(kind)`
        return sql`
          SELECT of.space_id AS id, of.kind, counted.count
          FROM (${kinds}) of
          CROSS JOIN LATERAL (
            SELECT count(*)::integer AS count
            FROM (
              SELECT 1
              FROM entities entity
              WHERE entity.space_id = of.space_id AND ${within("entity", "of.space_id")} AND entity.archived_at IS NULL
                AND entity.profile_slug = of.kind
              -- This order makes the planner use the index. Otherwise it reads the whole table for a kind with few rows.
              ORDER BY entity.updated_at DESC, entity.id DESC
              LIMIT ${countedMax}) one) counted
          WHERE counted.count > 0
          ORDER BY of.space_id, of.kind COLLATE "C"`
      })
      return rows.map(({ count, id, kind }) => ({ spaceId: id, kind, count }))
    })
