/**
 * Implements `PostCountStore` in SQL. The times come from the clock of the database, because all nodes share this
 * clock.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedWriteWithoutEvent, ownRows } from "../../doors/Authority.ts"
import { inSpaces, Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { PostCountStore } from "./PostCountStore.ts"
import { limits, type ReachedLimit } from "./ProactivePost.ts"

export const layer = Layer.effect(
  PostCountStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    take: Effect.fnUntraced(function* (workspaceId) {
      const reach = yield* Reach
      const { personId } = reach.principal
      const own = ownRows(sql)
      const [row] = yield* authorizedWriteWithoutEvent<{ readonly id: string; readonly limit: ReachedLimit | null }>(
        sql,
        reach,
        inSpaces(reach.bounds("channel", "read"), [personId]),
        // The statement reads the clock itself. The start time of the transaction would be too early, because the
        // transaction possibly waited for the lock after its start.
        () => ({
          before: [
            sql`
              counted AS (
                SELECT count(*) FILTER (WHERE post.posted_at > clock_timestamp() - interval '1 hour') AS in_hour,
                  count(*) FILTER (WHERE post.posted_at > clock_timestamp() - interval '24 hours') AS in_day
                FROM authority
                JOIN proactive_posts post ON ${own("post")}
                WHERE post.workspace_id = ${workspaceId}::uuid)`,
            sql`
              judged AS (
                SELECT CASE WHEN counted.in_day >= ${limits.day} THEN 'day' WHEN counted.in_hour >= ${limits.hour} THEN 'hour' END AS reached
                FROM counted)`,
            sql`
              forgotten AS (
                DELETE FROM proactive_posts post USING authority
                WHERE ${own("post")}
                  AND post.posted_at <= clock_timestamp() - interval '24 hours')`
          ],
          changed: sql`
            INSERT INTO proactive_posts (id, space_id, person_id, workspace_id, posted_at)
            SELECT ${uuidv7()}::uuid, ${personId}::uuid, authority.person::uuid, ${workspaceId}::uuid, clock_timestamp()
            FROM authority, judged
            WHERE judged.reached IS NULL AND ${personId}::uuid = ANY (authority.spaces)
            RETURNING id`,
          columns: sql`
            authority.person AS id,
            CASE WHEN changed.id IS NULL THEN coalesce(judged.reached, 'hour') END AS "limit"`,
          joins: sql.literal("LEFT JOIN judged ON true LEFT JOIN changed ON true")
        })
      )
      return row?.limit ?? null
    })
  }))
)
