/**
 * The handlers of governance: they pass each call of an endpoint or a procedure to the service and return its result.
 */
import { Effect, Layer } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import type { Verdict } from "../gate/Ladder.ts"
import { rungCode, rungs } from "../gate/Rungs.ts"
import { Governance } from "./Governance.ts"
import { GovernanceApi, GovernanceProcedures } from "./GovernanceApi.ts"

const answerOf = ({ reason, rung, verdict }: Verdict) => ({
  verdict,
  rung,
  reason,
  code: verdict === "deny" ? rungCode(rung) : null
})

const rest = implement(
  GovernanceApi,
  Effect.map(Governance, (governance) => ({
    "governance.get": Effect.fnUntraced(function* ({
      path: { workspaceId },
      urlParams: { action, agentUserId, profileSlug, subjectType, targetType }
    }) {
      const { agentLabels, policy, rules } = yield* governance.of(workspaceId)
      const { principal } = yield* Reach
      const role = principal.memberships.find(({ spaceId }) => spaceId === workspaceId)?.role ?? "viewer"
      const view = {
        workspaceId,
        rbac: { role, writes: roleAllows(role, "update"), manages: roleAllows(role, "delete") },
        ...policy,
        agentOverrides: rules.map((rule) => ({
          ...rule,
          ruleId: rule.id,
          agentLabel: rule.agentUserId === null ? null : (agentLabels.get(rule.agentUserId) ?? null)
        })),
        rungs
      }
      const parameters = [agentUserId, subjectType, action, targetType].filter((part) => part !== undefined)
      if (parameters.length === 0) return view
      if (agentUserId === undefined || subjectType === undefined || action === undefined) {
        return yield* invalid(
          "agentUserId",
          "To get the verdict on a write, send `agentUserId`, `subjectType` and `action`."
        )
      }
      const asking = { agentUserId, subjectType, action, profileSlug, targetType }
      const { orElse, verdict, ...more } = yield* governance.tryOut(workspaceId, asking)
      const others = orElse.map((other) => ({ when: other.when, ...answerOf(other.verdict) }))
      return { ...view, verdict: { ...answerOf(verdict), ...more, orElse: others } }
    })
  }))
)

const procedures = implementProcedures(
  GovernanceProcedures,
  Effect.map(Governance, (governance) => ({
    "governance.setPolicy": ({ workspaceId, ...change }) => governance.setPolicy(workspaceId, change),
    "governanceRules.list": (where) => governance.rules(where),
    "governanceRules.listAll": () => governance.rules("all"),
    "governanceRules.create": (draft) => governance.addRule(draft),
    "governanceRules.revoke": ({ ruleId }) =>
      Effect.as(governance.revokeRule(ruleId), { status: "revoked" as const, ruleId })
  }))
)

export const layer = Layer.mergeAll(rest, procedures)
