/** The policies of workspaces and people for the writes of agents, and the defaults of the pod where they have none. */
import { Schema } from "effect"
import { AgentId, WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import type { MembershipRole } from "../../doors/Principal.ts"

/** A rule for writes of agents: carry them out, or ask a person first (compatibility reference §5.8). */
export const GovernanceRule = Schema.Struct({
  id: Schema.UUID,
  principalKind: described("`agent`: for one agent; `any`: for every agent.", Schema.Literal("any", "agent")),
  agentUserId: Schema.NullOr(AgentId),
  scopeKind: described("Whether it applies to the pod or to a workspace.", Schema.Literal("pod", "workspace")),
  workspaceId: Schema.NullOr(WorkspaceId),
  targetKind: described("Whether it is about an action or about a profile.", Schema.Literal("action", "profile")),
  targetPattern: described(
    "`<subject>.<action>` or `<subject>.*`; when `targetKind` is `profile`, the slug of the profile.",
    Schema.String
  ),
  targetProfile: described("Only entities of this profile.", Schema.NullOr(Schema.String)),
  verdict: described("`auto`: carry it out; `propose`: ask a person first.", Schema.Literal("auto", "propose")),
  createdBy: described("Who made it.", Schema.UUID),
  sourceProposalId: described("The proposal it was learned from.", Schema.NullOr(Schema.UUID)),
  provenance: described(
    "`earned`: learned from a proposal; `authored`: written by a person.",
    Schema.Literal("earned", "authored")
  ),
  createdAt: Timestamp,
  expiresAt: described("When it ends; null: never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "GovernanceRule" })
export type GovernanceRule = typeof GovernanceRule.Type

/** What a workspace allows every agent in it to do without approval. */
export const WorkspacePolicy = Schema.Struct({
  governanceMode: described("Whether agents' writes wait for a person.", Schema.Literal("standard", "agent-owned")),
  autoApproveFor: described(
    "What agents may do without asking; `null`: not set.",
    Schema.NullOr(Schema.Array(Schema.String))
  ),
  linkedAgentId: described("The agent whose own workspace it is.", Schema.NullOr(Schema.UUID))
}).annotations({ identifier: "WorkspacePolicy" })
export type WorkspacePolicy = typeof WorkspacePolicy.Type

export const standardPolicy: WorkspacePolicy = {
  governanceMode: "standard",
  autoApproveFor: null,
  linkedAgentId: null
}

/** Everything that limits an agent's write in a space, except its grant and its capabilities. */
export interface AgentPolicy {
  /**
   * The role of the agent itself in the space. Null if the agent is not a member. In the personal space of the person
   * who owns it, the agent has the role owner.
   */
  readonly agentRole: MembershipRole | null
  readonly writesRequireProposal: boolean
  readonly workspace: WorkspacePolicy
  /** The rules that apply to this agent in this space now. */
  readonly rules: ReadonlyArray<GovernanceRule>
}

const administrative: ReadonlySet<string> = new Set(["workspace", "member", "agent", "apiKey", "role"])

/** Whether a write changes who may do what. Such a write by an agent always needs the approval of a person. */
export const isAdministrative = (subject: string): boolean => administrative.has(subject)

/**
 * The writes that an agent with `writesRequireProposal` off makes without approval, unless a rule or a policy says
 * otherwise (compatibility reference §5.2).
 */
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

/** Whether the pattern `*`, `<subject>.*` or `<subject>.<action>` matches a write with this subject and action. */
export const matchesPattern = (pattern: string, subject: string, action: string): boolean =>
  pattern === "*" || pattern === `${subject}.*` || pattern === `${subject}.${action}`
