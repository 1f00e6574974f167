/** Implements `InvitationStore` in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { byCreation, pageOfSorted } from "../../doors/PageOrder.ts"
import { pageSql } from "../../doors/PageSql.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { foundInvitation, type InvitedRole, type StoredInvitation } from "./Invitation.ts"
import {
  invitationCreatedEvent,
  InvitationStore,
  invitationUsedEvent,
  invitationWithdrawnEvent,
  personJoinedEvent
} from "./InvitationStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { utcOrNull } from "../../platform/RowTimes.ts"

interface InvitationRow {
  readonly id: string
  readonly invited_by: string
  readonly note: string | null
  readonly workspace_id: string | null
  readonly role: InvitedRole | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly used_at: Date | null
  readonly used_by: string | null
  readonly withdrawn_at: Date | null
}

interface FoundRow extends InvitationRow {
  readonly now: Date
  readonly inviter_name: string
  readonly may_invite: boolean
  readonly is_active: boolean
}

const fromRow = (row: InvitationRow): StoredInvitation => ({
  id: row.id,
  invitedBy: row.invited_by,
  note: row.note,
  workspaceId: row.workspace_id,
  role: row.role,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  expiresAt: DateTime.unsafeFromDate(row.expires_at),
  usedAt: utcOrNull(row.used_at),
  usedBy: row.used_by,
  withdrawnAt: utcOrNull(row.withdrawn_at)
})

const columnNames = [
  "id",
  "invited_by",
  "note",
  "workspace_id",
  "role",
  "created_at",
  "expires_at",
  "used_at",
  "used_by",
  "withdrawn_at"
]

export const layer = Layer.effect(
  InvitationStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnNames.map((name) => `invitation.${name}`).join(", "))
    const open = sql.literal(
      "invitation.used_at IS NULL AND invitation.withdrawn_at IS NULL AND invitation.expires_at > now()"
    )

    const mayManage = sql.literal(
      "(invitation.invited_by = authority.person::uuid OR pod.owner_id = authority.person::uuid)"
    )
    const mayInvite = sql.literal(
      "(inviter.suspended_at IS NULL AND (pod.owner_id = inviter.id OR inviter.is_administrator))"
    )

    return {
      add: Effect.fnUntraced(function* ({ hash, invitation, secretMark }, passed) {
        yield* authorizedWrite(
          sql,
          yield* Reach,
          {
            bounds: { ...emptyBounds, spaces: [invitation.invitedBy] },
            passed,
            event: invitationCreatedEvent(invitation)
          },
          () => ({
            changed: sql`
                INSERT INTO invitations (id, token_hash, invited_by, note, workspace_id, role, created_at, expires_at,
                  secret_mark)
                SELECT ${invitation.id}::uuid, ${hash}, authority.person::uuid, ${invitation.note},
                  ${invitation.workspaceId}::uuid, ${invitation.role},
                  ${DateTime.toDateUtc(invitation.createdAt)}::timestamptz,
                  ${DateTime.toDateUtc(invitation.expiresAt)}::timestamptz, ${secretMark}
                FROM authority
                RETURNING id, invited_by AS space_id`
          })
        )
      }),

      list: Effect.fnUntraced(function* (place) {
        const columnsOfOrder = { time: "invitation.created_at", id: "invitation.id" }
        const { behind, ordered } = pageSql(sql, byCreation, columnsOfOrder, place)
        const rows = yield* authorizedRead<InvitationRow>(
          sql,
          yield* Reach,
          emptyBounds,
          () => sql`
              SELECT ${columns}
              FROM invitations invitation CROSS JOIN pod_state pod
              WHERE ${mayManage} ${behind}
              ${ordered}`
        )
        return pageOfSorted(byCreation, rows.map(fromRow), place)
      }),

      get: Effect.fnUntraced(function* (id) {
        const [row] = yield* authorizedRead<InvitationRow>(
          sql,
          yield* Reach,
          emptyBounds,
          () => sql`
              SELECT ${columns}
              FROM invitations invitation CROSS JOIN pod_state pod
              WHERE ${mayManage} AND invitation.id = ${id}::uuid`
        )
        return row === undefined ? undefined : fromRow(row)
      }),

      withdraw: Effect.fnUntraced(function* (id, passed) {
        const reach = yield* Reach
        const [row] = yield* authorizedWrite<InvitationRow>(
          sql,
          reach,
          {
            bounds: { ...emptyBounds, spaces: [reach.principal.personId] },
            passed,
            event: invitationWithdrawnEvent(id)
          },
          () => ({
            changed: sql`
                UPDATE invitations invitation SET withdrawn_at = clock_timestamp()
                FROM authority CROSS JOIN pod_state pod
                WHERE invitation.id = ${id}::uuid AND ${mayManage} AND ${open}
                RETURNING ${columns}, authority.person::uuid AS space_id`
          })
        )
        return row === undefined ? undefined : fromRow(row)
      }),

      find: (hash) =>
        sql<FoundRow>`
          SELECT ${columns}, now() AS now, inviter.name AS inviter_name, ${mayInvite} AS may_invite, inviter.suspended_at IS NULL AS is_active
          FROM invitations invitation
          JOIN users inviter ON inviter.id = invitation.invited_by
          CROSS JOIN pod_state pod
          WHERE invitation.token_hash = ${hash}`.pipe(
          Effect.map(([row]) =>
            row === undefined
              ? undefined
              : foundInvitation(fromRow(row), DateTime.unsafeFromDate(row.now), {
                  name: row.inviter_name,
                  isActive: row.is_active,
                  mayInvite: row.may_invite
                })
          ),
          dieOnSqlError
        ),

      workspaceName: Effect.fnUntraced(function* ({ invitedBy, workspaceId }) {
        if (workspaceId === null) return undefined
        const [row] = yield* authorizedRead<{ readonly id: string; readonly name: string }>(
          sql,
          yield* Reach,
          { ...emptyBounds, spaces: [workspaceId] },
          () => sql`
              SELECT space.id, space.name
              FROM memberships membership
              JOIN spaces space ON space.id = membership.space_id
                AND space.kind = 'workspace' AND space.archived_at IS NULL
              WHERE membership.space_id = ANY (authority.spaces) AND membership.user_id = ${invitedBy}::uuid
                AND membership.role IN ('owner', 'admin')`
        )
        return row?.name
      }),

      countOtherMark: (secretMark) =>
        sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count
          FROM invitations invitation
          WHERE invitation.secret_mark IS DISTINCT FROM ${secretMark} AND ${open}`.pipe(
          Effect.map(([row]) => row?.count ?? 0),
          dieOnSqlError
        ),

      use: (hash, personId) =>
        sql<InvitationRow>`
          WITH inviting AS MATERIALIZED (
            SELECT inviter.id
            FROM invitations invitation
            JOIN users inviter ON inviter.id = invitation.invited_by
            CROSS JOIN pod_state pod
            WHERE invitation.token_hash = ${hash} AND ${mayInvite}
            FOR SHARE OF inviter)
          UPDATE invitations invitation SET used_at = clock_timestamp(), used_by = ${personId}::uuid
          FROM inviting
          WHERE invitation.token_hash = ${hash} AND ${open} AND invitation.invited_by = inviting.id
          RETURNING ${columns}`.pipe(
          Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
          dieOnSqlError
        ),

      useAsMember: Effect.fnUntraced(function* (invitation, passed) {
        const reach = yield* Reach
        const { personId } = reach.principal
        const [row] = yield* authorizedWrite<InvitationRow>(
          sql,
          reach,
          {
            bounds: { ...emptyBounds, spaces: [personId] },
            passed,
            event: invitationUsedEvent(invitation, { personId, hasJoined: true })
          },
          () => ({
            before: [
              sql`inviting AS MATERIALIZED (
                  SELECT invitation.id
                  FROM authority
                  CROSS JOIN invitations invitation
                  JOIN users inviter ON inviter.id = invitation.invited_by AND inviter.suspended_at IS NULL
                  WHERE invitation.id = ${invitation.id}::uuid AND invitation.workspace_id IS NOT NULL
                  FOR SHARE OF inviter)`
            ],
            changed: sql`
                UPDATE invitations invitation SET used_at = clock_timestamp(), used_by = authority.person::uuid
                FROM authority CROSS JOIN inviting
                WHERE invitation.id = inviting.id AND ${open}
                RETURNING ${columns}, authority.person::uuid AS space_id`
          })
        )
        return row === undefined ? undefined : fromRow(row)
      }),

      join: Effect.fnUntraced(function* ({ id, invitedBy, role, workspaceId }, personId, passed) {
        const reach = yield* Reach
        if (workspaceId === null || role === null) return false
        const rows = yield* authorizedWrite(
          sql,
          reach,
          {
            bounds: { ...emptyBounds, spaces: [workspaceId] },
            passed,
            event: personJoinedEvent(id, personId, workspaceId, role)
          },
          () => ({
            before: [
              sql`administering AS (
                  SELECT membership.space_id
                  FROM authority
                  JOIN memberships membership ON membership.space_id = ANY (authority.spaces)
                    AND membership.user_id = ${invitedBy}::uuid AND membership.role IN ('owner', 'admin')
                  JOIN spaces space ON space.id = membership.space_id
                    AND space.kind = 'workspace' AND space.archived_at IS NULL
                  FOR SHARE OF membership)`
            ],
            changed: sql`
                INSERT INTO memberships (user_id, space_id, role)
                SELECT ${personId}::uuid, administering.space_id, ${role}
                FROM administering JOIN authority ON administering.space_id = ANY (authority.spaces)
                ON CONFLICT (user_id, space_id) DO NOTHING
                RETURNING space_id, space_id AS id`
          })
        )
        return rows.length > 0
      }),

      note: Effect.fnUntraced(function* (invitation, acceptance, passed) {
        yield* authorizedWrite(
          sql,
          yield* Reach,
          {
            bounds: { ...emptyBounds, spaces: [invitation.invitedBy] },
            passed,
            event: invitationUsedEvent(invitation, acceptance)
          },
          () => ({ changed: sql`SELECT authority.person::uuid AS space_id, authority.person AS id FROM authority` })
        )
      })
    }
  })
)
