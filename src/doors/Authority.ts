/**
 * The authority prefix of SQL statements. It checks that the credential of the call is alive, and limits the rows that
 * the statement can touch.
 */
import type { SqlClient, Statement } from "@effect/sql"
import { Data, Effect } from "effect"
import { type Authority, type Bounds, credentialIdOf, type PolicyStamp, Reach, type ReachShape } from "./Reach.ts"
import { arrayLiteral } from "../platform/ArrayLiteral.ts"
import { dieOnSqlError } from "../platform/SqlDefect.ts"

/**
 * The credential of a call has been revoked or has expired, or the cached access of the call is outdated. This is a
 * defect because stores and services cannot handle it. Dispatch looks the credential up again, and then answers 401 or
 * runs the call again.
 */
export class AuthorityLost extends Data.TaggedError("AuthorityLost")<{ readonly credentialId: string }> {}

const confirmedAuthorities = new WeakSet<Authority>()

/** Returns true if a statement of this call found the credential of `authority` alive. */
export const isConfirmed = (authority: Authority): boolean => confirmedAuthorities.has(authority)

/** Records that a statement found the credential alive. The stores in memory call this function for their writes. */
export const markConfirmed = ({ authority }: Pick<ReachShape, "authority">): void =>
  void confirmedAuthorities.add(authority)

/**
 * Makes the pod check the credential and the person's access again before the answer. A call needs this if it waits for
 * something slow, such as a model, after its last statement.
 */
export const requireConfirmation: Effect.Effect<void, never, Reach> = Effect.map(
  Reach,
  ({ authority }) => void confirmedAuthorities.delete(authority)
)

const axisLiteral = (values: ReadonlyArray<string> | null) => (values === null ? "*" : arrayLiteral(values))

/**
 * Sets the transaction settings that limit rows by kind, object and project. `app.narrow` is always set, because one
 * transaction can run statements with different limits. If `app.narrow` is `*`, there are no such limits, and row-level
 * security does not read the other settings.
 */
const boundsSettings = (sql: SqlClient.SqlClient, { kinds, objects, projects }: Bounds): Statement.Fragment =>
  kinds === null && objects === null && projects === null
    ? sql`set_config('app.narrow', '*', true) AS narrow`
    : sql`set_config('app.narrow', '', true) AS narrow,
    set_config('app.kinds', ${axisLiteral(kinds)}, true) AS kinds,
    set_config('app.objects', ${axisLiteral(objects)}, true) AS objects,
    set_config('app.projects', ${axisLiteral(projects)}, true) AS projects`

/**
 * Makes `WITH authority AS MATERIALIZED (…)`, the beginning of an SQL statement that checks the credential. The table
 * `authority` has one row if the credential is alive, and no row otherwise. `spaces` is cast to an array here, because
 * a predicate would cast it for every row.
 */
const authorityOf = (
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  bounds: Bounds,
  policies: ReadonlyArray<PolicyStamp>
): Statement.Fragment => {
  const settings = sql`
    set_config('app.spaces', ${arrayLiteral(bounds.spaces)}, true)::uuid[] AS spaces,
    set_config('app.person', ${reach.authority.personId}, true) AS person,
    set_config('app.probe', ${String(reach.origin.isProbe === true)}, true) AS probe,
    ${boundsSettings(sql, bounds)}`
  const { authority } = reach
  const standing = policies.reduce<Statement.Fragment>(
    (all, { agentId, spaces, value }) =>
      sql`${all} AND policy_stamp(${agentId}::uuid, ${arrayLiteral(spaces)}::uuid[]) = ${value}`,
    sql.literal("")
  )
  switch (authority.kind) {
    case "key":
      return sql`WITH authority AS MATERIALIZED (
    SELECT ${settings}
    FROM api_keys credential
    JOIN users person ON person.id = credential.person_id
    JOIN users holder ON holder.id = credential.user_id
    WHERE credential.id = ${authority.credentialId}
      AND credential.revoked_at IS NULL
      AND (credential.expires_at IS NULL OR credential.expires_at > now())
      AND person.authz_epoch = ${authority.epoch}
      AND person.suspended_at IS NULL
      AND holder.suspended_at IS NULL
      ${standing})`
    case "session":
      return sql`WITH authority AS MATERIALIZED (
    SELECT ${settings}
    FROM auth_sessions credential
    JOIN users person ON person.id = credential.user_id::uuid
    WHERE credential.id = ${authority.credentialId}
      AND credential.expires_at > now()
      AND person.authz_epoch = ${authority.epoch}
      AND person.suspended_at IS NULL)`
    case "person":
      return sql`WITH authority AS MATERIALIZED (
    SELECT ${settings}
    FROM users person
    WHERE person.id = ${authority.callerId}::uuid
      AND person.authz_epoch = ${authority.epoch}
      AND person.suspended_at IS NULL
      ${standing})`
    case "system":
      return sql`WITH authority AS MATERIALIZED (
    SELECT ${settings})`
  }
}

