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
     * Returns everything that limits the agent now, except its grant and its capabilities. An answer with a stamp may
     * be cached, because the SQL statement of each write compares the stamp. The cache must drop expired rules itself.
     * An answer without a stamp is valid for one question only.
     */
    readonly policyFor: (agent: Principal, spaceId: string) => Effect.Effect<StampedPolicy, never, Reach>
  }
>() {}
