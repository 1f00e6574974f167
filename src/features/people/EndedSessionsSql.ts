/** The parts of an SQL statement that end the other sessions of a person. */
import type { SqlClient } from "@effect/sql"

/**
 * Ends all sessions of the person whose id is in `changed.id`, except the session with which the caller acts. The row
 * that the statement returns has the ids of the ended sessions in the column `ended`.
 */
export const endOtherSessionsParts = (sql: SqlClient.SqlClient, sessionId: string) => ({
  after: [
    sql`ended AS (
        DELETE FROM auth_sessions session USING changed
        WHERE session.user_id = changed.id AND session.id <> ${sessionId}
        RETURNING session.id)`,
    sql`counted AS (SELECT coalesce(array_agg(ended.id), '{}') AS ids FROM ended)`
  ],
  columns: sql.literal("changed.id, counted.ids AS ended"),
  joins: sql.literal("LEFT JOIN changed ON true LEFT JOIN counted ON true")
})
