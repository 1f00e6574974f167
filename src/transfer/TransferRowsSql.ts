/** Reads the rows of tables as lines. The order and the format of the lines are the same on both database engines. */
import type { Owner } from "../platform/Migrations.ts"
import { quoteName, quoteTable, type TransferColumn, type TransferTable } from "./TransferTablesSql.ts"

// the maximum number of bytes of rows that are in memory at once; a single row can be larger
const fetchBytes = 4 * 1024 * 1024
// the maximum number of rows that one fetch reads
const fetchMax = 1_000

/** The rows to read: all rows of the pod, or only the rows of one workspace. */
export type RowScope = { readonly kind: "pod" } | { readonly kind: "workspace"; readonly id: string }

/** Returns the column that says to which space a row of this table belongs. Undefined if the rows belong to no space. */
export const spaceColumn = ({ columns, name }: Pick<TransferTable, "name" | "columns">): string | undefined =>
  name === "public.spaces" ? "id" : columns.find((column) => column.name === "space_id")?.name

/**
 * Makes the SQL condition for the rows of a table in this scope. Returns undefined if the table has no rows in this
 * scope.
 */
const condition = (table: TransferTable, scope: RowScope): string | undefined => {
  if (scope.kind === "pod") return "true"
  const column = spaceColumn(table)
  return column === undefined ? undefined : `${quoteName(column)} = $1::uuid`
}

const valuesOf = (scope: RowScope) => (scope.kind === "pod" ? [] : [scope.id])

export const tablesWithin = (tables: ReadonlyArray<TransferTable>, scope: RowScope): ReadonlyArray<TransferTable> =>
  tables.filter((table) => condition(table, scope) !== undefined)

/**
 * Returns true if the text of a value of this type is already JSON. A value of any other type is written as a JSON
 * string, because many programs lose digits of JSON numbers.
 */
const isJson = ({ type }: TransferColumn) => /^(?:jsonb?|boolean|smallint|integer)$/.test(type)
const isText = ({ type }: TransferColumn) => /^(?:text|character.*|name)$/.test(type)

/**
 * Returns the columns by which the rows of a table are ordered. Texts are ordered by their bytes, because servers with
 * different language settings order texts differently.
 */
const order = (table: TransferTable): string =>
  (table.key.length > 0 ? table.columns.filter(({ name }) => table.key.includes(name)) : table.columns)
    .toSorted((one, other) => table.key.indexOf(one.name) - table.key.indexOf(other.name))
    .map((column) => quoteName(column.name) + (isText(column) ? ' COLLATE "C"' : ""))
    .join(", ")

/**
 * Estimates the number of bytes in the text of a value. For some types, the size in the table is multiplied by four,
 * because the table can store long values compressed.
 */
const sizeOf = (column: TransferColumn): string => {
  const name = quoteName(column.name)
  if (column.type === "bytea") return `2 * coalesce(octet_length(${name}), 0)`
  return isText(column) ? `coalesce(octet_length(${name}), 0)` : `4 * coalesce(pg_column_size(${name}), 0)`
}

export interface TableSize {
  readonly rows: number
  readonly rowBytes: number
}

export const tableSize = async (owner: Owner, table: TransferTable, scope: RowScope): Promise<TableSize> => {
  const [found] = await owner.query(
    `SELECT count(*)::text AS rows, coalesce(max(${table.columns.map(sizeOf).join(" + ")}), 0)::text AS bytes
     FROM ${quoteTable(table.name)} WHERE ${condition(table, scope) ?? "false"}`,
    valuesOf(scope)
  )
  return { rows: Number(found?.["rows"]), rowBytes: Number(found?.["bytes"]) }
}

/** Writes one row as a line, without a newline at its end. A value that is null in the row is left out of the line. */
export const lineOf = (table: TransferTable, row: Readonly<Record<string, unknown>>): string => {
  const values = table.columns.flatMap((column, at) => {
    const value = row[`c${at}`]
    if (typeof value !== "string") return []
    return [`${JSON.stringify(column.name)}:${isJson(column) ? value : JSON.stringify(value)}`]
  })
  return `{"t":"${table.name}","r":{${values.join(",")}}}`
}

/**
 * Reads the rows of a table as lines. The caller must have begun a transaction. The rows come from the snapshot of this
 * transaction.
 */
export async function* tableLines(
  owner: Owner,
  table: TransferTable,
  scope: RowScope,
  { rowBytes }: TableSize
): AsyncGenerator<ReadonlyArray<string>> {
  const rowsMax = Math.max(1, Math.min(fetchMax, Math.floor(fetchBytes / Math.max(1, rowBytes))))
  const columns = table.columns.map(({ name }, at) => `${quoteName(name)}::text AS c${at}`)
  await owner.query(
    `DECLARE transfer_rows NO SCROLL CURSOR FOR
     SELECT ${columns.join(", ")} FROM ${quoteTable(table.name)}
     WHERE ${condition(table, scope) ?? "false"} ORDER BY ${order(table)}`,
    valuesOf(scope)
  )
  try {
    for (;;) {
      const rows = await owner.query(`FETCH ${rowsMax} FROM transfer_rows`)
      if (rows.length === 0) return
      yield rows.map((row) => lineOf(table, row))
    }
  } finally {
    await owner.query("CLOSE transfer_rows")
  }
}

const transactionSettings = [
  "SET LOCAL search_path = public",
  "SET LOCAL datestyle = 'ISO, YMD'",
  "SET LOCAL intervalstyle = 'postgres'",
  "SET LOCAL timezone = 'UTC'",
  "SET LOCAL bytea_output = 'hex'",
  "SET LOCAL extra_float_digits = 1",
  "SET LOCAL statement_timeout = 0",
  "SET LOCAL idle_in_transaction_session_timeout = 0"
].join(";")

/** Begins a transaction that sees one snapshot of the database and cannot write. */
export const beginSnapshot = (owner: Owner): Promise<unknown> =>
  owner.exec(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${transactionSettings}`)
export const endSnapshot = (owner: Owner): Promise<unknown> => owner.exec("ROLLBACK")

/**
 * Runs work in a read-only transaction that sees one snapshot of the database. The settings of the transaction make
 * both engines write each value as the same text.
 */
export const withSnapshot = async <A>(owner: Owner, work: () => Promise<A>): Promise<A> => {
  await beginSnapshot(owner)
  try {
    return await work()
  } finally {
    await endSnapshot(owner)
  }
}

export const spaceExists = async (owner: Owner, id: string): Promise<boolean> =>
  (await owner.query("SELECT FROM public.spaces WHERE id::text = $1", [id])).length > 0

/**
 * Runs work in a transaction that can write, with the same settings as a snapshot. If the work fails, the transaction
 * is undone.
 */
export const inWriteTransaction = async <A>(owner: Owner, work: () => Promise<A>): Promise<A> => {
  await owner.exec(`BEGIN; ${transactionSettings}`)
  try {
    const done = await work()
    await owner.exec("COMMIT")
    return done
  } catch (cause) {
    await owner.exec("ROLLBACK").catch(() => undefined)
    throw cause
  }
}