type Alias = "entity" | "entry" | "event" | "space" | "record" | "proposal" | "relation"

/**
 * Makes the predicate that selects the rows that the call is allowed to touch. `alias` names the table. By default, the
 * predicate checks the space column of this table. Row-level security checks the same column again. Because of these
 * two checks, the planner expects only one row. It would then read and sort a whole space to find the newest rows. So a
 * query for the newest rows of one space passes the space column of another table as `spaceColumn`.
 */
const withinReach = (
  sql: SqlClient.SqlClient,
  bounds: Bounds,
  alias: Alias,
  spaceColumn = alias === "space" ? "space.id" : `${alias}.space_id`
): Statement.Fragment => {
  const row = sql.literal(alias)
  const space = sql.literal(spaceColumn)
  const parts = [sql`${space} = ANY (authority.spaces)`]
  if (bounds.kinds !== null && alias !== "proposal")
    parts.push(sql`${row}.profile_slug = ANY (${arrayLiteral(bounds.kinds)}::text[])`)
  // The limits of a call contain the id of the object that a proposal is about, not the id of the proposal.
  const object = sql.literal(alias === "proposal" ? "proposal.target_id" : `${alias}.id`)
  if (bounds.objects !== null) parts.push(sql`${object} = ANY (${arrayLiteral(bounds.objects)}::uuid[])`)
  if (bounds.projects !== null && alias === "proposal") {
    // A proposal to create a record has its own list of projects. Every other proposal belongs to the projects of the
    // record that it changes.
    parts.push(sql`CASE WHEN proposal.action = 'create' AND proposal.status <> 'approved'
      THEN proposal.project_ids && ${arrayLiteral(bounds.projects)}::uuid[]
      ELSE EXISTS (
        SELECT 1 FROM entity_projects filed
        WHERE filed.entity_id = proposal.target_id
          AND filed.space_id = proposal.space_id
          AND filed.project_id = ANY (${arrayLiteral(bounds.projects)}::uuid[])) END`)
  } else if (bounds.projects !== null) {
    parts.push(sql`EXISTS (
      SELECT 1 FROM entity_projects filed
      WHERE filed.entity_id = ${row}.id
        AND filed.space_id = ${row}.space_id
        AND filed.project_id = ANY (${arrayLiteral(bounds.projects)}::uuid[]))`)
  }
  return parts.reduce((all, part) => sql`${all} AND ${part}`)
}

/**
 * Makes the predicate of a statement. The predicate selects those rows of the table with this alias that the call is
 * allowed to touch.
 */
export type Within = (alias: Alias, spaceColumn?: string) => Statement.Fragment

/**
 * Returns the function that makes the predicate for the rows of one person: the rows of the caller's person, in the
 * spaces that the call is allowed to touch. `row` names the table, which has the columns `space_id` and `person_id`.
 */
export const ownRows =
  (sql: SqlClient.SqlClient) =>
  (row: string): Statement.Fragment =>
    sql.literal(`${row}.space_id = ANY (authority.spaces) AND ${row}.person_id = authority.person::uuid`)

/**
 * Makes the predicate for the rows of the table `relation` that belong to a person or are in a space that people share.
 * The stores in memory have the same rule in `isEdgeOf`.
 */
export const edgesOfPerson = (sql: SqlClient.SqlClient, personId: string): Statement.Fragment =>
  sql`(relation.user_id = ${personId}::uuid
    OR (relation.space_id <> relation.user_id AND relation.space_id <> ${personId}::uuid))`

/**
 * Makes the predicate for the rows that are not private to another person. A row is private to the person of its column
 * `user_id` if the text in its column `column` equals `own`. `row` names the table. The stores in memory have the same
 * rule in `isPrivateToOther`.
 */
export const notPrivateToOther = (
  sql: SqlClient.SqlClient,
  personId: string,
  row: string,
  { column, own }: { readonly column: string; readonly own: string }
): Statement.Fragment =>
  sql`(${sql.literal(`${row}."${column}"`)} IS DISTINCT FROM ${own} OR ${sql.literal(`${row}.user_id`)} = ${personId}::uuid)`

