/**
 * Tells the feature `notifications` which proposals a person may read, and on which of these proposals the person is
 * allowed to decide.
 */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { currentChange, decisionOn } from "./DecisionRights.ts"
import type { Status } from "./Proposal.ts"
import type { StoredProposal } from "./StoredProposal.ts"
import { ProposalStore } from "./ProposalStore.ts"
import { requestedChange } from "./Rebase.ts"

export interface DecidableProposal extends Pick<
  StoredProposal,
  "id" | "spaceId" | "userId" | "actorId" | "decidedBy" | "summary"
> {
  readonly status: Status
  /** Whether the proposal still waits for a decision and the caller is allowed to decide on it. */
  readonly mayDecide: boolean
}

export class DecidableProposals extends Context.Tag("pod/DecidableProposals")<
  DecidableProposals,
  {
    /**
     * Reads the proposals with these ids in one statement. Leaves out the proposals that the caller may not read. The
     * right to decide depends on the caller's present roles, and on the change as it was when the proposal was created.
     */
    readonly listByIds: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<DecidableProposal>, never, Reach>
    /**
     * Returns true if a proposal with this id waits for a decision and the caller is allowed to decide on it. Before
     * the check, the method describes the change again from the current rows, as an approval does.
     */
    readonly mayDecide: (id: string) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const changers = yield* Changers
      const judge = decisionOn(yield* GovernanceGate)

      const find = (ids: ReadonlyArray<string>) =>
        ids.length === 0
          ? Effect.succeed([])
          : store.page({
              ids,
              spaceId: undefined,
              sessionId: undefined,
              status: "all",
              limit: ids.length,
              offset: 0,
              before: undefined
            })

      const mayDecide = (
        proposal: StoredProposal,
        change: Effect.Effect<ReturnType<typeof requestedChange>, never, Reach>
      ) => (proposal.status === "pending" ? Effect.isSuccess(Effect.flatMap(change, judge)) : Effect.succeed(false))

      return {
        listByIds: (ids) =>
          Effect.flatMap(find(ids), (found) =>
            Effect.forEach(found, (proposal) =>
              Effect.map(mayDecide(proposal, Effect.succeed(requestedChange(proposal))), (may) => ({
                id: proposal.id,
                spaceId: proposal.spaceId,
                userId: proposal.userId,
                actorId: proposal.actorId,
                decidedBy: proposal.decidedBy,
                summary: proposal.summary,
                status: proposal.status,
                mayDecide: may
              }))
            )
          ),
        mayDecide: (id) =>
          Effect.flatMap(find([id]), ([proposal]) =>
            proposal === undefined ? Effect.succeed(false) : mayDecide(proposal, currentChange(changers, proposal))
          )
      }
    })
  )
}
