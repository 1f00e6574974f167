/** Implements in SQL the store that records how far the creation of each workspace has come. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { builtInSpaceId } from "../../doors/OwnSpace.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { actorOf, authorizedWrite } from "../events/AppendEvent.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { ProvisioningStore } from "./ProvisioningStore.ts"
import type { ProvisioningStatus } from "./Workspace.ts"
import { provisioningInputOf } from "./WorkspaceRequest.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"

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
    const spaceOfAll = sql.literal(`${textLiteral(builtInSpaceId)}::uuid`)

    return {
      progress: Effect.fnUntraced(function* (id) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<ProgressRow>(
          sql,
          reach,
          reach.bounds("workspace", "update"),
          ({ within }) => sql`
              SELECT space.id, space.provisioning_status, space.failed_step, space.governance, space.definition
              FROM spaces space
              WHERE space.id = ${id}::uuid
                AND ${within("space")}
                AND space.kind = 'workspace'
                AND space.archived_at IS NULL`
        )
        if (row === undefined) return null
        const agentUserId = row.governance.linkedAgentId ?? null
        return {
          ...provisioningInputOf({ agentUserId, definition: row.definition }),
          status: row.provisioning_status,
          failedStep: row.failed_step
        }
      }),

      earlier: Effect.fnUntraced(function* ({ proposalId, provisionKey }) {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<{ readonly id: string }>(
          sql,
          reach,
          reach.bounds("workspace", "read"),
          ({ within }) => sql`
              SELECT space.id
              FROM spaces space
              WHERE ${within("space")}
                AND space.owner_id = authority.person::uuid
                AND space.archived_at IS NULL
                AND (space.proposal_id = ${proposalId} OR space.provision_key = ${provisionKey})`
        )
        return row?.id ?? null
      }),

      mark: Effect.fnUntraced(function* (id, outcome, event, passed) {
        const reach = yield* Reach
        const { status, step, why } =
          outcome === "ready" ? { status: "ready", step: null, why: null } : { status: "failed", ...outcome }
        yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: reach.bounds("workspace", "update").spaces }, passed, event },
          () => ({
            changed: sql`
                UPDATE spaces space
                SET provisioning_status = ${status}, failed_step = ${step}, failed_step_error = ${why}, updated_at = now()
                FROM authority
                WHERE space.id = ${id}::uuid AND space.id = ANY (authority.spaces)
                RETURNING space.id, space.id AS space_id`
          })
        )
      }),

      addProfiles: Effect.fnUntraced(function* (id, profiles, event, passed) {
        const reach = yield* Reach
        const newProfiles = profiles.map(({ displayName, slug }) => ({ id: uuidv7(), slug, display_name: displayName }))
        const bounds = { ...emptyBounds, spaces: reach.bounds("workspace", "update").spaces }
        yield* authorizedWrite<{ readonly id: string }>(sql, reach, { bounds, passed, event }, () => ({
          before: [
            sql`
                made AS (
                  INSERT INTO profiles (space_id, id, slug, display_name, user_id, actor_id)
                  SELECT ${id}::uuid, wanted.id, wanted.slug, wanted.display_name,
                    ${reach.principal.personId}::uuid, ${actorOf(reach)}::uuid
                  FROM authority, jsonb_to_recordset(${JSON.stringify(newProfiles)}::jsonb)
                    AS wanted (id uuid, slug text, display_name text)
                  WHERE ${id}::uuid = ANY (authority.spaces)
                    AND NOT EXISTS (
                      SELECT FROM profiles built_in
                      WHERE built_in.space_id = ${spaceOfAll} AND built_in.slug = wanted.slug
                    )
                  ON CONFLICT DO NOTHING
                  RETURNING space_id)`
          ],
          changed: sql`SELECT DISTINCT made.space_id AS id, made.space_id FROM made`
        }))
      })
    }
  })
)
