/** The stores of relations on every engine, and their statements alone, without the net of row-level security. */
import { SqlClient } from "@effect/sql"
import { describe } from "@effect/vitest"
import { Effect } from "effect"
import { onEachDatabase, onEachEngine } from "../../support/stores.ts"
import { relationStoreContract } from "./relationStore.contract.ts"

onEachEngine("relations", relationStoreContract)

const withoutPolicies = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(["relations", "entities", "entity_projects", "projects"], (table) =>
    sql.unsafe(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`)
  )
)

describe("relation statements without row-level security", () => {
  onEachDatabase("relations", relationStoreContract, { first: withoutPolicies })
})
