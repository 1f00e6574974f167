/**
 * Deletes in SQL the rows that probes wrote. The rows are in the spaces of many people, so a function of the database
 * deletes them.
 */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { ProbeStore } from "./ProbeStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

export const layer = Layer.effect(
  ProbeStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    forgetBefore: (time) =>
      Effect.asVoid(dieOnSqlError(sql`SELECT forget_probes(${DateTime.formatIso(time)}::timestamptz)`))
  }))
)
