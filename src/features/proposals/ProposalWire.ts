/** Converts proposals to the form that callers receive. */
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
 * memory fact has this id as a field.
 */
const sourceMessageOf = (content: JsonRecord): string | null => {
  const { facts, metadata } = content
  const places = [content, metadata, Array.isArray(facts) ? facts[0] : undefined]
  return places.map((place) => textAt(place, "sourceMessageId")).find((id) => id !== null) ?? null
}

/** Returns the field `confidence` of the content or of its properties. Null if it is not a number from 0 to 1. */
const confidenceOf = ({ confidence, properties }: JsonRecord): number | null => {
  const inProperties = Predicate.isRecord(properties) ? properties["confidence"] : undefined
  const share = typeof confidence === "number" ? confidence : inProperties
  return typeof share === "number" && share >= 0 && share <= 1 ? share : null
}

/** Returns the requested write, with the field names that existing clients read. */
const requestedWrite = (stored: StoredProposal): Proposal["data"] => ({
  changeType: stored.action,
  targetType: stored.targetType,
  targetId: stored.targetId,
  workspaceId: workspaceIdOf(stored.spaceId, stored.userId),
  data: stored.content,
  reasoning: stored.reasoning,
  summary: stored.summary,
  correlationId: stored.correlationId,
  requestId: stored.correlationId,
  source: isByAgent(stored) ? "agent" : "user",
  sourceId: sourceMessageOf(stored.content)
})

export const toWire = (stored: StoredProposal): Proposal => ({
  id: stored.id,
  workspaceId: workspaceIdOf(stored.spaceId, stored.userId),
  proposalType: stored.proposalType,
  targetType: stored.targetType,
  targetId: stored.targetId,
  status: stored.status,
  data: requestedWrite(stored),
  summary: stored.summary,
  confidence: confidenceOf(stored.content),
  reasoning: stored.reasoning,
  revision: stored.revision,
  contentHash: stored.contentHash,
  baseVersion: stored.base?.version ?? null,
  statusReason: stored.statusReason,
  reasonCode: stored.reasonCode,
  class: stored.class,
  lifetimeHours: null,
  agentUserId: isByAgent(stored) ? stored.actorId : null,
  threadId: stored.targetType === "message" ? textAt(stored.content, "threadId") : null,
  sourceMessageId: sourceMessageOf(stored.content),
  commandRunId: null,
  createdBy: stored.actorId,
  keyId: stored.authority.credentialKind === "key" ? stored.authority.credentialId : null,
  decidedBy: stored.decidedBy,
  decidedAt: stored.decidedAt,
  correlationId: stored.correlationId,
  sessionId: stored.sessionId,
  ...(stored.status === "approved" && stored.action === "create" && stored.targetType !== devApproval
    ? { materializedIds: stored.applied?.made ?? [stored.targetId] }
    : {}),
  createdAt: stored.createdAt,
  updatedAt: stored.updatedAt,
  expiresAt: stored.expiresAt
})
