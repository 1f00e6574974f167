/** The SQL store of people. */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer, Option } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import type { Membership, PodRole } from "../../doors/Principal.ts"
import { type Bounds, emptyBounds, Reach, type ReachShape } from "../../doors/Reach.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import { findEmailAddress, passwordAccount } from "../../platform/SignIn.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import {
  type Agent,
  AlreadyClaimed,
  EmailTaken,
  type NewPerson,
  SetupLinkInvalid,
  type SetupLinkState,
  UserUnknown
} from "./Person.ts"
import { PeopleStore } from "./PeopleStore.ts"

interface AccessRow {
  readonly kind: "person" | "agent" | "service"
  readonly capabilities: ReadonlyArray<string>
  readonly name: string
  readonly email: string | null
  readonly person_id: string
  readonly is_owner: boolean
  readonly is_administrator: boolean
  readonly is_suspended: boolean
  readonly epoch: number
  readonly memberships: ReadonlyArray<Membership> | null
}

interface AgentRow {
  readonly id: string
  readonly name: string
  readonly person_id: string
  readonly capabilities: ReadonlyArray<string>
  readonly writes_require_proposal: boolean
  readonly suspended_at: Date | null
  readonly agent_type: string | null
  readonly created_at: Date
}

const toAgent = (row: AgentRow): Agent => ({
  id: row.id,
  name: row.name,
  linkedUserId: row.person_id,
  capabilities: row.capabilities,
  writesRequireProposal: row.writes_require_proposal,
  isSuspended: row.suspended_at !== null,
  agentType: row.agent_type,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

/**
 * Returns the limits for a write to the person's agents: the write may touch only the person's own space. The log of
 * this space has the events of the agents.
 */
const ownSpace = ({ principal }: ReachShape): Bounds => ({ ...emptyBounds, spaces: [principal.personId] })

const podRoleFrom = (row: AccessRow): PodRole =>
  row.is_owner ? "owner" : row.is_administrator ? "administrator" : "member"

export const layer = Layer.effect(
  PeopleStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const insertPerson = Effect.fnUntraced(function* (person: NewPerson) {
      const email = Option.getOrThrow(findEmailAddress(person.email))
      const { user, account } = passwordAccount({
        userId: person.id,
        email,
        name: person.name,
        passwordHash: person.passwordHash,
        now: DateTime.toDateUtc(yield* DateTime.now)
      })
      yield* sql`INSERT INTO users ${sql.insert({ id: person.id, kind: "person", person_id: person.id, name: person.name, email })}`
      yield* sql`INSERT INTO auth_users ${sql.insert(user)}`
      yield* sql`INSERT INTO auth_accounts ${sql.insert(account)}`
      // The person's own space has the id of the person, so the code knows the id of the space without a query.
      yield* sql`SELECT set_config('app.spaces', ${`{${person.id}}`}, true)`
      yield* sql`INSERT INTO spaces ${sql.insert({ id: person.id, kind: "personal", owner_id: person.id, name: person.name })}`
      yield* sql`INSERT INTO memberships ${sql.insert({ user_id: person.id, space_id: person.id, role: "owner" })}`
    })

    const setupLinkState = (hash: Buffer) =>
      Effect.map(
        sql<{ readonly state: Exclude<SetupLinkState, undefined> }>`
          SELECT CASE
            WHEN used_at IS NOT NULL THEN 'used'
            WHEN expires_at > now() THEN 'open'
            ELSE 'expired' END AS state
          FROM setup_links
          WHERE token_hash = ${hash}`,
        ([row]): SetupLinkState => row?.state
      )

    return {
      accessOf: Effect.fnUntraced(function* (userId) {
        const [row] = yield* sql<AccessRow>`
            WITH holder AS MATERIALIZED (
              SELECT holder.kind, holder.capabilities, person.name, person.email, person.id AS person_id, person.authz_epoch AS epoch,
                person.is_administrator,
                holder.suspended_at IS NOT NULL OR person.suspended_at IS NOT NULL AS is_suspended,
                set_config('app.person', person.id::text, true) AS setting
              FROM users holder JOIN users person ON person.id = holder.person_id
              WHERE holder.id = ${userId}::uuid)
            SELECT holder.kind, holder.capabilities, holder.name, holder.email, holder.person_id, holder.epoch, holder.is_suspended,
              holder.is_administrator,
              EXISTS (SELECT 1 FROM pod_state WHERE owner_id = holder.person_id) AS is_owner,
              (SELECT json_agg(json_build_object('spaceId', membership.space_id, 'role', membership.role)
                  ORDER BY membership.space_id <> holder.person_id, membership.created_at, membership.space_id)
                FROM memberships membership
                WHERE membership.user_id = holder.setting::uuid) AS memberships
            FROM holder`
        if (row === undefined) return yield* new UserUnknown({ userId })
        return {
          holder: { id: userId, kind: row.kind, capabilities: row.capabilities },
          name: row.name,
          email: row.email,
          personId: row.person_id,
          podRole: podRoleFrom(row),
          isSuspended: row.is_suspended,
          epoch: row.epoch,
          memberships: row.memberships ?? []
        }
      }, dieOnSqlError),

      me: Effect.gen(function* () {
        const reach = yield* Reach
        const [row] = yield* authorizedRead<{
          readonly id: string
          readonly name: string
          readonly email: string | null
        }>(
          sql,
          reach,
          emptyBounds,
          () => sql`
            SELECT person.id, person.name, person.email
            FROM users person
            WHERE person.id = authority.person::uuid`
        )
        const { principal } = reach
        return {
          id: principal.personId,
          name: row?.name ?? "",
          email: row?.email ?? null,
          agentId: principal.holder.kind === "agent" ? principal.holder.id : null
        }
      }),

      agents: Effect.gen(function* () {
        const reach = yield* Reach
        const rows = yield* authorizedRead<AgentRow>(
          sql,
          reach,
          emptyBounds,
          () => sql`
            SELECT agent.id, agent.name, agent.person_id, agent.capabilities,
              agent.writes_require_proposal, agent.suspended_at, agent.agent_type, agent.created_at
            FROM users agent
            WHERE agent.person_id = authority.person::uuid AND agent.kind = 'agent'
            ORDER BY agent.created_at, agent.id`
        )
        return rows.map(toAgent)
      }),

      addAgent: Effect.fnUntraced(function* (id, { agentType, capabilities, name }, passed) {
        const reach = yield* Reach
        const event = { type: "agent.create", subjectId: id, data: { name, capabilities } }
        const [row] = yield* authorizedWrite<AgentRow>(sql, reach, { bounds: ownSpace(reach), passed, event }, () => ({
          changed: sql`
              INSERT INTO users (id, kind, person_id, name, capabilities, agent_type)
              SELECT ${id}::uuid, 'agent', authority.person::uuid, ${name}, ${[...capabilities]}::text[], ${agentType ?? null}
              FROM authority
              RETURNING *, person_id AS space_id`
        }))
        return row === undefined ? yield* Effect.dieMessage("the agent was not stored") : toAgent(row)
      }),

      changeAgent: Effect.fnUntraced(function* (id, change, passed) {
        const reach = yield* Reach
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const event = { type: "agent.update", subjectId: id, data: given }
        const [row] = yield* authorizedWrite<AgentRow>(sql, reach, { bounds: ownSpace(reach), passed, event }, () => ({
          changed: sql`
              UPDATE users agent
              SET name = coalesce(${change.name ?? null}, agent.name),
                capabilities = coalesce(${change.capabilities === undefined ? null : [...change.capabilities]}::text[],
                  agent.capabilities),
                writes_require_proposal = coalesce(${change.writesRequireProposal ?? null}::boolean,
                  agent.writes_require_proposal),
                suspended_at = CASE ${change.isSuspended ?? null}::boolean
                  WHEN true THEN coalesce(agent.suspended_at, now())
                  WHEN false THEN NULL
                  ELSE agent.suspended_at END,
                updated_at = now()
              FROM authority
              WHERE agent.id = ${id}::uuid AND agent.person_id = authority.person::uuid AND agent.kind = 'agent'
              RETURNING agent.*, agent.person_id AS space_id`,
          after: [
            sql`
                stale AS (
                  UPDATE users person SET authz_epoch = person.authz_epoch + 1
                  FROM changed WHERE person.id = changed.person_id)`
          ]
        }))
        return row === undefined ? yield* Effect.dieMessage("the agent was not stored") : toAgent(row)
      }),

      ownerId: sql<{ readonly owner_id: string | null }>`SELECT owner_id FROM pod_state`.pipe(
        Effect.map(([row]) => row?.owner_id ?? undefined),
        dieOnSqlError
      ),

      hasOwner: sql<{ readonly claimed: boolean }>`SELECT owner_id IS NOT NULL AS claimed FROM pod_state`.pipe(
        Effect.map(([row]) => row?.claimed ?? false),
        dieOnSqlError
      ),

      claim: (owner, setupLinkHash) =>
        Effect.gen(function* () {
          // Simultaneous claims run one after another. Otherwise each claim would lock its own setup link. The claim
          // that succeeds would wait for the locks of the other claims, and the other claims would wait for it.
          yield* sql`SELECT FROM pod_state FOR UPDATE`
          if (setupLinkHash !== null) {
            const used = yield* sql`
              UPDATE setup_links SET used_at = now()
              WHERE token_hash = ${setupLinkHash} AND used_at IS NULL AND expires_at > now()
              RETURNING token_hash`
            if (used.length === 0) {
              const state = yield* setupLinkState(setupLinkHash)
              return yield* new SetupLinkInvalid({ isExpired: state === "expired" })
            }
          }
          const claimed = yield* sql`
            UPDATE pod_state SET owner_id = ${owner.id}::uuid, claimed_at = now()
            WHERE owner_id IS NULL
            RETURNING owner_id`
          if (claimed.length === 0) return yield* new AlreadyClaimed({ isByThisLink: false })
          yield* insertPerson(owner)
          // The statement keeps the link that the owner used. If somebody opens this link again, the pod can say that
          // the link was used.
          yield* sql`DELETE FROM setup_links WHERE used_at IS NULL`
        }).pipe(sql.withTransaction, dieOnSqlError),

      addPerson: (person) =>
        insertPerson(person).pipe(
          sql.withTransaction,
          // The e-mail address is the only value of a new person that another person can already have. So a unique
          // violation means that the address is taken.
          Effect.catchTag("SqlError", (error) => (isUniqueViolation(error) ? new EmailTaken() : Effect.die(error)))
        ),

      setupLinkState: (hash) => dieOnSqlError(setupLinkState(hash)),

      usedSetupLink: sql<{ readonly token_hash: Uint8Array }>`
        SELECT token_hash FROM setup_links WHERE used_at IS NOT NULL`.pipe(
        Effect.map(([row]) => Option.map(Option.fromNullable(row), ({ token_hash }) => Buffer.from(token_hash))),
        dieOnSqlError
      ),

      addSetupLink: (hash, expiresAt) =>
        sql`INSERT INTO setup_links ${sql.insert({ token_hash: hash, expires_at: DateTime.toDateUtc(expiresAt) })}`.pipe(
          Effect.asVoid,
          dieOnSqlError
        )
    }
  })
)
