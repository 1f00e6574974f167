/** The accounts of people in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { governedRead } from "../../doors/Authority.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { governedWrite } from "../events/AppendEvent.ts"
import { AccountStore, passwordChangedEvent } from "./AccountStore.ts"
import type { PodPerson } from "./Person.ts"

interface PersonRow {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly is_owner: boolean
  readonly suspended_at: Date | null
  readonly created_at: Date
}

const fromRow = (row: PersonRow): PodPerson => ({
  id: row.id,
  name: row.name,
  email: row.email,
  isOwner: row.is_owner,
  isSuspended: row.suspended_at !== null,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

export const layer = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return {
      people: ({ limit, offset }) =>
        Effect.gen(function* () {
          const rows = yield* governedRead<PersonRow>(
            sql,
            yield* Reach,
            emptyBounds,
            () => sql`
              SELECT person.id, person.name, person.email, person.id = pod.owner_id AS is_owner, person.suspended_at,
                person.created_at
              FROM users person JOIN pod_state pod ON pod.owner_id = authority.person::uuid
              WHERE person.kind = 'person'
              ORDER BY person.created_at, person.id
              LIMIT ${limit} OFFSET ${offset}`
          )
          return rows.map(fromRow)
        }),

      suspend: (personId, isSuspended, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const type = isSuspended ? "person.suspend" : "person.resume"
          const [row] = yield* governedWrite<PersonRow>(
            sql,
            reach,
            { ...emptyBounds, spaces: [reach.principal.personId] },
            passed,
            { type, subjectId: personId, data: {} },
            () => ({
              changed: sql`
                UPDATE users person
                SET suspended_at = CASE WHEN ${isSuspended}::boolean THEN coalesce(person.suspended_at, clock_timestamp()) END,
                  authz_epoch = person.authz_epoch + 1,
                  updated_at = now()
                FROM authority JOIN pod_state pod ON pod.owner_id = authority.person::uuid
                WHERE person.id = ${personId}::uuid AND person.kind = 'person' AND person.id <> pod.owner_id
                RETURNING person.id, person.name, person.email, false AS is_owner, person.suspended_at, person.created_at,
                  pod.owner_id AS space_id`,
              after: [
                sql`ended AS (DELETE FROM auth_sessions session USING changed WHERE session.user_id = changed.id::text)`
              ]
            })
          )
          return row === undefined ? undefined : fromRow(row)
        }),

      passwordHash: Effect.gen(function* () {
        const [row] = yield* governedRead<{ readonly id: string; readonly password: string | null }>(
          sql,
          yield* Reach,
          emptyBounds,
          () => sql`
            SELECT account.id, account.password
            FROM auth_accounts account
            WHERE account.user_id = authority.person AND account.provider_id = 'credential'`
        )
        return row?.password ?? undefined
      }),

      changePassword: ({ from, to }, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const { credential, personId } = reach.principal
          const [row] = yield* governedWrite<{ readonly id: string; readonly ended: ReadonlyArray<string> }>(
            sql,
            reach,
            { ...emptyBounds, spaces: [personId] },
            passed,
            passwordChangedEvent(personId),
            () => ({
              changed: sql`
                UPDATE auth_accounts account SET password = ${to}, updated_at = now()
                FROM authority
                WHERE account.user_id = authority.person AND account.provider_id = 'credential'
                  AND account.password = ${from}
                RETURNING account.user_id AS id, account.user_id::uuid AS space_id`,
              after: [
                sql`ended AS (
                  DELETE FROM auth_sessions session USING changed
                  WHERE session.user_id = changed.id AND session.id <> ${credential.id}
                  RETURNING session.id)`,
                sql`counted AS (SELECT coalesce(array_agg(ended.id), '{}') AS ids FROM ended)`
              ],
              columns: sql.literal("changed.id, counted.ids AS ended"),
              joins: sql.literal("LEFT JOIN changed ON true LEFT JOIN counted ON true")
            })
          )
          return row?.ended
        }),

      passwordMark: (email) =>
        sql<{ readonly mark: string }>`
          SELECT md5(account.password) AS mark
          FROM auth_users person
          JOIN auth_accounts account ON account.user_id = person.id AND account.provider_id = 'credential'
          WHERE person.email = ${email}`.pipe(
          Effect.map(([row]) => row?.mark),
          Effect.catchTag("SqlError", Effect.die)
        )
    }
  })
)
