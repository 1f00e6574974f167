/** What a workspace and its people have said about agents' writes, and what the pod says when they said nothing. */
import { Schema } from "effect"
import { AgentId, WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import type { MembershipRole } from "../../doors/Principal.ts"

/** A standing word about writes: carried out, or put before a person (compatibility reference §5.8). */
export const GovernanceRule = Schema.Struct({
  id: Schema.UUID,
  principalKind: described("A person, an agent or a service.", Schema.Literal("any", "agent")),
  agentUserId: Schema.NullOr(AgentId),
  scopeKind: described("Whether it holds for the pod or a workspace.", Schema.Literal("pod", "workspace")),
  workspaceId: Schema.NullOr(WorkspaceId),
  targetKind: described("What it is about: a kind, an operation …", Schema.Literal("action", "profile")),
  targetPattern: described(
    "`<subject>.<action>` or `<subject>.*`; for the target kind `profile`, its slug.",
    Schema.String
  ),
  targetProfile: described("Only entities of this profile.", Schema.NullOr(Schema.String)),
  verdict: described("What the gate said: allow, deny or propose.", Schema.Literal("auto", "propose")),
  createdBy: described("Who made it.", Schema.UUID),
  sourceProposalId: described("The proposal it was learned from.", Schema.NullOr(Schema.UUID)),
  provenance: described("Where it comes from.", Schema.Literal("earned", "authored")),
  createdAt: Timestamp,
  expiresAt: described("When it ends; null: never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "GovernanceRule" })
export type GovernanceRule = typeof GovernanceRule.Type

/** What a workspace lets every agent in it do without asking. */
export const WorkspacePolicy = Schema.Struct({
  governanceMode: described("Whether agents' writes wait for a person.", Schema.Literal("standard", "agent-owned")),
  autoApproveFor: described("`null`: nobody said.", Schema.NullOr(Schema.Array(Schema.String))),
  linkedAgentId: described("The agent whose own workspace it is.", Schema.NullOr(Schema.UUID))
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
