/** Whether the one who proposed still could: asked anew at the moment of an approval. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { GatedWrite } from "../governance/Write.ts"
import { Keys } from "../keys/Keys.ts"
import { People } from "../people/People.ts"
import type { StoredProposal } from "./Proposal.ts"

const gone = (why: string) => new Conflict({ code: "AUTHORITY_GONE", why })

export class Standing extends Context.Tag("pod/Standing")<
  Standing,
  {
    /**
     * The agent as it stands now: its key (or that key's successor) alive, itself and its person not suspended, and no
     * refusal of the gate for this write. Fails with Conflict otherwise.
     */
    readonly check: (proposal: StoredProposal, write: GatedWrite) => Effect.Effect<Principal, Conflict, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const gate = yield* GovernanceGate
      const keys = yield* Keys
      const people = yield* People

      return {
        check: (proposal, write) =>
          Effect.gen(function* () {
            const key = yield* Effect.catchTag(keys.successorOf(proposal.authority.credentialId), "KeyNotFound", () =>
              Effect.fail(gone("The key that this was proposed with is no longer valid."))
            )
            const access = yield* Effect.catchTag(people.accessOf(key.holderId), "UserUnknown", () =>
              Effect.fail(gone("Whoever proposed this is no longer here."))
            )
            if (access.isSuspended || access.personId !== proposal.userId) {
              return yield* gone("Whoever proposed this is no longer let in.")
            }
            const principal: Principal = {
              credential: { kind: "key", id: key.id },
              holder: access.holder,
              personId: access.personId,
              isPodOwner: access.isPodOwner,
              epoch: access.epoch,
              memberships: access.memberships,
              scopes: key.scopes,
              grant: key.grant,
              workspaceId: key.workspaceId,
              expiresAt: key.expiresAt === null ? null : DateTime.toDateUtc(key.expiresAt)
            }
            // A wish to be let in needs no more than that the agent's person is there.
            if (proposal.proposalType === "join") {
              return principal.memberships.some(({ spaceId }) => spaceId === proposal.spaceId)
                ? principal
                : yield* gone("The person behind the agent is no longer in that workspace.")
            }
            const verdict = yield* gate.judge(principal, write)
            if (verdict.verdict === "deny") {
              return yield* gone(`Whoever proposed this may no longer do it: ${verdict.reason}`)
            }
            return principal
          })
      }
    })
  )
}
