/** Implements `KeyStore` in SQL. */
import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { byCreation, pageOfSorted, type PagePlace } from "../../doors/PageOrder.ts"
import { pageSql } from "../../doors/PageSql.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { type Bounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { arrayLiteral, byteaArray } from "../../platform/ArrayLiteral.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { dateOrNull } from "../../platform/RowTimes.ts"
import { KeyNotFound, KeyUnknown } from "./Key.ts"
import { keyCreatedEvent, keyRenamedEvent, keyRevokedEvent, keyRotatedEvent } from "./KeyEvents.ts"
import { columnNames, fromRow, type KeyRow } from "./KeyRow.ts"
import { requireActive, KeyStore, type NewKey, rotatedReason } from "./KeyStore.ts"

/**
 * Returns the limit for a statement that writes to the person's own space. The log of this space has the events of the
 * person's keys.
 */
const ownSpace = (reach: ReachShape): Bounds => ({
  spaces: [reach.principal.personId],
  kinds: null,
  objects: null,
  projects: null
})

export const layer = Layer.effect(
  KeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnNames.join(", "))
    const own = sql.literal(columnNames.map((name) => `own.${name}`).join(", "))

    const inserted = ({ key, hash, secretMark }: NewKey, reach: ReachShape) => sql`
      INSERT INTO api_keys (id, user_id, person_id, key_hash, key_prefix, last_four, key_name, key_type, hub_id, scopes,
        grant_bounds, workspace_id, tool_profile, rotated_from_id, role_id, role_snapshot, expires_at, created_by, secret_mark)
      SELECT ${key.id}::uuid, ${key.holderId}::uuid, ${key.personId}::uuid, ${hash}, ${key.keyPrefix}, ${key.lastFour},
        ${key.keyName}, ${key.keyType}, ${key.hubId}, ${[...key.scopes]}::text[],
        ${key.grant === null ? null : JSON.stringify(key.grant)}::jsonb, ${key.workspaceId}::uuid, ${key.toolProfile}::text,
        ${key.rotatedFromId}::uuid, ${key.role?.id ?? null}::uuid,
        ${key.role === null ? null : JSON.stringify(key.role)}::jsonb, ${dateOrNull(key.expiresAt)}::timestamptz, ${reach.principal.holder.id}::uuid,
        ${secretMark}`

    const keysWhere = Effect.fnUntraced(function* (condition: Statement.Fragment) {
      const reach = yield* Reach
      const rows = yield* authorizedRead<KeyRow>(
        sql,
        reach,
        ownSpace(reach),
        () => sql`
              SELECT ${columns}
              FROM api_keys
              WHERE ${condition} AND person_id = authority.person::uuid
              ORDER BY created_at, id`
      )
      return rows.map(fromRow)
    })

    const pageWhere = Effect.fnUntraced(function* (condition: Statement.Fragment, place: PagePlace) {
      const reach = yield* Reach
      const { behind, ordered } = pageSql(sql, byCreation, { time: "created_at", id: "id" }, place)
      const rows = yield* authorizedRead<KeyRow>(
        sql,
        reach,
        ownSpace(reach),
        () => sql`
              SELECT ${columns}
              FROM api_keys
              WHERE ${condition} ${behind}
              ${ordered}`
      )
      return pageOfSorted(byCreation, rows.map(fromRow), place)
    })

    const one = (keyId: string) =>
      Effect.flatMap(keysWhere(sql`id = ${keyId}::uuid`), ([key]) =>
        key === undefined ? new KeyNotFound({ keyId }) : Effect.succeed(key)
      )

    return {
      successorOf: Effect.fnUntraced(function* (keyId) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<KeyRow>(
          sql,
          reach,
          ownSpace(reach),
          () => sql`
              WITH RECURSIVE line AS (
                SELECT api_keys.id FROM api_keys WHERE api_keys.id = ${keyId}::uuid
                UNION
                SELECT next.id FROM line JOIN api_keys next ON next.rotated_from_id = line.id)
              SELECT ${columns}
              FROM api_keys
              WHERE id IN (SELECT line.id FROM line)
                AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
              ORDER BY created_at, id
              LIMIT 1
              FOR SHARE`
        )
        return row === undefined ? yield* new KeyNotFound({ keyId }) : fromRow(row)
      }),
      ownLine: Effect.gen(function* () {
        const reach = yield* Reach
        const { credential } = reach.principal
        const ownId = credential.kind === "key" ? credential.id : null
        const line = () => sql`
              WITH RECURSIVE line AS (
                SELECT api_keys.id, api_keys.rotated_from_id FROM api_keys WHERE api_keys.id = ${ownId}::uuid
                UNION
                SELECT former.id, former.rotated_from_id FROM line JOIN api_keys former ON former.id = line.rotated_from_id)
              SELECT line.id FROM line`
        const found = yield* authorizedRead<{ readonly id: string }>(sql, reach, ownSpace(reach), line)
        return found.map(({ id }) => id)
      }),
      add: Effect.fnUntraced(function* (newKey, passed) {
        const reach = yield* Reach
        const event = keyCreatedEvent(newKey.key)
        const [row] = yield* authorizedWrite<KeyRow>(sql, reach, { bounds: ownSpace(reach), passed, event }, () => ({
          changed: sql`
              ${inserted(newKey, reach)}
              FROM authority
              RETURNING *, person_id AS space_id`
        }))
        return row === undefined ? yield* Effect.dieMessage("the key was not stored") : fromRow(row)
      }),

      verify: Effect.fnUntraced(function* (hash) {
        const [row] = yield* sql<KeyRow>`SELECT ${columns} FROM api_keys WHERE key_hash = ${hash}`
        return row === undefined ? yield* new KeyUnknown() : yield* requireActive(fromRow(row), yield* DateTime.now)
      }, dieOnSqlError),

      verifyAmong: Effect.fnUntraced(function* (hashes) {
        const [row] = yield* sql<KeyRow & { readonly key_hash: Uint8Array }>`
            SELECT ${columns}, key_hash FROM api_keys WHERE key_hash = ANY (${byteaArray(hashes)}::bytea[])`
        if (row === undefined) return yield* new KeyUnknown()
        return { key: yield* requireActive(fromRow(row), yield* DateTime.now), hash: Buffer.from(row.key_hash) }
      }, dieOnSqlError),

      rehash: (keyId, former, { hash, secretMark }) =>
        sql`
          UPDATE api_keys SET key_hash = ${hash}, secret_mark = ${secretMark}
          WHERE id = ${keyId}::uuid AND key_hash = ${former}`.pipe(Effect.asVoid, dieOnSqlError),

      countOtherMark: (secretMark) =>
        sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count
          FROM api_keys
          WHERE secret_mark IS DISTINCT FROM ${secretMark}
            AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`.pipe(
          Effect.map(([row]) => row?.count ?? 0),
          dieOnSqlError
        ),

      list: (place) => pageWhere(sql`person_id = authority.person::uuid`, place),

      countActive: Effect.gen(function* () {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string; readonly count: number }>(
          sql,
          reach,
          ownSpace(reach),
          () => sql`
            SELECT user_id AS id, count(*)::integer AS count
            FROM api_keys
            WHERE person_id = authority.person::uuid
              AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
            GROUP BY user_id`
        )
        return rows.map(({ count, id }) => ({ holderId: id, count }))
      }),

      listSystem: (place) => pageWhere(sql`key_type IN ('service', 'system')`, place),

      get: one,

      listByIds: (keyIds) => keysWhere(sql`id = ANY (${arrayLiteral(keyIds)}::uuid[])`),

      ofHolder: (holderId) =>
        keysWhere(
          sql`user_id = ${holderId}::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`
        ),

      ownKey: Effect.gen(function* () {
        const reach = yield* Reach
        const keyId = reach.principal.credential.id
        const [row] = yield* authorizedRead<
          KeyRow & { readonly person_name: string; readonly person_email: string | null }
        >(
          sql,
          reach,
          ownSpace(reach),
          () => sql`
            SELECT ${own}, person.name AS person_name, person.email AS person_email
            FROM api_keys own
            JOIN users person ON person.id = own.person_id
            WHERE own.id = ${keyId}::uuid`
        )
        return row === undefined
          ? yield* new KeyNotFound({ keyId })
          : { key: fromRow(row), personName: row.person_name, personEmail: row.person_email }
      }),

      rename: Effect.fnUntraced(function* (keyId, keyName, passed) {
        const reach = yield* Reach
        const event = keyRenamedEvent(keyId, keyName)
        const [row] = yield* authorizedWrite<KeyRow>(sql, reach, { bounds: ownSpace(reach), passed, event }, () => ({
          changed: sql`
              UPDATE api_keys
              SET key_name = ${keyName}
              FROM authority
              WHERE id = ${keyId}::uuid AND person_id = authority.person::uuid
              RETURNING api_keys.*, api_keys.person_id AS space_id`
        }))
        return row === undefined ? yield* new KeyNotFound({ keyId }) : fromRow(row)
      }),

      revoke: Effect.fnUntraced(function* (keyId, reason, passed) {
        const reach = yield* Reach
        const event = keyRevokedEvent(keyId, reason)
        const [row] = yield* authorizedWrite<KeyRow>(sql, reach, { bounds: ownSpace(reach), passed, event }, () => ({
          changed: sql`
              UPDATE api_keys
              SET revoked_at = clock_timestamp(), revoked_by = ${reach.principal.holder.id}::uuid,
                revoked_reason = ${reason}
              FROM authority
              WHERE id = ${keyId}::uuid AND person_id = authority.person::uuid AND revoked_at IS NULL
              RETURNING api_keys.*, api_keys.person_id AS space_id`
        }))
        // If the statement changed no row, there are two possible reasons. If the key was already revoked, the call
        // returns the stored key. If the key does not belong to the caller, the call fails.
        return row === undefined ? yield* one(keyId) : fromRow(row)
      }),

      replace: Effect.fnUntraced(function* (oldId, newKey, oldDiesAt, passed) {
        const reach = yield* Reach
        const ends =
          oldDiesAt === null
            ? sql`rotated_at = clock_timestamp(), revoked_at = clock_timestamp(), revoked_by = ${reach.principal.holder.id}::uuid,
                  revoked_reason = ${rotatedReason}`
            : sql`rotated_at = clock_timestamp(), expires_at = least(expires_at, ${DateTime.toDateUtc(oldDiesAt)}::timestamptz)`
        const event = keyRotatedEvent(oldId, newKey.key.id)
        const [row] = yield* authorizedWrite<KeyRow>(sql, reach, { bounds: ownSpace(reach), passed, event }, () => ({
          before: [
            sql`
                ended AS (
                  UPDATE api_keys
                  SET ${ends}
                  FROM authority
                  WHERE id = ${oldId}::uuid AND person_id = authority.person::uuid
                    AND revoked_at IS NULL AND rotated_at IS NULL
                  RETURNING api_keys.id, api_keys.person_id)`
          ],
          changed: sql`
              ${inserted(newKey, reach)}
              FROM ended
              RETURNING *, person_id AS space_id`
        }))
        return row === undefined ? yield* new KeyNotFound({ keyId: oldId }) : fromRow(row)
      }),

      listEndingBefore: (before) =>
        sql<Pick<KeyRow, "id" | "person_id"> & { readonly expires_at: Date }>`
          SELECT id, person_id, expires_at
          FROM api_keys
          WHERE expires_at > now() AND expires_at <= ${DateTime.toDateUtc(before)}
            AND revoked_at IS NULL AND rotated_at IS NULL
          ORDER BY expires_at, id`.pipe(
          Effect.map((rows) =>
            rows.map((row) => ({
              id: row.id,
              personId: row.person_id,
              expiresAt: DateTime.unsafeFromDate(row.expires_at)
            }))
          ),
          dieOnSqlError
        ),

      touch: (keyId, times) =>
        sql`
          UPDATE api_keys
          SET last_used_at = now(), usage_count = usage_count + ${times}
          WHERE id = ${keyId}::uuid`.pipe(Effect.asVoid, dieOnSqlError)
    }
  })
)
