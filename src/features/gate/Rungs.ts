/**
 * The rules of the gate (rungs) as one table. Each row has the name of a rule, the condition under which the rule
 * applies, and its verdict, code, axis and reason. Everything else about the rules is derived from this table
 * (compatibility reference §5.1).
 */
import type { ForbiddenCode } from "../../doors/FailureCode.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import { defaultAutoApprove, isAdministrative } from "./Policy.ts"
import type { DecisionAxis, PolicyRungInput, RungInput, RungShape } from "./RungShape.ts"
import { actionOf, isAgent, needsNoPermission, mayProbeWrite, isAutoApproved, readsAll } from "./RungConditions.ts"

/** The rules that need no policy of an agent. They refuse a write, or decide about a write of a person. */
export const beforePolicy = [
  {
    name: "confinement",
    verdict: "deny",
    // If a grant names its workspaces, this rule checks them before the rule `membership`. So the gate refuses a
    // workspace outside the grant in the same way as a missing workspace.
    applies: ({ principal: { grant, workspaceId }, write: { object } }) =>
      (workspaceId !== null && workspaceId !== object.spaceId) ||
      (grant !== null &&
        grant.workspaceIds !== null &&
        !object.isPersonal &&
        !grant.workspaceIds.includes(object.spaceId)),
    code: "WORKSPACE_FORBIDDEN",
    axis: "workspace",
    reason: "This key is limited to certain workspaces, and this write is not in one of them.",
    canBeStale: true
  },
  {
    name: "membership",
    verdict: "deny",
    // For a write that changes access rights, `actionOf` returns `delete`. So only owners and admins are allowed to
    // make such a write. A person who is not a member of the workspace gets the same refusal.
    applies: ({ membership, write }) => membership === undefined || !roleAllows(membership.role, actionOf(write)),
    code: "WORKSPACE_FORBIDDEN",
    axis: "role",
    reason: "You are not a member of that workspace, or your membership role does not allow this write there.",
    canBeStale: true
  },
  {
    name: "grant",
    verdict: "deny",
    applies: (question) => {
      const { matcher, principal, write } = question
      if (needsNoPermission(question)) return false
      return !matcher.covers(principal.grant, write) || !matcher.allowsObject(principal.grant, write.object)
    },
    code: "GRANT_DENIED",
    axis: "grant",
    reason: "The grant of the key does not cover this write."
  },
  {
    name: "disclosure",
    verdict: "deny",
    applies: (question) => question.write.discloses?.some((subject) => !readsAll(question, subject)) === true,
    code: "GRANT_DENIED",
    axis: "grant",
    reason: "The write makes records public, but the grant of the key does not allow reading all of these records."
  },
  {
    name: "reading",
    verdict: "deny",
    // The rule `grant` has already checked the limits of the grant, which are the same for reading and writing. So this
    // rule checks only the permission.
    applies: (question) => {
      const { matcher, principal, write } = question
      if (write.showsRecord !== true || needsNoPermission(question)) return false
      return !matcher.covers(principal.grant, { ...write, action: "read" })
    },
    code: "GRANT_DENIED",
    axis: "grant",
    reason:
      "The answer to this write shows the whole record, but the grant of the key does not allow reading this record."
  },
  {
    name: "probe",
    verdict: "deny",
    // A probe marks the rows that it creates. A probe must not change what other callers see, or use a name that must
    // be unique.
    applies: ({ principal, write }) => principal.scopes.includes("probe") && !mayProbeWrite(write),
    code: "PROBE_UNSUPPORTED",
    axis: "none",
    reason:
      "A key with the scope `probe` may create entities, documents, projects, tracks, views and artifacts, and may make no other writes."
  },
  {
    name: "forPeople",
    verdict: "deny",
    applies: (question) => isAgent(question) && question.write.isForPeople === true,
    code: "PEOPLE_ONLY",
    axis: "identity",
    reason: "Only a person may make this write, with a sign-in session or a key of their own."
  },
  {
    name: "capabilities",
    verdict: "deny",
    // The gate matches the capabilities of an agent like the permissions of a grant. An agent without capabilities can
    // only read.
    applies: (question) => {
      const { matcher, principal, write } = question
      if (!isAgent(question) || needsNoPermission(question)) return false
      const asGrant = {
        permissions: principal.holder.capabilities,
        workspaceIds: null,
        projectIds: null,
        entityIds: null
      }
      return !matcher.covers(asGrant, write)
    },
    code: "CAPABILITY_MISSING",
    axis: "capabilities",
    reason:
      "This agent does not have the capability for this write. The person that the agent acts for can add the capability.",
    canBeStale: true
  },
  {
    name: "suggestion",
    verdict: "propose",
    applies: (question) => !isAgent(question) && question.write.isSuggestion === true,
    axis: "policy",
    reason: "The person sent this write as a proposal, so it waits for approval."
  },
  {
    name: "person",
    verdict: "allow",
    applies: (question) => !isAgent(question),
    axis: "none",
    reason: "The membership role of the person allows this write."
  }
] as const satisfies ReadonlyArray<RungShape<RungInput>>

