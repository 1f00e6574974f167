/**
 * After a person approves a proposal, the pod does the proposed write. The write can register work that the pod runs
 * after the approving call has committed, and before the pod answers the call.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAnswer, hasWorkBeforeAnswer, runWorkBeforeAnswer } from "../../../src/doors/BeforeAnswer.ts"
import type { Authority, ReachShape } from "../../../src/doors/Reach.ts"
import { reachOfRequester } from "../../../src/features/proposals/LockedProposal.ts"
import type { StoredProposal } from "../../../src/features/proposals/StoredProposal.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aReach } from "../../support/reach.ts"
import { withReach } from "../../support/stores.ts"
import { aProposal } from "./proposalCalls.ts"

it.effect(
  "if an approved write registers work for after the commit, this work belongs to the approving call and runs with the other work of this call, in the order of registration",
  () =>
    Effect.gen(function* () {
      const personId = uuidv7()
      const authority: Authority = { kind: "key", credentialId: uuidv7(), personId, epoch: 1 }
      const reach: ReachShape = { ...aReach({ personId }), authority }
      const proposal = aProposal({ spaceId: personId, userId: uuidv7() }) as StoredProposal
      const asker = reachOfRequester(reach, proposal)
      assert.strictEqual(asker.authority.personId, proposal.userId)
      const done: Array<string> = []
      const register = (name: string) => beforeAnswer(Effect.sync(() => void done.push(name)))
      yield* withReach(asker)(register("of the asker"))
      yield* withReach(reachOfRequester(asker, proposal))(register("of the asker, derived again"))
      yield* withReach(reach)(register("of the approver"))
      assert.isTrue(hasWorkBeforeAnswer(authority))
      assert.deepStrictEqual(done, [])
      yield* runWorkBeforeAnswer(authority)
      assert.deepStrictEqual(done, ["of the asker", "of the asker, derived again", "of the approver"])
    })
)
