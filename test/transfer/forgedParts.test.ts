/**
 * Attack: somebody writes the file of one workspace by hand, with correct hashes, and sends it to the operator of a pod.
 * The file must add or change nothing outside of its workspace.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportPlace } from "../../src/transfer/ExportTo.ts"
import { importFile } from "../../src/transfer/ImportInto.ts"
import { sha256, type TransferHeader } from "../../src/transfer/TransferFile.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { aFilledFolder, embeddedAt, exportAll, importAll, refusalOf, stateAt, withLite } from "./transferScene.ts"

let pod: Folder
let files: Folder
let workspaceId: string
/** The lines of an export of the whole pod. */
let whole: ReadonlyArray<string>

const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1)

beforeAll(async () => {
  pod = await aFilledFolder()
  files = aFolder()
  const [space] = await withLite(pod.path, (owner) =>
    owner.query("SELECT id::text AS id FROM spaces WHERE kind = 'workspace' AND name = 'word seen'")
  )
  workspaceId = String(space?.["id"])
  await exportAll(embeddedAt(pod), join(files.path, "whole.ndjson"))
  whole = linesOf(join(files.path, "whole.ndjson"))
  const scope = { kind: "workspace" as const, id: workspaceId }
  await Effect.runPromise(
    exportPlace(embeddedAt(pod), { path: join(files.path, "part.ndjson") }, { podVersion: "0.0.0", scope })
  )
})
afterAll(() => {
  pod?.remove()
  files?.remove()
})

let written = 0

/** Writes the file of the workspace with other rows. The counts and the hashes of the file are correct. */
const forged = (change: (rows: ReadonlyArray<string>) => ReadonlyArray<string>): string => {
  const [head = "", ...lines] = linesOf(join(files.path, "part.ndjson"))
  const rows = change(lines.slice(0, -1))
  const { tables, ...header } = JSON.parse(head) as TransferHeader
  const all = (JSON.parse(whole[0]) as TransferHeader).tables
  const counted = all
    .map((table) => ({ ...table, rows: rows.filter((row) => row.startsWith(`{"t":"${table.name}",`)).length }))
    .filter(({ name, rows: many }) => many > 0 || tables.some((table) => table.name === name))
  const line = JSON.stringify({ ...header, tables: counted })
  const hash = createHash("sha256")
  for (const row of rows) hash.update(`${row}\n`)
  const trailer = JSON.stringify({ end: true, rows: rows.length, hash: hash.digest("hex"), header: sha256(line) })
  const path = join(files.path, `forged${++written}.ndjson`)
  writeFileSync(path, [line, ...rows, trailer, ""].join("\n"))
  return path
}

const rowsOf = (table: string) => whole.filter((line) => line.startsWith(`{"t":"public.${table}",`))
const isElsewhere = (row: string) => !row.includes(workspaceId)

describe("attack: a file of one workspace that somebody wrote by hand", () => {
  it("an import refuses the file if it has a person, a workspace, or a row of another workspace, and changes nothing", async () => {
    const before = await stateAt(embeddedAt(pod))
    for (const table of ["users", "spaces", "memberships", "entities", "events", "memory_facts"]) {
      const row = rowsOf(table).find(isElsewhere)
      assert.isDefined(row, table)
      const path = forged((rows) => [...rows, row])
      const onConflict = table === "users" ? "skip" : "replace"
      const { message, reason } = await refusalOf(importFile(embeddedAt(pod), { path, onConflict }))
      assert.strictEqual(reason, "file", message)
      assert.include(message, table)
    }
    assert.deepStrictEqual(await stateAt(embeddedAt(pod)), before)
  }, 60_000)

  it("an import with the option `replace` takes no record from another workspace, also if the file names its id", async () => {
    // The keys of most tables have the id of the workspace. The key of this table is only the id of the record.
    const theirs = rowsOf("notifications").find(isElsewhere)
    const { id, space_id: space } = JSON.parse(String(theirs)).r
    const path = forged((rows) => [...rows, String(theirs).replaceAll(space, workspaceId)])
    const report = await importAll(embeddedAt(pod), path, { onConflict: "replace" })
    assert.isAbove(report.replaced, 5)
    const found = await withLite(pod.path, (owner) =>
      owner.query("SELECT space_id::text AS space FROM notifications WHERE id::text = $1", [id])
    )
    assert.deepStrictEqual(found, [{ space }])
  })
})
