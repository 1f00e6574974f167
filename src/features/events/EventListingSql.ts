/** The conditions of a listing of events that every listing has, in SQL. */
import type { SqlClient } from "@effect/sql"
import { DateTime } from "effect"
import { lowestIdAt } from "../../platform/Ids.ts"

const clockDifferenceMs = 24 * 3600 * 1000 // the id of an event is made by the clock of a pod, and its time by that of the database

/**
 * The SQL conditions of a listing by actor, by focus session and by end of time. The condition on the id follows from that on the time; it
 * lets the index skip the later events.
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
    // The planner uses the index of the events of agents only if the statement says that the actor is no person.
    ...(actorId === undefined || actorId === personId ? [] : [sql`AND event.actor_id <> event.user_id`]),
    ...(sessionId === undefined ? [] : [sql`AND event.session_id = ${sessionId}::uuid`]),
    ...(time === undefined
      ? []
      : [
          sql`AND event.at < ${new Date(time.getTime() + 1)}::timestamptz`,
          sql`AND event.id < ${lowestIdAt(Math.max(0, time.getTime() + clockDifferenceMs))}::uuid`
        ])
  ]
}
