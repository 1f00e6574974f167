/** Whether the one who proposed still could: asked anew at the moment of an approval. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import { sessionScopes } from "../../doors/Scope.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import type { GatedWrite } from "../gate/Write.ts"
import { Keys } from "../keys/Keys.ts"
import { People } from "../people/People.ts"
import type { Asker, StoredProposal } from "./Proposal.ts"

const gone = (why: string) => new Conflict({ code: "AUTHORITY_GONE", why })

export class Standing extends Context.Tag("pod/Standing")<
  Standing,
  {
    /**
     * Whoever asked as they stand now: their key (or that key's successor) alive, themselves and the person they act for
     * not suspended, and no refusal of the gate for this write. Fails with Conflict otherwise.
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

      /** A person who was signed in stands for themselves, in this session or another. */
      const heldBy = ({ credentialId, credentialKind }: Asker) =>
        credentialKind === "session"
          ? Effect.succeed({
              credential: { kind: credentialKind, id: credentialId },
              scopes: sessionScopes,
              grant: null,
              workspaceId: null,
              expiresAt: null
            })
          : keys.successorOf(credentialId).pipe(
              Effect.map((key) => ({
                credential: { kind: credentialKind, id: key.id },
                scopes: key.scopes,
                grant: key.grant,
                workspaceId: key.workspaceId,
                expiresAt: key.expiresAt === null ? null : DateTime.toDateUtc(key.expiresAt)
              })),
              Effect.catchTag("KeyNotFound", () =>
                Effect.fail(gone("The key that this was proposed with is no longer valid."))
              )
            )

      return {
        check: (proposal, write) =>
          Effect.gen(function* () {
            const held = yield* heldBy(proposal.authority)
            const access = yield* Effect.catchTag(people.accessOf(proposal.authority.holderId), "UserUnknown", () =>
              Effect.fail(gone("Whoever proposed this is no longer here."))
            )
            if (access.isSuspended || access.personId !== proposal.userId) {
              return yield* gone("Whoever proposed this is no longer let in.")
            }
            const principal: Principal = {
              ...held,
              holder: access.holder,
              personId: access.personId,
              isPodOwner: access.isPodOwner,
              epoch: access.epoch,
              memberships: access.memberships
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
