/**
 * The ladder: one pure decision on one write. It is a table; the rungs are tried in order and the first that applies decides.
 * A refusal is never queued; a proposal waits for a person (specification §5.2, compatibility reference §5.1).
 */
import type { Membership, Principal } from "../../doors/Principal.ts"
import { type GrantMatcher, roleMay } from "../grants/GrantMatcher.ts"
import {
  type AgentPolicy,
  defaultAutoApprove,
  type GovernanceRule,
  isAdministrative,
  matchesPattern
} from "./Policy.ts"
import type { GatedWrite } from "./Write.ts"

type Matcher = typeof GrantMatcher.Service

/** What is looked at when a decision falls: the axis that a refusal names. */
export type DecisionAxis = "workspace" | "role" | "grant" | "identity" | "capabilities" | "policy" | "none"

/** One write by somebody, as every rung may ask about it. */
interface Question {
  readonly matcher: Matcher
  readonly principal: Principal
  readonly write: GatedWrite
  readonly membership: Membership | undefined
}

/** The same, once it is known what bounds the agent in that space. */
interface PolicyQuestion extends Question {
  readonly policy: AgentPolicy
  readonly rule: GovernanceRule["verdict"] | undefined
}

interface RungShape<Q> {
  readonly name: string
  readonly verdict: "allow" | "deny" | "propose"
  readonly applies: (question: Q) => boolean
  /** What a refusal is called on the wire. A write that would wait and cannot be kept is refused as APPROVAL_NEEDED. */
  readonly code?: string
  readonly axis: DecisionAxis
  readonly reason: string
  /** It rests on what is remembered of a person or agent: the refusal is asked once more with fresh access. */
  readonly canBeStale?: boolean
  /** The agent has to be let into the space before anything else. */
  readonly asksToJoin?: boolean
}

const isAgent = ({ principal }: Question) => principal.holder.kind === "agent"

/** A grant that is limited to the very project may file in it, for nothing could be made under it otherwise. */
const isImplied = ({ principal, write }: Question): boolean =>
  write.isFiling === true &&
  write.object.projectIds.length > 0 &&
  write.object.projectIds.every((project) => principal.grant?.projectIds?.includes(project) === true)

const isUnasked = (patterns: ReadonlyArray<string>, { subject, action }: GatedWrite): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, subject, action))

/** The rungs that need no policy: they refuse, or let a person do it. */
const beforePolicy = [
  {
    name: "confinement",
    verdict: "deny",
    applies: ({ principal, write }) => principal.workspaceId !== null && principal.workspaceId !== write.object.spaceId,
    code: "WORKSPACE_FORBIDDEN",
    axis: "workspace",
    reason: "This key is confined to another workspace.",
    canBeStale: true
  },
  {
    name: "membership",
    verdict: "deny",
    // Who may do what is for those who manage the workspace. Whoever may not write there learns nothing about it.
    applies: ({ membership, write }) =>
      membership === undefined || !roleMay(membership.role, isAdministrative(write.subject) ? "delete" : write.action),
    code: "WORKSPACE_FORBIDDEN",
    axis: "role",
    reason: "You may not do this in that workspace.",
    canBeStale: true
  },
  {
    name: "grant",
    verdict: "deny",
    applies: (question) => {
      const { matcher, principal, write } = question
      if (isImplied(question)) return false
      return !matcher.covers(principal.grant, write) || !matcher.allowsObject(principal.grant, write.object)
    },
    code: "GRANT_DENIED",
    axis: "grant",
    reason: "The grant does not cover this write."
  },
  {
    name: "forPeople",
    verdict: "deny",
    applies: (question) => isAgent(question) && question.write.isForPeople === true,
    code: "PEOPLE_ONLY",
    axis: "identity",
    reason: "Only a person does this, signed in or with a key of their own."
  },
  {
    name: "capabilities",
    verdict: "deny",
    // Capabilities are permission keys and match as a grant's do; none ticked means that the agent only reads.
    applies: (question) => {
      const { matcher, principal, write } = question
      if (!isAgent(question) || isImplied(question)) return false
      const held = { permissions: principal.holder.capabilities, workspaceIds: null, projectIds: null, entityIds: null }
      return !matcher.covers(held, write)
    },
    code: "CAPABILITY_MISSING",
    axis: "capabilities",
    reason: "This agent has not been given the capability to write this.",
    canBeStale: true
  },
  {
    name: "suggestion",
    verdict: "propose",
    applies: (question) => !isAgent(question) && question.write.isSuggestion === true,
    axis: "policy",
    reason: "It was made for somebody to look at first."
  },
  {
    name: "person",
    verdict: "allow",
    applies: (question) => !isAgent(question),
    axis: "none",
    reason: "A person does what their role allows: nobody else decides."
  }
] as const satisfies ReadonlyArray<RungShape<Question>>

