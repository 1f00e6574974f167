/** The interface through which the gate reads the policy for an agent's writes in a space. */
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
     * Returns everything that limits the agent now, except the grant and the capabilities of the agent. If the result
     * has a stamp (a version), the gate can cache the result, because the SQL statement of each write checks that this
     * version is still current. The gate must remove expired rules from a cached result. The gate must not cache a
     * result without a stamp.
     */
    readonly policyFor: (agent: Principal, spaceId: string) => Effect.Effect<StampedPolicy, never, Reach>
  }
>() {}
