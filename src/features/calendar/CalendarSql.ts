/** The SQL store of calendar feeds. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead, ownRows } from "../../doors/Authority.ts"
import { keyIdOf } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { byteaArray } from "../../platform/ArrayLiteral.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { calendarEvent, CalendarStore } from "./CalendarStore.ts"

export const layer = Layer.effect(
  CalendarStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const bounded = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("calendar", "read") }))
    const own = ownRows(sql)
    return {
      createdAt: Effect.gen(function* () {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedRead<{ readonly id: string; readonly created_at: Date }>(
          sql,
          reach,
          bounds,
          () => sql`SELECT feed.person_id AS id, feed.created_at FROM calendar_feeds feed WHERE ${own("feed")}`
        )
        return row === undefined ? null : DateTime.unsafeFromDate(row.created_at)
      }),
      put: Effect.fnUntraced(function* ({ hash, secretMark }, passed) {
        const { bounds, reach } = yield* bounded
        const event = calendarEvent("create", reach.principal.personId)
        yield* authorizedWrite(sql, reach, { bounds, passed, event }, () => ({
          changed: sql`
              INSERT INTO calendar_feeds (person_id, space_id, token_hash, key_id, secret_mark)
              SELECT authority.person::uuid, authority.person::uuid, ${hash}::bytea, ${keyIdOf(reach.principal)}::uuid, ${secretMark}
              FROM authority
              WHERE authority.person::uuid = ANY (authority.spaces)
              ON CONFLICT (person_id, space_id) DO UPDATE
                SET token_hash = excluded.token_hash, key_id = excluded.key_id, created_at = now(),
                  secret_mark = excluded.secret_mark
              RETURNING person_id AS id, space_id`
        }))
      }),
      remove: Effect.fnUntraced(function* (passed) {
        const { bounds, reach } = yield* bounded
        const event = calendarEvent("delete", reach.principal.personId)
        const rows = yield* authorizedWrite(sql, reach, { bounds, passed, event }, () => ({
          changed: sql`
              DELETE FROM calendar_feeds feed USING authority
              WHERE ${own("feed")}
              RETURNING feed.person_id AS id, feed.space_id`
        }))
        return rows.length > 0
      }),
      ordererOf: (hashes) =>
        Effect.map(
          dieOnSqlError(
            sql<{ readonly person_id: string; readonly key_id: string | null; readonly hash: Uint8Array }>`
              SELECT made.person_id, made.key_id, possible.hash
              FROM unnest(${byteaArray(hashes)}::bytea[]) AS possible(hash), calendar_feed_orderer(possible.hash) made`
          ),
          ([row]) =>
            row === undefined ? null : { personId: row.person_id, keyId: row.key_id, hash: Buffer.from(row.hash) }
        ),
      rehash: (former, { hash, secretMark }) =>
        Effect.asVoid(dieOnSqlError(sql`SELECT rehash_calendar_feed(${former}::bytea, ${hash}::bytea, ${secretMark})`)),
      countOtherMark: (secretMark) =>
        Effect.map(
          dieOnSqlError(sql<{ readonly count: number }>`SELECT calendar_feeds_without_mark(${secretMark}) AS count`),
          ([row]) => row?.count ?? 0
        )
    }
  })
)
