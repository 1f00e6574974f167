/** The form of a rung (a rule of the gate), and the input with which the gate tests whether the rule applies. */
import type { ForbiddenCode } from "../../doors/FailureCode.ts"
import type { Membership, Principal } from "../../doors/Principal.ts"
import type { GrantMatcher } from "../grants/GrantMatcher.ts"
import type { AgentPolicy, GovernanceRule } from "./Policy.ts"
import type { GatedWrite } from "./Write.ts"

export type Matcher = typeof GrantMatcher.Service

/** The part of the access rules that a rule of the gate checks. A refusal names this part (the axis). */
export type DecisionAxis = "workspace" | "role" | "grant" | "identity" | "capabilities" | "policy" | "none"

/** One write and the principal who asks for it. This is the input of every rule of the gate. */
export interface RungInput {
  readonly matcher: Matcher
  readonly principal: Principal
  readonly write: GatedWrite
  readonly membership: Membership | undefined
}

/** The input of a rule that also needs the policy for the agent in the space of the write. */
export interface PolicyRungInput extends RungInput {
  readonly policy: AgentPolicy
  readonly rule: GovernanceRule["verdict"] | undefined
}

export interface RungShape<Q> {
  readonly name: string
  readonly verdict: "allow" | "deny" | "propose"
  readonly applies: (question: Q) => boolean
  /**
   * The error code of a refusal by this rule of the gate. If it is absent, the code is `APPROVAL_NEEDED`, which means
   * that the write needs approval but the pod cannot store it as a proposal.
   */
  readonly code?: ForbiddenCode
  readonly axis: DecisionAxis
  readonly reason: string
  /**
   * Whether the rule uses cached access rights of a person or agent, which can be outdated. If so, the pod reads the
   * access rights again before it refuses a write by this rule.
   */
  readonly canBeStale?: boolean
  /** Whether the agent must first become a member of the space. */
  readonly asksToJoin?: boolean
}
