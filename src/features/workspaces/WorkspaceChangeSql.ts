/** Implements in SQL the store that reads a workspace for a change and writes the change. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { type Bounds, emptyBounds, Reach } from "../../doors/Reach.ts"
import { type WriteOutcome, authorizedWrite } from "../events/AppendEvent.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { WorkspaceChanged, WorkspaceNotFound } from "./Workspace.ts"
import { type CurrentWorkspace, WorkspaceChangeStore } from "./WorkspaceChangeStore.ts"
import { settingsWith, type WorkspaceSettings } from "./WorkspaceSettings.ts"

interface Row {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly description: string | null
  readonly settings: Partial<WorkspaceSettings>
  readonly workspace_type: string | null
  readonly template_id: string | null
  readonly proposal_id: string | null
  readonly provision_key: string | null
  readonly governance: Partial<WorkspacePolicy>
  readonly definition: Readonly<Record<string, unknown>>
}

const currentOf = (row: Row): CurrentWorkspace => ({
  id: row.id,
  version: row.version,
  fields: { name: row.name, description: row.description, ...settingsWith(row.settings) },
  workspaceRequest: {
    workspaceType: row.workspace_type,
    templateId: row.template_id,
    proposalId: row.proposal_id,
    provisionKey: row.provision_key,
    agentUserId: row.governance.linkedAgentId ?? null,
    definition: row.definition
  }
})

export const layer = Layer.effect(
  WorkspaceChangeStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const findIn = (id: string, bounds: Bounds) =>
      Effect.flatMap(Reach, (reach) =>
        authorizedRead<Row>(
          sql,
          reach,
          bounds,
          ({ within }) => sql`
            SELECT space.*
            FROM spaces space
            WHERE space.id = ${id}::uuid
              AND ${within("space")}
              AND space.kind = 'workspace'
              AND space.archived_at IS NULL`
        )
      )

    return {
      find: Effect.fnUntraced(function* (id) {
        const { bounds } = yield* Reach
        const [read] = yield* findIn(id, bounds("workspace", "read"))
        const [row] = read === undefined ? yield* findIn(id, bounds("workspace", "update")) : [read]
        return row === undefined ? yield* new WorkspaceNotFound({ id }) : currentOf(row)
      }),

      change: Effect.fnUntraced(function* (id, fields, expectedVersion, event, passed) {
        const reach = yield* Reach
        const bounds = reach.bounds("workspace", "update")
        const { description, name, ...settings } = fields
        const [row] = yield* authorizedWrite<Row & WriteOutcome>(
          sql,
          reach,
          { bounds, passed, event },
          ({ within }) => ({
            found: sql`
              SELECT space.id, space.version
              FROM spaces space, authority
              WHERE space.id = ${id}::uuid
                AND ${within("space")}
                AND space.kind = 'workspace'
                AND space.archived_at IS NULL
              FOR UPDATE OF space`,
            changed: sql`
              UPDATE spaces space
              SET name = coalesce(${name ?? null}, space.name),
                description = CASE WHEN ${description !== undefined} THEN ${description ?? null} ELSE space.description END,
                settings = space.settings || ${JSON.stringify(settings)}::jsonb,
                version = space.version + 1,
                updated_at = now()
              FROM found
              WHERE space.id = found.id
                AND (${expectedVersion}::integer IS NULL OR found.version = ${expectedVersion}::integer)
              RETURNING space.*, space.id AS space_id`
          })
        )
        if (row === undefined) return yield* new WorkspaceNotFound({ id })
        return row.is_changed ? currentOf(row) : yield* new WorkspaceChanged({ version: row.found_version })
      }),

      revertCreation: Effect.fnUntraced(function* (id, event, passed) {
        const reach = yield* Reach
        // The revert of a proposal may write only in the space of the proposal, which is the person's own space. This
        // write is in the workspace, so the code sets other limits. This is safe, because the statement checks that the
        // person owns the workspace.
        const bounds = { ...emptyBounds, spaces: [id] }
        // This statement locks the event log of the workspace until the transaction of the caller ends. If another
        // write to the workspace has ended before the lock, the next statement sees the event of that write. If another
        // write waits for the lock, a trigger refuses that write after the revert.
        yield* authorizedRead<{ readonly id: string }>(
          sql,
          reach,
          bounds,
          () => sql`
            SELECT head.space_id AS id
            FROM stream_heads head
            WHERE head.space_id = ANY (authority.spaces)
            FOR UPDATE OF head`
        )
        const rows = yield* authorizedWrite<{ readonly id: string }>(sql, reach, { bounds, passed, event }, () => ({
          changed: sql`
              UPDATE spaces space
              SET archived_at = now(), proposal_id = NULL, provision_key = NULL, version = space.version + 1
              FROM authority
              WHERE space.id = ANY (authority.spaces)
                AND space.owner_id = authority.person::uuid
                AND space.kind = 'workspace'
                AND space.archived_at IS NULL
                AND NOT EXISTS (
                  SELECT 1 FROM events event
                  WHERE event.space_id = space.id
                    AND event.type NOT LIKE 'workspace.%'
                    AND event.type NOT LIKE 'member.%')
              RETURNING space.id, space.id AS space_id`,
          after: [
            sql`
                gone AS (
                  DELETE FROM memberships membership
                  USING changed
                  WHERE membership.space_id = changed.space_id
                  RETURNING membership.user_id)`
          ]
        }))
        return rows.length > 0
      })
    }
  })
)
