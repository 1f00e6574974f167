/**
 * Implements the store of the encrypted data keys in SQL. The vaults belong to many people, so functions of the
 * database read and change the keys.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { VaultKeyStore } from "./VaultKeyStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

export const layer = Layer.effect(
  VaultKeyStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    list: (after, limit) =>
      sql<{ readonly person_id: string; readonly sealed_key: Uint8Array }>`
        SELECT person_id, sealed_key FROM vault_data_keys(${after}::uuid, ${limit}::integer)`.pipe(
        Effect.map((rows) => rows.map((row) => ({ personId: row.person_id, sealedKey: Buffer.from(row.sealed_key) }))),
        dieOnSqlError
      ),
    replace: ({ personId, sealedKey: former }, sealedKey) =>
      sql<{ readonly replaced: boolean }>`
        SELECT replace_vault_data_key(${personId}::uuid, ${former}::bytea, ${sealedKey}::bytea) AS replaced`.pipe(
        Effect.map(([row]) => row?.replaced ?? false),
        dieOnSqlError
      )
  }))
)
