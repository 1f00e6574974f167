/**
 * The service of governance: policies and rules for agents' writes, and dry runs of the gate. Only people change
 * policies and rules.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Forbidden, invalid, type Invalid, NotFound } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { waitBeforeAnswer } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { gateFieldsOf, supportsAction, matchingTypes } from "../gate/PlannedWrite.ts"
import type { Verdict } from "../gate/Ladder.ts"
import type { GovernanceRule, WorkspacePolicy } from "../gate/Policy.ts"
import { quotaKeeper } from "../gate/Quotas.ts"
import { objectIn, permissionFor, type WriteTraits } from "../gate/Write.ts"
import { People } from "../people/People.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { DecidableProposals } from "../proposals/DecidableProposals.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { DryRun, PolicyChange, GovernanceRuleDraft } from "./GovernanceView.ts"
import { PolicyStore } from "./PolicyStore.ts"

const noSuchRule = missingRecord("governance rule")

/** The policy and the rules of a workspace, in the form that the members of the workspace see. */
export interface EffectivePolicy {
  readonly policy: WorkspacePolicy
  readonly rules: ReadonlyArray<GovernanceRule>
  /** The names of the caller's agents, by the ids of the agents. */
  readonly agentLabels: ReadonlyMap<string, string>
}

export interface GovernanceExplanation {
  readonly verdict: Verdict
  readonly permission: string
  /** The record type for which the gate gave the verdict. Null if the pod has no matching type. */
  readonly targetType: string | null
  /**
   * Other verdicts that the gate could give. Each depends on a condition that the pod knows only when the write is
   * made. `when` names this condition.
   */
  readonly orElse: ReadonlyArray<{ readonly when: string; readonly verdict: Verdict }>
}

