/** What a workspace and its people have said about agents' writes, and what the pod says when they said nothing. */
import { Schema } from "effect"
import { Timestamp } from "../../doors/Fields.ts"
import type { MembershipRole } from "../../doors/Principal.ts"

/** A standing word about writes: carried out, or put before a person (compatibility reference §5.8). */
export const GovernanceRule = Schema.Struct({
  id: Schema.UUID,
  principalKind: Schema.Literal("any", "agent"),
  agentUserId: Schema.NullOr(Schema.UUID),
  scopeKind: Schema.Literal("pod", "workspace"),
  workspaceId: Schema.NullOr(Schema.UUID),
  targetKind: Schema.Literal("action", "profile"),
  /** `<subject>.<action>` or `<subject>.*`; for the target kind `profile`, its slug. */
  targetPattern: Schema.String,
  /** Only entities of this profile. */
  targetProfile: Schema.NullOr(Schema.String),
  verdict: Schema.Literal("auto", "propose"),
  createdBy: Schema.UUID,
  sourceProposalId: Schema.NullOr(Schema.UUID),
  provenance: Schema.Literal("earned", "authored"),
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp)
}).annotations({ identifier: "GovernanceRule" })
export type GovernanceRule = typeof GovernanceRule.Type

/** What a workspace lets every agent in it do without asking. */
export const WorkspacePolicy = Schema.Struct({
  governanceMode: Schema.Literal("standard", "agent-owned"),
  /** `null`: nobody said. */
  autoApproveFor: Schema.NullOr(Schema.Array(Schema.String)),
  /** The agent whose own workspace it is. */
  linkedAgentId: Schema.NullOr(Schema.UUID)
}).annotations({ identifier: "WorkspacePolicy" })
export type WorkspacePolicy = typeof WorkspacePolicy.Type

export const standardPolicy: WorkspacePolicy = {
  governanceMode: "standard",
  autoApproveFor: null,
  linkedAgentId: null
}

/** All that bounds an agent's write in a space beside its grant and its capabilities. */
export interface AgentPolicy {
  /** The agent's own role in the space; null where it was never let in. In its person's own space it is at home. */
  readonly agentRole: MembershipRole | null
  readonly writesRequireProposal: boolean
  readonly workspace: WorkspacePolicy
  /** Those in force that speak of this agent in this space. */
  readonly rules: ReadonlyArray<GovernanceRule>
}

const administrative: ReadonlySet<string> = new Set(["workspace", "member", "agent", "apiKey", "role"])

/** Whether a write changes who may do what: an agent's is always put before a person. */
export const isAdministrative = (subject: string): boolean => administrative.has(subject)

/** What agents whose person relaxed them do without asking, where nobody said otherwise (compatibility reference §5.2). */
export const defaultAutoApprove: ReadonlyArray<string> = [
  "entity.create",
  "entity.update",
  "document.create",
  "relation.create",
  "view.create",
  "profile.create",
  "profile.update",
  "property_def.create",
  "property_def.update",
  "channel.create",
  "session.create",
  "session.update"
]

/** `*`, `<subject>.*` or `<subject>.<action>` against one write. */
export const matchesPattern = (pattern: string, subject: string, action: string): boolean =>
  pattern === "*" || pattern === `${subject}.*` || pattern === `${subject}.${action}`
