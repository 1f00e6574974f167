/** What is kept of policies: those of workspaces, those of agents, and the standing rules. */
import { Context, DateTime, Effect, Layer, Option, Ref, Struct } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryUsers } from "../people/PeopleStore.ts"
import { AgentPolicies } from "../gate/AgentPolicies.ts"
import { type GovernanceRule, standardPolicy, type WorkspacePolicy } from "../gate/Policy.ts"

/** A rule to be: everything decided, and the space it is kept in. */
export interface NewRule extends GovernanceRule {
  readonly spaceId: string
}

export class PolicyStore extends Context.Tag("pod/PolicyStore")<
  PolicyStore,
  {
    readonly policyFor: typeof AgentPolicies.Service.policyFor
    /** What a workspace said; the standard one where it said nothing. */
    readonly workspacePolicy: (spaceId: string) => Effect.Effect<WorkspacePolicy, never, Reach>
    /** Lays what is given over what the workspace said, in one step, and answers all of it. */
    readonly changeWorkspacePolicy: (
      spaceId: string,
      given: Partial<WorkspacePolicy>,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<WorkspacePolicy, never, Reach>
    /** Those not taken back, newest first, expired ones among them. */
    readonly rules: (spaceIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<GovernanceRule>, never, Reach>
    readonly addRule: (rule: NewRule, event: EventDraft, passed: Passed) => Effect.Effect<void, never, Reach>
    /** Answers whether there was one to take back in those spaces. */
    readonly revokeRule: (
      ruleId: string,
      spaceIds: ReadonlyArray<string>,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const users = yield* MemoryUsers
      const policies = yield* Ref.make<ReadonlyMap<string, WorkspacePolicy>>(new Map())
      const kept = yield* Ref.make<ReadonlyArray<NewRule>>([])
      const workspacePolicy = (spaceId: string) =>
        Effect.map(Ref.get(policies), (all) => all.get(spaceId) ?? standardPolicy)
      const plain = (rule: NewRule): GovernanceRule => Struct.omit(rule, "spaceId")
      return {
        policyFor: ({ holder, personId }, spaceId) =>
          Effect.gen(function* () {
            const agent = (yield* Ref.get(users.agents)).get(holder.id)
            const now = yield* DateTime.now
            const rules = (yield* Ref.get(kept)).filter(
              (rule) =>
                (rule.spaceId === spaceId || rule.spaceId === personId) &&
                (rule.agentUserId === null || rule.agentUserId === holder.id) &&
                (rule.expiresAt === null || DateTime.greaterThan(rule.expiresAt, now))
            )
            return {
              policy: {
                agentRole: spaceId === personId ? "owner" : (agent?.roles.get(spaceId) ?? null),
                writesRequireProposal: agent?.agent.writesRequireProposal ?? true,
                workspace: yield* workspacePolicy(spaceId),
                rules: rules.map(plain)
              },
              stamp: null
            }
          }),
        workspacePolicy,
        changeWorkspacePolicy: (spaceId, given, event, passed) =>
          Effect.gen(function* () {
            const policy = yield* Ref.modify(policies, (all) => {
              const made = { ...standardPolicy, ...all.get(spaceId), ...given }
              return [made, new Map(all).set(spaceId, made)]
            })
            yield* append(yield* Reach, spaceId, event, passed)
            return policy
          }),
        rules: (spaceIds) =>
          Effect.map(Ref.get(kept), (all) =>
            all
              .filter(({ spaceId }) => spaceIds.includes(spaceId))
              .map(plain)
              .toReversed()
          ),
        addRule: (rule, event, passed) =>
          Effect.gen(function* () {
            yield* Ref.update(kept, (all) => [...all, rule])
            yield* append(yield* Reach, rule.spaceId, event, passed)
          }),
        revokeRule: (ruleId, spaceIds, event, passed) =>
          Effect.gen(function* () {
            const found = yield* Ref.modify(kept, (all) => {
              const rule = all.find(({ id, spaceId }) => id === ruleId && spaceIds.includes(spaceId))
              return [Option.fromNullable(rule), all.filter((each) => each !== rule)]
            })
            if (Option.isSome(found)) yield* append(yield* Reach, found.value.spaceId, event, passed)
            return Option.isSome(found)
          })
      }
    })
  )
}

/** What the gate asks. */
export const layerAgentPolicies = Layer.effect(
  AgentPolicies,
  Effect.map(PolicyStore, ({ policyFor }) => ({ policyFor }))
)
