/** The SQL store of memberships. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import type { MembershipRole } from "../../doors/Principal.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { membershipFault, spacesToChange } from "./Membership.ts"
import { MemberStore } from "./MemberStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

/** The state of the member before the write, and whether the write changed the member. */
interface FoundRow {
  readonly id: string
  readonly role: MembershipRole
  readonly owners: number
  readonly is_agent: boolean
  readonly is_changed: boolean
}

export const layer = Layer.effect(
  MemberStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return {
      memberships: Effect.fnUntraced(function* (agentIds) {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{
          readonly id: string
          readonly agent_id: string
          readonly role: MembershipRole
        }>(
          sql,
          reach,
          { ...emptyBounds, spaces: reach.bounds("member", "read").spaces },
          () => sql`
              SELECT membership.space_id AS id, membership.user_id AS agent_id, membership.role
              FROM memberships membership
              WHERE membership.user_id = ANY (${arrayLiteral(agentIds)}::uuid[]) AND membership.space_id = ANY (authority.spaces)
              ORDER BY membership.created_at, membership.space_id`
        )
        return rows.map(({ agent_id, id, role }) => ({ agentId: agent_id, spaceId: id, role }))
      }),

      enroll: Effect.fnUntraced(function* (agentId, spaceId, role, event, passed) {
        const reach = yield* Reach
        const rows = yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: reach.bounds("member", "create").spaces }, passed, event },
          () => ({
            // Locks the membership of the agent's person until the commit, so that the person cannot leave the workspace
            // while the agent is added. If the person leaves later, the agent also loses its membership.
            before: [
              sql`
                  own AS (
                    SELECT membership.user_id, membership.space_id
                    FROM authority
                    JOIN memberships membership ON membership.user_id = authority.person::uuid
                      AND membership.space_id = ${spaceId}::uuid AND membership.space_id = ANY (authority.spaces)
                    FOR SHARE OF membership)`
            ],
            changed: sql`
                INSERT INTO memberships (user_id, space_id, role)
                SELECT agent.id, own.space_id, ${role}
                FROM authority
                JOIN own ON own.space_id = ANY (authority.spaces)
                JOIN users agent ON agent.id = ${agentId}::uuid
                  AND agent.kind = 'agent'
                  AND agent.person_id = own.user_id
                ON CONFLICT (user_id, space_id) DO NOTHING
                RETURNING space_id AS id, space_id`
          })
        )
        return rows.length > 0
      }),

      change: Effect.fnUntraced(function* ({ isOwner, role, spaceId, userId }, event, passed) {
        const reach = yield* Reach
        const [row] = yield* authorizedWrite<FoundRow>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: spacesToChange(reach, { userId, role }, spaceId) }, passed, event },
          () => ({
            before: [
              // The statement locks all owners, always in the same order. So two owners cannot remove each other at the
              // same moment.
              sql`
                  roster AS (
                    SELECT membership.user_id, membership.role
                    FROM authority, memberships membership
                    WHERE membership.space_id = ${spaceId}::uuid
                      AND membership.space_id = ANY (authority.spaces)
                      AND (membership.role = 'owner' OR membership.user_id = ${userId}::uuid)
                    ORDER BY membership.user_id
                    FOR UPDATE OF membership)`,
              // These conditions repeat the rules of the function `membershipFault`. If the statement changes nothing,
              // `membershipFault` finds the reason in the rows that this statement read.
              sql`
                  member AS (
                    SELECT roster.user_id, roster.role, holder.kind = 'agent' AS is_agent,
                      (SELECT count(*)::integer FROM roster WHERE roster.role = 'owner') AS owners
                    FROM roster JOIN users holder ON holder.id = roster.user_id
                    WHERE roster.user_id = ${userId}::uuid)`,
              sql`
                  changing AS (
                    SELECT member.user_id
                    FROM member
                    WHERE member.role IS DISTINCT FROM ${role}
                      AND (${isOwner}::boolean OR (member.role <> 'owner' AND ${role}::text IS DISTINCT FROM 'owner'))
                      AND NOT (member.is_agent AND ${role}::text IS NOT DISTINCT FROM 'owner')
                      AND (member.role <> 'owner' OR member.owners > 1))`
            ],
            // If a person leaves, a database trigger also ends the memberships of the person's agents.
            changed:
              role === null
                ? sql`
                      DELETE FROM memberships membership
                      USING authority, changing
                      WHERE membership.user_id = changing.user_id AND membership.space_id = ${spaceId}::uuid
                        AND membership.space_id = ANY (authority.spaces)
                      RETURNING membership.user_id AS id, membership.space_id`
                : sql`
                      UPDATE memberships membership
                      SET role = ${role}
                      FROM authority, changing
                      WHERE membership.user_id = changing.user_id AND membership.space_id = ${spaceId}::uuid
                        AND membership.space_id = ANY (authority.spaces)
                      RETURNING membership.user_id AS id, membership.space_id`,
            eventData: sql`jsonb_build_object('before', jsonb_build_object('role', (SELECT member.role FROM member)))`,
            after: [
              sql`
                  moved AS (
                    UPDATE users person SET authz_epoch = person.authz_epoch + 1
                    FROM changed
                    WHERE person.id = changed.id AND person.kind = 'person')`
            ],
            columns: sql.literal(
              "member.user_id AS id, member.role, member.owners, member.is_agent, changed.id IS NOT NULL AS is_changed"
            ),
            joins: sql.literal("LEFT JOIN member ON true LEFT JOIN changed ON true")
          })
        )
        if (row === undefined) return undefined
        const found = { role: row.role, owners: row.owners, isAgent: row.is_agent }
        const fault = membershipFault(found, role, isOwner)
        if (row.is_changed !== (fault === null)) {
          return yield* Effect.dieMessage("the statement and membershipFault decide differently about a membership")
        }
        return { ...found, fault }
      }),

      dismiss: Effect.fnUntraced(function* (agentId, spaceId, event, passed) {
        const reach = yield* Reach
        const rows = yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: reach.bounds("member", "delete").spaces }, passed, event },
          () => ({
            changed: sql`
                DELETE FROM memberships membership
                USING authority, users agent
                WHERE membership.user_id = ${agentId}::uuid
                  AND membership.space_id = ${spaceId}::uuid
                  AND membership.space_id = ANY (authority.spaces)
                  AND agent.id = membership.user_id
                  AND agent.kind = 'agent'
                RETURNING membership.space_id AS id, membership.space_id`
          })
        )
        return rows.length > 0
      })
    }
  })
)
