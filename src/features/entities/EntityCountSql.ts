/** The numbers of entities by space and kind in SQL, each up to `countedMost`. */
import type { SqlClient, Statement } from "@effect/sql"
import type { Within } from "../../doors/Authority.ts"
import { countedMost } from "../../doors/Page.ts"
import type { Bounds } from "../../doors/Reach.ts"

export interface CountRow {
  /** The space. */
  readonly id: string
  readonly kind: string
  readonly count: number
}

/**
 * Selects rows of the form `CountRow`, by space and kind. The kinds of a space are found by steps through an index, one for each
 * kind, so a space with a million entities is not read. Limits to objects and projects select few rows, which are read.
 */
export const countsByKind = (sql: SqlClient.SqlClient, bounds: Bounds, within: Within): Statement.Fragment => {
  if (bounds.objects !== null || bounds.projects !== null) {
    return sql`
      SELECT entity.space_id AS id, entity.profile_slug AS kind, least(count(*), ${countedMost})::integer AS count
      FROM entities entity
      WHERE ${within("entity")} AND entity.archived_at IS NULL
      GROUP BY entity.space_id, entity.profile_slug
      ORDER BY entity.space_id, entity.profile_slug`
  }
  const kinds =
    bounds.kinds === null
      ? sql`(
          WITH RECURSIVE step AS (
            SELECT within.space_id, (
              SELECT min(entity.profile_slug) FROM entities entity
              WHERE entity.space_id = within.space_id AND entity.archived_at IS NULL) AS kind
            FROM unnest(authority.spaces) AS within(space_id)
            UNION ALL
            SELECT step.space_id, (
              SELECT min(entity.profile_slug) FROM entities entity
              WHERE entity.space_id = step.space_id AND entity.archived_at IS NULL AND entity.profile_slug > step.kind)
            FROM step
            WHERE step.kind IS NOT NULL)
          SELECT step.space_id, step.kind FROM step WHERE step.kind IS NOT NULL)`
      : sql`(
          SELECT within.space_id, named.kind
          FROM unnest(authority.spaces) AS within(space_id), unnest(${`{${bounds.kinds.join(",")}}`}::text[]) AS named(kind))`
  return sql`
    SELECT of.space_id AS id, of.kind, counted.count
    FROM ${kinds} AS of
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS count
      FROM (
        SELECT 1
        FROM entities entity
        WHERE entity.space_id = of.space_id AND entity.profile_slug = of.kind
          AND ${within("entity", "of.space_id")} AND entity.archived_at IS NULL
        LIMIT ${countedMost}) one) counted
    WHERE counted.count > 0
    ORDER BY of.space_id, of.kind`
}
