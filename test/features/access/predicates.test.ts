/** The statements of the stores bound themselves: without row-level security nothing more is seen or written. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { onEachDatabase } from "../../support/stores.ts"
import { entityReachContract } from "../entities/entityStore.contract.ts"
import { eventLogContract } from "../events/eventLog.contract.ts"
import { keyStoreContract } from "../keys/keyStore.contract.ts"
import { peopleStoreContract } from "../people/peopleStore.contract.ts"
import { policyStoreContract } from "../governance/policyStore.contract.ts"
import { proposalStoreContract } from "../proposals/proposalStore.contract.ts"
import { recordReachContract } from "../records/recordReach.contract.ts"
import { workspaceStoreContract } from "../workspaces/workspaceStore.contract.ts"
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
    entityReachContract(stores)
    eventLogContract(stores)
    keyStoreContract(stores)
    peopleStoreContract(stores)
    policyStoreContract(stores)
    proposalStoreContract(stores)
    recordReachContract(stores)
    workspaceStoreContract(stores)
  },
  { first: disabled }
)
