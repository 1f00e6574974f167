/**
 * The parts of a SQL statement that reads a page of a list: the condition for the rows after the cursor, the order and
 * the limit.
 */
import type { SqlClient, Statement } from "@effect/sql"
import type { Cursor } from "./Cursor.ts"
import type { PageOrder, PagePlace } from "./PageOrder.ts"

/** The columns by which a SQL statement lists its rows. Without `time`, it lists them by id alone. */
interface OrderColumns {
  readonly time?: string
  readonly id: string
}

/** Makes the condition that continues a list after the cursor. It begins with AND, or is empty without a cursor. */
export const behindSql = (
  sql: SqlClient.SqlClient,
  { id, time }: OrderColumns,
  cursor: Cursor | undefined,
  sign: "<" | ">" = "<"
): Statement.Fragment =>
  cursor === undefined
    ? sql.literal("")
    : time === undefined
      ? sql`AND ${sql.literal(`${id} ${sign}`)} ${cursor.id}::uuid`
      : sql`AND ${sql.literal(`(${time}, ${id}) ${sign}`)} (${cursor.at}::timestamptz, ${cursor.id}::uuid)`

/**
 * Makes the parts of a statement that reads a page: the condition that continues after the cursor, and the end of the
 * statement, which reads one row more than the page has.
 */
export const pageSql = (
  sql: SqlClient.SqlClient,
  { isOldestFirst }: Pick<PageOrder<never>, "isOldestFirst">,
  columns: OrderColumns,
  { cursor, limit, offset = 0 }: PagePlace
): { readonly behind: Statement.Fragment; readonly ordered: Statement.Fragment } => {
  const { id, time } = columns
  const direction = isOldestFirst === true ? "" : " DESC"
  const by = [...(time === undefined ? [] : [time]), id]
  return {
    behind: behindSql(sql, columns, cursor, isOldestFirst === true ? ">" : "<"),
    ordered: sql`ORDER BY ${sql.literal(by.map((column) => column + direction).join(", "))}
              LIMIT ${limit + 1} OFFSET ${offset}`
  }
}