/** What the frames give to the code that writes the parts of a statement. */
interface Governed {
  readonly within: Within
}

/**
 * Runs one statement that begins with `withAuthority` and then selects `FROM authority LEFT JOIN …`. If the credential
 * is alive, the database returns at least one row, whose `id` is null if nothing matches. If the credential is dead, the
 * database returns no row. This function returns the rows whose `id` is not null. Dies with `AuthorityLost` if the
 * credential is dead, or if one of `policies` has changed since the gate used it for this call.
 */
const authorizedStatement = <Row extends { readonly id: unknown }>(
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  bounds: Bounds,
  statement: (withAuthority: Statement.Fragment, governed: Governed) => Statement.Statement<Row>,
  policies: ReadonlyArray<PolicyStamp>
): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.flatMap(
    dieOnSqlError(
      statement(authorityOf(sql, reach, bounds, policies), {
        within: (alias, spaceColumn) => withinReach(sql, bounds, alias, spaceColumn)
      })
    ),
    (rows) => {
      if (rows.length === 0) {
        return Effect.die(
          new AuthorityLost({ credentialId: credentialIdOf(reach.authority) ?? reach.authority.personId })
        )
      }
      markConfirmed(reach)
      return Effect.succeed(rows.length === 1 && rows[0].id === null ? [] : rows)
    }
  )

/**
 * Runs a read. Before `select`, the function adds the authority prefix, which checks the credential. `select` is a
 * whole SELECT that returns rows with an `id`. It can use the columns `spaces` and `person` of the table `authority`.
 * The result has the order of `select`.
 */
export const authorizedRead = <Row extends { readonly id: unknown }>(
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  bounds: Bounds,
  select: (governed: Governed) => Statement.Fragment,
  policies: ReadonlyArray<PolicyStamp> = []
): Effect.Effect<ReadonlyArray<Row>> =>
  authorizedStatement(
    sql,
    reach,
    bounds,
    (withAuthority, governed) => sql<Row>`
      ${withAuthority}
      SELECT found.*
      FROM authority LEFT JOIN LATERAL (${select(governed)}) found ON true`,
    policies
  )

/** The parts from which a frame builds the statement of a write. */
export interface WriteParts {
  /** Further CTEs that `changed` reads, each with its name: `name AS (…)`. */
  readonly before?: ReadonlyArray<Statement.Fragment>
  /** Changes rows and returns them, each with its `id`. It can read the table `authority`. */
  readonly changed: Statement.Fragment
  /** Further CTEs, each with its name: `name AS (…)`. They can read `changed`. */
  readonly after?: ReadonlyArray<Statement.Fragment>
  /** The columns to return. They must include an `id`. If absent, the statement returns all columns of `changed`. */
  readonly columns?: Statement.Fragment
  /**
   * The joins from which the columns come, in the form `LEFT JOIN … ON true`. If absent, the statement joins `changed`.
   * Use an empty fragment if the columns come only from `authority`. An `ORDER BY` can follow the joins.
   */
  readonly joins?: Statement.Fragment
}

/**
 * Runs a write that has no event of its own, such as the pod's own notes on its work. A change of records takes
 * `authorizedWrite` instead, which appends the event in the same statement. Each part of `write` must select only rows
 * that the call is allowed to touch, with `within` or with the columns of `authority`.
 */
export const authorizedWriteWithoutEvent = <Row extends { readonly id: unknown } = { readonly id: string }>(
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  bounds: Bounds,
  write: (governed: Governed) => WriteParts,
  policies: ReadonlyArray<PolicyStamp> = []
): Effect.Effect<ReadonlyArray<Row>> =>
  authorizedStatement(
    sql,
    reach,
    bounds,
    (withAuthority, governed) => {
      const { after = [], before = [], changed, columns, joins } = write(governed)
      const nothing: Statement.Fragment = sql.literal("")
      return sql<Row>`
      ${withAuthority},
      ${before.reduce((all, part) => sql`${all} ${part},`, nothing)}
      changed AS (${changed})
      ${after.reduce((all, part) => sql`${all}, ${part}`, nothing)}
      SELECT ${columns ?? sql.literal("changed.*")}
      FROM authority ${joins ?? sql.literal("LEFT JOIN changed ON true")}`
    },
    policies
  )
