/** The policies of workspaces and people for the writes of agents, and the defaults of the pod. */
import { Schema } from "effect"
import { AgentId, WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import type { MembershipRole } from "../../doors/Principal.ts"

/** A rule that says whether writes of agents are carried out or wait for a person (compatibility reference §5.8). */
export const GovernanceRule = Schema.Struct({
  id: Id,
  principalKind: described(
    "`agent`: the rule applies to one agent; `any`: to every agent.",
    Schema.Literal("any", "agent")
  ),
  agentUserId: Schema.NullOr(AgentId),
  scopeKind: described("Whether the rule applies to the pod or to a workspace.", Schema.Literal("pod", "workspace")),
  workspaceId: Schema.NullOr(WorkspaceId),
  targetKind: described("Whether the rule is about an action or about a profile.", Schema.Literal("action", "profile")),
  targetPattern: described(
    "Action that the rule is about, as `<subject>.<action>` or `<subject>.*`. If `targetKind` is `profile`: the slug of the profile.",
    Schema.String
  ),
  targetProfile: described(
    "Slug of a profile: the rule applies only to entities of this profile.",
    Schema.NullOr(Schema.String)
  ),
  verdict: described("`auto`: carry out the write; `propose`: ask a person first.", Schema.Literal("auto", "propose")),
  createdBy: described("Id of the person or agent who created the rule.", Id),
  sourceProposalId: described("Id of the proposal that the pod learned the rule from.", Schema.NullOr(Id)),
  provenance: described(
    "`earned`: the pod learned the rule from a proposal; `authored`: a person wrote the rule.",
    Schema.Literal("earned", "authored")
  ),
  createdAt: Timestamp,
  expiresAt: described("Time when the rule ends; null means never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "GovernanceRule" })
export type GovernanceRule = typeof GovernanceRule.Type

/** What a workspace allows every agent in it to do without approval. */
export const WorkspacePolicy = Schema.Struct({
  governanceMode: described("Always `standard`.", Schema.Literal("standard")),
  autoApproveFor: described(
    "What agents may do without a person's approval; null means that nothing is set.",
    Schema.NullOr(Schema.Array(Schema.String))
  ),
  linkedAgentId: described("Id of the agent that the workspace was created for.", Schema.NullOr(Id))
}).annotations({ identifier: "WorkspacePolicy" })
export type WorkspacePolicy = typeof WorkspacePolicy.Type

export const standardPolicy: WorkspacePolicy = {
  governanceMode: "standard",
  autoApproveFor: null,
  linkedAgentId: null
}

/** Everything that limits an agent's writes in a space, except the grant and the capabilities of the agent. */
export interface AgentPolicy {
  /**
   * The role of the agent itself in the space. Null if the agent is not a member. In the personal space of the agent's
   * person, the role is `owner`.
   */
  readonly agentRole: MembershipRole | null
  readonly writesRequireProposal: boolean
  readonly workspace: WorkspacePolicy
  /** The governance rules that apply to this agent in this space now. */
  readonly rules: ReadonlyArray<GovernanceRule>
}

const administrative: ReadonlySet<string> = new Set(["workspace", "member", "agent", "apiKey", "role"])

/**
 * Returns true if a write changes who is allowed to do what. Such a write by an agent always needs the approval of a
 * person.
 */
export const isAdministrative = (subject: string): boolean => administrative.has(subject)

/**
 * The writes that need no approval if `writesRequireProposal` of the agent is off, unless a governance rule or a policy
 * requires approval (compatibility reference §5.2).
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

/**
 * Returns true if a pattern matches a write with this subject and action. A pattern has the form `*`, `<subject>.*` or
 * `<subject>.<action>`.
 */
export const matchesPattern = (pattern: string, subject: string, action: string): boolean =>
  pattern === "*" || pattern === `${subject}.*` || pattern === `${subject}.${action}`
