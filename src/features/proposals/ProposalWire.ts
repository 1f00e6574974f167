/** A proposal in the form that callers receive. */
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { devApproval } from "./DevApprovals.ts"
import { isByAgent, type Proposal, type StoredProposal } from "./Proposal.ts"

export const toWire = (kept: StoredProposal): Proposal => ({
  id: kept.id,
  workspaceId: workspaceIdOf(kept.spaceId, kept.userId),
  proposalType: kept.proposalType,
  targetType: kept.targetType,
  targetId: kept.targetId,
  status: kept.status,
  data: {
    changeType: kept.action,
    targetType: kept.targetType,
    targetId: kept.targetId,
    data: kept.content,
    reasoning: kept.reasoning,
    summary: kept.summary,
    correlationId: kept.correlationId,
    source: isByAgent(kept) ? "agent" : "user"
  },
  summary: kept.summary,
  reasoning: kept.reasoning,
  revision: kept.revision,
  contentHash: kept.contentHash,
  baseVersion: kept.base?.version ?? null,
  statusReason: kept.statusReason,
  reasonCode: kept.reasonCode,
  class: kept.class,
  lifetimeHours: null,
  agentUserId: isByAgent(kept) ? kept.actorId : null,
  threadId: null,
  sourceMessageId: null,
  commandRunId: null,
  createdBy: kept.actorId,
  keyId: kept.authority.credentialKind === "key" ? kept.authority.credentialId : null,
  decidedBy: kept.decidedBy,
  decidedAt: kept.decidedAt,
  correlationId: kept.correlationId,
  sessionId: kept.sessionId,
  ...(kept.status === "approved" && kept.action === "create" && kept.targetType !== devApproval
    ? { materializedIds: kept.applied?.made ?? [kept.targetId] }
    : {}),
  createdAt: kept.createdAt,
  updatedAt: kept.updatedAt,
  expiresAt: kept.expiresAt
})
