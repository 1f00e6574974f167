/**
 * An import is refused if the file is damaged, incomplete, from a newer version, or not an export of a pod. If the
 * database has data already, the pod refuses the import unless the operator allows it by an option.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { exportPlace } from "../../src/transfer/ExportTo.ts"
import { type ImportOptions, importFile } from "../../src/transfer/ImportInto.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { aDatabaseOn, anOddDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import {
  aFilledFolder,
  embeddedAt,
  exportAll,
  importAll,
  postgresAt,
  refusalOf,
  stateAt,
  withPostgres
} from "./transferScene.ts"

let filled: Folder
let files: Folder
let rows: string
beforeAll(async () => {
  filled = await aFilledFolder()
  files = aFolder()
  rows = join(files.path, "rows.ndjson")
  await exportAll(embeddedAt(filled), rows)
})
afterAll(() => {
  filled.remove()
  files.remove()
})

const changed = (name: string, change: (text: string) => string): string => {
  const path = join(files.path, name)
  writeFileSync(path, change(readFileSync(rows, "utf8")))
  return path
}

const nowhere = () => embeddedAt({ path: join(files.path, "nowhere") })
const importInto = (place: Parameters<typeof importFile>[0], path: string, options: Partial<ImportOptions> = {}) =>
  importFile(place, { path, ...options })

describe("an export file that was changed or is incomplete", () => {
  const cases: ReadonlyArray<readonly [name: string, says: string, change: (text: string) => string]> = [
    ["one changed letter in one of its rows", "hash differs", (text) => text.replace("The word", "Tge word")],
    ["one changed digit in the header", "damaged", (text) => text.replace(/"rows":\d+\}/, '"rows":99999}')],
    ["a repeated row", "hash differs", (text) => text.replace(/\n(\{"t":"public.users".*)\n/, "\n$1\n$1\n")],
    ["no last line", "cut off", (text) => text.split("\n").slice(0, -2).join("\n") + "\n"],
    ["half a line at its end", "cut off", (text) => text.slice(0, -2)],
    ["a line after its end", "follow", (text) => `${text}{"t":"public.users","r":{}}\n`],
    ["a first line of another format", "not a header", (text) => text.replace("pod-export", "other-export")],
    ["a newer version of the format", "newer version of the pod", (text) => text.replace('"version":1', '"version":2')],
    ["no content", "not a header", () => "\n"]
  ]
  for (const [name, says, change] of cases) {
    it(`an import of an export file with ${name} is refused`, async () => {
      const path = changed("broken.ndjson", change)
      assert.include((await refusalOf(importInto(nowhere(), path))).message, says)
    })
  }

  it("an import of a missing file and an export into a missing folder fail with a message that contains the path", async () => {
    const absent = join(files.path, "absent", "rows.ndjson")
    const exported = exportPlace(embeddedAt(filled), { path: absent }, { podVersion: "0.0.0", scope: { kind: "pod" } })
    for (const work of [importInto(nowhere(), absent), exported]) {
      const { message, reason } = await refusalOf(work)
      assert.strictEqual(reason, "missing", message)
      assert.include(message, absent)
    }
  })

  it("the import of a compressed export file is refused if the end of the file is missing", async () => {
    const path = join(files.path, "all.ndjson.gz")
    await exportAll(embeddedAt(filled), path)
    truncateSync(path, readFileSync(path).length - 5)
    assert.include((await refusalOf(importInto(nowhere(), path))).message, "damaged")
  })

  it("if the header of an export file was edited to state a newer schema, the import of this file is refused as damaged", async () => {
    const path = changed("newer.ndjson", (text) => {
      const [header = "", ...others] = text.split("\n")
      const parsed = JSON.parse(header) as { schema: Array<object> }
      parsed.schema.push({ name: "9999_future.sql", digest: "x" })
      const line = JSON.stringify(parsed)
      return [line, ...others].join("\n")
    })
    // The hash also covers the header. So a test that only edits the header gets the message about a damaged file.
    assert.include((await refusalOf(importInto(nowhere(), path))).message, "damaged")
  })

  it("an export to a file that already exists is refused", async () => {
    const work = exportPlace(embeddedAt(filled), { path: rows }, { podVersion: "0.0.0", scope: { kind: "pod" } })
    assert.include((await refusalOf(work)).message, "exists")
  })
})

describePostgres("an import into a used pod", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    await importAll(postgresAt(database), rows)
  })
  afterAll(() => database.drop())

  it("without further options, an import into a database with data is refused and changes nothing", async () => {
    const before = await stateAt(postgresAt(database))
    assert.include((await refusalOf(importInto(postgresAt(database), rows))).message, "already in the pod")
    assert.deepStrictEqual(await stateAt(postgresAt(database)), before)
  })

  it("an import with the option `skip` adds only missing rows, and a dry run counts the same rows without a change", async () => {
    const before = await stateAt(postgresAt(database))
    await withPostgres(database, (owner) => owner.exec("DELETE FROM documents; UPDATE projects SET name = 'changed'"))
    const missing = await stateAt(postgresAt(database))
    const dry = await importAll(postgresAt(database), rows, { onConflict: "skip", isDryRun: true })
    assert.deepStrictEqual(await stateAt(postgresAt(database)), missing)
    const { isDryRun: _, ...wet } = await importAll(postgresAt(database), rows, { onConflict: "skip" })
    assert.deepStrictEqual({ ...wet, isDryRun: true }, dry)
    assert.strictEqual(wet.kind, "merged")
    assert.strictEqual(wet.added, before.rows - missing.rows)
    assert.notDeepEqual(await stateAt(postgresAt(database)), before)
    const replaced = await importAll(postgresAt(database), rows, { onConflict: "replace" })
    assert.isAtLeast(replaced.replaced, 1)
    const names = await withPostgres(database, (owner) => owner.query("SELECT FROM projects WHERE name = 'changed'"))
    assert.strictEqual(names.length, 0)
  })

  it("an import of one exported workspace into the pod that it came from restores deleted rows, and its events count as read, so that they start no automation rule and no webhook", async () => {
    const [space] = await withPostgres(database, (owner) =>
      owner.query("SELECT id::text AS id FROM spaces WHERE kind = 'workspace' AND name = 'word seen'")
    )
    const id = String(space?.["id"])
    const path = join(files.path, "workspace.ndjson")
    const work = exportPlace(postgresAt(database), { path }, { podVersion: "0.0.0", scope: { kind: "workspace", id } })
    await Effect.runPromise(work)
    const text = readFileSync(path, "utf8")
    assert.notMatch(text, /"t":"public\.(?:webhooks|vaults|api_keys|auth_users|users)"/)
    const tables = ["spaces", "events", "stream_heads", "documents", "knowledge_entries", "event_cursors"]
    await withPostgres(database, async (owner) => {
      for (const table of tables)
        await owner.query(`DELETE FROM ${table} WHERE ${table === "spaces" ? "id" : "space_id"}::text = '${id}'`)
    })
    const report = await importAll(postgresAt(database), path, { onConflict: "skip" })
    assert.isAbove(report.added, 5)
    const [behind] = await withPostgres(database, (owner) =>
      owner.query(
        `SELECT count(*)::int AS many FROM event_consumers c CROSS JOIN LATERAL spaces_behind(c.name, 100) b WHERE b.id = '${id}'`
      )
    )
    assert.strictEqual(behind?.["many"], 0)
    assert.include((await refusalOf(importInto(nowhere(), path))).message, "one workspace")
  })

  it("an import is refused while a pod uses the database, or if the database has tables of another program or an unfinished import", async () => {
    const other = await anOddDatabaseOn(server, {})
    await withPostgres(other, (owner) => owner.exec("CREATE TABLE notes (id int)"))
    assert.include((await refusalOf(importInto(postgresAt(other), rows))).message, "another program")
    await withPostgres(other, (owner) =>
      owner.exec("DROP TABLE notes; CREATE TABLE pod_import AS SELECT 'x'::text AS hash, 0::bigint AS rows")
    )
    assert.include((await refusalOf(importInto(postgresAt(other), rows))).message, "other data")
    await withPostgres(database, async (owner) => {
      await owner.exec("SET application_name = 'pod'")
      assert.include((await refusalOf(importInto(postgresAt(database), rows))).message, "A pod uses this database")
    })
    await other.drop()
  })
})
