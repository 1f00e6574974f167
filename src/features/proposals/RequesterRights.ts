/**
 * Checks whether the person or agent that requested a proposal is still allowed to make the change. The pod does this
 * check when a person approves the proposal.
 */
import { Context, Effect, Layer } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import { sessionScopes } from "../../doors/Scope.ts"
import { dateOrNull } from "../../platform/RowTimes.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { hasRight, type Verdict } from "../gate/Ladder.ts"
import type { GatedWrite } from "../gate/Write.ts"
import { Keys } from "../keys/Keys.ts"
import { People } from "../people/People.ts"
import type { Requester, StoredProposal } from "./StoredProposal.ts"

const authorityGone = (why: string) => new Conflict({ code: "AUTHORITY_GONE", why })

/**
 * Returns the reason of the gate for a reader who is not the asker. The gate addresses the asker, so the reason would
 * say “you” to the person who decides.
 */
const reasonForOthers = ({ reason, rung }: Verdict): string =>
  rung === "membership"
    ? "It is not a member of that workspace, or its membership role does not allow this write there."
    : reason

export class RequesterRights extends Context.Tag("pod/RequesterRights")<
  RequesterRights,
  {
    /**
     * Returns the asker (the person or agent that requested the proposal) with the asker's current rights. Fails with
     * Conflict in four cases:
     * - The asker's key (or the key that replaced it) is not valid.
     * - The asker or the asker's person is suspended.
     * - The asker is an agent that is no longer a member of the workspace.
     * - The gate denies this write.
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

      /**
       * Reads the credential with which a person or agent requested the proposal, and the rights of this credential. If
       * a person requested the change in a sign-in session, this person keeps the rights after the session has ended.
       */
      const credentialOf = ({ credentialId, credentialKind }: Requester) =>
        credentialKind === "session"
          ? Effect.succeed({
              credential: { kind: credentialKind, id: credentialId },
              scopes: sessionScopes,
              grant: null,
              workspaceId: null,
              toolProfile: null,
              expiresAt: null
            })
          : keys.successorOf(credentialId).pipe(
              Effect.map((key) => ({
                credential: { kind: credentialKind, id: key.id },
                scopes: key.scopes,
                grant: key.grant,
                workspaceId: key.workspaceId,
                toolProfile: key.toolProfile,
                expiresAt: dateOrNull(key.expiresAt)
              })),
              Effect.catchTag("KeyNotFound", () =>
                Effect.fail(authorityGone("The key that created this proposal is no longer valid."))
              )
            )

      return {
        check: Effect.fnUntraced(function* (proposal, write) {
          const credential = yield* credentialOf(proposal.authority)
          const access = yield* Effect.catchTag(people.accessOf(proposal.authority.holderId), "UserUnknown", () =>
            Effect.fail(authorityGone("The account that created this proposal no longer exists."))
          )
          if (access.isSuspended || access.personId !== proposal.userId) {
            return yield* authorityGone(
              "The account that created this proposal is suspended or belongs to another person now."
            )
          }
          const principal: Principal = {
            ...credential,
            holder: access.holder,
            personId: access.personId,
            podRole: access.podRole,
            epoch: access.epoch,
            memberships: access.memberships
          }
          // For a request to join a workspace, it is enough that the agent's person is a member of the workspace.
          if (proposal.proposalType === "join") {
            return principal.memberships.some(({ spaceId }) => spaceId === proposal.spaceId)
              ? principal
              : yield* authorityGone("The person that the agent acts for is no longer a member of the workspace.")
          }
          // The gate judges each write alone. If the gate judged all writes together, the verdict could name another
          // rule of the gate and so hide the rule `enrolment`.
          for (const one of [write, ...(write.also ?? [])]) {
            const verdict = yield* gate.judge(principal, { ...one, also: [] })
            if (!hasRight(verdict)) {
              return yield* authorityGone(
                `The account that created this proposal may no longer make this change: ${reasonForOthers(verdict)}`
              )
            }
          }
          return principal
        })
      }
    })
  )
}
