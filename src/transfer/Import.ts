/**
 * Imports the rows of an export into a database. A new database then has exactly these rows. If people have already
 * used the pod of the database, the import adds these rows to the existing rows.
 */
import { Effect } from "effect"
import { isMadeFrom, migrate, migrations, type Owner } from "../platform/Migrations.ts"
import {
  emptyTables,
  insertRows,
  moveMark,
  type OnConflict,
  skipEvents,
  readMark,
  removeMark,
  setMark
} from "./ImportSql.ts"
import { stateOfTables } from "./StateHash.ts"
import { type CheckedFile, linesOfFile, rowOf, type TransferHeader } from "./TransferFile.ts"
import { tableWords } from "./TableWords.ts"
import { noProgress, type Progress, refuse } from "./TransferRefused.ts"
import { inWriteTransaction, spaceColumn } from "./TransferRowsSql.ts"
import { secretTables, type TransferTable, transferTables } from "./TransferTablesSql.ts"

const batchRows = 500
// the maximum number of bytes of the lines in one statement; a single line that is longer gets a statement of its own
const batchBytes = 2 * 1024 * 1024

interface Batch {
  readonly table: string
  readonly values: ReadonlyArray<string>
}

/**
 * Reads the rows of a checked file, without the first `skipped` rows, in batches. Each batch fits into one statement of
 * limited size.
 */
async function* batchesOf(path: string, skipped: number): AsyncGenerator<Batch> {
  let table = ""
  let values: Array<string> = []
  let bytes = 0
  let seen = 0
  for await (const lines of linesOfFile(path)) {
    for (const line of lines) {
      const row = rowOf(line)
      if (row === undefined) continue
      seen += 1
      if (seen <= skipped) continue
      if (values.length > 0 && (row.table !== table || values.length >= batchRows || bytes >= batchBytes)) {
        yield { table, values }
        values = []
        bytes = 0
      }
      table = row.table
      values.push(row.values)
      bytes += row.values.length
    }
  }
  if (values.length > 0) yield { table, values }
}

/**
 * Refuses a file if its schema has a migration that this program does not know, or a migration whose content differs in
 * this program.
 */
export const refuseNewer = (path: string, { schema }: TransferHeader): void => {
  for (const { digest, name } of schema) {
    const known = migrations.find((migration) => migration.name === name)
    if (known === undefined) {
      refuse(
        "file",
        `${path} contains the migration ${name}, which this version of the pod does not know. Use the newer version of the pod that wrote the file.`
      )
    } else if (!isMadeFrom(digest, known)) {
      refuse(
        "file",
        `${path} was written with a different text of the migration ${name}. Use the version of the pod that wrote the file.`
      )
    }
  }
}

/**
 * Returns the tables of this database that the file contains. Refuses the file if the columns of one of its tables
 * differ from the columns of the same table in this database.
 */
const tablesOf = async (owner: Owner, path: string, header: TransferHeader) => {
  const all = await transferTables(owner)
  const found = header.tables.map(({ columns, name }) => {
    const table = all.find((one) => one.name === name)
    const isSame = table !== undefined && table.columns.map((column) => column.name).join() === columns.join()
    return isSame ? table : refuse("file", `${path} does not fit this database: table ${name} has other columns.`)
  })
  return { all, found, byName: new Map(found.map((table) => [table.name, table])) }
}

const tableOf = (byName: ReadonlyMap<string, TransferTable>, name: string): TransferTable =>
  byName.get(name) ?? refuse("file", `The export does not declare table ${name}.`)

/**
 * Fills a new or unused database, and compares its state with the file. The database is marked as incomplete before the
 * first change. The mark is removed when the state of the database is equal to the state in the file. While the mark
 * exists, no pod starts on the database. A second call with the same content continues where the first call was
 * interrupted. Returns the number of rows that this call added.
 */
