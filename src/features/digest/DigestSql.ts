/** The counts of digests in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governedRead } from "../../doors/Authority.ts"
import { countedMost } from "../../doors/Page.ts"
import { inSpaces, Reach } from "../../doors/Reach.ts"
import { type CountRow, countsByKind } from "../entities/EntityCountSql.ts"
import { DigestStore } from "./DigestStore.ts"

export const layer = Layer.effect(
  DigestStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    counts: (scope) =>
      Effect.gen(function* () {
        const reach = yield* Reach
        const readable = reach.bounds("entity", "read")
        const bounds = scope.kind === "workspace" ? inSpaces(readable, [scope.spaceId]) : readable
        const rows = yield* governedRead<CountRow>(sql, reach, bounds, ({ within }) =>
          scope.kind === "workspace"
            ? countsByKind(sql, bounds, within)
            : sql`
                SELECT one.space_id AS id, one.profile_slug AS kind, count(*)::integer AS count
                FROM (
                  SELECT entity.space_id, entity.profile_slug
                  FROM entity_projects filed
                  JOIN entities entity ON entity.id = filed.entity_id AND entity.space_id = filed.space_id
                  WHERE filed.project_id = ${scope.projectId}::uuid
                    AND ${within("entity")}
                    AND entity.archived_at IS NULL
                  LIMIT ${countedMost}) one
                GROUP BY one.space_id, one.profile_slug`
        )
        return rows.map(({ count, id, kind }) => ({ spaceId: id, kind, total: count }))
      })
  }))
)
