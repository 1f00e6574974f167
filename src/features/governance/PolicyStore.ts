/** The store of the policies of workspaces, the policies of agents, and the rules. */
import { Context, DateTime, Effect, Layer, Struct } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements } from "../events/EventTable.ts"
import { AgentPolicies } from "../gate/AgentPolicies.ts"
import type { Passed } from "../gate/Passed.ts"
import { type GovernanceRule, standardPolicy, type WorkspacePolicy } from "../gate/Policy.ts"
import { workspacePolicyTable } from "../gate/PolicyTable.ts"
import { agentTable, roleOf } from "../people/UserTables.ts"

/** A rule to add, with the space to which it belongs. */
export interface NewGovernanceRule extends GovernanceRule {
  readonly spaceId: string
}

export class PolicyStore extends Context.Tag("pod/PolicyStore")<
  PolicyStore,
  {
    readonly policyFor: typeof AgentPolicies.Service.policyFor
    /** Returns the policy of a workspace. Returns the standard policy if the workspace has not set a policy. */
    readonly workspacePolicy: (spaceId: string) => Effect.Effect<WorkspacePolicy, never, Reach>
    /**
     * Merges the given fields into the policy of the workspace, in one statement, and returns the whole policy. The
     * event also gets the former values of these fields, as `before`.
     */
    readonly changeWorkspacePolicy: (
      spaceId: string,
      policyChange: Partial<WorkspacePolicy>,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<WorkspacePolicy, never, Reach>
    /** Lists the rules that are not revoked, newest first. Includes expired rules. */
    readonly rules: (spaceIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<GovernanceRule>, never, Reach>
    readonly addRule: (rule: NewGovernanceRule, event: EventDraft, passed: Passed) => Effect.Effect<void, never, Reach>
    /** Revokes a rule. Returns false if none of the given spaces has this rule. */
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
    Effect.map(memoryStatements, ({ read, write }) => ({
      policyFor: ({ holder, personId }, spaceId) =>
        read(({ now, rows }) => {
          const rules = rows
            .all(ruleTable)
            .filter(
              (rule) =>
                (rule.spaceId === spaceId || rule.spaceId === personId) &&
                (rule.agentUserId === null || rule.agentUserId === holder.id) &&
                (rule.expiresAt === null || DateTime.greaterThan(rule.expiresAt, now))
            )
          const policy = {
            agentRole: spaceId === personId ? ("owner" as const) : roleOf(rows, holder.id, spaceId),
            writesRequireProposal: rows.find(agentTable, holder.id)?.writesRequireProposal ?? true,
            workspace: policyOf(rows, spaceId),
            rules: rules.map(withoutSpace)
          }
          return Effect.succeed({ policy, stamp: null })
        }),
      workspacePolicy: (spaceId) => read(({ rows }) => Effect.succeed(policyOf(rows, spaceId))),
      changeWorkspacePolicy: (spaceId, policyChange, event, passed) =>
        write(({ append, rows }) => {
          const former = policyOf(rows, spaceId)
          const policy = { ...former, ...policyChange }
          const before = Struct.pick(former, ...Struct.keys(policyChange))
          rows.put(workspacePolicyTable, { spaceId, policy })
          append(spaceId, { ...event, data: { ...event.data, before } }, passed)
          return Effect.succeed(policy)
        }),
      rules: (spaceIds) =>
        read(({ rows }) => {
          const found = rows.all(ruleTable).filter(({ spaceId }) => spaceIds.includes(spaceId))
          return Effect.succeed(found.map(withoutSpace).toReversed())
        }),
      addRule: (rule, event, passed) =>
        write(({ append, rows }) => {
          rows.put(ruleTable, rule)
          append(rule.spaceId, event, passed)
          return Effect.void
        }),
      revokeRule: (ruleId, spaceIds, event, passed) =>
        write(({ append, rows }) => {
          const found = rows.find(ruleTable, ruleId)
          if (found === undefined || !spaceIds.includes(found.spaceId)) return Effect.succeed(false)
          rows.remove(ruleTable, ruleId)
          append(found.spaceId, event, passed)
          return Effect.succeed(true)
        })
    }))
  )
}

const ruleTable = memoryTable<NewGovernanceRule>("governance_rules", ({ id }) => id)
const withoutSpace = (rule: NewGovernanceRule): GovernanceRule => Struct.omit(rule, "spaceId")
const policyOf = (rows: Rows, spaceId: string): WorkspacePolicy =>
  rows.find(workspacePolicyTable, spaceId)?.policy ?? standardPolicy

/** Implements the interface through which the gate reads policies. The policies come from this store. */
export const layerAgentPolicies = Layer.effect(
  AgentPolicies,
  Effect.map(PolicyStore, ({ policyFor }) => ({ policyFor }))
)
