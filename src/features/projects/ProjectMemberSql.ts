/** What is filed in projects, in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { governed, withinReach } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { appended, writing } from "../events/AppendEvent.ts"
import { edgeBounds } from "./EdgeBounds.ts"
import { type ProjectMember, ProjectMemberStore } from "./ProjectMemberStore.ts"

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
    file: (made, event, passed) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const bounds = edgeBounds(reach, "create")
        const [row] = yield* writing<Row>(
          sql,
          reach,
          bounds,
          passed,
          (authority) => sql`
            WITH ${authority},
            changed AS (
              INSERT INTO entity_projects (space_id, entity_id, project_id, id, user_id)
              SELECT entity.space_id, entity.id, ${made.projectId}::uuid, ${made.id}::uuid,
                ${reach.principal.personId}::uuid
              FROM entities entity, authority
              WHERE entity.id = ${made.entityId}::uuid
                AND ${withinReach(sql, bounds, "entity")}
                AND entity.archived_at IS NULL
              ON CONFLICT DO NOTHING
              RETURNING *),
            ${appended(sql, reach, passed, event)}
            SELECT changed.* FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
        )
        return row === undefined ? null : fromRow(row)
      }).pipe(Effect.catchTag("SqlError", Effect.die)),

    unfile: ({ entityId, projectId }, event, passed) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const bounds = edgeBounds(reach, "delete")
        const [row] = yield* writing<Row>(
          sql,
          reach,
          bounds,
          passed,
          (authority) => sql`
            WITH ${authority},
            changed AS (
              DELETE FROM entity_projects filed
              USING entities entity, authority
              WHERE filed.entity_id = ${entityId}::uuid
                AND filed.project_id = ${projectId}::uuid
                AND entity.id = filed.entity_id
                AND entity.space_id = filed.space_id
                AND ${withinReach(sql, bounds, "entity")}
                AND entity.archived_at IS NULL
              RETURNING filed.id, filed.space_id, filed.entity_id, filed.project_id,
                coalesce(filed.user_id, entity.user_id) AS user_id, filed.created_at),
            ${appended(sql, reach, passed, event)}
            SELECT changed.* FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
        )
        return row === undefined ? null : fromRow(row)
      }).pipe(Effect.catchTag("SqlError", Effect.die)),

    find: (entityIds, projectId, action) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const bounds = edgeBounds(reach, action)
        const rows = yield* governed<Row>(
          sql,
          reach,
          bounds,
          (authority) => sql`
            WITH ${authority}
            SELECT found.*
            FROM authority LEFT JOIN LATERAL (
              SELECT filed.id, filed.space_id, filed.entity_id, filed.project_id,
                coalesce(filed.user_id, entity.user_id) AS user_id, filed.created_at
              FROM entity_projects filed
              JOIN entities entity ON entity.id = filed.entity_id AND entity.space_id = filed.space_id
              WHERE filed.entity_id = ANY (${`{${entityIds.join(",")}}`}::uuid[])
                AND filed.project_id = ${projectId}::uuid
                AND ${withinReach(sql, bounds, "entity")}
                AND entity.archived_at IS NULL) found ON true`
        )
        return rows.map(fromRow)
      }).pipe(Effect.catchTag("SqlError", Effect.die))
  }))
)
