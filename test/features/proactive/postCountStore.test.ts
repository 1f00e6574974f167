/**
 * Runs, on each engine, the contract suite of the store that counts proactive posts. Also tests the daily limit in SQL.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { PostCountStore } from "../../../src/features/proactive/PostCountStore.ts"
import { limits } from "../../../src/features/proactive/ProactivePost.ts"
import { contractOf } from "../../support/contracts.ts"
import { aMember } from "../../support/people.ts"
import { asOwner, onEachDatabase, onEachEngine, withReach } from "../../support/stores.ts"

onEachEngine("counts of proactive posts", contractOf("postCounts"))

onEachDatabase("counts of proactive posts over a day", (stores) => {
  it.effect(
    "the daily limit of proactive posts applies even if each hour has fewer posts than the hourly limit, and a post counts for 24 hours",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const sql = yield* SqlClient.SqlClient
        const take = withReach(reach)(Effect.flatMap(PostCountStore, (store) => store.take(spaceId)))
        const older = (hours: number) =>
          asOwner(
            sql`UPDATE proactive_posts SET posted_at = posted_at - make_interval(hours => ${hours}) WHERE person_id = ${personId}::uuid`
          )
        for (let count = 0; count < limits.day; count++) {
          assert.isNull(yield* take)
          yield* older(1)
        }
        assert.strictEqual(yield* take, "day")
        yield* older(14) // This makes the first post older than 24 hours.
        assert.isNull(yield* take)
        yield* older(24)
        assert.isNull(yield* take)
        const kept = yield* asOwner(sql`SELECT id FROM proactive_posts WHERE person_id = ${personId}::uuid`)
        assert.lengthOf(kept, 1)
      }).pipe(Effect.provide(stores))
  )
})
