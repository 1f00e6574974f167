/** The statements of the stores bound themselves: without row-level security nothing more is seen or written. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { everyReach } from "../../support/contracts.ts"
import { onEachDatabase } from "../../support/stores.ts"
import { filled, seenBare } from "./governedRows.ts"

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

onEachDatabase(
  "every store without row-level security",
  (stores) => {
    it.effect("the net is gone", () =>
      Effect.gen(function* () {
        const { tables, inside, outside } = yield* filled
        for (const table of tables) assert.includeMembers(yield* seenBare(table), [inside, outside])
      }).pipe(Effect.provide(stores))
    )
    everyReach(stores)
  },
  { first: disabled }
)
