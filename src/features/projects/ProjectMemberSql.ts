/** Implements `ProjectMemberStore` in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { edgeBounds } from "./EdgeBounds.ts"
import { type ProjectMember, ProjectMemberStore } from "./ProjectMemberStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

interface Row {
  readonly id: string
  readonly space_id: string
  readonly entity_id: string
  readonly project_id: string
  readonly user_id: string
  readonly created_at: Date
}

const fromRow = (row: Row): ProjectMember => ({
  id: row.id,
  spaceId: row.space_id,
  entityId: row.entity_id,
  projectId: row.project_id,
  userId: row.user_id,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

export const layer = Layer.effect(
  ProjectMemberStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    file: Effect.fnUntraced(function* (filing, event, passed) {
      const reach = yield* Reach
      const bounds = edgeBounds(reach, "create")
      const [row] = yield* authorizedWrite<Row>(sql, reach, { bounds, passed, event }, ({ within }) => ({
        changed: sql`
            INSERT INTO entity_projects (space_id, entity_id, project_id, id, user_id)
            SELECT entity.space_id, entity.id, ${filing.projectId}::uuid, ${filing.id}::uuid,
              ${reach.principal.personId}::uuid
            FROM entities entity, authority
            WHERE entity.id = ${filing.entityId}::uuid
              AND ${within("entity")}
              AND entity.archived_at IS NULL
            ON CONFLICT DO NOTHING
            RETURNING *`
      }))
      return row === undefined ? null : fromRow(row)
    }),

    unfile: Effect.fnUntraced(function* ({ entityId, projectId }, event, passed) {
      const reach = yield* Reach
      const bounds = edgeBounds(reach, "delete")
      const [row] = yield* authorizedWrite<Row>(sql, reach, { bounds, passed, event }, ({ within }) => ({
        changed: sql`
            DELETE FROM entity_projects filed
            USING entities entity, authority
            WHERE filed.entity_id = ${entityId}::uuid
              AND filed.project_id = ${projectId}::uuid
              AND entity.id = filed.entity_id
              AND entity.space_id = filed.space_id
              AND ${within("entity")}
              AND entity.archived_at IS NULL
            RETURNING filed.id, filed.space_id, filed.entity_id, filed.project_id,
              coalesce(filed.user_id, entity.user_id) AS user_id, filed.created_at`
      }))
      return row === undefined ? null : fromRow(row)
    }),

    find: Effect.fnUntraced(function* (entityIds, projectId, action) {
      const reach = yield* Reach
      const bounds = edgeBounds(reach, action)
      const rows = yield* authorizedRead<Row>(
        sql,
        reach,
        bounds,
        ({ within }) => sql`
            SELECT filed.id, filed.space_id, filed.entity_id, filed.project_id,
              coalesce(filed.user_id, entity.user_id) AS user_id, filed.created_at
            FROM entity_projects filed
            JOIN entities entity ON entity.id = filed.entity_id AND entity.space_id = filed.space_id
            WHERE filed.entity_id = ANY (${arrayLiteral(entityIds)}::uuid[])
              AND filed.project_id = ${projectId}::uuid
              AND ${within("entity")}
              AND entity.archived_at IS NULL`
      )
      return rows.map(fromRow)
    })
  }))
)
