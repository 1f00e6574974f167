/** The parts of SQL statements that are the same for all calls on one record type. */
import type { SqlClient, Statement } from "@effect/sql"
import { Record } from "effect"
import { type ColumnLists, columnLists, recordOf, type Row } from "./RecordRow.ts"
import type { Common, RecordType } from "./RecordType.ts"

type Lists = { readonly [Name in keyof ColumnLists]: Statement.Fragment }

export interface Parts extends Lists {
  readonly table: Statement.Fragment
  readonly history: Statement.Fragment | undefined
  readonly emptyRow: Statement.Fragment
  readonly toRecord: (row: Row) => unknown
  readonly order: Statement.Fragment
}

/**
 * Makes the parts of a statement that depend only on the record type. The pod makes these parts once, so every
 * statement for a type has the same text. The cast is safe, because every member of `ColumnLists` is a text.
 */
export const partsOf = <A extends Common>(sql: SqlClient.SqlClient, type: RecordType<A>): Parts => ({
  ...Record.map(columnLists(type) as unknown as Readonly<Record<keyof ColumnLists, string>>, (list) =>
    sql.literal(list)
  ),
  table: sql.literal(type.table),
  history: type.history === undefined ? undefined : sql.literal(type.history),
  emptyRow: sql.literal(`NULL::${type.table}`),
  toRecord: recordOf(type),
  order: sql.literal(type.order === "updated" ? "record.updated_at DESC, record.id DESC" : "record.id DESC")
})
