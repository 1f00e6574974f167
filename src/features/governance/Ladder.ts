/**
 * The ladder: one pure decision on one write. The rungs are tried in order and the first that speaks decides. A refusal
 * is never queued; a proposal waits for a person (specification §5.2, compatibility reference §5.1).
 */
import type { Principal } from "../../doors/Principal.ts"
import { type GrantMatcher, roleMay } from "../grants/GrantMatcher.ts"
import {
  type AgentPolicy,
  defaultAutoApprove,
  type GovernanceRule,
  isAdministrative,
  matchesPattern
} from "./Policy.ts"
import type { GatedWrite } from "./Write.ts"

/** Every rung by name, in the ladder's order. */
export const rungs = [
  "confinement", // the key is for another workspace
  "membership", // the person may not do this there
  "grant", // the key's grant does not cover it
  "forPeople", // no agent ever does it
  "capabilities", // the agent was not given it
  "agentRole", // the agent's own role in the workspace does not reach so far
  "suggestion", // a person asks that somebody looks at it first
  "person", // a person does what their role allows: nobody else decides
  "enrolment", // the agent was never let into the workspace
  "administrative", // it changes who may do what
  "forced", // the caller wants it seen
  "destructive", // deletes are always seen
  "direct", // its answer has no room for a proposal
  "observation", // what an agent noticed about its person
  "rule", // somebody said so for this agent, kind or workspace
  "ownWorkspace", // the agent's own workspace
  "workspacePolicy", // the workspace lets every agent do it
  "writesRequireProposal", // the agent is not relaxed: the state it is made in
  "defaultList", // what relaxed agents do unasked
  "otherwise" // nobody said anything
] as const
export type Rung = (typeof rungs)[number]

export type Verdict =
  | { readonly verdict: "allow"; readonly rung: Rung }
  | { readonly verdict: "deny"; readonly rung: Rung; readonly reason: string }
  | {
      readonly verdict: "propose"
      readonly rung: Rung
      readonly reason: string
      /** Where the agent has to be let in before anything else. */
      readonly joinSpaceId?: string
    }

type Matcher = typeof GrantMatcher.Service

const allow = (rung: Rung): Verdict => ({ verdict: "allow", rung })
const deny = (rung: Rung, reason: string): Verdict => ({ verdict: "deny", rung, reason })
const propose = (rung: Rung, reason: string) => ({ verdict: "propose" as const, rung, reason })

/** Capabilities are permission keys and match as a grant's do; none ticked means that the agent only reads. */
const isCapable = (matcher: Matcher, { holder }: Principal, write: GatedWrite): boolean =>
  matcher.covers({ permissions: holder.capabilities, workspaceIds: null, projectIds: null, entityIds: null }, write)

type Denial = Extract<Verdict, { readonly verdict: "deny" }>