/** The rules for a write of an agent that the rules of `beforePolicy` did not refuse. */
export const afterPolicy = [
  {
    name: "enrolment",
    verdict: "propose",
    applies: ({ policy }) => policy.agentRole === null,
    axis: "policy",
    reason: "This agent is not a member of that workspace yet.",
    asksToJoin: true
  },
  {
    name: "agentRole",
    verdict: "deny",
    applies: ({ policy }) => policy.agentRole !== null && !roleAllows(policy.agentRole, "create"),
    code: "WORKSPACE_FORBIDDEN",
    axis: "role",
    reason: "The membership role of this agent allows only reading in that workspace."
  },
  {
    name: "administrative",
    verdict: "propose",
    applies: ({ write }) => isAdministrative(write.subject),
    axis: "policy",
    reason: "This write changes access rights, so a person must approve it."
  },
  {
    name: "forced",
    verdict: "propose",
    applies: ({ write }) => write.isForced === true,
    axis: "policy",
    reason: "The caller asked for the approval of a person for this write."
  },
  {
    name: "destructive",
    verdict: "propose",
    applies: ({ write }) => write.action === "delete",
    axis: "policy",
    reason: "An agent may delete a record only after a person's approval."
  },
  {
    name: "overwriting",
    verdict: "propose",
    applies: ({ write }) => write.isOverwriting === true,
    axis: "policy",
    reason: "This write would overwrite what a person wrote, so a person must approve it."
  },
  {
    name: "observation",
    verdict: "propose",
    applies: ({ write }) => write.subject === "entity" && write.kind === "user_observation",
    axis: "policy",
    reason: "An agent observed this fact about a person, so the person must confirm the fact."
  },
  {
    name: "filing",
    verdict: "allow",
    // A grant for a project includes the right to put records in the project. The gate already decides about the new
    // record itself, so adding the record to the project needs no second decision.
    applies: (question) => needsNoPermission(question),
    axis: "none",
    reason: "The grant covers the project to which this write adds a record."
  },
  {
    name: "rule",
    verdict: "propose",
    applies: ({ rule }) => rule === "propose",
    axis: "policy",
    reason: "A governance rule requires the approval of a person for this write."
  },
  {
    name: "rule",
    verdict: "allow",
    applies: ({ rule }) => rule === "auto",
    axis: "policy",
    reason: "A governance rule allows the agent to make this write without approval."
  },
  {
    name: "direct",
    verdict: "allow",
    applies: ({ write }) => write.isDirect === true,
    axis: "policy",
    reason: "The pod carries out and records this write, because no governance rule requires approval."
  },
  {
    name: "ownWorkspace",
    verdict: "allow",
    applies: ({ policy, principal }) => policy.workspace.linkedAgentId === principal.holder.id,
    axis: "policy",
    reason: "The workspace belongs to this agent, so its writes there need no approval."
  },
  {
    name: "workspacePolicy",
    verdict: "allow",
    applies: ({ policy, write }) =>
      policy.workspace.autoApproveFor !== null && isAutoApproved(policy.workspace.autoApproveFor, write),
    axis: "policy",
    reason: "The workspace allows every agent to make this write without approval."
  },
  {
    name: "writesRequireProposal",
    verdict: "propose",
    applies: ({ policy }) => policy.writesRequireProposal,
    axis: "policy",
    reason: "A person must approve the writes of this agent."
  },
  {
    name: "defaultList",
    verdict: "allow",
    applies: ({ write }) => isAutoApproved(defaultAutoApprove, write),
    axis: "policy",
    reason: "The setting `writesRequireProposal` of this agent is off, so the write needs no approval."
  },
  {
    name: "otherwise",
    verdict: "propose",
    applies: () => true,
    axis: "policy",
    reason: "No governance rule allows agents to make this write without approval."
  }
] as const satisfies ReadonlyArray<RungShape<PolicyRungInput>>

const ladder = [...beforePolicy, ...afterPolicy]

export type Rung = (typeof ladder)[number]["name"]

/** The names of all rules of the gate (rungs), in the order in which the gate tries them. */
export const rungs: ReadonlyArray<Rung> = [...new Set(ladder.map(({ name }) => name))]

export type NamedRung = RungShape<never> & { readonly name: Rung }
const byName = new Map<string, NamedRung>(ladder.map((rung) => [rung.name, rung]))

/**
 * Returns the error code of a refusal by this rule of the gate. The gate also uses this code if the rule demands a
 * proposal but the pod cannot store the write as a proposal.
 */
export const rungCode = (rung: Rung): ForbiddenCode => byName.get(rung)?.code ?? "APPROVAL_NEEDED"

/** Returns the sentence with which this rule of the gate explains its verdict. */
export const rungReason = (rung: Rung): string => byName.get(rung)?.reason ?? ""

/**
 * Returns the part of the access rules that this rule of the gate checks. Returns undefined if no rule has this name.
 */
export const rungAxis = (rung: string): DecisionAxis | undefined => byName.get(rung)?.axis

/**
 * Returns true if a refusal by this rule of the gate can be wrong because of outdated cached data about a person, an
 * agent or a policy of the agent.
 */
export const canBeStale = (rung: Rung): boolean =>
  byName.get(rung)?.canBeStale === true || afterPolicy.some(({ name }) => name === rung)
