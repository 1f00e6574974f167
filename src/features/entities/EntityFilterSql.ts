/** The SQL conditions that filter lists of entities by project and by facet. Each condition begins with AND. */
import type { SqlClient, Statement } from "@effect/sql"
import type { ReachShape } from "../../doors/Reach.ts"
import type { EntityFilter } from "./Entity.ts"

export const entityFilterSql = (
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
export const projectIdsColumn = (sql: SqlClient.SqlClient): Statement.Fragment => sql`, (
  SELECT coalesce(array_agg(filed.project_id::text), '{}') FROM entity_projects filed
  WHERE filed.entity_id = entity.id AND filed.space_id = entity.space_id) AS project_ids`