/** The rungs that refuse, and need no policy: asked of the write and of all that it writes besides. */
export const refusalOf = (matcher: Matcher, principal: Principal, write: GatedWrite): Denial | undefined => {
  for (const each of [write, ...(write.also ?? [])]) {
    const refusal = refusalOfOne(matcher, principal, each)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Whoever may not write in a space learns nothing about whether it exists. */
const refusalOfOne = (matcher: Matcher, principal: Principal, write: GatedWrite): Denial | undefined => {
  const refuse = (rung: Rung, reason: string) => ({ verdict: "deny" as const, rung, reason })
  const { object } = write
  if (principal.workspaceId !== null && principal.workspaceId !== object.spaceId) {
    return refuse("confinement", "This key is confined to another workspace.")
  }
  const membership = principal.memberships.find(({ spaceId }) => spaceId === object.spaceId)
  // Who may do what is for those who manage the workspace.
  const needed = isAdministrative(write.subject) ? "delete" : write.action
  if (membership === undefined || !roleMay(membership.role, needed)) {
    return refuse("membership", "You may not do this in that workspace.")
  }
  if (!matcher.covers(principal.grant, write) || !matcher.allowsObject(principal.grant, object)) {
    return refuse("grant", "The grant does not cover this write.")
  }
  if (principal.holder.kind !== "agent") return undefined
  if (write.isForPeople === true)
    return refuse("forPeople", "Only a person does this, signed in or with a key of their own.")
  return isCapable(matcher, principal, write)
    ? undefined
    : refuse("capabilities", "This agent has not been given the capability to write this.")
}

const speaksOf = (rule: GovernanceRule, { subject, kind, action }: GatedWrite): boolean =>
  rule.targetKind === "profile"
    ? subject === "entity" && rule.targetPattern === kind
    : matchesPattern(rule.targetPattern, subject, action) &&
      (rule.targetProfile === null || rule.targetProfile === kind)

/** What the standing rules say. Of two that disagree the careful one wins. */
const ruled = (policy: AgentPolicy, write: GatedWrite): GovernanceRule["verdict"] | undefined => {
  const verdicts = policy.rules.filter((rule) => speaksOf(rule, write)).map(({ verdict }) => verdict)
  return verdicts.includes("propose") ? "propose" : verdicts[0]
}

/** The rungs past the refusals, for an agent. */
const forAgent = (principal: Principal, write: GatedWrite, policy: AgentPolicy): Verdict => {
  const { subject, action } = write
  if (policy.agentRole === null) {
    return {
      ...propose("enrolment", "This agent has not been let into that workspace yet."),
      joinSpaceId: write.object.spaceId
    }
  }
  if (!roleMay(policy.agentRole, "create")) {
    return deny("agentRole", "This agent only reads in that workspace.")
  }
  if (isAdministrative(subject)) return propose("administrative", "It changes who may do what.")
  if (write.isForced === true) return propose("forced", "It was asked to be seen by a person.")
  if (action === "delete") return propose("destructive", "An agent deletes nothing by itself.")
  if (write.isDirect === true) return allow("direct")
  if (subject === "entity" && write.kind === "user_observation") {
    return propose("observation", "What an agent noticed about its person is for the person to confirm.")
  }
  const rule = ruled(policy, write)
  if (rule !== undefined) {
    return rule === "auto" ? allow("rule") : propose("rule", "A rule asks for a person's approval.")
  }
  if (policy.workspace.linkedAgentId === principal.holder.id) return allow("ownWorkspace")
  const unasked = (patterns: ReadonlyArray<string>) =>
    patterns.some((pattern) => matchesPattern(pattern, subject, action))
  if (policy.workspace.autoApproveFor !== null && unasked(policy.workspace.autoApproveFor)) {
    return allow("workspacePolicy")
  }
  if (policy.writesRequireProposal) {
    return propose("writesRequireProposal", "What this agent writes is approved by a person.")
  }
  return unasked(defaultAutoApprove)
    ? allow("defaultList")
    : propose("otherwise", "Nobody has let agents do this unasked.")
}

const unknown = deny("agentRole", "Nothing is known of what this agent may do there.")

/**
 * The decision. `policyOf` is asked for agents alone, space by space; a person is bounded by role and grant. What an agent
 * writes besides is judged as if it were written alone, and the gravest verdict is that of the whole.
 */
export const decide = (
  matcher: Matcher,
  principal: Principal,
  write: GatedWrite,
  policyOf: (spaceId: string) => AgentPolicy | undefined
): Verdict => {
  const refusal = refusalOf(matcher, principal, write)
  if (refusal !== undefined) return refusal
  if (principal.holder.kind !== "agent") {
    return write.isSuggestion === true
      ? propose("suggestion", "It was made for somebody to look at first.")
      : allow("person")
  }
  const verdicts = [write, ...(write.also ?? [])].map((each) => {
    const policy = policyOf(each.object.spaceId)
    return policy === undefined ? unknown : forAgent(principal, each, policy)
  })
  const gravest = (kind: Verdict["verdict"]) => verdicts.find(({ verdict }) => verdict === kind)
  return gravest("deny") ?? gravest("propose") ?? verdicts[0]
}
