/** Implements `PolicyStore` in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer, Schema } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import type { MembershipRole } from "../../doors/Principal.ts"
import { type Bounds, emptyBounds, Reach } from "../../doors/Reach.ts"
import { dateOrNull } from "../../platform/RowTimes.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { PolicyStore } from "./PolicyStore.ts"
import { GovernanceRule, standardPolicy, WorkspacePolicy } from "../gate/Policy.ts"

/** A time. A column returns the time as a date, and JSON contains the time as text. */
const Moment = Schema.transform(Schema.Union(Schema.DateFromSelf, Schema.String), Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (at) => DateTime.unsafeMake(at),
  encode: (at) => DateTime.toDateUtc(at)
})

const RuleRow = Schema.Struct({
  id: Schema.String,
  space_id: Schema.String,
  principal_kind: GovernanceRule.fields.principalKind,
  agent_user_id: Schema.NullOr(Schema.String),
  scope_kind: GovernanceRule.fields.scopeKind,
  target_kind: GovernanceRule.fields.targetKind,
  target_pattern: Schema.String,
  target_profile: Schema.NullOr(Schema.String),
  verdict: GovernanceRule.fields.verdict,
  created_by: Schema.String,
  source_proposal_id: Schema.NullOr(Schema.String),
  created_at: Moment,
  expires_at: Schema.NullOr(Moment)
})

// If a row does not decode, this is a defect. A policy that the pod reads wrongly must never let an agent act without
// approval.
const rowOf = Schema.decodeUnknownSync(RuleRow)
const policyOf = Schema.decodeUnknownSync(Schema.partialWith(WorkspacePolicy, { exact: true }))

const toRule = (stored: unknown): GovernanceRule => {
  const row = rowOf(stored)
  return {
    id: row.id,
    principalKind: row.principal_kind,
    agentUserId: row.agent_user_id,
    scopeKind: row.scope_kind,
    workspaceId: row.scope_kind === "pod" ? null : row.space_id,
    targetKind: row.target_kind,
    targetPattern: row.target_pattern,
    targetProfile: row.target_profile,
    verdict: row.verdict,
    createdBy: row.created_by,
    sourceProposalId: row.source_proposal_id,
    provenance: row.source_proposal_id === null ? "authored" : "earned",
    createdAt: row.created_at,
    expiresAt: row.expires_at
  }
}

/** Returns the policy of a workspace. A setting that the workspace does not set has its default value. */
const toPolicy = (stored: unknown): WorkspacePolicy => ({ ...standardPolicy, ...policyOf(stored ?? {}) })

const boundsIn = (spaces: ReadonlyArray<string>): Bounds => ({ ...emptyBounds, spaces })

