/** The port through which the gate reads the policy for an agent's writes in a space. */
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
     * Returns everything that limits the agent now, except its grant and its capabilities. If the answer has a stamp,
     * the gate may cache the answer, because the SQL statement of each write compares the stamp. The gate must drop
     * expired rules from a cached answer. An answer without a stamp is valid for one question only.
     */
    readonly policyFor: (agent: Principal, spaceId: string) => Effect.Effect<StampedPolicy, never, Reach>
  }
>() {}
