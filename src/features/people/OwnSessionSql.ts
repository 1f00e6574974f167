/** The SQL store of the sign-in sessions of the caller's person. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { endOtherSessionsParts } from "./EndedSessionsSql.ts"
import { otherSessionsEndedEvent, sessionEndedEvent, sessionsShown } from "./OwnSession.ts"
import { OwnSessionStore } from "./OwnSessionStore.ts"

interface SessionRow {
  readonly id: string
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

export const layer = Layer.effect(
  OwnSessionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      list: Effect.gen(function* () {
        const reach = yield* Reach
        const rows = yield* authorizedRead<SessionRow>(
          sql,
          reach,
          emptyBounds,
          () => sql`
            SELECT session.id, session.ip_address, session.user_agent, session.created_at, session.expires_at
            FROM auth_sessions session
            WHERE session.user_id = authority.person AND session.expires_at > clock_timestamp()
            ORDER BY session.created_at DESC, session.id DESC
            LIMIT ${sessionsShown}`
        )
        return rows.map((row) => ({
          id: row.id,
          address: row.ip_address === "" ? null : row.ip_address,
          userAgent: row.user_agent === "" ? null : row.user_agent,
          createdAt: DateTime.unsafeFromDate(row.created_at),
          expiresAt: DateTime.unsafeFromDate(row.expires_at),
          isCurrent: row.id === reach.principal.credential.id
        }))
      }),

      end: Effect.fnUntraced(function* (id, passed) {
        const reach = yield* Reach
        const [row] = yield* authorizedWrite<{ readonly id: string | null }>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: [reach.principal.personId] }, passed, event: sessionEndedEvent(id) },
          () => ({
            changed: sql`
                DELETE FROM auth_sessions session USING authority
                WHERE session.id = ${id} AND session.user_id = authority.person
                RETURNING session.id, session.user_id::uuid AS space_id`
          })
        )
        return row !== undefined && row.id !== null
      }),

      endOthers: Effect.fnUntraced(function* (reason, passed) {
        const reach = yield* Reach
        const { credential, personId } = reach.principal
        const [row] = yield* authorizedWrite<{ readonly id: string; readonly ended: ReadonlyArray<string> }>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: [personId] }, passed, event: otherSessionsEndedEvent(personId, reason) },
          () => ({
            changed: sql`
                SELECT authority.person AS id, authority.person::uuid AS space_id FROM authority`,
            ...endOtherSessionsParts(sql, credential.id)
          })
        )
        return row?.ended ?? []
      })
    }
  })
)
