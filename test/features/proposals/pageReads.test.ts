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

/** A space with one waiting proposal, and many copies of it with this status. */
const aSpaceWithCopies = Effect.fnUntraced(function* (status: string) {
  const { personId: userId, reach, spaceId } = yield* aMember()
  const kept = yield* fileProposal(reach, aProposal({ spaceId, userId }))
  yield* asOwner(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO proposals (id, space_id, user_id, actor_id, subject, kind, action, target_type, target_id, proposal_type,
          class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at, status)
        SELECT gen_random_uuid(), space_id, user_id, actor_id, subject, kind, action, target_type, target_id, proposal_type,
          class, content, content_hash, authority, is_private, summary, correlation_id, filed_event_id, expires_at, ${status}
        FROM proposals, generate_series(1, ${many}::integer)
        WHERE id = ${kept.id}::uuid`
      yield* sql`ANALYZE`
    })
  )
  return { kept: kept.id, reach, spaceId }
})

onEachDatabase("pages of proposals", (stores) => {
  it.effect("the pod reads a page of proposals without reading the thousands of other proposals in the space", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aSpaceWithCopies("pending")
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
        const { kept, reach } = yield* aSpaceWithCopies("rejected")
        const places = { in: null, notIn: [], inProjects: null, notInProjects: [] }
        const { read, result } = yield* rowsRead(
          ["proposals"],
          withReach(reach)(Effect.flatMap(ProposalStore, (store) => store.excerpts(places, limit)))
        )
        assert.deepStrictEqual(
          result.map(({ id }) => id),
          [kept]
        )
        assert.isBelow(read, 5 * limit)
      }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
