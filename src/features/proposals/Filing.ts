/**
 * Stores a change as a proposal, so that a person can decide on it. Implements `ProposalFiler`, the interface through
 * which the gate stores proposals.
 */
import { DateTime, Effect, Layer } from "effect"
import { type ConsolePaths, ConsoleLinks } from "../../doors/ConsoleLinks.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import type { ProposedAnswer } from "../../doors/Proposed.ts"
import { credentialIdOf, Reach, type ReachShape } from "../../doors/Reach.ts"
import { RecordReaders } from "../../doors/ShownRecords.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { actorOf, correlationOf } from "../events/AppendEvent.ts"
import { ProposalFiler } from "../gate/ProposalFiler.ts"
import type { Passed } from "../gate/Passed.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { type Change, objectIn } from "../gate/Write.ts"
import { readsProposals } from "./LockedProposal.ts"
import { lifetimeDays } from "./Proposal.ts"
import { proposalClassOf, proposalHash, truncateSummary, type StoredProposal } from "./StoredProposal.ts"
import { ProposalStore } from "./ProposalStore.ts"
import { recordsInSummary, summaryForAsker } from "./VisibleProposals.ts"

/**
 * Returns the fields of the answer that only writes of one record type have, such as `proposedEntityId` for a write of
 * an entity.
 */
const ofType = ({ action, targetId, targetType }: StoredProposal): Partial<ProposedAnswer> => {
  switch (targetType) {
    case "entity":
      return { proposedEntityId: targetId }
    case "artifact":
      return { artifact: null }
    case "workspace":
      return action === "create" ? {} : { workspaceId: targetId }
    default:
      return {}
  }
}

const storedMessage =
  "The pod stored this write as a proposal, and carries it out when a person approves the proposal. Do not send the write again."

/** Says what happens next. A caller who may not read proposals cannot ask for the decision, and learns it here. */
const messageTo = (reach: ReachShape): string =>
  readsProposals(reach)
    ? storedMessage
    : `${storedMessage} This credential lacks the permission proposal.read, so it cannot read the decision.`

const answerOf = (reach: ReachShape, links: ConsolePaths, proposal: StoredProposal): ProposedAnswer => ({
  status: "proposed",
  message: messageTo(reach),
  proposalId: proposal.id,
  proposalType: proposal.proposalType,
  summary: summaryForAsker(reach, proposal),
  reasoning: proposal.reasoning,
  reviewPath: links.proposal(proposal.id),
  reviewUrl: links.proposalUrl(proposal.id),
  proposedId: proposal.targetId,
  ...ofType(proposal),
  effectiveWorkspaceId: workspaceIdOf(proposal.spaceId, proposal.userId),
  decisionId: proposal.filedEventId,
  writeReceipt: { state: "pending" }
})

export const layer = Layer.effect(
  ProposalFiler,
  Effect.gen(function* () {
    const store = yield* ProposalStore
    const links = yield* ConsoleLinks
    const transaction = yield* Transaction
    const { within } = yield* quotaKeeper
    const readers = yield* RecordReaders

    /** Makes the answer about a proposal, and notes the records that its summary names (`RecordReaders`). */
    const answerTo = (reach: ReachShape, proposal: StoredProposal): Effect.Effect<ProposedAnswer, never, Reach> =>
      Effect.as(
        Effect.forEach(recordsInSummary(proposal), ({ id, type }) => readers.note(type, id), { discard: true }),
        answerOf(reach, links, proposal)
      )

    const add = Effect.fnUntraced(function* (change: Change, proposalType: string, passed: Passed) {
      const reach = yield* Reach
      const { authority, principal } = reach
      const credentialId = credentialIdOf(authority) ?? ""
      const { projectIds } = change.object
      const contentHash = proposalHash(change, projectIds)
      const id = uuidv7()
      const stored = store.add(
        {
          id,
          spaceId: change.object.spaceId,
          userId: principal.personId,
          actorId: actorOf(reach),
          subject: change.subject,
          kind: change.kind,
          action: change.action,
          targetType: change.targetType,
          targetId: change.targetId,
          projectIds,
          mentions: change.mentions ?? [],
          proposalType,
          class: proposalClassOf(change.subject),
          content: change.content,
          contentHash,
          revision: 1,
          editedBy: null,
          base: change.base,
          authority: {
            credentialKind: principal.credential.kind,
            credentialId,
            holderId: principal.holder.id,
            personId: principal.personId
          },
          isPrivate: change.isPrivate === true,
          summary: truncateSummary(change.summary),
          reasoning: change.reasoning ?? null,
          status: "pending",
          statusReason: null,
          reasonCode: null,
          decidedBy: null,
          applied: null,
          sessionId: change.sessionId ?? null,
          correlationId: correlationOf(reach),
          expiresAt: DateTime.add(yield* DateTime.now, { days: lifetimeDays })
        },
        {
          type: "proposal.create",
          subjectId: id,
          data: {
            proposalType,
            targetType: change.targetType,
            targetId: change.targetId,
            contentHash,
            // Everybody in a space may read its log, so the event of a private change has no title.
            ...(change.isPrivate === true ? {} : { title: change.summary })
          }
        },
        passed
      )
      const filed = yield* within("proposal", stored)
      return yield* answerTo(reach, filed)
    })

    /**
     * Stores a new proposal. If the change allows only one waiting proposal (`isOnce`) and such a proposal exists,
     * returns the existing proposal instead.
     */
    const file = Effect.fnUntraced(function* (change: Change, proposalType: string, passed: Passed) {
      const { isOnce } = change
      if (isOnce === undefined) return yield* add(change, proposalType, passed)
      const reach = yield* Reach
      const actorId = actorOf(reach)
      const { spaceId } = change.object
      const filter = { actorId, credentialId: credentialIdOf(reach.authority) ?? "", spaceId, proposalType }
      const content = isOnce === "alike" ? change.content : null
      // Without this lock, two simultaneous calls would both find no proposal, and both would store a proposal.
      return yield* transaction.exclusively(
        `proposals of the type ${proposalType} by ${actorId} in ${spaceId}`,
        Effect.flatMap(store.pendingAlike({ ...filter, content }, passed), (waiting) =>
          waiting === undefined ? add(change, proposalType, passed) : answerTo(reach, waiting)
        )
      )
    })

    return {
      file: (change, passed) => file(change, `${change.subject}.${change.action}`, passed),
      askToJoin: Effect.fnUntraced(function* (spaceId, reasoning, passed) {
        const { principal } = yield* Reach
        return yield* file(
          {
            subject: "member",
            kind: null,
            action: "create",
            object: objectIn(principal.personId, spaceId, null),
            targetType: "member",
            targetId: principal.holder.id,
            content: { userId: principal.holder.id, workspaceId: spaceId, role: "editor" },
            base: null,
            isOnce: "whatever",
            reasoning,
            summary: "Add this agent to the workspace as an editor"
          },
          "join",
          passed
        )
      })
    }
  })
)