/** The rungs for an agent that nothing above refused. */
const afterPolicy = [
  {
    name: "enrolment",
    verdict: "propose",
    applies: ({ policy }) => policy.agentRole === null,
    axis: "policy",
    reason: "This agent has not been let into that workspace yet.",
    asksToJoin: true
  },
  {
    name: "agentRole",
    verdict: "deny",
    applies: ({ policy }) => policy.agentRole !== null && !roleMay(policy.agentRole, "create"),
    code: "WORKSPACE_FORBIDDEN",
    axis: "role",
    reason: "This agent only reads in that workspace."
  },
  {
    name: "administrative",
    verdict: "propose",
    applies: ({ write }) => isAdministrative(write.subject),
    axis: "policy",
    reason: "It changes who may do what."
  },
  {
    name: "forced",
    verdict: "propose",
    applies: ({ write }) => write.isForced === true,
    axis: "policy",
    reason: "It was asked to be seen by a person."
  },
  {
    name: "destructive",
    verdict: "propose",
    applies: ({ write }) => write.action === "delete",
    axis: "policy",
    reason: "An agent deletes nothing by itself."
  },
  {
    name: "overwriting",
    verdict: "propose",
    applies: ({ write }) => write.isOverwriting === true,
    axis: "policy",
    reason: "It writes over what a person wrote."
  },
  {
    name: "observation",
    verdict: "propose",
    applies: ({ write }) => write.subject === "entity" && write.kind === "user_observation",
    axis: "policy",
    reason: "What an agent noticed about its person is for the person to confirm."
  },
  {
    name: "filing",
    verdict: "allow",
    // What the grant for a project implies is judged with the record that is filed, and not once more by itself.
    applies: (question) => isImplied(question),
    axis: "none",
    reason: "The grant is for this very project."
  },
  {
    name: "askFirst",
    verdict: "propose",
    applies: ({ rule }) => rule === "propose",
    axis: "policy",
    reason: "A rule asks for a person's approval."
  },
  {
    name: "rule",
    verdict: "allow",
    applies: ({ rule }) => rule === "auto",
    axis: "policy",
    reason: "A rule lets the agent do this unasked."
  },
  {
    name: "direct",
    verdict: "allow",
    applies: ({ write }) => write.isDirect === true,
    axis: "policy",
    reason: "It is carried out and recorded where nobody said otherwise."
  },
  {
    name: "ownWorkspace",
    verdict: "allow",
    applies: ({ policy, principal }) => policy.workspace.linkedAgentId === principal.holder.id,
    axis: "policy",
    reason: "It is the agent's own workspace."
  },
  {
    name: "workspacePolicy",
    verdict: "allow",
    applies: ({ policy, write }) =>
      policy.workspace.autoApproveFor !== null && isUnasked(policy.workspace.autoApproveFor, write),
    axis: "policy",
    reason: "The workspace lets every agent do it."
  },
  {
    name: "writesRequireProposal",
    verdict: "propose",
    applies: ({ policy }) => policy.writesRequireProposal,
    axis: "policy",
    reason: "What this agent writes is approved by a person."
  },
  {
    name: "defaultList",
    verdict: "allow",
    applies: ({ write }) => isUnasked(defaultAutoApprove, write),
    axis: "policy",
    reason: "Agents whose person relaxed them do this unasked."
  },
  {
    name: "otherwise",
    verdict: "propose",
    applies: () => true,
    axis: "policy",
    reason: "Nobody has let agents do this unasked."
  }
] as const satisfies ReadonlyArray<RungShape<PolicyQuestion>>

