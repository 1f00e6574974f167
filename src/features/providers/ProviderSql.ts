/**
 * The SQL store of the active provider. A database function reads the active provider, because the pod reads it on
 * behalf of no person.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { ProviderStore } from "./ProviderStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

interface ProviderRow {
  readonly id: string
  readonly stamp: string
  readonly owner_id: string
  readonly url: string
  readonly model: string
  readonly credential_id: string | null
  readonly credential_url: string | null
  readonly sealed_value: Uint8Array | null
  readonly sealed_key: Uint8Array | null
}

export const layer = Layer.effect(
  ProviderStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    active: (kind) =>
      Effect.map(
        dieOnSqlError(sql<ProviderRow>`
          SELECT id, stamp, owner_id, url, model, credential_id, credential_url, sealed_value, sealed_key
          FROM active_model_provider(${kind})`),
        ([row]) =>
          row === undefined
            ? null
            : {
                id: row.id,
                ownerId: row.owner_id,
                stamp: row.stamp,
                url: row.url,
                model: row.model,
                credential:
                  row.credential_id === null
                    ? null
                    : {
                        id: row.credential_id,
                        sealed:
                          row.sealed_value === null || row.sealed_key === null
                            ? null
                            : {
                                url: row.credential_url,
                                value: Buffer.from(row.sealed_value),
                                dataKey: Buffer.from(row.sealed_key)
                              }
                      }
              }
      )
  }))
)
