/** Counts in SQL how many entities and projects each workspace has. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { countedMax } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { cutProjects, WorkspaceUse } from "../workspaces/WorkspaceUse.ts"

interface Row {
  readonly id: string
  readonly entity_count: number
  readonly project_ids: ReadonlyArray<string>
}

export const layer = Layer.effect(
  WorkspaceUse,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    of: Effect.fnUntraced(function* (spaceIds, projectsMax) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<Row>(
        sql,
        reach,
        reach.bounds("workspace", "read"),
        () => sql`
            SELECT asked.id,
              (SELECT count(*)::integer FROM (
                SELECT 1 FROM entities entity
                WHERE entity.space_id = asked.id AND entity.archived_at IS NULL
                -- This order makes the planner use the index. Otherwise it reads the whole table for a space with few rows.
                ORDER BY entity.updated_at DESC, entity.id DESC
                LIMIT ${countedMax}) counted) AS entity_count,
              -- The recursion steps through an index, with one step for each project that has entities of the space, in the
              -- order of the project ids. With a join, the planner could read all entities once for each project. The steps end
              -- when the limit is reached, so nothing here may sort them.
              ARRAY(
                (SELECT project.id
                FROM projects project
                WHERE project.space_id = asked.id AND project.space_id = ANY (authority.spaces)
                  AND project.archived_at IS NULL
                ORDER BY project.id
                LIMIT ${projectsMax + 1})
                UNION
                (WITH RECURSIVE step AS (
                  SELECT (
                    SELECT filed.project_id FROM entity_projects filed
                    WHERE filed.space_id = asked.id
                    ORDER BY filed.project_id LIMIT 1) AS project_id
                  UNION ALL
                  SELECT (
                    SELECT filed.project_id FROM entity_projects filed
                    WHERE filed.space_id = asked.id AND filed.project_id > step.project_id
                    ORDER BY filed.project_id LIMIT 1)
                  FROM step
                  WHERE step.project_id IS NOT NULL)
                SELECT used.id
                FROM step
                CROSS JOIN LATERAL (
                  SELECT project.id
                  FROM projects project
                  WHERE project.id = step.project_id
                    AND project.space_id = ANY (authority.spaces)
                    AND project.archived_at IS NULL
                    AND (
                      SELECT true FROM entity_projects filed
                      WHERE filed.space_id = asked.id AND filed.project_id = step.project_id AND (
                        SELECT entity.archived_at IS NULL FROM entities entity
                        WHERE entity.id = filed.entity_id AND entity.space_id = filed.space_id)
                      LIMIT 1)
                  ORDER BY project.id
                  LIMIT 1) used
                LIMIT ${projectsMax + 1})
                ORDER BY 1
                LIMIT ${projectsMax + 1}) AS project_ids
            FROM unnest(authority.spaces) AS asked(id)
            WHERE asked.id = ANY (${[...spaceIds]}::uuid[])`
      )
      return new Map(
        rows.map(({ entity_count, id, project_ids }) => [
          id,
          { entityCount: entity_count, ...cutProjects(project_ids, projectsMax) }
        ])
      )
    })
  }))
)
