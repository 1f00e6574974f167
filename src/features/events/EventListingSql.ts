/** The SQL conditions that all lists of events share. */
import type { SqlClient } from "@effect/sql"
import { DateTime } from "effect"
import { idAfter } from "../../platform/Ids.ts"

/**
 * Makes the SQL conditions for three filters of a list: the actor, the focus session and the latest time. The latest
 * time also gives a limit for the ids, so that the index skips later events.
 */
export const listedConditions = (
  sql: SqlClient.SqlClient,
  personId: string,
  {
    actorId,
    sessionId,
    until
  }: {
    readonly actorId?: string | undefined
    readonly sessionId?: string | undefined
    readonly until?: DateTime.Utc | undefined
  }
) => {
  const time = until === undefined ? undefined : DateTime.toDateUtc(until)
  return [
    ...(actorId === undefined ? [] : [sql`AND event.actor_id = ${actorId}::uuid`]),
    // The planner uses the index of agents' events only if the statement says that the actor is not the person.
    ...(actorId === undefined || actorId === personId ? [] : [sql`AND event.actor_id <> event.user_id`]),
    ...(sessionId === undefined ? [] : [sql`AND event.session_id = ${sessionId}::uuid`]),
    ...(time === undefined
      ? []
      : [
          sql`AND event.at < ${new Date(time.getTime() + 1)}::timestamptz`,
          sql`AND event.id < ${idAfter(time.getTime())}::uuid`
        ])
  ]
}
