/** Calendar feeds in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { governedRead } from "../../doors/Authority.ts"
import { keyIdOf } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { governedWrite } from "../events/AppendEvent.ts"
import { calendarEvent, CalendarStore } from "./CalendarStore.ts"

export const layer = Layer.effect(
  CalendarStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const bounded = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("calendar", "read") }))
    return {
      createdAt: Effect.gen(function* () {
        const { bounds, reach } = yield* bounded
        const [row] = yield* governedRead<{ readonly id: string; readonly created_at: Date }>(
          sql,
          reach,
          bounds,
          () =>
            sql`SELECT feed.person_id AS id, feed.created_at FROM calendar_feeds feed WHERE feed.person_id = authority.person::uuid AND feed.space_id = ANY (authority.spaces)`
        )
        return row === undefined ? null : DateTime.unsafeFromDate(row.created_at)
      }),
      put: Effect.fnUntraced(function* (hash, passed) {
        const { bounds, reach } = yield* bounded
        const event = calendarEvent("create", reach.principal.personId)
        yield* governedWrite(sql, reach, bounds, passed, event, () => ({
          changed: sql`
              INSERT INTO calendar_feeds (person_id, space_id, token_hash, key_id)
              SELECT authority.person::uuid, authority.person::uuid, ${hash}::bytea, ${keyIdOf(reach.principal)}::uuid
              FROM authority
              WHERE authority.person::uuid = ANY (authority.spaces)
              ON CONFLICT (person_id, space_id) DO UPDATE
                SET token_hash = excluded.token_hash, key_id = excluded.key_id, created_at = now()
              RETURNING person_id AS id, space_id`
        }))
      }),
      remove: Effect.fnUntraced(function* (passed) {
        const { bounds, reach } = yield* bounded
        const event = calendarEvent("delete", reach.principal.personId)
        const rows = yield* governedWrite(sql, reach, bounds, passed, event, () => ({
          changed: sql`
              DELETE FROM calendar_feeds feed USING authority
              WHERE feed.person_id = authority.person::uuid AND feed.space_id = ANY (authority.spaces)
              RETURNING feed.person_id AS id, feed.space_id`
        }))
        return rows.length > 0
      }),
      ordererOf: (hash) =>
        Effect.map(
          Effect.orDie(
            sql<{ readonly person_id: string; readonly key_id: string | null }>`
              SELECT made.person_id, made.key_id FROM calendar_feed_orderer(${hash}::bytea) made`
          ),
          ([row]) => (row === undefined ? null : { personId: row.person_id, keyId: row.key_id })
        )
    }
  })
)
