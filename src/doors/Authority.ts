/** The prefix every governed statement carries: is the credential alive, and what may this statement touch. */
import type { SqlClient, Statement } from "@effect/sql"
import { Data, Effect } from "effect"
import type { Authority, Bounds, PolicyStamp, ReachShape } from "./Reach.ts"

/**
 * The credential behind a call is dead, or what was remembered of its access is stale. A defect on purpose: no store
 * and no service can do anything about it. Dispatch looks the credential up again and answers or tries once more.
 */
export class AuthorityLost extends Data.TaggedError("AuthorityLost")<{ readonly credentialId: string }> {}

const confirmed = new WeakSet<Authority>()

/** Whether a statement of the call behind it found its credential alive. */
export const isConfirmed = (authority: Authority): boolean => confirmed.has(authority)

/** Notes that a statement found it alive; the twins in memory say so of their writes. */
export const noteConfirmed = ({ authority }: Pick<ReachShape, "authority">): void => void confirmed.add(authority)

const arrayLiteral = (values: ReadonlyArray<string>) => `{${values.join(",")}}`
const axisLiteral = (values: ReadonlyArray<string> | null) => (values === null ? "*" : arrayLiteral(values))

/**
 * `WITH authority AS MATERIALIZED (…)`, with which every governed statement begins. One row while the credential lives, else none.
 * `spaces` is an array here already: a predicate that casts it does so for every row it looks at.
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
    set_config('app.kinds', ${axisLiteral(bounds.kinds)}, true) AS kinds,
    set_config('app.objects', ${axisLiteral(bounds.objects)}, true) AS objects,
    set_config('app.projects', ${axisLiteral(bounds.projects)}, true) AS projects`
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
    case "system":
      return sql`WITH authority AS MATERIALIZED (
    SELECT ${settings})`
  }
}

type Alias = "entity" | "entry" | "event" | "space" | "record" | "proposal" | "relation"

/**
 * The explicit predicate: the rows of a table (by alias) within the bounds. Row-level security is the net beneath it.
 * A walk through the newest rows of one space names the column it takes that space from: the same condition on the rows
 * themselves, beside that of the policy, makes the planner expect one row, read all of the space and sort it.
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
  // A proposal is about an object and is none itself.
  const object = sql.literal(alias === "proposal" ? "proposal.target_id" : `${alias}.id`)
  if (bounds.objects !== null) parts.push(sql`${object} = ANY (${arrayLiteral(bounds.objects)}::uuid[])`)
  if (bounds.projects !== null && alias === "proposal") {
    // What a proposal would make is in the projects it names; anything else is where its own rows say.
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

/** The predicate of a statement: the rows of a table, by its alias, within the bounds that its prefix sets. */
export type Within = (alias: Alias, spaceColumn?: string) => Statement.Fragment

/** What a governed statement is made with. All of it speaks of the same bounds: a statement cannot name others. */
export interface Governed {
  readonly withAuthority: Statement.Fragment
  readonly within: Within
}

/**
 * Runs one governed statement, for which there is no frame: it begins with `withAuthority` and selects FROM authority
 * LEFT JOIN its work, so that no row at all means that the credential is dead. Answers the rows whose `id` is not null.
 * `policies`: what the call was judged by and remembered; where one moved on, the statement finds no authority.
 */
export const governed = <Row extends { readonly id: unknown }>(
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  bounds: Bounds,
  statement: (governed: Governed) => Statement.Statement<Row>,
  policies: ReadonlyArray<PolicyStamp> = []
): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.flatMap(
    Effect.orDie(
      statement({
        withAuthority: authorityOf(sql, reach, bounds, policies),
        within: (alias, spaceColumn) => withinReach(sql, bounds, alias, spaceColumn)
      })
    ),
    (rows) => {
      if (rows.length === 0) {
        const { authority } = reach
        return Effect.die(
          new AuthorityLost({ credentialId: authority.kind === "system" ? authority.reason : authority.credentialId })
        )
      }
      noteConfirmed(reach)
      return Effect.succeed(rows.length === 1 && rows[0].id === null ? [] : rows)
    }
  )

/**
 * The frame of a read: `select` is a whole SELECT, which finds the columns of `authority` (`spaces`, `person`) and answers
 * rows with an `id`. Answers the rows in its order.
 */
export const found = <Row extends { readonly id: unknown }>(
  sql: SqlClient.SqlClient,
  reach: ReachShape,
  bounds: Bounds,
  select: (governed: Pick<Governed, "within">) => Statement.Fragment,
  policies: ReadonlyArray<PolicyStamp> = []
): Effect.Effect<ReadonlyArray<Row>> =>
  governed(
    sql,
    reach,
    bounds,
    ({ withAuthority, within }) => sql<Row>`
      ${withAuthority}
      SELECT found.*
      FROM authority LEFT JOIN LATERAL (${select({ within })}) found ON true`,
    policies
  )
