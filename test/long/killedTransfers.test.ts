/** Imports, moves, backups and restores are killed at many steps: nothing half done is taken for done, and each ends with the same state. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { undoImport } from "../../src/transfer/ImportInto.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { anOddDatabaseOn, describePostgres } from "../support/postgres.ts"
import { inProcess, killAt, startRefusal } from "../transfer/killedTransfers.ts"
import { aFilledFolder, embeddedAt, exportAll, postgresAt, stateAt, withPostgres } from "../transfer/transferScene.ts"

let filled: Folder
let rows: string
beforeAll(async () => {
  filled = await aFilledFolder()
  rows = join(filled.path, "rows.ndjson")
  await exportAll(embeddedAt(filled), rows)
})
afterAll(() => filled.remove())

/** Steps from the first batches to the comparison at the end. */
const steps = [4, 9, 15, 22, 30, 40, 50, 60, 70, 80]

describe("killed work on data directories", () => {
  it("an import into a directory that is killed ten times has the state of the file", async () => {
    const target = aFolder()
    await killAt("import", rows, target.path, steps, async () => {
      assert.isFalse(existsSync(join(target.path, "pg")))
      assert.include(await startRefusal({ dataDir: target.path }), "has not ended")
    })
    assert.deepStrictEqual(await stateAt(embeddedAt(target)), await stateAt(embeddedAt(filled)))
    target.remove()
  })

  it("a backup that is killed leaves no backup, and a restore that is killed leaves no pod", async () => {
    const [folder, target] = [aFolder(), aFolder()]
    for (const step of [1, 100, 700, 1_200]) {
      assert.isTrue((await inProcess("backup", filled.path, folder.path, step)).isKilled)
      assert.deepStrictEqual(
        readdirSync(folder.path).filter((name) => name.endsWith(".podbackup")),
        []
      )
    }
    await killAt("backup", filled.path, folder.path, [], async () => undefined)
    const [name = ""] = readdirSync(folder.path)
    await killAt("restore", join(folder.path, name), target.path, [1, 500, 1_000, 1_450], async () => {
      assert.isFalse(existsSync(join(target.path, "pg")))
      assert.include(await startRefusal({ dataDir: target.path }), "has not ended")
    })
    assert.deepStrictEqual(await stateAt(embeddedAt(target)), await stateAt(embeddedAt(filled)))
    for (const one of [folder, target]) one.remove()
  })
})

describePostgres("killed work on PostgreSQL", (server) => {
  it("an import and a move that are killed ten times each have the state of the file", async () => {
    const before = await stateAt(embeddedAt(filled))
    for (const [work, path, from] of [
      ["import", rows, 0],
      ["move", filled.path, 70]
    ] as const) {
      const database = await anOddDatabaseOn(server, {})
      const killed = steps.map((step) => step + from)
      await killAt(work, path, database.url, killed, async () => {
        assert.include(await startRefusal(database), "has not ended")
      })
      assert.deepStrictEqual(await stateAt(postgresAt(database)), before)
      await database.drop()
    }
  })

  it("a move of an embedded pod is killed, undone and made again, and the embedded pod stays as it is", async () => {
    const database = await anOddDatabaseOn(server, {})
    const before = await stateAt(embeddedAt(filled))
    assert.isTrue((await inProcess("move", filled.path, database.url, 130)).isKilled)
    assert.include(await startRefusal(database), "has not ended")
    assert.isTrue(await Effect.runPromise(undoImport(postgresAt(database))))
    const left = await withPostgres(database, (owner) =>
      owner.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    )
    assert.deepStrictEqual(left, [])
    await killAt("move", filled.path, database.url, [130], async () => undefined)
    assert.deepStrictEqual(await stateAt(postgresAt(database)), before)
    assert.deepStrictEqual(await stateAt(embeddedAt(filled)), before)
    assert.notInclude(readdirSync(filled.path).join(), "to-postgres")
    await database.drop()
  })
})
