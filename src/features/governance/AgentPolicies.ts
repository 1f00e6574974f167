/** The port through which the gate learns what bounds an agent's writes in a space. */
import { Context, type Effect } from "effect"
import type { Principal } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { AgentPolicy } from "./Policy.ts"

export class AgentPolicies extends Context.Tag("pod/AgentPolicies")<
  AgentPolicies,
  {
    /** Everything beside its grant and its capabilities, as of now. */
    readonly policyFor: (agent: Principal, spaceId: string) => Effect.Effect<AgentPolicy, never, Reach>
  }
>() {}
