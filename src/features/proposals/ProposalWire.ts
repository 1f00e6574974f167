/** A proposal in the form that callers receive. */
import { Predicate } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import type { JsonRecord } from "../gate/Write.ts"
import { devApproval } from "./DevApprovals.ts"
import type { Proposal } from "./Proposal.ts"
import { isByAgent, type StoredProposal } from "./StoredProposal.ts"

const textAt = (value: unknown, name: string): string | null => {
  const found = Predicate.isRecord(value) ? value[name] : undefined
  return typeof found === "string" ? found : null
}

/**
 * Returns the id of the message from which the proposed record comes. A relation has this id in its metadata, and a
 * memory fact has it as a field.
 */
const sourceMessageOf = (content: JsonRecord): string | null => {
  const { facts, metadata } = content
  const places = [content, metadata, Array.isArray(facts) ? facts[0] : undefined]
  return places.map((place) => textAt(place, "sourceMessageId")).find((id) => id !== null) ?? null
}

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
  threadId: kept.targetType === "message" ? textAt(kept.content, "threadId") : null,
  sourceMessageId: sourceMessageOf(kept.content),
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
