/**
 * A request for one page of proposals, without the total number, and a search in the waiting proposals do not make the
 * database read the other proposals of the space.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ProposalStore } from "../../../src/features/proposals/ProposalStore.ts"
import { aMember } from "../../support/people.ts"
import { rowsRead } from "../../support/rowsRead.ts"
import { asOwner, onEachDatabase, withReach } from "../../support/stores.ts"
import { aProposal, fileProposal } from "./proposalCalls.ts"

const many = 3_000
const limit = 10

const copies = (sql: SqlClient.SqlClient, proposalId: string, status: string) => sql`
  INSERT INTO proposals (id, space_id, user_id, actor_id, subject, kind, action, target_type, target_id, proposal_type,
    class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at, status)
  SELECT gen_random_uuid(), space_id, user_id, actor_id, subject, kind, action, target_type, target_id, proposal_type,
    class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at, ${status}
  FROM proposals, generate_series(1, ${many}::integer)
  WHERE id = ${proposalId}::uuid`

onEachDatabase("pages of proposals", (stores) => {
  it.effect("the pod reads a page of proposals without reading the thousands of other proposals in the space", () =>
    Effect.gen(function* () {
      const { personId: userId, reach, spaceId } = yield* aMember()
      const kept = yield* fileProposal(reach, aProposal({ spaceId, userId }))
      yield* asOwner(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* copies(sql, kept.id, "pending")
          yield* sql`ANALYZE`
        })
      )
      const asked = { spaceId, sessionId: undefined, status: "pending" as const, limit, offset: 0, before: undefined }
      const page = (creates?: string) =>
        rowsRead(
          ["proposals"],
          withReach(reach)(Effect.flatMap(ProposalStore, (store) => store.page({ ...asked, creates })))
        )
      const newest = yield* page()
      assert.lengthOf(newest.result, limit)
      assert.isBelow(newest.read, 5 * limit)
      const rules = yield* page("rule")
      assert.lengthOf(rules.result, 0)
      assert.isBelow(rules.read, 5 * limit)
    }).pipe(Effect.provide(stores), Effect.orDie)
  )

  it.effect(
    "a search reads the waiting proposals without reading the thousands of decided proposals in the space",
    () =>
      Effect.gen(function* () {
        const { personId: userId, reach, spaceId } = yield* aMember()
        const kept = yield* fileProposal(reach, aProposal({ spaceId, userId }))
        yield* asOwner(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* copies(sql, kept.id, "rejected")
            yield* sql`ANALYZE`
          })
        )
        const places = { in: null, notIn: [], inProjects: null, notInProjects: [] }
        const { read, result } = yield* rowsRead(
          ["proposals"],
          withReach(reach)(Effect.flatMap(ProposalStore, (store) => store.excerpts(places, limit)))
        )
        assert.deepStrictEqual(
          result.map(({ id }) => id),
          [kept.id]
        )
        assert.isBelow(read, 5 * limit)
      }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
