/** The SQL store of workspaces. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead, authorizedWriteWithoutEvent } from "../../doors/Authority.ts"
import type { MembershipRole } from "../../doors/Principal.ts"
import { type Authority, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { EarlierWorkspaceGone, type Member, type ProvisioningStatus, WorkspaceNotFound } from "./Workspace.ts"
import { settingsWith, type WorkspaceSettings } from "./WorkspaceSettings.ts"
import { type WorkspaceWithoutUse, WorkspaceStore } from "./WorkspaceStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

interface WorkspaceRow {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly role: MembershipRole
  readonly joined_at: Date
  readonly workspace_type: string | null
  readonly template_id: string | null
  readonly settings: Partial<WorkspaceSettings>
  readonly version: number
  readonly provisioning_status: ProvisioningStatus
  readonly failed_step: string | null
  readonly failed_step_error: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

interface MemberRow {
  readonly id: string
  readonly name: string
  readonly kind: Member["kind"]
  readonly role: MembershipRole
  readonly created_at: Date
}

const fromRow = (row: WorkspaceRow): WorkspaceWithoutUse => ({
  id: row.id,
  name: row.name,
  description: row.description,
  role: row.role,
  joinedAt: DateTime.unsafeFromDate(row.joined_at),
  workspaceType: row.workspace_type,
  templateId: row.template_id,
  sourceRoles: settingsWith(row.settings).sourceRoles,
  defaultSources: settingsWith(row.settings).defaultSources,
  provisioningStatus: row.provisioning_status,
  ...(row.failed_step === null ? {} : { failedStep: row.failed_step }),
  ...(row.failed_step_error === null ? {} : { failedStepError: row.failed_step_error }),
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

export const layer = Layer.effect(
  WorkspaceStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Reads the caller's workspaces. If `id` is not null, reads only the workspace with this id. */
    const rows = Effect.fnUntraced(function* (id: string | null) {
      const reach = yield* Reach
      const bounds = reach.bounds("workspace", "read")
      return yield* authorizedRead<WorkspaceRow>(
        sql,
        reach,
        bounds,
        ({ within }) => sql`
            SELECT space.id, space.name, space.description, membership.role, membership.created_at AS joined_at, space.workspace_type,
              space.template_id, space.settings, space.version,
              space.provisioning_status, space.failed_step, space.failed_step_error,
              space.created_at, space.updated_at
            FROM spaces space
            JOIN memberships membership
              ON membership.space_id = space.id AND membership.user_id = authority.person::uuid
            WHERE ${within("space")}
              AND space.kind = 'workspace'
              AND space.archived_at IS NULL
              AND (${id}::uuid IS NULL OR space.id = ${id}::uuid)
            ORDER BY space.name COLLATE "C", space.id`
      )
    })

    return {
      list: rows(null).pipe(Effect.map((listed) => listed.map(fromRow))),

      get: Effect.fnUntraced(function* (id) {
        const reach = yield* Reach
        const [row] = yield* rows(id)
        if (row === undefined) return yield* new WorkspaceNotFound({ id })
        const bounds = reach.bounds("workspace", "read")
        const members = yield* authorizedRead<MemberRow>(
          sql,
          reach,
          bounds,
          () => sql`
              SELECT joined.id, joined.name, joined.kind, membership.role, membership.created_at
              FROM memberships membership
              JOIN users joined ON joined.id = membership.user_id
              WHERE membership.space_id = ${id}::uuid
                AND membership.space_id = ANY (authority.spaces::uuid[])
              ORDER BY membership.created_at, joined.id`
        )
        return {
          ...fromRow(row),
          version: row.version,
          publicProjection: settingsWith(row.settings).publicProjection,
          searchLanguage: settingsWith(row.settings).searchLanguage,
          members: members.map((member) => ({
            userId: member.id,
            name: member.name,
            kind: member.kind,
            role: member.role,
            joinedAt: DateTime.unsafeFromDate(member.created_at)
          }))
        }
      }),

      add: (workspace, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          // This statement is allowed to write only in the new space and in the caller's own space.
          const bounds = {
            spaces: [reach.principal.personId, workspace.id],
            kinds: null,
            objects: null,
            projects: null
          }
          const { governance = null, provisioningStatus = "ready", provisionKey = null } = workspace
          const [row] = yield* authorizedWriteWithoutEvent(sql, reach, bounds, () => ({
            changed: sql`
              INSERT INTO spaces (id, kind, owner_id, name, workspace_type, template_id, proposal_id, definition,
                provision_key, governance, provisioning_status)
              SELECT ${workspace.id}::uuid, 'workspace', authority.person::uuid, ${workspace.name}, ${workspace.workspaceType},
                ${workspace.templateId}, ${workspace.proposalId}, ${JSON.stringify(workspace.definition)}::jsonb,
                ${provisionKey}, ${JSON.stringify(governance ?? {})}::jsonb, ${provisioningStatus}
              FROM authority
              ON CONFLICT DO NOTHING
              RETURNING id`,
            after: [
              sql`
                joined AS (
                  INSERT INTO memberships (user_id, space_id, role)
                  SELECT authority.person::uuid, changed.id, 'owner' FROM authority, changed)`
            ]
          }))
          if (row === undefined) {
            const { memberships } = reach.principal
            const [earlier] = yield* authorizedRead<{ readonly id: string }>(
              sql,
              reach,
              { ...bounds, spaces: memberships.map(({ spaceId }) => spaceId) },
              ({ within }) => sql`
                SELECT space.id
                FROM spaces space
                JOIN memberships membership
                  ON membership.space_id = space.id AND membership.user_id = authority.person::uuid
                WHERE ${within("space")}
                  AND space.owner_id = authority.person::uuid
                  AND space.archived_at IS NULL
                  AND (space.proposal_id = ${workspace.proposalId} OR space.provision_key = ${provisionKey})`
            )
            return earlier === undefined
              ? yield* new EarlierWorkspaceGone()
              : { workspaceId: earlier.id, created: false }
          }
          // A database trigger on the new membership has raised the epoch of the person's access. This call needs the
          // new epoch, so that its next statements succeed.
          const after = { ...reach, authority: advanceAuthority(reach.authority) }
          const event = { type: "workspace.create", subjectId: workspace.id, data: { name: workspace.name } }
          yield* authorizedWrite<{ readonly id: string }>(sql, after, { bounds, passed, event }, () => ({
            changed: sql`SELECT ${workspace.id}::uuid AS id, ${workspace.id}::uuid AS space_id FROM authority`
          }))
          return { workspaceId: workspace.id, created: true }
        }).pipe(sql.withTransaction, dieOnSqlError)
    }
  })
)

const advanceAuthority = (authority: Authority): Authority =>
  authority.kind === "system" ? authority : { ...authority, epoch: authority.epoch + 1 }
