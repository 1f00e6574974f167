/** The SQL store of accounts. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { byAge, pageOfSorted } from "../../doors/PageOrder.ts"
import { pageSql } from "../../doors/PageSql.ts"
import { authorizedRead } from "../../doors/Authority.ts"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import {
  type AccountChange,
  AccountStore,
  appointmentEvent,
  passwordChangedEvent,
  renamedEvent,
  suspensionEvent
} from "./AccountStore.ts"
import { endOtherSessionsParts } from "./EndedSessionsSql.ts"
import type { PodPerson } from "./Person.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

interface PersonRow {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly is_owner: boolean
  readonly is_administrator: boolean
  readonly suspended_at: Date | null
  readonly created_at: Date
}

const fromRow = (row: PersonRow): PodPerson => ({
  id: row.id,
  name: row.name,
  email: row.email,
  isOwner: row.is_owner,
  isAdministrator: row.is_administrator,
  isSuspended: row.suspended_at !== null,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

interface ChangedRow extends PersonRow {
  readonly is_changed: boolean
}

const changeFromRow = (row: ChangedRow | undefined): AccountChange | undefined =>
  row === undefined ? undefined : { person: fromRow(row), isChanged: row.is_changed }

export const layer = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /**
     * The caller's own space. Its log has the events of the account changes that the caller makes. So the writes of
     * this store are limited to this space.
     */
    const ownSpace = Effect.map(
      Reach,
      (reach) => [reach, { ...emptyBounds, spaces: [reach.principal.personId] }] as const
    )

    /**
     * Makes the part of a statement that finds the person to change and locks the row of this person. The part finds no
     * row if the caller is neither the owner nor an administrator of the pod.
     */
    const target = (personId: string) => sql`
      target AS (
        SELECT person.id, person.name, person.email, person.id = pod.owner_id AS is_owner, person.is_administrator,
          person.suspended_at, person.created_at, caller.id = pod.owner_id AS is_owner_calling, caller.id AS space_id
        FROM authority CROSS JOIN pod_state pod
        JOIN users caller ON caller.id = authority.person::uuid
          AND (caller.id = pod.owner_id OR caller.is_administrator)
        JOIN users person ON person.id = ${personId}::uuid AND person.kind = 'person'
        FOR UPDATE OF person)`

    const outcome = {
      columns: sql.literal(`target.id, target.name, target.email, target.is_owner, target.created_at,
        CASE WHEN changed.id IS NULL THEN target.is_administrator ELSE changed.is_administrator END AS is_administrator,
        CASE WHEN changed.id IS NULL THEN target.suspended_at ELSE changed.suspended_at END AS suspended_at,
        changed.id IS NOT NULL AS is_changed`),
      joins: sql.literal("LEFT JOIN target ON true LEFT JOIN changed ON true")
    }

    return {
      people: Effect.fnUntraced(function* (place) {
        const { behind, ordered } = pageSql(sql, byAge, { time: "person.created_at", id: "person.id" }, place)
        const rows = yield* authorizedRead<PersonRow>(
          sql,
          yield* Reach,
          emptyBounds,
          () => sql`
              SELECT person.id, person.name, person.email, person.id = pod.owner_id AS is_owner, person.is_administrator,
                person.suspended_at, person.created_at
              FROM users person CROSS JOIN pod_state pod
              JOIN users caller ON caller.id = authority.person::uuid
                AND (caller.id = pod.owner_id OR caller.is_administrator)
              WHERE person.kind = 'person' ${behind}
              ${ordered}`
        )
        return pageOfSorted(byAge, rows.map(fromRow), place)
      }),

      suspend: Effect.fnUntraced(function* (personId, isSuspended, passed) {
        const [reach, bounds] = yield* ownSpace
        const event = suspensionEvent(personId, isSuspended)
        const [row] = yield* authorizedWrite<ChangedRow>(sql, reach, { bounds, passed, event }, () => ({
          before: [target(personId)],
          changed: sql`
                UPDATE users person
                SET suspended_at = CASE WHEN ${isSuspended}::boolean THEN coalesce(person.suspended_at, clock_timestamp()) END,
                  authz_epoch = person.authz_epoch + 1,
                  updated_at = now()
                FROM target
                WHERE person.id = target.id AND NOT target.is_owner
                  AND (target.is_owner_calling OR NOT target.is_administrator)
                RETURNING person.id, person.is_administrator, person.suspended_at, target.space_id`,
          after: [
            sql`ended AS (DELETE FROM auth_sessions session USING changed WHERE session.user_id = changed.id::text)`
          ],
          ...outcome
        }))
        return changeFromRow(row)
      }),

      appoint: Effect.fnUntraced(function* (personId, isAdministrator, passed) {
        const [reach, bounds] = yield* ownSpace
        const event = appointmentEvent(personId, isAdministrator)
        const [row] = yield* authorizedWrite<ChangedRow>(sql, reach, { bounds, passed, event }, () => ({
          before: [target(personId)],
          // A database trigger on `users` marks the cached access of the changed person as stale.
          changed: sql`
                UPDATE users person SET is_administrator = ${isAdministrator}, updated_at = now()
                FROM target
                WHERE person.id = target.id AND NOT target.is_owner AND target.is_owner_calling
                RETURNING person.id, person.is_administrator, person.suspended_at, target.space_id`,
          ...outcome
        }))
        return changeFromRow(row)
      }),

      rename: Effect.fnUntraced(function* (name, passed) {
        const [reach, bounds] = yield* ownSpace
        const { personId } = reach.principal
        const event = renamedEvent(personId)
        yield* authorizedWrite<{ readonly id: string }>(sql, reach, { bounds, passed, event }, () => ({
          before: [
            // The answer to a sign-in has the name of this row, so this row gets the new name too.
            sql`
              login AS (
                UPDATE auth_users login SET name = ${name}, updated_at = now()
                FROM authority WHERE login.id = authority.person)`
          ],
          changed: sql`
            UPDATE users person SET name = ${name}, authz_epoch = person.authz_epoch + 1, updated_at = now()
            FROM authority
            WHERE person.id = authority.person::uuid
            RETURNING person.id, person.id AS space_id`
        }))
      }),

      passwordHash: Effect.gen(function* () {
        const [row] = yield* authorizedRead<{ readonly id: string; readonly password: string | null }>(
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

      changePassword: Effect.fnUntraced(function* ({ from, to }, passed) {
        const reach = yield* Reach
        const { credential, personId } = reach.principal
        const [row] = yield* authorizedWrite<{ readonly id: string; readonly ended: ReadonlyArray<string> }>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: [personId] }, passed, event: passwordChangedEvent(personId) },
          () => ({
            changed: sql`
                UPDATE auth_accounts account SET password = ${to}, updated_at = now()
                FROM authority
                WHERE account.user_id = authority.person AND account.provider_id = 'credential'
                  AND account.password = ${from}
                RETURNING account.user_id AS id, account.user_id::uuid AS space_id`,
            ...endOtherSessionsParts(sql, credential.id)
          })
        )
        return row?.ended
      }),

      passwordMark: (email) =>
        sql<{ readonly mark: string }>`
          SELECT md5(account.password) AS mark
          FROM auth_users login
          JOIN auth_accounts account ON account.user_id = login.id AND account.provider_id = 'credential'
          JOIN users person ON person.id = login.id::uuid
          WHERE login.email = ${email}
          FOR SHARE OF account, person`.pipe(
          Effect.map(([row]) => row?.mark),
          dieOnSqlError
        )
    }
  })
)
