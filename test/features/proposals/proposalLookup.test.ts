/** Tests how many rows the database reads to find one proposal. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { aMember } from "../../support/people.ts"
import { onEachDatabase } from "../../support/stores.ts"
import { aProposal, fileProposal, getProposal } from "./proposalCalls.ts"

const others = 60

/**
 * Returns the number of rows of proposals that this connection has read. The number can include reads from the second
 * before the test, so a test uses the difference of two numbers.
 */
const rowsRead = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly count: number }>`
      SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer AS count
      FROM pg_stat_xact_user_tables WHERE relname = 'proposals'`,
    ([{ count }]) => count
  )

onEachDatabase("the look-up of a proposal", (stores) => {
  it.effect(
    "the pod uses a database index to find a proposal by its id or by the beginning of its id, and reads no other proposals",
    () =>
      Effect.gen(function* () {
        const { personId: userId, reach, spaceId } = yield* aMember()
        for (let at = 0; at < others; at++) yield* fileProposal(reach, aProposal({ spaceId, userId }))
        const id = "abcd1234-0000-7000-8000-000000000001"
        yield* fileProposal(reach, aProposal({ spaceId, userId, id }))
        const sql = yield* SqlClient.SqlClient
        for (const handle of [id, "abcd1234", "abcd1234-0000-7000-80"]) {
          const count = yield* Effect.gen(function* () {
            // Without this setting, PostgreSQL reads a table with few rows as a whole, even if an index is suitable.
            yield* sql`SET LOCAL enable_seqscan = off`
            const before = yield* rowsRead(sql)
            assert.propertyVal(yield* getProposal(reach, handle), "id", id)
            return (yield* rowsRead(sql)) - before
          }).pipe(sql.withTransaction)
          assert.isAtLeast(count, 1, handle)
          assert.isAtMost(count, 2, handle)
        }
      }).pipe(Effect.provide(stores))
  )
})