export class Governance extends Context.Tag("pod/Governance")<
  Governance,
  {
    /**
     * Reads the policy and the rules of a workspace. Fails with Forbidden for a workspace that the caller cannot reach.
     */
    readonly of: (workspaceId: string) => Effect.Effect<EffectivePolicy, Forbidden, Reach>
    /**
     * Returns what the gate would decide about a write by one of the caller's agents. This call writes nothing, not
     * even an event.
     */
    readonly tryOut: (
      workspaceId: string,
      dryRun: DryRun
    ) => Effect.Effect<GovernanceExplanation, Forbidden | Invalid, Reach>
    readonly setPolicy: (
      workspaceId: string,
      change: PolicyChange
    ) => Effect.Effect<WorkspacePolicy, Forbidden | Invalid | Proposed, Reach>
    /**
     * Lists the rules of a workspace. Without a workspace, lists the rules for all agents of the caller. `all` lists
     * the rules of every workspace of the caller, and the rules for all agents.
     */
    readonly rules: (
      where: { readonly workspaceId?: string | undefined } | "all"
    ) => Effect.Effect<ReadonlyArray<GovernanceRule>, Forbidden, Reach>
    readonly addRule: (
      draft: GovernanceRuleDraft
    ) => Effect.Effect<GovernanceRule, Forbidden | Invalid | Proposed, Reach>
    readonly revokeRule: (ruleId: string) => Effect.Effect<void, Forbidden | NotFound | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* PolicyStore
      const { within } = yield* quotaKeeper
      const gate = yield* GovernanceGate
      const people = yield* People
      const profiles = yield* Profiles
      const proposals = yield* DecidableProposals
      // Waits until every write that an agent began under the former policy has ended. Only then the pod answers the
      // request that changed the policy.
      const whenWritesEnded = waitBeforeAnswer(yield* Database)

      const changers = yield* Changers
      const governanceTraits = yield* changers.declare("governance", {
        subject: "workspace",
        kind: null,
        isForPeople: true,
        actions: ["update"]
      })

      /**
       * Asks the gate whether the caller is allowed to set what agents can do in a space. Only a caller who manages the
       * space has this right.
       */
      const passFor = (spaceId: string) =>
        Effect.flatMap(Reach, ({ principal }) =>
          gate.pass({ ...governanceTraits, action: "update", object: objectIn(principal.personId, spaceId, null) })
        )

      const inWorkspace = (workspaceId: string) =>
        Effect.flatMap(requestedSpace(workspaceId), (spaceId) =>
          Effect.flatMap(Reach, ({ principal }) =>
            spaceId === principal.personId
              ? Effect.fail(
                  new Forbidden({
                    code: "WORKSPACE_FORBIDDEN",
                    why: "This credential has no access to this workspace, or the workspace does not exist. Use another workspace or another credential.",
                    required: ["workspace"],
                    granted: []
                  })
                )
              : Effect.succeed(spaceId)
          )
        )

      const ownAgent = (agentId: string) =>
        Effect.catchTag(people.ownAgent(agentId), "Forbidden", ({ why }) => Effect.fail(invalid("agentUserId", why)))

      return {
        of: Effect.fnUntraced(function* (workspaceId) {
          const spaceId = yield* inWorkspace(workspaceId)
          const { bounds, principal } = yield* Reach
          const agents = yield* people.agents
          // The rules for all agents of the caller are in the caller's own space, which a key for one workspace cannot
          // read.
          const { spaces } = bounds("workspace", "read")
          const readable = [spaceId, principal.personId].filter((id) => spaces.includes(id))
          return {
            policy: yield* store.workspacePolicy(spaceId),
            rules: yield* store.rules(readable),
            agentLabels: new Map(agents.map(({ id, name }) => [id, name]))
          }
        }),

        tryOut: Effect.fnUntraced(function* (
          workspaceId,
          { action, agentUserId, profileSlug, subjectType, targetType }
        ) {
          const spaceId = yield* inWorkspace(workspaceId)
          yield* ownAgent(agentUserId)
          const access = yield* Effect.orDie(people.accessOf(agentUserId))
          const agent: Principal = {
            credential: { kind: "key", id: "" },
            holder: access.holder,
            personId: access.personId,
            podRole: "member",
            epoch: access.epoch,
            memberships: access.memberships,
            scopes: [],
            grant: null,
            workspaceId: null,
            toolProfile: null,
            expiresAt: null
          }
          const kind = subjectType === "entity" ? (profileSlug ?? "*") : null
          const types = matchingTypes(changers.traits(), { subject: subjectType, kind, targetType })
          if (targetType !== undefined && types.length === 0) {
            return yield* invalid(
              "targetType",
              "The pod has no record type for this subject and kind. Send another `subjectType` or `targetType`."
            )
          }
          const object = { spaceId, isPersonal: false, objectId: null, projectIds: [] }
          const write = { subject: subjectType, kind, action, object }
          const judge = (traits: WriteTraits, isOverwriting: boolean) =>
            gate.judge(agent, { ...write, ...gateFieldsOf(traits), isOverwriting })
          const [likeliest, ...others] = types.filter(([, traits]) => supportsAction(traits, action))
          const traits: WriteTraits = likeliest?.[1] ?? write
          const verdict = yield* judge(traits, false)
          const orElse = [
            ...(action === "update" && traits.mayOverwrite === true
              ? [{ when: "a person wrote the record last", verdict: yield* judge(traits, true) }]
              : []),
            ...(yield* Effect.forEach(others, ([type, its]) =>
              Effect.map(judge(its, false), (other) => ({ when: `the record has the type ${type}`, verdict: other }))
            ))
          ].filter((other) => other.verdict.rung !== verdict.rung)
          return { verdict, targetType: likeliest?.[0] ?? null, orElse, permission: permissionFor(write) }
        }),

        setPolicy: Effect.fnUntraced(function* (workspaceId, change) {
          const spaceId = yield* inWorkspace(workspaceId)
          const passed = yield* passFor(spaceId)
          const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
          const event = { type: "workspace.update", subjectId: spaceId, data: { governance: given } }
          const policy = yield* store.changeWorkspacePolicy(spaceId, given, event, passed)
          yield* whenWritesEnded
          return policy
        }),

        rules: Effect.fnUntraced(function* (where) {
          const { principal } = yield* Reach
          if (where === "all") return yield* store.rules(principal.memberships.map(({ spaceId }) => spaceId))
          return yield* store.rules([
            where.workspaceId === undefined ? principal.personId : yield* inWorkspace(where.workspaceId)
          ])
        }),

        addRule: Effect.fnUntraced(function* (draft) {
          const { principal } = yield* Reach
          if ((draft.scopeKind === "workspace") !== (draft.workspaceId !== undefined)) {
            return yield* invalid(
              "workspaceId",
              "Send `workspaceId` if `scopeKind` is `workspace`, and leave `workspaceId` out if `scopeKind` is `pod`."
            )
          }
          const spaceId = draft.workspaceId === undefined ? principal.personId : yield* inWorkspace(draft.workspaceId)
          const passed = yield* passFor(spaceId)
          if (draft.agentUserId !== undefined) yield* ownAgent(draft.agentUserId)
          const kind = draft.targetKind === "profile" ? draft.targetPattern : draft.targetProfile
          // The pod refuses a rule with a misspelt kind. Such a rule would match no write, but people would believe
          // that it protects them.
          const { spaces } = (yield* Reach).bounds("workspace", "update")
          if (kind !== undefined && !(yield* profiles.kindsIn(spaces)).has(kind)) {
            const path = draft.targetKind === "profile" ? "targetPattern" : "targetProfile"
            return yield* invalid(path, `The entity kind (profile slug) ${kind} does not exist.`)
          }
          const source = draft.sourceProposalId
          if (source !== undefined && (yield* proposals.listByIds([source])).length === 0) {
            return yield* invalid(
              "sourceProposalId",
              "There is no such proposal, or this credential has no access to it."
            )
          }
          const now = yield* DateTime.now
          if (draft.expiresAt !== undefined && DateTime.lessThanOrEqualTo(draft.expiresAt, now)) {
            return yield* invalid(
              "expiresAt",
              "This time is in the past. Send a later time, or null for a rule without an end."
            )
          }
          const rule: GovernanceRule = {
            id: uuidv7(),
            principalKind: draft.agentUserId === undefined ? "any" : "agent",
            agentUserId: draft.agentUserId ?? null,
            scopeKind: draft.scopeKind,
            workspaceId: draft.workspaceId ?? null,
            targetKind: draft.targetKind,
            targetPattern: draft.targetPattern,
            targetProfile: draft.targetProfile ?? null,
            verdict: draft.verdict,
            createdBy: principal.personId,
            sourceProposalId: draft.sourceProposalId ?? null,
            provenance: draft.sourceProposalId === undefined ? "authored" : "earned",
            createdAt: now,
            expiresAt: draft.expiresAt ?? null
          }
          const added = store.addRule(
            { ...rule, spaceId },
            {
              type: "governance.rule.create",
              subjectId: rule.id,
              data: { targetPattern: rule.targetPattern, verdict: rule.verdict }
            },
            passed
          )
          yield* within("governance_rule", added)
          yield* whenWritesEnded
          return rule
        }),

        revokeRule: Effect.fnUntraced(function* (ruleId) {
          const { principal } = yield* Reach
          const known = yield* store.rules(principal.memberships.map(({ spaceId }) => spaceId))
          const rule = known.find(({ id }) => id === ruleId)
          if (rule === undefined) return yield* noSuchRule
          const spaceId = rule.workspaceId ?? principal.personId
          const event = { type: "governance.rule.delete", subjectId: ruleId, data: {} }
          if (!(yield* store.revokeRule(ruleId, [spaceId], event, yield* passFor(spaceId)))) return yield* noSuchRule
          yield* whenWritesEnded
        })
      }
    })
  )
}
