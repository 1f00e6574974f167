/** Converts between a proposal and its row in the database. */
import { DateTime, Schema } from "effect"
import { StoredProposalJson, type StoredProposal } from "./StoredProposal.ts"

const columnByField = {
  id: "id",
  spaceId: "space_id",
  userId: "user_id",
  actorId: "actor_id",
  subject: "subject",
  kind: "kind",
  action: "action",
  targetType: "target_type",
  targetId: "target_id",
  projectIds: "project_ids",
  mentions: "mentions",
  proposalType: "proposal_type",
  class: "class",
  content: "content",
  contentHash: "content_hash",
  revision: "revision",
  editedBy: "edited_by",
  base: "base",
  authority: "authority",
  isPrivate: "is_private",
  summary: "summary",
  reasoning: "reasoning",
  status: "status",
  statusReason: "status_reason",
  reasonCode: "reason_code",
  decidedBy: "decided_by",
  applied: "applied",
  sessionId: "session_id",
  correlationId: "correlation_id",
  filedEventId: "filed_event_id",
  settledEventId: "settled_event_id",
  expiresAt: "expires_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
  decidedAt: "decided_at"
} as const satisfies Record<keyof StoredProposal, string>

export type ProposalRow = { readonly [column: string]: unknown; readonly id: string }

// If the JSON of a row cannot be decoded, the call fails with a defect, because a proposal that the pod cannot read
// must never be approved.
const jsonOf = Schema.decodeUnknownSync(StoredProposalJson)

/**
 * Converts a row to a proposal. Decodes only the JSON columns, because the database checks the types and constraints of
 * the other columns.
 */
export const fromRow = (row: ProposalRow): StoredProposal => {
  const fields = Object.fromEntries(
    Object.entries(columnByField).map(([field, column]) => {
      const value = row[column]
      return [field, value instanceof Date ? DateTime.unsafeFromDate(value) : value]
    })
  )
  return { ...fields, ...jsonOf(fields) } as unknown as StoredProposal
}

/**
 * Converts fields to JSON, with the names of columns as keys. The SQL function `jsonb_populate_record` then converts
 * each value to the type of its column.
 */
export const asColumns = (fields: Partial<StoredProposal>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        // The cast is right, because the argument has only fields of a stored proposal.
        columnByField[field as keyof StoredProposal],
        DateTime.isDateTime(value) ? DateTime.formatIso(value) : value
      ])
    )
  )
