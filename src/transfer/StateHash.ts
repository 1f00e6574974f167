/** The state of a database as one hash. Two databases with the same rows have the same hash, on any database engine. */
import { createHash, type Hash } from "node:crypto"
import type { Owner } from "../platform/Migrations.ts"
import { noProgress, type Progress } from "./TransferRefused.ts"
import { tableWords } from "./TableWords.ts"
import { type RowScope, tableLines, tableSize, tablesWithin, withSnapshot } from "./TransferRowsSql.ts"
import { type TransferTable, transferTables } from "./TransferTablesSql.ts"

export interface DatabaseState {
  /** SHA-256 of the lines of all rows, in hexadecimal. */
  readonly hash: string
  readonly rows: number
  readonly tables: ReadonlyArray<{ readonly name: string; readonly rows: number }>
}

/** Adds lines to a hash, each with a newline at its end. */
export const addLines = (hash: Hash, lines: ReadonlyArray<string>): void => {
  for (const line of lines) hash.update(line).update("\n")
}

/**
 * Reads the rows of the tables and computes their hash. The tables must exist in this database and be in the order of
 * `transferTables`.
 */
export const stateOfTables = (
  owner: Owner,
  tables: ReadonlyArray<TransferTable>,
  scope: RowScope,
  progress: Progress = noProgress
): Promise<DatabaseState> =>
  withSnapshot(owner, async () => {
    const hash = createHash("sha256")
    const counted: Array<{ name: string; rows: number }> = []
    const sized = []
    for (const table of tables) sized.push({ table, size: await tableSize(owner, table, scope) })
    const total = sized.reduce((sum, { size }) => sum + size.rows, 0)
    let done = 0
    for (const { size, table } of sized) {
      let rows = 0
      for await (const lines of tableLines(owner, table, scope, size)) {
        addLines(hash, lines)
        rows += lines.length
        done += lines.length
        progress({ what: "compare", now: tableWords(table.name), done, total, unit: "rows" })
      }
      counted.push({ name: table.name, rows })
    }
    return { hash: hash.digest("hex"), rows: counted.reduce((sum, { rows }) => sum + rows, 0), tables: counted }
  })

/** Computes the state (hash and row counts) of the whole database. */
export const stateOf = async (owner: Owner, progress: Progress = noProgress): Promise<DatabaseState> => {
  const scope: RowScope = { kind: "pod" }
  return stateOfTables(owner, tablesWithin(await transferTables(owner), scope), scope, progress)
}
