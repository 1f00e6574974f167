/** Implements `QuotaStore` in SQL. The function `count_owned` has the conditions (migration 0136). */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { QuotaStore } from "./QuotaStore.ts"

export const layer = Layer.effect(
  QuotaStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    count: ({ max, table }, ownerId) =>
      Effect.map(
        dieOnSqlError(
          sql<{ readonly count: number }>`SELECT count_owned(${table}, ${ownerId}::uuid, ${max + 1}::integer) AS count`
        ),
        ([row]) => row?.count ?? 0
      )
  }))
)
