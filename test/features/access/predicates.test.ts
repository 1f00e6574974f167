/**
 * The SQL statements of the stores have access conditions of their own. So a caller reads and writes the same rows with
 * and without row-level security.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { reachSuites } from "../../support/contracts.ts"
import { onOneEngine } from "../../support/stores.ts"
import { filledTables, visibleWithoutSettings } from "./governedRows.ts"

const disabled = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    DO $$
    DECLARE held record;
    BEGIN
      FOR held IN SELECT DISTINCT tablename FROM pg_policies WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE public.%I DISABLE ROW LEVEL SECURITY', held.tablename);
      END LOOP;
    END $$`
)

onOneEngine(
  "the stores on a database whose row-level security is switched off",
  (stores) => {
    it.effect("while this suite runs, row-level security is switched off on every table that normally has it", () =>
      Effect.gen(function* () {
        const { tables, inside, outside } = yield* filledTables
        for (const table of tables) assert.includeMembers(yield* visibleWithoutSettings(table), [inside, outside])
      }).pipe(Effect.provide(stores))
    )
    reachSuites(stores)
  },
  { first: disabled }
)
