/** The counts of digests in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governedRead } from "../../doors/Authority.ts"
import { inSpaces, Reach } from "../../doors/Reach.ts"
import { DigestStore } from "./DigestStore.ts"

interface Row {
  readonly id: string
  readonly kind: string
  readonly total: number
}

export const layer = Layer.effect(
  DigestStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    counts: (scope) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const readable = reach.bounds("entity", "read")
        const bounds = scope.kind === "workspace" ? inSpaces(readable, [scope.spaceId]) : readable
        const filed =
          scope.kind === "workspace"
            ? sql.literal("")
            : sql`AND EXISTS (
                SELECT 1 FROM entity_projects filed
                WHERE filed.entity_id = entity.id
                  AND filed.space_id = entity.space_id
                  AND filed.project_id = ${scope.projectId}::uuid)`
        const rows = yield* governedRead<Row>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
            SELECT entity.space_id AS id, entity.profile_slug AS kind, count(*)::integer AS total
            FROM entities entity
            WHERE ${within("entity")}
              AND entity.archived_at IS NULL
              ${filed}
            GROUP BY entity.space_id, entity.profile_slug`
        )
        return rows.map(({ id, kind, total }) => ({ spaceId: id, kind, total }))
      })
  }))
)
