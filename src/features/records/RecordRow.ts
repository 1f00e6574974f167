/**
 * Converts between a record type and its table. It makes the column lists of statements and turns a row into a record.
 */
import { DateTime } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { columnOf, type Common, fieldOf, type RecordType } from "./RecordType.ts"

export interface Row {
  readonly id: string
  readonly space_id: string
  readonly user_id: string
  readonly actor_id: string
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly [column: string]: unknown
}

const common = ["id", "space_id", "user_id", "actor_id", "version", "created_at", "updated_at"]

const listOf = (names: ReadonlyArray<string>, alias?: string): string =>
  names.map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(", ")

/**
 * Lists of columns, as SQL text. `fields` has only the type's own fields. `written` also has the timestamps that the
 * pod sets.
 */
export interface ColumnLists {
  readonly fields: string
  readonly written: string
  /** The values to insert for a new row. The SQL alias of the row is `made`. */
  readonly ofAdded: string
  /**
   * The values to write for an existing row. The SQL alias `made` is the row with the new values, and `record` is the
   * old row.
   */
  readonly ofMade: string
  readonly ofChanged: string
  readonly ofRevision: string
  readonly listed: string
}

export const columnLists = <A extends Common>({ fields, stamps }: RecordType<A>): ColumnLists => {
  const own = fields.map((field) => `"${columnOf(field)}"`)
  const moments = Object.entries(stamps).flatMap(([name, stamp]) =>
    typeof stamp === "string" ? [] : [{ column: columnOf(name), field: columnOf(stamp.field), value: stamp.becomes }]
  )
  const written = [...own, ...moments.map(({ column }) => column)]
  const began = moments.map(({ field, value }) => `CASE WHEN made.${field} = '${value}' THEN now() END`)
  const begun = moments.map(
    ({ column, field, value }) =>
      `CASE WHEN made.${field} = '${value}' AND record.${field} <> '${value}' THEN now() ELSE record.${column} END`
  )
  return {
    fields: listOf(own),
    written: listOf(written),
    ofAdded: [listOf(own, "made"), ...began].join(", "),
    ofMade: [listOf(own, "made"), ...begun].join(", "),
    ofChanged: listOf(own, "changed"),
    ofRevision: listOf(own, "revision"),
    listed: listOf([...common, ...written], "record")
  }
}

/** Makes the list of columns for a read of some fields, with the fields that every record has. */
export const headColumns = (fields: ReadonlyArray<string>): string =>
  listOf([...common, ...fields.map((field) => `"${columnOf(field)}"`)], "record")

const valueOf = (stored: unknown): unknown => (stored instanceof Date ? DateTime.unsafeFromDate(stored) : stored)

/**
 * Makes the function that reads the fields of a row of this type. Call it only once for each type, because the result
 * can be reused.
 */
export const fieldsOf = <A extends Common>({ fields }: RecordType<A>): ((row: object) => Record<string, unknown>) => {
  const columns = fields.map((field) => [field, columnOf(field)] as const)
  return (row) => Object.fromEntries(columns.map(([field, column]) => [field, valueOf(fieldOf(row, column))]))
}

/** Reads the fields that every record has. */
const commonOf = (row: Row): Common => ({
  id: row.id,
  userId: row.user_id,
  workspaceId: workspaceIdOf(row.space_id, row.user_id),
  version: row.version,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

/** Reads some fields of a row, with the fields that every record has. */
export const headOf = <A extends Common, K extends keyof A & string>(row: Row, fields: ReadonlyArray<K>) =>
  // the cast is correct, because the code reads each field from its column
  ({
    ...commonOf(row),
    ...Object.fromEntries(fields.map((field) => [field, valueOf(row[columnOf(field)])]))
  }) as unknown as Pick<A, K | keyof Common>

/**
 * Makes the function that turns a row of this type into a record. Call it only once for each type, because the result
 * can be reused.
 */
export const recordOf = <A extends Common>(type: RecordType<A>): ((row: Row) => A) => {
  const columns = type.fields.map((field) => [field, columnOf(field)] as const)
  const stamps = Object.entries(type.stamps).map(([name, stamp]) => {
    const column = stamp === "maker" ? "actor_id" : stamp === "version" ? "version" : columnOf(name)
    return [name, column] as const
  })
  return (row) => {
    const record: Record<string, unknown> = { ...commonOf(row) }
    for (const [field, column] of columns) record[field] = valueOf(row[column])
    for (const [name, column] of stamps) record[name] = valueOf(row[column])
    // the cast is correct, because the code reads every field of the record from a column
    return record as never
  }
}
