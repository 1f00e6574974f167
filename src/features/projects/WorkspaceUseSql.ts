/** The numbers of entities and projects in workspaces, in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governedRead } from "../../doors/Authority.ts"
import { countedMost } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { WorkspaceUse } from "../workspaces/WorkspaceUse.ts"

interface Row {
  readonly id: string
  readonly entity_count: number
  readonly project_ids: ReadonlyArray<string>
}

export const layer = Layer.effect(
  WorkspaceUse,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    of: (spaceIds) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const rows = yield* governedRead<Row>(
          sql,
          reach,
          reach.bounds("workspace", "read"),
          () => sql`
            SELECT asked.id,
              (SELECT count(*)::integer FROM (
                SELECT 1 FROM entities entity
                WHERE entity.space_id = asked.id AND entity.archived_at IS NULL
                -- The order of the index: without it the planner reads the table for a space with few rows.
                ORDER BY entity.updated_at DESC, entity.id DESC
                LIMIT ${countedMost}) counted) AS entity_count,
              ARRAY(
                SELECT project.id
                FROM projects project
                WHERE project.space_id = ANY (authority.spaces)
                  AND project.archived_at IS NULL
                  AND (project.space_id = asked.id OR EXISTS (
                    SELECT 1
                    FROM entity_projects filed
                    JOIN entities entity ON entity.id = filed.entity_id AND entity.archived_at IS NULL
                    WHERE filed.project_id = project.id AND filed.space_id = asked.id))
                ORDER BY project.id) AS project_ids
            FROM unnest(authority.spaces) AS asked(id)
            WHERE asked.id = ANY (${[...spaceIds]}::uuid[])`
        )
        return new Map(
          rows.map(({ entity_count, id, project_ids }) => [
            id,
            { entityCount: entity_count, usedByProjectIds: project_ids }
          ])
        )
      })
  }))
)
