/**
 * Runs the contract suite of the graph store on every engine, and tests the store in a workspace with many entities.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { GraphStore } from "../../../src/features/graph/GraphStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { contractOf } from "../../support/contracts.ts"
import { aMember } from "../../support/people.ts"
import { asOwner, onEachDatabase, onEachEngine, withReach } from "../../support/stores.ts"

onEachEngine("the graph", contractOf("graph"))

onEachDatabase("the graph of a workspace with many entities", (stores) => {
  it.effect(
    "to find the entities whose properties refer to an object, the graph store uses a database index and reads no whole table",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { personId, reach, spaceId } = yield* aMember()
        const target = uuidv7()
        yield* asOwner(sql`
        INSERT INTO entities (id, space_id, profile_slug, title, properties, user_id, actor_id)
        SELECT gen_random_uuid(), ${spaceId}::uuid, 'note', 'Note ' || number,
          jsonb_build_object('about', CASE WHEN number % 100 = 0 THEN ${target}::uuid ELSE gen_random_uuid() END),
          ${personId}::uuid, ${personId}::uuid
        FROM generate_series(1, 4000) number`)
        yield* asOwner(sql`ANALYZE entities, entity_references`)
        const naming = withReach(reach)(Effect.flatMap(GraphStore, (store) => store.naming(target, 10)))
        // These counters of PostgreSQL count only the reads of this transaction.
        const read = sql<{ readonly rows: number }>`
        SELECT coalesce(sum(seq_tup_read), 0)::integer AS rows FROM pg_stat_xact_user_tables
        WHERE relname IN ('entities', 'entity_references')`
        const [found, [{ rows }]] = yield* sql.withTransaction(Effect.all([naming, read]))
        assert.deepStrictEqual([found.length, rows], [10, 0])
      }).pipe(Effect.provide(stores))
  )
})
