/**
 * The ladder: the ordered table of the rules of the gate, which are called rungs (specification §5.2). For each write,
 * the first rule that applies decides. It allows the write, refuses the write, or turns the write into a proposal for a
 * person. A refused write never becomes a proposal. The functions of this file are pure.
 */
import type { Principal } from "../../doors/Principal.ts"
import { type AgentPolicy, type GovernanceRule, matchesPattern } from "./Policy.ts"
import { afterPolicy, beforePolicy, type NamedRung, type Rung } from "./Rungs.ts"
import type { Matcher, RungInput, RungShape } from "./RungShape.ts"
import type { GatedWrite } from "./Write.ts"

export interface Verdict {
  readonly verdict: "allow" | "deny" | "propose"
  readonly rung: Rung
  readonly reason: string
  /** The write about which the rule of the gate decided: the requested write, or one of its further writes. */
  readonly write: GatedWrite
  /** The space of which the agent must first become a member. Absent if the agent is already a member. */
  readonly joinSpaceId?: string
}

/**
 * Returns true if the caller still has the right to a write that the pod does later. An agent that must first join the
 * workspace does not have this right.
 */
export const hasRight = ({ rung, verdict }: Pick<Verdict, "rung" | "verdict">): boolean =>
  verdict !== "deny" && rung !== "enrolment"

const verdictOf = ({ asksToJoin, name, reason, verdict }: NamedRung, write: GatedWrite): Verdict => ({
  verdict,
  rung: name,
  reason,
  write,
  ...(asksToJoin === true ? { joinSpaceId: write.object.spaceId } : {})
})

/**
 * Returns the verdict of the first rule (rung) in the list that applies to the write. Returns undefined if no rule
 * applies.
 */
const firstOf = <Q extends RungInput>(
  rows: ReadonlyArray<RungShape<Q> & { readonly name: Rung }>,
  question: Q
): Verdict | undefined => {
  const rung = rows.find(({ applies }) => applies(question))
  return rung === undefined ? undefined : verdictOf(rung, question.write)
}

/** Returns the requested write, followed by its further writes. */
export const allOf = (write: GatedWrite): ReadonlyArray<GatedWrite> => [write, ...(write.also ?? [])]

const questionOf = (matcher: Matcher, principal: Principal, write: GatedWrite): RungInput => ({
  matcher,
  principal,
  write,
  membership: principal.memberships.find(({ spaceId }) => spaceId === write.object.spaceId)
})

/** The requested write or one of its further writes, with the verdict of the rules that need no policy, if one applies. */
export interface EarlyVerdict {
  readonly question: RungInput
  readonly known: Verdict | undefined
}

/** Tries the rules that need no policy of the agent, for the requested write and for each further write. */
export const earlyVerdicts = (matcher: Matcher, principal: Principal, write: GatedWrite): ReadonlyArray<EarlyVerdict> =>
  allOf(write).map((each) => {
    const question = questionOf(matcher, principal, each)
    return { question, known: firstOf(beforePolicy, question) }
  })

/** Returns the first refusal. If a rule refuses one of the writes, the gate refuses all of them. */
export const refusalIn = (early: ReadonlyArray<EarlyVerdict>): Verdict | undefined =>
  early.find(({ known }) => known?.verdict === "deny")?.known

const matches = (rule: GovernanceRule, { subject, kind, action }: GatedWrite): boolean =>
  rule.targetKind === "profile"
    ? subject === "entity" && rule.targetPattern === kind
    : matchesPattern(rule.targetPattern, subject, action) &&
      (rule.targetProfile === null || rule.targetProfile === kind)

/**
 * Returns the verdict of the governance rules that match the write. If the rules disagree, the verdict is `propose`.
 */
const verdictOfRules = (policy: AgentPolicy, write: GatedWrite): GovernanceRule["verdict"] | undefined => {
  const verdicts = policy.rules.filter((rule) => matches(rule, write)).map(({ verdict }) => verdict)
  return verdicts.includes("propose") ? "propose" : verdicts[0]
}

const unknownPolicy = (write: GatedWrite): Verdict => ({
  verdict: "deny",
  rung: "agentRole",
  reason: "The pod does not know what this agent may do in that workspace.",
  write
})

const strictestFirst: ReadonlyArray<Verdict["verdict"]> = ["deny", "propose", "allow"]

/**
 * Decides on a write that the rules without a policy have judged. Calls `policyOf` only for agents, because only the
 * role and the grant limit a person. Judges each further write as a separate write. The strictest verdict decides.
 */
export const decide = (
  early: ReadonlyArray<EarlyVerdict>,
  policyOf: (spaceId: string) => AgentPolicy | undefined
): Verdict => {
  const refused = refusalIn(early)
  if (refused !== undefined) return refused
  const verdicts = early.map(({ known, question }): Verdict => {
    if (known !== undefined) return known
    const policy = policyOf(question.write.object.spaceId)
    if (policy === undefined) return unknownPolicy(question.write)
    const rule = verdictOfRules(policy, question.write)
    return firstOf(afterPolicy, { ...question, policy, rule }) ?? unknownPolicy(question.write)
  })
  return verdicts.reduce((strictest, one) =>
    strictestFirst.indexOf(one.verdict) < strictestFirst.indexOf(strictest.verdict) ? one : strictest
  )
}
