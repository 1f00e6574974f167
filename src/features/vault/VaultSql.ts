/** Implements the store of vaults in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead, ownRows } from "../../doors/Authority.ts"
import { pageOfSorted } from "../../doors/PageOrder.ts"
import { behindSql } from "../../doors/PageSql.ts"
import { Reach } from "../../doors/Reach.ts"
import { highestId } from "../../platform/Ids.ts"
import { dateOrNull } from "../../platform/RowTimes.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { receivedOrder, vaultEvent, VaultStore } from "./VaultStore.ts"
import { type EntryRow, type SealedRow, type VaultRow, entryOf, sealedEntryOf, vaultOf } from "./VaultRow.ts"

export const layer = Layer.effect(
  VaultStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const bounded = Effect.map(Reach, (reach) => ({ reach, bounds: reach.bounds("vault", "read") }))
    const own = ownRows(sql)
    const columns = sql.literal(`
      entry.id, entry.person_id, entry.name, entry.category, entry.tags, entry.url, entry.sealed_notes IS NOT NULL AS has_notes,
      entry.value_hash, entry.strength_bits, entry.expires_at, entry.version, entry.created_at, entry.updated_at, entry.rotated_at`)
    /**
     * The SQL condition for a valid share: the owner of the entry must still be a member of the workspace through which
     * the entry is shared.
     */
    const ownerIsMember = sql.literal(`
      EXISTS (
        SELECT 1 FROM memberships member WHERE member.user_id = share.owner_id AND member.space_id = share.space_id)`)
    const isWritten = (rows: ReadonlyArray<unknown>) => rows.length > 0

    return {
      vault: Effect.gen(function* () {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedRead<VaultRow>(
          sql,
          reach,
          bounds,
          () => sql`
            SELECT vault.person_id AS id, vault.sealed_key, vault.recovery_hash, vault.recovery_sealed_key,
              vault.recovery_made_at, vault.unlocked_at, vault.unlocks, vault.created_at
            FROM vaults vault
            WHERE ${own("vault")}`
        )
        return row === undefined ? null : vaultOf(row)
      }),

      begin: Effect.fnUntraced(function* (sealedKey, passed) {
        const { bounds, reach } = yield* bounded
        const { personId } = reach.principal
        yield* authorizedWrite(sql, reach, { bounds, passed, event: vaultEvent("begin", personId) }, () => ({
          changed: sql`
              INSERT INTO vaults (person_id, space_id, sealed_key)
              SELECT authority.person::uuid, authority.person::uuid, ${sealedKey}::bytea
              FROM authority
              WHERE authority.person::uuid = ANY (authority.spaces)
              ON CONFLICT (person_id, space_id) DO NOTHING
              RETURNING person_id AS id, space_id`
        }))
      }),

      changeVault: Effect.fnUntraced(function* (change, passed) {
        const { bounds, reach } = yield* bounded
        const changes = {
          unlock: sql`unlocked_at = now(), unlocks = unlocks + 1`,
          recovery: sql`
              recovery_hash = ${change.kind === "recovery" ? change.recovery.hash : null}::bytea,
              recovery_sealed_key = ${change.kind === "recovery" ? change.recovery.sealedKey : null}::bytea,
              recovery_made_at = now()`,
          recover: sql`sealed_key = ${change.kind === "recover" ? change.sealedKey : null}::bytea`
        }[change.kind]
        const former = change.kind === "recover" ? change.former : null
        const rows = yield* authorizedWrite(
          sql,
          reach,
          { bounds, passed, event: vaultEvent(change.kind, reach.principal.personId) },
          () => ({
            changed: sql`
                UPDATE vaults SET ${changes}
                FROM authority
                WHERE ${own("vaults")}
                  AND (${former}::bytea IS NULL OR vaults.sealed_key = ${former}::bytea)
                RETURNING vaults.person_id AS id, vaults.space_id`
          })
        )
        return isWritten(rows)
      }),

      list: Effect.fnUntraced(function* ({ after = null, category = null, limit, offset = 0, tag }) {
        const { bounds, reach } = yield* bounded
        const tagged = tag === undefined ? null : JSON.stringify([tag])
        const rows = yield* authorizedRead<EntryRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT ${columns}
              FROM vault_entries entry
              WHERE ${own("entry")}
                AND (${category}::text IS NULL OR entry.category = ${category}::text)
                AND (${tagged}::jsonb IS NULL OR entry.tags @> ${tagged}::jsonb)
                AND entry.id < ${after ?? highestId}::uuid
              ORDER BY entry.id DESC
              LIMIT ${limit} OFFSET ${offset}`
        )
        return rows.map(entryOf)
      }),

      find: Effect.fnUntraced(function* (id) {
        const { bounds, reach } = yield* bounded
        const [row] = yield* authorizedRead<SealedRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT ${columns}, entry.sealed_value, entry.sealed_notes, vault.sealed_key
              FROM vault_entries entry
              JOIN vaults vault ON vault.person_id = entry.person_id
              WHERE entry.id = ${id}::uuid
                AND ((${own("entry")}) OR EXISTS (SELECT 1 FROM vault_shares share WHERE share.entry_id = entry.id AND ${own("share")} AND ${ownerIsMember}))`
        )
        return row === undefined ? null : { entry: sealedEntryOf(row), sealedKey: Buffer.from(row.sealed_key) }
      }),

      add: Effect.fnUntraced(function* (entry, passed) {
        const { bounds, reach } = yield* bounded
        yield* authorizedWrite(sql, reach, { bounds, passed, event: vaultEvent("create", entry.id) }, () => ({
          changed: sql`
              INSERT INTO vault_entries (id, person_id, space_id, name, category, tags, url, sealed_value, sealed_notes,
                value_hash, strength_bits, expires_at, created_at, updated_at, rotated_at)
              SELECT ${entry.id}::uuid, vault.person_id, vault.space_id, ${entry.name}, ${entry.category},
                ${JSON.stringify(entry.tags)}::jsonb, ${entry.url}, ${entry.sealedValue}::bytea,
                ${entry.sealedNotes}::bytea, ${entry.valueHash}::bytea, ${entry.strengthBits}::integer,
                ${dateOrNull(entry.expiresAt)}::timestamptz, ${dateOrNull(entry.createdAt)}::timestamptz,
                ${dateOrNull(entry.updatedAt)}::timestamptz, ${dateOrNull(entry.rotatedAt)}::timestamptz
              FROM authority
              JOIN vaults vault ON ${own("vault")}
              RETURNING id, space_id`
        }))
      }),

      change: Effect.fnUntraced(function* (entry, fields, passed) {
        const { bounds, reach } = yield* bounded
        const rows = yield* authorizedWrite(
          sql,
          reach,
          { bounds, passed, event: vaultEvent("update", entry.id, { fields }) },
          () => ({
            changed: sql`
                UPDATE vault_entries entry
                SET name = ${entry.name}, category = ${entry.category}, tags = ${JSON.stringify(entry.tags)}::jsonb,
                  url = ${entry.url}, sealed_value = ${entry.sealedValue}::bytea,
                  sealed_notes = ${entry.sealedNotes}::bytea, value_hash = ${entry.valueHash}::bytea,
                  strength_bits = ${entry.strengthBits}::integer, expires_at = ${dateOrNull(entry.expiresAt)}::timestamptz,
                  version = ${entry.version}::integer, updated_at = ${dateOrNull(entry.updatedAt)}::timestamptz,
                  rotated_at = ${dateOrNull(entry.rotatedAt)}::timestamptz
                FROM authority
                WHERE entry.id = ${entry.id}::uuid AND ${own("entry")} AND entry.version = ${entry.version}::integer - 1
                RETURNING entry.id, entry.space_id`
          })
        )
        return isWritten(rows)
      }),

      remove: Effect.fnUntraced(function* (id, passed) {
        const { bounds, reach } = yield* bounded
        const rows = yield* authorizedWrite(sql, reach, { bounds, passed, event: vaultEvent("delete", id) }, () => ({
          // A database trigger also removes the shares of the entry.
          changed: sql`
              DELETE FROM vault_entries entry USING authority
              WHERE entry.id = ${id}::uuid AND ${own("entry")}
              RETURNING entry.id, entry.space_id`
        }))
        return isWritten(rows)
      }),

      share: Effect.fnUntraced(function* (id, personId, workspaceId, passed) {
        const { bounds, reach } = yield* bounded
        const rows = yield* authorizedWrite(
          sql,
          reach,
          { bounds, passed, event: vaultEvent("share", id, { userId: personId, workspaceId }) },
          () => ({
            before: [
              // The locks last until the commit. If another call deletes the entry or a membership at the same moment,
              // that call waits, and then also removes this share.
              sql`
                shared AS (
                  SELECT entry.id, entry.person_id
                  FROM authority
                  JOIN vault_entries entry ON entry.id = ${id}::uuid AND ${own("entry")}
                  FOR SHARE OF entry)`,
              sql`
                readers AS (
                  SELECT owner.user_id AS owner_id, reader.user_id AS person_id, reader.space_id
                  FROM authority
                  JOIN memberships owner ON owner.user_id = authority.person::uuid AND owner.space_id = ${workspaceId}::uuid
                    AND owner.space_id = ANY (authority.spaces)
                  JOIN memberships reader ON reader.user_id = ${personId}::uuid AND reader.space_id = owner.space_id
                    AND reader.user_id <> owner.user_id
                  JOIN users person ON person.id = reader.user_id AND person.kind = 'person'
                  FOR SHARE OF owner, reader)`
            ],
            changed: sql`
                INSERT INTO vault_shares (entry_id, owner_id, person_id, space_id)
                SELECT entry.id, entry.person_id, reader.person_id, reader.space_id
                FROM authority
                JOIN shared entry ON true
                JOIN readers reader ON reader.owner_id = entry.person_id AND reader.space_id = ANY (authority.spaces)
                ON CONFLICT (entry_id, person_id, space_id) DO UPDATE SET created_at = now()
                RETURNING entry_id AS id, owner_id AS space_id`
          })
        )
        return isWritten(rows)
      }),

      unshare: Effect.fnUntraced(function* (id, personId, passed) {
        const { bounds, reach } = yield* bounded
        const rows = yield* authorizedWrite(
          sql,
          reach,
          { bounds, passed, event: vaultEvent("unshare", id, { userId: personId }) },
          () => ({
            before: [
              sql`
                unshared AS (
                  DELETE FROM vault_shares share USING authority, vault_entries entry
                  WHERE share.entry_id = ${id}::uuid AND share.person_id = ${personId}::uuid
                    AND share.space_id = ANY (authority.spaces)
                    AND entry.id = share.entry_id AND ${own("entry")}
                  RETURNING share.entry_id AS id, share.owner_id AS space_id)`
            ],
            // The entry can be shared with the person through several workspaces. LIMIT 1 makes the result one row.
            changed: sql`SELECT id, space_id FROM unshared ORDER BY id LIMIT 1`
          })
        )
        return isWritten(rows)
      }),

      sharesOf: Effect.fnUntraced(function* (id) {
        const { bounds, reach } = yield* bounded
        const rows = yield* authorizedRead<{
          readonly id: string
          readonly space_id: string
          readonly created_at: Date
        }>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT share.person_id AS id, share.space_id, share.created_at
              FROM vault_shares share
              JOIN vault_entries entry ON entry.id = share.entry_id AND ${own("entry")}
              WHERE share.entry_id = ${id}::uuid AND share.space_id = ANY (authority.spaces)
              ORDER BY share.person_id, share.space_id`
        )
        return rows.map((row) => ({
          userId: row.id,
          workspaceId: row.space_id,
          sharedAt: DateTime.unsafeFromDate(row.created_at)
        }))
      }),

      received: Effect.fnUntraced(function* (place) {
        const { bounds, reach } = yield* bounded
        const { limit, offset = 0 } = place
        const behind = behindSql(sql, { id: "entry.id" }, place.cursor)
        const rows = yield* authorizedRead<
          EntryRow & { readonly owner_name: string; readonly shared_space: string; readonly shared_at: Date }
        >(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT DISTINCT ON (entry.id) ${columns}, owner.name AS owner_name, share.space_id AS shared_space, share.created_at AS shared_at
              FROM vault_shares share
              JOIN vault_entries entry ON entry.id = share.entry_id
              JOIN users owner ON owner.id = share.owner_id
              WHERE ${own("share")} AND ${ownerIsMember} ${behind}
              ORDER BY entry.id DESC, share.space_id
              LIMIT ${limit + 1} OFFSET ${offset}`
        )
        const found = rows.map((row) => ({
          entry: entryOf(row),
          ownerName: row.owner_name,
          workspaceId: row.shared_space,
          sharedAt: DateTime.unsafeFromDate(row.shared_at)
        }))
        return pageOfSorted(receivedOrder, found, place)
      })
    }
  })
)
