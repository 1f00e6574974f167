/**
 * The rows that probes (test calls) wrote, in SQL. A function of the database deletes them, because the rows are in the
 * spaces of many people.
 */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { ProbeStore } from "./ProbeStore.ts"

export const layer = Layer.effect(
  ProbeStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    forgetBefore: (time) =>
      Effect.asVoid(Effect.orDie(sql`SELECT forget_probes(${DateTime.formatIso(time)}::timestamptz)`))
  }))
)
