/**
 * The statements of the stores have their own predicates: without row-level security a caller sees and writes nothing
 * more.
 */
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
    it.effect("row-level security is off for every governed table in this suite", () =>
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
