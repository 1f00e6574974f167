/** The parts of the statements that list entities: the newest rows of spaces or of a project, and the filters. */
import type { SqlClient, Statement } from "@effect/sql"
import type { Within } from "../../doors/Authority.ts"
import type { ReachShape } from "../../doors/Reach.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import type { EntityFilter } from "./Entity.ts"
import { columnsOf } from "./EntityRow.ts"

// If fewer entities than this match a filter, the statement that lists them reads the rows of the filter.
const matchesFew = 1_000

/** A filter of a list of entities. */
interface Filter {
  /** The condition on `entity`, which begins with AND. */
  readonly condition: Statement.Fragment
  /**
   * A table of `entity_id` and `space_id` of the entities that match, up to `matchesFew` in each space. The order of the
   * rows is the order of an index. Without an order, the planner could read the whole table for a few rows.
   */
  readonly matches: Statement.Fragment
}

/** Makes the filters of a list by project and by facet. A filter that the list does not have is undefined. */
export const filtersOf = (
  sql: SqlClient.SqlClient,
  { bounds }: ReachShape,
  { facet, projectId }: Pick<EntityFilter, "facet" | "projectId">
) => {
  const readable = bounds("facet", "read")
  // The limits of a grant cannot name facets, and facets belong to no project. So a caller whose grant is limited to
  // objects or projects reads no facets.
  const spaces = readable.objects === null && readable.projects === null ? readable.spaces : []
  const inProject = (id: string): Filter => ({
    condition: sql`AND EXISTS (
      SELECT 1 FROM entity_projects filed
      WHERE filed.entity_id = entity.id AND filed.space_id = entity.space_id AND filed.project_id = ${id}::uuid)`,
    matches: sql`(
      SELECT filed.entity_id, filed.space_id FROM entity_projects filed
      WHERE filed.project_id = ${id}::uuid AND filed.space_id = ANY (authority.spaces)
      ORDER BY filed.entity_id, filed.space_id
      LIMIT ${matchesFew})`
  })
  const withFacet = (slug: string): Filter => {
    const isReadable = sql`facet.space_id = ANY (${arrayLiteral(spaces)}::uuid[])
        AND facet.slug = ${slug} AND facet.archived_at IS NULL`
    return {
      condition: sql`AND EXISTS (
        SELECT 1 FROM entity_facets facet
        WHERE facet.entity_id = entity.id AND facet.space_id = entity.space_id AND ${isReadable})`,
      matches: sql`(
        SELECT facet.* FROM unnest(authority.spaces::uuid[]) AS facets_of(space_id)
        CROSS JOIN LATERAL (
          SELECT facet.entity_id, facet.space_id FROM entity_facets facet
          WHERE facet.space_id = facets_of.space_id AND ${isReadable}
          ORDER BY facet.updated_at DESC, facet.id DESC
          LIMIT ${matchesFew}) facet)`
    }
  }
  return {
    inProject: projectId === undefined ? undefined : inProject(projectId),
    withFacet: facet === undefined ? undefined : withFacet(facet)
  }
}

/** Makes the functions that select the newest entities. */
export const entityPages = (sql: SqlClient.SqlClient) => {
  const entityColumns = sql.literal(columnsOf("entity"))

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
   * Selects the newest entities that match a filter. If few entities match, the statement reads the matches, because the
   * newest rows of a large space possibly contain none of them. Otherwise it reads the newest rows of the space.
   * `further` has the conditions of the other filters.
   */
  const pageOfMatches = (
    within: Within,
    { condition, matches }: Filter,
    kinds: ReadonlyArray<string> | null,
    limit: number,
    further: Statement.Fragment
  ) => {
    const doManyMatch = sql`(SELECT count(*) >= ${matchesFew} FROM ${matches} one)`
    const ofKind =
      kinds === null ? sql.literal("") : sql`AND entity.profile_slug = ANY (${arrayLiteral(kinds)}::text[])`
    return sql`(
      (SELECT entity.* FROM ${page(within, kinds, limit, sql`AND ${doManyMatch} ${condition} ${further}`)})
      UNION ALL
      (SELECT entity.*
      FROM ${matches} match
      -- With LIMIT 1, the planner reads each match first, and then its entity.
      CROSS JOIN LATERAL (
        SELECT ${entityColumns}
        FROM entities entity
        WHERE entity.id = match.entity_id AND entity.space_id = match.space_id
          AND ${within("entity")}
          AND entity.archived_at IS NULL
          ${ofKind} ${further}
        ORDER BY entity.id
        LIMIT 1) entity
      WHERE NOT ${doManyMatch}
      ORDER BY entity.updated_at DESC, entity.id DESC
      LIMIT ${limit})) entity`
  }

  return { page, pageOfMatches }
}
