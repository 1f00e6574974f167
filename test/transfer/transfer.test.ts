/**
 * A pod that imports the export of another pod has the same state as the other pod. The tests do this on PGlite, on
 * PostgreSQL and between the two engines.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import type { DatabaseState } from "../../src/transfer/StateHash.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { aDatabaseOn, anOddDatabaseOn, describePostgres } from "../support/postgres.ts"
import { aFilledFolder, embeddedAt, exportAll, importAll, postgresAt, stateAt } from "./transferScene.ts"

let filled: Folder
let files: Folder
/** The state of the exported pod. */
let before: DatabaseState
beforeAll(async () => {
  filled = await aFilledFolder()
  files = aFolder()
  await exportAll(embeddedAt(filled), join(files.path, "all.ndjson"))
  before = await stateAt(embeddedAt(filled))
})
afterAll(() => {
  filled.remove()
  files.remove()
})

describe("export and import", () => {
  it("after an import into an empty directory an embedded pod has the same state as the exported pod, and exports the same rows", async () => {
    const folder = aFolder()
    const report = await importAll(embeddedAt(folder), join(files.path, "all.ndjson"))
    assert.strictEqual(report.kind, "filled")
    assert.strictEqual(report.hash, before.hash)
    assert.strictEqual(report.added, before.rows)
    assert.deepStrictEqual(await stateAt(embeddedAt(folder)), before)
    await exportAll(embeddedAt(folder), join(files.path, "again.ndjson"))
    const rows = (name: string) => readFileSync(join(files.path, name), "utf8").split("\n").slice(1, -2)
    assert.deepStrictEqual(rows("again.ndjson"), rows("all.ndjson"))
    folder.remove()
  })

  it("in the data for the tests of export and import, at most 30 tables have no row", () => {
    const empty = before.tables.filter(({ rows }) => rows === 0).map(({ name }) => name)
    assert.isAtMost(empty.length, 30, empty.join(", "))
  })
})

describePostgres("export and import with PostgreSQL", (server) => {
  it("an embedded pod can be moved to PostgreSQL and back, and its state remains the same", async () => {
    const database = await anOddDatabaseOn(server, { timezone: "'Asia/Tokyo'", datestyle: "'SQL, DMY'" })
    const folder = aFolder()
    const report = await importAll(postgresAt(database), join(files.path, "all.ndjson"))
    assert.strictEqual(report.hash, before.hash)
    assert.deepStrictEqual(await stateAt(postgresAt(database)), before)
    await exportAll(postgresAt(database), join(files.path, "back.ndjson.gz"))
    await importAll(embeddedAt(folder), join(files.path, "back.ndjson.gz"))
    assert.deepStrictEqual(await stateAt(embeddedAt(folder)), before)
    await database.drop()
    folder.remove()
  })

  it("an import into a migrated but unused database gives the same state as the exported pod", async () => {
    const database = await aDatabaseOn(server)
    await importAll(postgresAt(database), join(files.path, "all.ndjson"))
    assert.deepStrictEqual(await stateAt(postgresAt(database)), before)
    await database.drop()
  })
})
