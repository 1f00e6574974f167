/**
 * Writes the rows of a database, or of one workspace, as lines of text. Another pod can import these lines, even if
 * that pod uses the other database engine.
 */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { appliedMigrations, type Owner } from "../platform/Migrations.ts"
import { podOwner } from "./ImportSql.ts"
import { addLines } from "./StateHash.ts"
import { sha256, transferFormat, transferVersion, type TransferHeader, type TransferTrailer } from "./TransferFile.ts"
import { tableWords } from "./TableWords.ts"
import { noProgress, type Progress, refuse } from "./TransferRefused.ts"
import {
  beginSnapshot,
  endSnapshot,
  type RowScope,
  spaceExists,
  tableLines,
  tableSize,
  tablesWithin
} from "./TransferRowsSql.ts"
import { secretTables, transferTables } from "./TransferTablesSql.ts"

export interface ExportOptions {
  readonly engine: "embedded" | "postgres"
  /** The version of the pod program that writes the export. */
  readonly podVersion: string
  readonly scope: RowScope
  /**
   * True if the export leaves out the secrets that a thief could use. The export of one workspace never contains such
   * secrets.
   */
  readonly withoutSecrets?: boolean
  readonly progress?: Progress
}

/** Makes the lines of the export, each with a newline at its end. All rows come from one snapshot of the database. */
export async function* exportLines(owner: Owner, options: ExportOptions): AsyncGenerator<string> {
  const { engine, podVersion, progress = noProgress, scope } = options
  const isWhole = scope.kind === "pod" && options.withoutSecrets !== true
  await beginSnapshot(owner)
  try {
    const schema = await Effect.runPromise(appliedMigrations(owner))
    if (schema.length === 0) refuse("target", "There is no pod in this database.")
    if (scope.kind === "workspace" && !(await spaceExists(owner, scope.id))) {
      refuse("missing", `There is no workspace with the id ${scope.id}.`)
    }
    const all = tablesWithin(await transferTables(owner), scope)
    const tables = isWhole ? all : all.filter(({ name }) => !secretTables.includes(name) && name.startsWith("public."))
    const sized = []
    for (const table of tables) sized.push({ table, size: await tableSize(owner, table, scope) })
    const header: TransferHeader = {
      format: transferFormat,
      version: transferVersion,
      created: new Date().toISOString(),
      pod: await podOwner(owner),
      podVersion,
      engine,
      scope: scope.kind === "pod" ? "pod" : scope.id,
      secrets: isWhole,
      schema,
      tables: sized.map(({ size, table }) => ({
        name: table.name,
        columns: table.columns.map(({ name }) => name),
        rows: size.rows
      }))
    }
    const headerLine = JSON.stringify(header)
    yield `${headerLine}\n`
    const hash = createHash("sha256")
    const total = sized.reduce((sum, { size }) => sum + size.rows, 0)
    let rows = 0
    for (const { size, table } of sized) {
      for await (const lines of tableLines(owner, table, scope, size)) {
        addLines(hash, lines)
        rows += lines.length
        progress({ what: "export", now: tableWords(table.name), done: rows, total, unit: "rows" })
        yield `${lines.join("\n")}\n`
      }
    }
    const trailer: TransferTrailer = { end: true, rows, hash: hash.digest("hex"), header: sha256(headerLine) }
    yield `${JSON.stringify(trailer)}\n`
  } finally {
    await endSnapshot(owner)
  }
}
