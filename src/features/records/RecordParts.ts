/** The parts of SQL statements that are the same for all calls on one record type. */
import type { SqlClient, Statement } from "@effect/sql"
import { Record, SchemaAST } from "effect"
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
  /** The possible values of each field that has a fixed list of words. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns the strings of a schema that allows only fixed strings and null. Returns undefined for every other schema. */
const wordsIn = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (ast._tag === "Literal")
    return typeof ast.literal === "string" ? [ast.literal] : ast.literal === null ? [] : undefined
  if (ast._tag !== "Union") return undefined
  const members = ast.types.map(wordsIn)
  return members.every((words) => words !== undefined) ? members.flat() : undefined
}

const wordsOf = <A extends Common>({ schema }: RecordType<A>): Parts["words"] =>
  new Map(
    SchemaAST.getPropertySignatures(SchemaAST.typeAST(schema.ast)).flatMap(({ name, type }) => {
      const words = wordsIn(type) ?? []
      return words.length === 0 ? [] : [[String(name), new Set(words)]]
    })
  )

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
  words: wordsOf(type),
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
