/** The parts of the statements that list entities: the newest rows of spaces or of a project, and the filters. */
import type { SqlClient, Statement } from "@effect/sql"
import type { Within } from "../../doors/Authority.ts"
import type { ReachShape } from "../../doors/Reach.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import type { EntityFilter } from "./Entity.ts"
import { columnsOf } from "./EntityRow.ts"

// If a project has fewer entities than this, the statement that lists them reads the table `entity_projects`.
const filingsFew = 1_000

/** Makes the conditions that filter a list by project and by facet. Each condition begins with AND. */
export const filterConditions = (
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

  return { page, pageOfProject }
}