export const fillDatabase = async (
  owner: Owner,
  path: string,
  { header, trailer }: CheckedFile,
  progress: Progress = noProgress
): Promise<number> => {
  refuseNewer(path, header)
  const mark = await readMark(owner)
  if (mark !== undefined && mark.hash !== trailer.hash) {
    refuse(
      "target",
      "The import of other data into this database has not ended. Finish that import, or run `pod import --undo`."
    )
  }
  if (mark === undefined) await setMark(owner, trailer.hash)
  const only = header.schema.map(({ name }) => name)
  await Effect.runPromise(migrate(owner, { only, isImport: true }))
  const { all, byName, found } = await tablesOf(owner, path, header)
  const skipped = mark?.rows ?? 0
  if (skipped === 0) await inWriteTransaction(owner, () => emptyTables(owner, all))
  let rows = skipped
  for await (const { table, values } of batchesOf(path, skipped)) {
    await inWriteTransaction(owner, async () => {
      await insertRows(owner, tableOf(byName, table), values, "none")
      await moveMark(owner, rows + values.length)
    })
    rows += values.length
    progress({ what: "import", now: tableWords(table), done: rows, total: trailer.rows, unit: "rows" })
  }
  const state = await stateOfTables(owner, found, { kind: "pod" }, progress)
  if (state.hash !== trailer.hash) {
    const other = state.tables.find((table, at) => table.rows !== header.tables[at]?.rows)
    refuse(
      "target",
      `After the import the database differs from the file${other === undefined ? "" : ` (table ${other.name})`}. The database stays marked as incomplete. Run \`pod import --undo\`, and import again.`
    )
  }
  await removeMark(owner)
  return rows - skipped
}

/**
 * An import into a pod that people have already used adds no rows to these tables. These tables belong to the pod as a
 * whole, or the pod computes their rows from the records.
 */
const keptByUsedPods = new Set(
  [
    "pod_state",
    "event_consumers",
    "event_cursors",
    "memory_vectors",
    "model_tokens",
    "search_vector_heads",
    "search_vectors"
  ].map((name) => `public.${name}`)
)

const isMerged = (name: string): boolean =>
  name.startsWith("public.") && !keptByUsedPods.has(name) && !secretTables.includes(name)

export interface MergeCounts {
  readonly added: number
  readonly replaced: number
  readonly skipped: number
}

class DryRun extends Error {}

/**
 * Refuses a row that is not a part of the scope of its file. The hashes of a file do not prove who wrote it. So the file
 * of one workspace, which a stranger can send, must not add people or rows of other workspaces to the pod.
 */
const refuseOutside = (path: string, scope: string, table: TransferTable, values: string): void => {
  if (scope === "pod") return
  const column = spaceColumn(table)
  const row = JSON.parse(values) as Readonly<Record<string, unknown>>
  if (column === undefined || row[column] !== scope) {
    refuse(
      "file",
      `${path} says that it contains one workspace, but a row of ${table.name} is not a part of this workspace. Nothing was imported.`
    )
  }
}

/**
 * Adds the rows of the file to the database of a pod that people have already used, in one transaction. A dry run also
 * adds and counts the rows, and then undoes the transaction.
 */
export const mergeIntoDatabase = async (
  owner: Owner,
  path: string,
  { header, trailer }: CheckedFile,
  options: { readonly onConflict: OnConflict; readonly isDryRun: boolean; readonly progress?: Progress }
): Promise<MergeCounts> => {
  const { isDryRun, onConflict, progress = noProgress } = options
  refuseNewer(path, header)
  if (header.schema.length !== migrations.length) {
    refuse(
      "file",
      `${path} has an older schema than this pod. Import it into an empty directory, start a pod there to update the schema, and export it from that pod.`
    )
  }
  const { byName } = await tablesOf(owner, path, header)
  const counts = { added: 0, replaced: 0, skipped: 0 }
  const spaces = new Set<string>()
  const isPart = onConflict === "replace" && header.scope !== "pod"
  const write = async () => {
    let rows = 0
    for await (const { table, values } of batchesOf(path, 0)) {
      rows += values.length
      progress({ what: "import", now: tableWords(table), done: rows, total: trailer.rows, unit: "rows" })
      if (!isMerged(table)) continue
      for (const value of values) refuseOutside(path, header.scope, tableOf(byName, table), value)
      if (table === "public.stream_heads") for (const value of values) spaces.add(spaceOf(value))
      const done = await insertRows(owner, tableOf(byName, table), values, isPart ? "replaceInSpace" : onConflict)
      const unchanged = values.length - done.added - done.replaced
      if (onConflict === "fail" && unchanged + done.replaced > 0) {
        refuse(
          "target",
          `${unchanged + done.replaced} of ${values.length} rows of ${table} are already in the pod, so nothing was imported. To skip or replace these rows, use \`--on-conflict skip\` or \`--on-conflict replace\`.`
        )
      }
      counts.added += done.added
      counts.replaced += done.replaced
      counts.skipped += unchanged
    }
    await skipEvents(owner, [...spaces])
    if (isDryRun) throw new DryRun()
  }
  await inWriteTransaction(owner, write).catch((cause: unknown) => {
    if (!(cause instanceof DryRun)) throw cause
  })
  return counts
}

const spaceOf = (values: string): string => {
  const found = /"space_id":"([0-9a-f-]+)"/.exec(values)?.[1]
  return found ?? refuse("file", "The export is damaged: a position in a log belongs to no space.")
}
