/** The SQL condition that hides the private records of other people. `isPrivateToOther` is the same rule in memory. */
import type { SqlClient, Statement } from "@effect/sql"
import type { ReachShape } from "../../doors/Reach.ts"
import { columnOf, type Common, type RecordType } from "./RecordType.ts"

/**
 * Makes the condition that a row is not private to another person than the caller. `alias` is the alias of the table
 * of the type in the statement.
 */
export const notPrivateToOther = <A extends Common>(
  sql: SqlClient.SqlClient,
  { visibility }: Pick<RecordType<A>, "visibility">,
  alias: string,
  { principal }: ReachShape
): Statement.Fragment => {
  if (visibility === "space") return sql.literal("true")
  const isOwn = sql`${sql.literal(`${alias}.user_id`)} = ${principal.personId}::uuid`
  if (visibility === "own") return isOwn
  const field = sql.literal(`${alias}."${columnOf(visibility.field)}"`)
  return sql`(${field} IS DISTINCT FROM ${visibility.own} OR ${isOwn})`
}
