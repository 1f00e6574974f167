/** The SQL conditions of the filters and the place of a list of records. */
import type { SqlClient, Statement } from "@effect/sql"
import { behindSql } from "../../doors/PageSql.ts"
import type { Parts } from "./RecordParts.ts"
import type { FilterValue, Listing } from "./Records.ts"
import { columnOf, type Common, type RecordType } from "./RecordType.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"
import { textLiteral } from "../../platform/TextLiteral.ts"

const columnsOfOrder = ({ order }: Pick<RecordType<Common>, "order">) =>
  order === "updated" ? { time: "record.updated_at", id: "record.id" } : { id: "record.id" }

/**
 * Returns the spaces into which a list looks, as a table of ids for SQL. A list of named records looks only into the
 * spaces of these records. Otherwise it would look into each of the many spaces that a caller can have.
 */
export const listedSpaces = <A extends Common>(
  sql: SqlClient.SqlClient,
  table: Statement.Fragment,
  { where }: Listing<A>
): Statement.Fragment =>
  Array.isArray(where?.id)
    ? sql`(SELECT DISTINCT named.space_id FROM ${table} named WHERE named.id = ANY (${arrayLiteral(where.id)}::uuid[]))`
    : sql.literal("unnest(authority.spaces)")

/** Returns the conditions that the rows of a list fulfil, each with a leading `AND`. */
export const filterConditions = <A extends Common>(
  sql: SqlClient.SqlClient,
  type: RecordType<A>,
  { words }: Pick<Parts, "words">,
  { containing, cursor, named, where = {} }: Listing<A>
): Statement.Fragment => {
  const conditions: Array<Statement.Fragment> = []
  if (named !== undefined) {
    const column = sql.literal(`record."${columnOf(named.field)}"`)
    conditions.push(sql`AND lower(btrim(${column})) = lower(btrim(${named.name}))`)
  }
  if (containing !== undefined) {
    const column = sql.literal(`record."${columnOf(containing.field)}"`)
    conditions.push(sql`AND strpos(${column}, ${containing.part}) > 0`)
  }
  for (const [field, expected] of Object.entries<FilterValue | ReadonlyArray<string> | undefined>(where)) {
    if (expected === undefined) continue
    const column = sql.literal(`record."${columnOf(field)}"`)
    // A word of a fixed list is part of the SQL text, so that the planner knows how many records have it.
    if (typeof expected === "string" && words.get(field)?.has(expected) === true) {
      conditions.push(sql`AND ${column} = ${sql.literal(textLiteral(expected))}`)
      continue
    }
    conditions.push(
      expected === null
        ? sql`AND ${column} IS NULL`
        : typeof expected === "object"
          ? sql`AND ${column} = ANY (${[...expected]})`
          : sql`AND ${column} = ${expected}`
    )
  }
  conditions.push(behindSql(sql, columnsOfOrder(type), cursor))
  return conditions.reduce((all, condition) => sql`${all} ${condition}`, sql.literal(""))
}