const ladder = [...beforePolicy, ...afterPolicy]

export type Rung = (typeof ladder)[number]["name"]

/** Every rung by name, in the ladder's order. */
export const rungs: ReadonlyArray<Rung> = ladder.map(({ name }) => name)

type Named = RungShape<never> & { readonly name: Rung }
const byName = new Map<string, Named>(ladder.map((rung) => [rung.name, rung]))

/** The code under which a verdict that refuses, or waits and cannot be kept, is answered. */
export const codeOf = (rung: Rung): string => byName.get(rung)?.code ?? "APPROVAL_NEEDED"

/** What was looked at when this rung decided; undefined for a name that is no rung. */
export const axisOf = (rung: string): DecisionAxis | undefined => byName.get(rung)?.axis

/** Whether a refusal of this rung can follow from what was remembered of a person, an agent or its policy. */
export const canBeStale = (rung: Rung): boolean =>
  byName.get(rung)?.canBeStale === true || afterPolicy.some(({ name }) => name === rung)

export interface Verdict {
  readonly verdict: "allow" | "deny" | "propose"
  readonly rung: Rung
  readonly reason: string
  /** Where the agent has to be let in before anything else. */
  readonly joinSpaceId?: string
}

const verdictOf = ({ asksToJoin, name, reason, verdict }: Named, write: GatedWrite): Verdict => ({
  verdict,
  rung: name,
  reason,
  ...(asksToJoin === true ? { joinSpaceId: write.object.spaceId } : {})
})

/** The first rung that applies. */
const firstOf = <Q extends Question>(
  rows: ReadonlyArray<RungShape<Q> & { readonly name: Rung }>,
  question: Q
): Verdict | undefined => {
  const rung = rows.find(({ applies }) => applies(question))
  return rung === undefined ? undefined : verdictOf(rung, question.write)
}

const all = (write: GatedWrite): ReadonlyArray<GatedWrite> => [write, ...(write.also ?? [])]

const questionOf = (matcher: Matcher, principal: Principal, write: GatedWrite): Question => ({
  matcher,
  principal,
  write,
  membership: principal.memberships.find(({ spaceId }) => spaceId === write.object.spaceId)
})

/** The refusals that need no policy: asked of the write and of all that it writes besides. */
export const refusalOf = (matcher: Matcher, principal: Principal, write: GatedWrite): Verdict | undefined =>
  all(write)
    .map((each) => firstOf(beforePolicy, questionOf(matcher, principal, each)))
    .find((verdict) => verdict?.verdict === "deny")

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

const unknownPolicy: Verdict = {
  verdict: "deny",
  rung: "agentRole",
  reason: "Nothing is known of what this agent may do there."
}

const gravity: ReadonlyArray<Verdict["verdict"]> = ["deny", "propose", "allow"]

/**
 * The decision. `policyOf` is asked for agents alone, space by space; a person is bounded by role and grant. What is written
 * besides is judged as if it were written alone, and the gravest verdict is that of the whole.
 */
export const decide = (
  matcher: Matcher,
  principal: Principal,
  write: GatedWrite,
  policyOf: (spaceId: string) => AgentPolicy | undefined
): Verdict => {
  // Whatever else is written, and whether or not a policy is known: what is refused anyway is refused for that reason.
  const refusal = refusalOf(matcher, principal, write)
  if (refusal !== undefined) return refusal
  const verdicts = all(write).map((each): Verdict => {
    const question = questionOf(matcher, principal, each)
    const known = firstOf(beforePolicy, question)
    if (known !== undefined) return known
    const policy = policyOf(each.object.spaceId)
    if (policy === undefined) return unknownPolicy
    return firstOf(afterPolicy, { ...question, policy, rule: ruled(policy, each) }) ?? unknownPolicy
  })
  return verdicts.toSorted((one, other) => gravity.indexOf(one.verdict) - gravity.indexOf(other.verdict))[0]
}
