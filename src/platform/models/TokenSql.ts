/** Counts the tokens of a day in SQL. Each change is one statement, which locks the row of the day. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { TokenStore } from "./TokenStore.ts"
import { dieOnSqlError } from "../SqlDefect.ts"

export const layer = Layer.effect(
  TokenStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    take: ({ day, service }, tokens, max) =>
      sql`
        INSERT INTO model_tokens AS kept (service, day, spent)
        SELECT ${service}, ${day}::date, ${tokens}::bigint
        WHERE ${tokens}::bigint <= ${max}::bigint
        ON CONFLICT (service, day) DO UPDATE SET spent = kept.spent + excluded.spent
          WHERE kept.spent + excluded.spent <= ${max}::bigint
        RETURNING day`.pipe(
        Effect.map((rows) => rows.length > 0),
        dieOnSqlError
      ),
    correct: ({ day, service }, by) =>
      sql`
        INSERT INTO model_tokens AS kept (service, day, spent)
        VALUES (${service}, ${day}::date, ${by}::bigint)
        ON CONFLICT (service, day) DO UPDATE SET spent = kept.spent + excluded.spent`.pipe(Effect.asVoid, dieOnSqlError)
  }))
)
