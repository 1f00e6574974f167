/** Says who is allowed to decide on a proposal: every person who could make the proposed change without approval. */
import { Effect, Option } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Changers } from "../gate/Changers.ts"
import type { GovernanceGate } from "../gate/GovernanceGate.ts"
import type { Passed } from "../gate/Passed.ts"
import type { Change } from "../gate/Write.ts"
import { describeAgain } from "./LockedProposal.ts"
import type { StoredProposal } from "./StoredProposal.ts"
import { requestedChange } from "./Rebase.ts"

type Gate = typeof GovernanceGate.Service

/**
 * Asks the gate whether the caller is allowed to decide. Succeeds for a person who could make the change without
 * approval. Fails with Forbidden for everybody else.
 */
export const decisionOn =
  (gate: Gate) =>
  (change: Change): Effect.Effect<Passed, Forbidden, Reach> =>
    Effect.catchTag(gate.passDecision(change), "Forbidden", (refusal) =>
      Effect.fail(
        refusal.code === "PEOPLE_ONLY"
          ? refusal
          : new Forbidden({
              ...refusal,
              code: "APPROVAL_DENIED",
              why: `Only a person who may make this change can decide about the proposal: ${refusal.why}`
            })
      )
    )

/**
 * Describes the change of a proposal again from the current rows. If this fails, for example because the target was
 * deleted, returns the change as it was when the proposal was created. An approval describes the change once more, and
 * then fails.
 */
export const currentChange = (
  changers: typeof Changers.Service,
  proposal: StoredProposal
): Effect.Effect<Change, never, Reach> => {
  const filed = requestedChange(proposal)
  return Option.match(Option.fromNullable(changers.of(proposal.targetType)), {
    onNone: () => Effect.succeed(filed),
    onSome: (changer) => Effect.orElseSucceed(describeAgain(changer, proposal), () => filed)
  })
}
