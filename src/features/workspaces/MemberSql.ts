/** The agents in workspaces, in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governedRead } from "../../doors/Authority.ts"
import type { MembershipRole } from "../../doors/Principal.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { governedWrite } from "../events/AppendEvent.ts"
import { MemberStore } from "./MemberStore.ts"

export const layer = Layer.effect(
  MemberStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return {
      memberships: (agentId) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const rows = yield* governedRead<{ readonly id: string; readonly role: MembershipRole }>(
            sql,
            reach,
            { ...emptyBounds, spaces: reach.bounds("member", "read").spaces },
            () => sql`
              SELECT membership.space_id AS id, membership.role
              FROM memberships membership
              WHERE membership.user_id = ${agentId}::uuid AND membership.space_id = ANY (authority.spaces)
              ORDER BY membership.created_at, membership.space_id`
          )
          return rows.map(({ id, role }) => ({ spaceId: id, role }))
        }),

      enroll: (agentId, spaceId, role, event, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const rows = yield* governedWrite<{ readonly id: string }>(
            sql,
            reach,
            { ...emptyBounds, spaces: reach.bounds("member", "create").spaces },
            passed,
            event,
            () => ({
              changed: sql`
                INSERT INTO memberships (user_id, space_id, role)
                SELECT agent.id, ${spaceId}::uuid, ${role}
                FROM authority
                JOIN users agent ON agent.id = ${agentId}::uuid
                  AND agent.kind = 'agent'
                  AND agent.person_id = authority.person::uuid
                WHERE ${spaceId}::uuid = ANY (authority.spaces)
                ON CONFLICT (user_id, space_id) DO NOTHING
                RETURNING space_id AS id, space_id`
            })
          )
          return rows.length > 0
        }),

      dismiss: (agentId, spaceId, event, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const rows = yield* governedWrite<{ readonly id: string }>(
            sql,
            reach,
            { ...emptyBounds, spaces: reach.bounds("member", "delete").spaces },
            passed,
            event,
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
