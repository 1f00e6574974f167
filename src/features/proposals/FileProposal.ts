/** Creates a proposal for an agent that calls the proposals API instead of the write operation. */
import { Effect, Either } from "effect"
import { type ChangeRefusal, Conflict, Forbidden, type Invalid, invalid } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import type { Proposed, ProposedAnswer } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { type Changers, changeOf } from "../gate/Changers.ts"
import type { GovernanceGate } from "../gate/GovernanceGate.ts"
import type { Change } from "../gate/Write.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { FiledProposal, ProposalDraft } from "./Proposal.ts"

const notProposed = new Conflict({
  code: "NOT_PROPOSED",
  why: "This write needs no approval. Make the write directly."
})

/**
 * Makes the answer of the operation that creates proposals. `answer` is what the gate returned for the write that
 * became a proposal.
 */
const filedAs = (answer: ProposedAnswer, sessionId: string | null): FiledProposal => ({
  ...answer,
  id: answer.proposalId,
  status: "pending",
  sessionId
})

const proposalType = (draft: ProposalDraft): Either.Either<Change["action"], Invalid> => {
  const action = draft.proposalType.split(".").at(-1)
  return action === "create" || action === "update" || action === "delete"
    ? Either.right(action)
    : Either.left(
        invalid(
          "proposalType",
          "Send `create`, `update` or `delete`, or a subject and one of these actions, such as `entity.create`."
        )
      )
}

/**
 * Creates a proposal. If the agent must first join the workspace, fails with Proposed, because the request to join the
 * workspace becomes a proposal.
 */
export const fileProposal =
  (changers: typeof Changers.Service, gate: typeof GovernanceGate.Service) =>
  (draft: ProposalDraft): Effect.Effect<FiledProposal, ChangeRefusal | Proposed, Reach> =>
    Effect.gen(function* () {
      const { principal } = yield* Reach
      if (principal.holder.kind !== "agent") {
        return yield* new Forbidden({
          code: "AGENTS_ONLY",
          why: "Only an agent can create proposals. A person makes the change directly.",
          required: [],
          granted: []
        })
      }
      const changer = changers.of(draft.targetType)
      if (changer === undefined) return yield* invalid("targetType", "Changes to this record type cannot be proposed.")
      const action = yield* proposalType(draft)
      const targetId = action === "create" ? uuidv7() : draft.targetId
      if (targetId === undefined)
        return yield* invalid("targetId", "Send the id of the record that the proposal changes.")
      const spaceId = yield* requestedSpace(draft.workspaceId)
      const request = { action, targetId, spaceId, content: draft.data }
      const { reasoning, sessionId } = draft
      const described = yield* changeOf(draft.targetType, changer, request)
      const change: Change = { ...described, reasoning, sessionId, isForced: true }
      yield* gate.refuse(change)
      if (action !== "create" && change.base === null) {
        return yield* missingRecord("record to change")
      }
      const checked = yield* changer.check(change, "proposed")
      yield* gate.pass({ ...change, ...checked })
      return yield* notProposed
    }).pipe(
      Effect.catchTag("Proposed", (proposed): Effect.Effect<FiledProposal, Proposed> =>
        proposed.answer.proposalType === "join"
          ? Effect.fail(proposed)
          : Effect.succeed(filedAs(proposed.answer, draft.sessionId ?? null))
      )
    )
