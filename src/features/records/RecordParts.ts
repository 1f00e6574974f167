/** The parts of SQL statements that are the same for all calls on one record type. */
import type { SqlClient, Statement } from "@effect/sql"
import { Record } from "effect"
import { type ColumnLists, columnLists, recordOf, type Row } from "./RecordRow.ts"
import type { RowChange } from "../events/AppendEvent.ts"
import { columnOf, type Common, type RecordType } from "./RecordType.ts"

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

/** A change of a record. The event of the change gets the former values of the fields in `recorded`. */
export interface RecordRewrite extends RowChange {
  readonly recorded?: ReadonlyArray<string>
}

/** Makes the SQL expression for the values of these fields in the locked row. */
export const formerOf = (fields: ReadonlyArray<string>): string =>
  `jsonb_build_object(${fields.map((name) => `'${name}', record."${columnOf(name)}"`).join(", ")})`

/** The further data of the event, from the row that the statement locked (`former` of the part `found`). */
export const formerInEvent = "jsonb_build_object('before', (SELECT found.former FROM found))"
