/**
 * The governance gate with a policy that the test chooses. Its proposal service fails the test if a write becomes a
 * proposal.
 */
import { Effect, Layer } from "effect"
import { AgentPolicies } from "../../src/features/gate/AgentPolicies.ts"
import { RecordReaders } from "../../src/doors/ShownRecords.ts"
import { Changers } from "../../src/features/gate/Changers.ts"
import { GovernanceGate } from "../../src/features/gate/GovernanceGate.ts"
import { type AgentPolicy, standardPolicy } from "../../src/features/gate/Policy.ts"
import { ProposalFiler } from "../../src/features/gate/ProposalFiler.ts"
import { GrantMatcher } from "../../src/features/grants/GrantMatcher.ts"

/**
 * Returns the policy of an agent in the own space of the person who owns the agent. The agent's writes need approval,
 * unless `policy` says something else.
 */
export const anAgentPolicy = (policy: Partial<AgentPolicy> = {}): AgentPolicy => ({
  agentRole: "owner",
  writesRequireProposal: true,
  workspace: standardPolicy,
  rules: [],
  ...policy
})

const unexpected = Effect.dieMessage("an unexpected proposal was filed")

/** Makes a gate for services whose writes must be applied or refused. If a write becomes a proposal, the test fails. */
export const gateAlone = (policy: Partial<AgentPolicy> = {}) =>
  GovernanceGate.layer.pipe(
    Layer.provide([
      GrantMatcher.layer,
      Layer.succeed(AgentPolicies, { policyFor: () => Effect.succeed({ policy: anAgentPolicy(policy), stamp: null }) }),
      Layer.succeed(ProposalFiler, { file: () => unexpected, askToJoin: () => unexpected })
    ]),
    Layer.provideMerge(Changers.layer),
    Layer.provideMerge(RecordReaders.layer)
  )
