/** The gate over a policy that the test names, and a desk before which nothing is expected to be put. */
import { Effect, Layer } from "effect"
import { AgentPolicies } from "../../src/features/gate/AgentPolicies.ts"
import { Changers } from "../../src/features/gate/Changers.ts"
import { GovernanceGate } from "../../src/features/gate/GovernanceGate.ts"
import { type AgentPolicy, standardPolicy } from "../../src/features/gate/Policy.ts"
import { ProposalDesk } from "../../src/features/gate/ProposalDesk.ts"
import { GrantMatcher } from "../../src/features/grants/GrantMatcher.ts"

/** What bounds an agent that is at home and was never relaxed, unless the test says otherwise. */
export const anAgentPolicy = (policy: Partial<AgentPolicy> = {}): AgentPolicy => ({
  agentRole: "owner",
  writesRequireProposal: true,
  workspace: standardPolicy,
  rules: [],
  ...policy
})

const unexpected = Effect.dieMessage("something was put before a person")

/** For services whose writes are carried out or refused: one that would wait for a person is a defect. */
export const gateAlone = (policy: Partial<AgentPolicy> = {}) =>
  GovernanceGate.layer.pipe(
    Layer.provide([
      GrantMatcher.layer,
      Layer.succeed(AgentPolicies, { policyFor: () => Effect.succeed({ policy: anAgentPolicy(policy), stamp: null }) }),
      Layer.succeed(ProposalDesk, { file: () => unexpected, askToJoin: () => unexpected })
    ]),
    Layer.provideMerge(Changers.layer)
  )
