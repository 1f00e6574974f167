/** The tokens of a day in SQL: each change is one statement, and the row of the day is its lock. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { TokenStore } from "./TokenStore.ts"

export const layer = Layer.effect(
  TokenStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    take: (day, tokens, most) =>
      sql`
        INSERT INTO model_tokens AS kept (day, spent)
        SELECT ${day}::date, ${tokens}::bigint
        WHERE ${tokens}::bigint <= ${most}::bigint
        ON CONFLICT (day) DO UPDATE SET spent = kept.spent + excluded.spent
          WHERE kept.spent + excluded.spent <= ${most}::bigint
        RETURNING day`.pipe(
        Effect.map((taken) => taken.length > 0),
        Effect.orDie
      ),
    correct: (day, by) =>
      sql`
        INSERT INTO model_tokens AS kept (day, spent)
        VALUES (${day}::date, ${by}::bigint)
        ON CONFLICT (day) DO UPDATE SET spent = kept.spent + excluded.spent`.pipe(Effect.asVoid, Effect.orDie)
  }))
)
