/** How a person's sessions end: in memory, and as parts of an SQL statement. */
import type { SqlClient } from "@effect/sql"
import type { WritableRows } from "../../platform/MemoryDatabase.ts"
import { sessionTable } from "../../platform/SignInMemory.ts"

/**
 * Ends all sessions of the person whose id is in `changed.id`, except the session with which the caller acts. The row of
 * the statement gets the ids of the ended sessions as `ended`.
 */
export const endingOtherSessions = (sql: SqlClient.SqlClient, sessionId: string) => ({
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

/** Ends all sessions of a person and returns their ids. If `keptId` is given, the session with this id stays open. */
export const endSessions = (rows: WritableRows, personId: string, keptId: string | null): ReadonlyArray<string> => {
  const ended = rows.all(sessionTable).filter(({ sessionId, userId }) => userId === personId && sessionId !== keptId)
  for (const { token } of ended) rows.remove(sessionTable, token)
  return ended.map(({ sessionId }) => sessionId)
}
