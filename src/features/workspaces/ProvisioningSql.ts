/** The making of workspaces, in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governed, withinReach } from "../../doors/Authority.ts"
import { nothing, Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { actorOf, appended, writing } from "../events/AppendEvent.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { ProvisioningStore } from "./ProvisioningStore.ts"
import type { ProvisioningStatus } from "./Workspace.ts"
import { provisionsOf } from "./WorkspaceWish.ts"

interface ProgressRow {
  readonly id: string
  readonly provisioning_status: ProvisioningStatus
  readonly failed_step: string | null
  readonly governance: Partial<WorkspacePolicy>
  readonly definition: Readonly<Record<string, unknown>>
}

export const layer = Layer.effect(
  ProvisioningStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return {
      progress: (id) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = reach.bounds("workspace", "update")
          const [row] = yield* governed<ProgressRow>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority}
              SELECT space.id, space.provisioning_status, space.failed_step, space.governance, space.definition
              FROM authority LEFT JOIN spaces space
                ON space.id = ${id}::uuid
                AND ${withinReach(sql, bounds, "space")}
                AND space.kind = 'workspace'
                AND space.archived_at IS NULL`
          )
          if (row === undefined) return null
          const agentUserId = row.governance.linkedAgentId ?? null
          return {
            ...provisionsOf({ agentUserId, definition: row.definition }),
            status: row.provisioning_status,
            failedStep: row.failed_step
          }
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      earlier: ({ proposalId, provisionKey }) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = reach.bounds("workspace", "read")
          const [row] = yield* governed<{ readonly id: string }>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority}
              SELECT space.id
              FROM authority LEFT JOIN spaces space
                ON ${withinReach(sql, bounds, "space")}
                AND space.owner_id = authority.person::uuid
                AND space.archived_at IS NULL
                AND (space.proposal_id = ${proposalId} OR space.provision_key = ${provisionKey})`
          )
          return row?.id ?? null
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      mark: (id, outcome, event, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const { status, step, why } =
            outcome === "ready" ? { status: "ready", step: null, why: null } : { status: "failed", ...outcome }
          yield* writing<{ readonly id: string }>(
            sql,
            reach,
            { ...nothing, spaces: reach.bounds("workspace", "update").spaces },
            passed,
            (authority) => sql`
              WITH ${authority},
              changed AS (
                UPDATE spaces space
                SET provisioning_status = ${status}, failed_step = ${step}, failed_step_error = ${why}, updated_at = now()
                FROM authority
                WHERE space.id = ${id}::uuid AND space.id = ANY (authority.spaces)
                RETURNING space.id AS space_id),
              ${appended(sql, reach, passed, event)}
              SELECT changed.space_id AS id FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
          )
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      addProfiles: (id, profiles, event, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const made = profiles.map(({ displayName, slug }) => ({ id: uuidv7(), slug, display_name: displayName }))
          yield* writing<{ readonly id: string }>(
            sql,
            reach,
            { ...nothing, spaces: reach.bounds("workspace", "update").spaces },
            passed,
            (authority) => sql`
              WITH ${authority},
              made AS (
                INSERT INTO profiles (space_id, id, slug, display_name, user_id, actor_id)
                SELECT ${id}::uuid, wanted.id, wanted.slug, wanted.display_name,
                  ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid
                FROM authority, jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
                  AS wanted (id uuid, slug text, display_name text)
                WHERE ${id}::uuid = ANY (authority.spaces)
                ON CONFLICT DO NOTHING
                RETURNING space_id),
              changed AS (SELECT DISTINCT made.space_id FROM made),
              ${appended(sql, reach, passed, event)}
              SELECT changed.space_id AS id FROM authority LEFT JOIN changed ON true LEFT JOIN logged ON true`
          )
        }).pipe(Effect.catchTag("SqlError", Effect.die))
    }
  })
)
