/** The port through which the gate learns what bounds an agent's writes in a space. */
import { Context, type Effect } from "effect"
import type { Principal } from "../../doors/Principal.ts"
import type { PolicyStamp, Reach } from "../../doors/Reach.ts"
import type { AgentPolicy } from "./Policy.ts"

export interface StampedPolicy {
  readonly policy: AgentPolicy
  readonly stamp: PolicyStamp | null
}

export class AgentPolicies extends Context.Tag("pod/AgentPolicies")<
  AgentPolicies,
  {
    /**
     * Everything beside its grant and its capabilities, as of now. With a stamp it may be remembered, but for rules
     * that end meanwhile: statements compare it. Without one it holds for one question.
     */
    readonly policyFor: (agent: Principal, spaceId: string) => Effect.Effect<StampedPolicy, never, Reach>
  }
>() {}