export const layer = Layer.effect(
  PolicyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return {
      policyFor: Effect.fnUntraced(function* ({ holder, personId }, spaceId) {
        const reach = yield* Reach
        const spaces = [...new Set([spaceId, personId])]
        const [row] = yield* authorizedRead<{
          readonly id: string
          readonly writes_require_proposal: boolean
          readonly governance: unknown
          readonly role: MembershipRole | null
          readonly rules: ReadonlyArray<unknown> | null
          readonly stamp: number
        }>(
          sql,
          reach,
          boundsIn(spaces),
          () => sql`
              SELECT agent.id, policy_stamp(agent.id, authority.spaces) AS stamp, agent.writes_require_proposal,
                (SELECT space.governance FROM spaces space
                  WHERE space.id = ${spaceId}::uuid AND space.id = ANY (authority.spaces)) AS governance,
                (SELECT membership.role FROM memberships membership
                  WHERE membership.user_id = agent.id AND membership.space_id = ${spaceId}::uuid
                    AND membership.space_id = ANY (authority.spaces)) AS role,
                (SELECT jsonb_agg(to_jsonb(rule)) FROM governance_rules rule
                  WHERE rule.space_id = ANY (authority.spaces)
                    AND (rule.agent_user_id IS NULL OR rule.agent_user_id = agent.id)
                    AND rule.revoked_at IS NULL
                    AND (rule.expires_at IS NULL OR rule.expires_at > now())) AS rules
              FROM users agent
              WHERE agent.id = ${holder.id}::uuid`
        )
        return {
          policy: {
            agentRole: spaceId === personId ? ("owner" as const) : (row?.role ?? null),
            writesRequireProposal: row?.writes_require_proposal ?? true,
            workspace: toPolicy(row?.governance),
            rules: (row?.rules ?? []).map(toRule)
          },
          stamp: row === undefined ? null : { agentId: holder.id, spaces, value: row.stamp }
        }
      }),

      workspacePolicy: Effect.fnUntraced(function* (spaceId) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<{ readonly id: string; readonly governance: unknown }>(
          sql,
          reach,
          boundsIn([spaceId]),
          () => sql`
              SELECT space.id, space.governance
              FROM spaces space
              WHERE space.id = ANY (authority.spaces)`
        )
        return toPolicy(row?.governance)
      }),

      changeWorkspacePolicy: Effect.fnUntraced(function* (spaceId, policyChange, event, passed) {
        const reach = yield* Reach
        const change = JSON.stringify(policyChange)
        const [row] = yield* authorizedWrite<{ readonly id: string; readonly governance: unknown }>(
          sql,
          reach,
          { bounds: boundsIn([spaceId]), passed, event },
          () => ({
            before: [
              sql`
                former AS (
                  SELECT space.id, ${JSON.stringify(standardPolicy)}::jsonb || coalesce(space.governance, '{}') AS policy
                  FROM spaces space, authority
                  WHERE space.id = ANY (authority.spaces)
                  FOR NO KEY UPDATE OF space)`
            ],
            changed: sql`
                UPDATE spaces space
                SET governance = coalesce(space.governance, '{}') || ${change}::jsonb, updated_at = now()
                FROM former, authority
                WHERE space.id = former.id AND space.id = ANY (authority.spaces)
                RETURNING space.id, space.id AS space_id, space.governance`,
            eventData: sql`jsonb_build_object('before', (
              SELECT coalesce(jsonb_object_agg(setting.name, former.policy -> setting.name), '{}')
              FROM former, jsonb_object_keys(${change}::jsonb) AS setting(name)))`
          })
        )
        return toPolicy(row?.governance)
      }),

      rules: Effect.fnUntraced(function* (spaceIds) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string }>(
          sql,
          reach,
          boundsIn(spaceIds),
          () => sql`
              SELECT rule.*
              FROM governance_rules rule
              WHERE rule.space_id = ANY (authority.spaces) AND rule.revoked_at IS NULL
              ORDER BY rule.created_at DESC, rule.id DESC`
        )
        return rows.map(toRule)
      }),

      addRule: Effect.fnUntraced(function* (rule, event, passed) {
        const reach = yield* Reach
        yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds: boundsIn([rule.spaceId]), passed, event },
          () => ({
            changed: sql`
              INSERT INTO governance_rules (id, space_id, principal_kind, agent_user_id, scope_kind, target_kind,
                target_pattern, target_profile, verdict, created_by, source_proposal_id, created_at, expires_at)
              SELECT ${rule.id}::uuid, ${rule.spaceId}::uuid, ${rule.principalKind}, ${rule.agentUserId}::uuid,
                ${rule.scopeKind}, ${rule.targetKind}, ${rule.targetPattern}, ${rule.targetProfile}, ${rule.verdict},
                ${rule.createdBy}::uuid, ${rule.sourceProposalId}::uuid,
                ${DateTime.toDateUtc(rule.createdAt)}::timestamptz,
                ${dateOrNull(rule.expiresAt)}::timestamptz
              FROM authority WHERE ${rule.spaceId}::uuid = ANY (authority.spaces)
              RETURNING id, space_id`
          })
        )
      }),

      revokeRule: Effect.fnUntraced(function* (ruleId, spaceIds, event, passed) {
        const reach = yield* Reach
        const rows = yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds: boundsIn(spaceIds), passed, event },
          () => ({
            changed: sql`
              UPDATE governance_rules rule SET revoked_at = now()
              FROM authority
              WHERE rule.id = ${ruleId}::uuid AND rule.space_id = ANY (authority.spaces) AND rule.revoked_at IS NULL
              RETURNING rule.id, rule.space_id`
          })
        )
        return rows.length > 0
      })
    }
  })
)
