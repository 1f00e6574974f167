/** The accounts of people in SQL. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { governed } from "../../doors/Authority.ts"
import { nothing, Reach } from "../../doors/Reach.ts"
import { appended, writing } from "../events/AppendEvent.ts"
import { AccountStore, passwordChanged } from "./AccountStore.ts"
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
          const rows = yield* governed<PersonRow>(
            sql,
            yield* Reach,
            nothing,
            (authority) => sql`
              WITH ${authority}
              SELECT found.*
              FROM authority LEFT JOIN LATERAL (
                SELECT person.id, person.name, person.email, person.id = pod.owner_id AS is_owner, person.suspended_at,
                  person.created_at
                FROM users person JOIN pod_state pod ON pod.owner_id = authority.person::uuid
                WHERE person.kind = 'person'
                ORDER BY person.created_at, person.id
                LIMIT ${limit} OFFSET ${offset}) found ON true`
          )
          return rows.map(fromRow)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      suspend: (personId, isSuspended, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const type = isSuspended ? "person.suspend" : "person.resume"
          const [row] = yield* writing<PersonRow>(
            sql,
            reach,
            { ...nothing, spaces: [reach.principal.personId] },
            passed,
            (authority) => sql`
              WITH ${authority},
              made AS (
                UPDATE users person
                SET suspended_at = CASE WHEN ${isSuspended}::boolean THEN coalesce(person.suspended_at, clock_timestamp()) END,
                  authz_epoch = person.authz_epoch + 1,
                  updated_at = now()
                FROM authority JOIN pod_state pod ON pod.owner_id = authority.person::uuid
                WHERE person.id = ${personId}::uuid AND person.kind = 'person' AND person.id <> pod.owner_id
                RETURNING person.id, person.name, person.email, false AS is_owner, person.suspended_at, person.created_at,
                  pod.owner_id AS space_id),
              ended AS (
                DELETE FROM auth_sessions session USING made WHERE session.user_id = made.id::text),
              changed AS (SELECT made.space_id FROM made),
              ${appended(sql, reach, passed, { type, subjectId: personId, data: {} })}
              SELECT made.*
              FROM authority LEFT JOIN made ON true LEFT JOIN logged ON true`
          )
          return row === undefined ? undefined : fromRow(row)
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

      passwordHash: Effect.gen(function* () {
        const [row] = yield* governed<{ readonly id: string; readonly password: string | null }>(
          sql,
          yield* Reach,
          nothing,
          (authority) => sql`
            WITH ${authority}
            SELECT account.id, account.password
            FROM authority LEFT JOIN auth_accounts account
              ON account.user_id = authority.person AND account.provider_id = 'credential'`
        )
        return row?.password ?? undefined
      }).pipe(Effect.catchTag("SqlError", Effect.die)),

      changePassword: ({ from, to }, passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const { credential, personId } = reach.principal
          const [row] = yield* writing<{ readonly id: string; readonly ended: ReadonlyArray<string> }>(
            sql,
            reach,
            { ...nothing, spaces: [personId] },
            passed,
            (authority) => sql`
              WITH ${authority},
              made AS (
                UPDATE auth_accounts account SET password = ${to}, updated_at = now()
                FROM authority
                WHERE account.user_id = authority.person AND account.provider_id = 'credential'
                  AND account.password = ${from}
                RETURNING account.user_id),
              ended AS (
                DELETE FROM auth_sessions session USING made
                WHERE session.user_id = made.user_id AND session.id <> ${credential.id}
                RETURNING session.id),
              counted AS (SELECT coalesce(array_agg(ended.id), '{}') AS ids FROM ended),
              changed AS (SELECT made.user_id::uuid AS space_id FROM made),
              ${appended(sql, reach, passed, passwordChanged(personId))}
              SELECT made.user_id AS id, counted.ids AS ended
              FROM authority LEFT JOIN made ON true LEFT JOIN counted ON true LEFT JOIN logged ON true`
          )
          return row?.ended
        }).pipe(Effect.catchTag("SqlError", Effect.die)),

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
