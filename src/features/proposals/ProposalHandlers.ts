/**
 * The handlers of proposals. They pass each call of an endpoint, a procedure or a tool to a service and return its
 * result.
 */
import { Effect, Layer } from "effect"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { devApproval } from "./DevApprovals.ts"
import type { BasicProposal, Proposal } from "./Proposal.ts"
import type { ProposalInput } from "./ProposalListing.ts"
import { ProposalApi } from "./ProposalApi.ts"
import { ProposalProcedures } from "./ProposalRpc.ts"
import { type CountedProposals, Proposals } from "./Proposals.ts"
import { ProposalTools } from "./ProposalTools.ts"
import { toWire } from "./ProposalWire.ts"
import { Settlement } from "./Settlement.ts"
import { shortenText } from "../../platform/StoredText.ts"

const basicOf = (proposal: Proposal): typeof BasicProposal.Type => ({
  id: proposal.id,
  proposalType: proposal.proposalType,
  targetType: proposal.targetType,
  targetId: proposal.targetId,
  status: proposal.status,
  workspaceId: proposal.workspaceId,
  createdAt: proposal.createdAt,
  correlationId: proposal.correlationId,
  sessionId: proposal.sessionId,
  agentUserId: proposal.agentUserId,
  ...(proposal.materializedIds === undefined ? {} : { materializedIds: proposal.materializedIds }),
  summary: shortenText(proposal.summary, 280),
  confidence: proposal.confidence,
  class: proposal.class,
  lifetimeHours: proposal.lifetimeHours,
  revision: proposal.revision,
  contentHash: proposal.contentHash
})

const pageFields =
  ({ limit, offset, view }: ProposalInput, { next, total }: CountedProposals) =>
  (proposals: ReadonlyArray<Proposal>) => ({
    proposals: view === "basic" ? proposals.map(basicOf) : proposals,
    limit,
    offset,
    total,
    hasMore: next !== null
  })

const listAnswer = (request: ProposalInput, page: CountedProposals) => pagedAnswer(page, pageFields(request, page))

const revertedIds = (targetType: string, id: string) => {
  if (targetType === "entity") return { entityIds: [id] }
  if (targetType === "relation") return { relationIds: [id] }
  return targetType === "document" ? { documentIds: [id] } : { recordIds: [id] }
}

const rest = implement(
  ProposalApi,
  Effect.gen(function* () {
    const proposals = yield* Proposals
    const settlement = yield* Settlement
    return {
      "proposals.list": ({ urlParams }) => Effect.map(proposals.list(urlParams), (page) => listAnswer(urlParams, page)),
      "proposals.get": ({ path }) => proposals.get(path.id),
      "proposals.file": ({ payload }) => proposals.file(payload),
      "proposals.askToAct": ({ payload: { reasoning, sessionId, workspaceId, ...data } }) =>
        proposals.file({ targetType: devApproval, proposalType: "create", data, reasoning, sessionId, workspaceId }),
      "proposals.edit": ({ path, payload }) => proposals.edit(path.id, payload),
      "proposals.approve": ({ path, payload }) =>
        Effect.map(settlement.approve(path.id, payload), ({ proposal, targetId }) => ({
          success: true as const,
          proposalId: proposal.id,
          proposal: toWire(proposal),
          primaryId: targetId
        })),
      "proposals.reject": ({ path, payload }) =>
        Effect.map(proposals.reject(path.id, payload), (proposal) => ({
          success: true as const,
          proposalId: proposal.id,
          proposal
        })),
      "proposals.revert": ({ path }) =>
        Effect.map(settlement.revert(path.id), ({ proposal, targetId }) => ({
          success: true as const,
          proposalId: proposal.id,
          reverted: revertedIds(proposal.targetType, targetId)
        }))
    }
  })
)

const procedures = implementProcedures(
  ProposalProcedures,
  Effect.gen(function* () {
    const proposals = yield* Proposals
    const settlement = yield* Settlement
    const list = (input: ProposalInput) => Effect.map(proposals.list(input), (page) => listAnswer(input, page))
    return {
      "proposals.listProposals": list,
      "proposals.list": list,
      "proposals.get": ({ proposalId }) => proposals.get(proposalId),
      "proposals.updateProposal": ({ proposalId, ...edit }) => proposals.edit(proposalId, edit),
      "proposals.approve": ({ proposalId, ...approval }) =>
        Effect.map(settlement.approve(proposalId, approval), ({ proposal }) => toWire(proposal)),
      "proposals.reject": ({ proposalId, ...why }) => proposals.reject(proposalId, why),
      "proposals.revert": ({ proposalId }) =>
        Effect.map(settlement.revert(proposalId), ({ proposal }) => toWire(proposal))
    }
  })
)

const tools = implementTools(
  ProposalTools,
  Effect.map(Proposals, (proposals) => ({
    svc_list_proposals: ({ detail, ...input }) => {
      const request = { ...input, view: detail === "summary" ? ("basic" as const) : input.view }
      return Effect.map(proposals.list(request), (page) => pagedAnswer(page, pageFields(request, page)))
    },
    svc_get_proposal: ({ proposalId }) => proposals.get(proposalId),
    svc_revise_proposal: ({ proposalId, ...edit }) => proposals.edit(proposalId, edit),
    svc_withdraw_proposal: ({ proposalId, ...why }) => proposals.reject(proposalId, why)
  }))
)

export const layer = Layer.mergeAll(rest, procedures, tools)
