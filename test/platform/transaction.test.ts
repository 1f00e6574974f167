/** Transactions on every database engine, and how PostgreSQL plans a statement that runs several times. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { contractOf } from "../support/contracts.ts"
import { onEachDatabase, onEachEngine } from "../support/stores.ts"

onEachEngine("transactions", contractOf("transactions"))

onEachDatabase("the statements of one database connection", (stores) => {
  it.effect("PostgreSQL prepares a statement with values once, and uses the same plan for all values", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const plans = yield* sql.withTransaction(
        Effect.gen(function* () {
          for (const value of [1, 2, 3]) yield* sql`SELECT ${value}::integer + 1 AS planned_once`
          return yield* sql`
            SELECT generic_plans::integer AS generic, custom_plans::integer AS custom
            FROM pg_prepared_statements
            WHERE statement LIKE '%planned_once'`
        })
      )
      assert.deepStrictEqual(plans, [{ generic: 3, custom: 0 }])
    }).pipe(Effect.provide(stores))
  )
})
