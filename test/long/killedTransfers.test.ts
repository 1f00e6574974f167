/**
 * Kills imports, moves, backups and restores at many steps. The pod never treats an unfinished operation as finished. A
 * repeated operation has the same result as one that was not killed.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { undoImport } from "../../src/transfer/ImportInto.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { anOddDatabaseOn, describePostgres } from "../support/postgres.ts"
import { ended, killAt, killed, startRefusal, stepCounts, stepsToKill } from "../transfer/killedTransfers.ts"
import { aFilledFolder, embeddedAt, exportAll, postgresAt, stateAt, withPostgres } from "../transfer/transferScene.ts"

let filled: Folder
let rows: string
beforeAll(async () => {
  filled = await aFilledFolder()
  rows = join(filled.path, "rows.ndjson")
  await exportAll(embeddedAt(filled), rows)
})
afterAll(() => filled.remove())

const kills = 10

describe("imports, backups and restores of data directories that are killed", () => {
  it("if an import into a directory is killed ten times and repeated each time, the directory finally has the state of the imported file", async () => {
    const [target, ...scratch] = [aFolder(), aFolder(), aFolder()] as const
    const counts = await stepCounts("import", rows, [scratch[0].path, scratch[1].path])
    await killAt("import", rows, target.path, stepsToKill(counts, kills), async () => {
      assert.isFalse(existsSync(join(target.path, "pg")))
      assert.include(await startRefusal({ dataDir: target.path }), "has not ended")
    })
    assert.deepStrictEqual(await stateAt(embeddedAt(target)), await stateAt(embeddedAt(filled)))
    for (const one of [target, ...scratch]) one.remove()
  })

  it("a killed backup leaves no backup file, and no pod starts on a directory that a killed restore has begun to fill", async () => {
    const [folder, target, ...scratch] = [aFolder(), aFolder(), aFolder(), aFolder()] as const
    const all = await ended("backup", filled.path, scratch[0].path)
    for (const step of [1, Math.floor(all / 10), Math.floor(all / 2), all]) {
      await killed("backup", filled.path, folder.path, step)
      assert.deepStrictEqual(
        readdirSync(folder.path).filter((name) => name.endsWith(".podbackup")),
        []
      )
    }
    await ended("backup", filled.path, folder.path)
    const [name = ""] = readdirSync(folder.path)
    const backup = join(folder.path, name)
    const steps = await ended("restore", backup, scratch[1].path)
    await killAt("restore", backup, target.path, [1, Math.floor(steps / 3), steps - 1, steps], async () => {
      assert.isFalse(existsSync(join(target.path, "pg")))
      assert.include(await startRefusal({ dataDir: target.path }), "has not ended")
    })
    assert.deepStrictEqual(await stateAt(embeddedAt(target)), await stateAt(embeddedAt(filled)))
    for (const one of [folder, target, ...scratch]) one.remove()
  })
})

describePostgres("imports and moves that are killed on PostgreSQL", (server) => {
  it("if an import or a move to PostgreSQL is killed ten times and repeated each time, the database finally has the exported state", async () => {
    const state = await stateAt(embeddedAt(filled))
    let imported = 0
    for (const [work, path] of [
      ["import", rows],
      ["move", filled.path]
    ] as const) {
      const [database, ...scratch] = [
        await anOddDatabaseOn(server, {}),
        await anOddDatabaseOn(server, {}),
        await anOddDatabaseOn(server, {})
      ] as const
      const counts = await stepCounts(work, path, [scratch[0].url, scratch[1].url])
      // A move first reads the embedded database. Then it does the same steps as an import.
      const before = work === "move" ? counts.all - imported : 0
      imported = counts.all
      await killAt(work, path, database.url, stepsToKill(counts, kills, before), async () => {
        assert.include(await startRefusal(database), "has not ended")
      })
      assert.deepStrictEqual(await stateAt(postgresAt(database)), state)
      for (const one of [database, ...scratch]) await one.drop()
    }
  })

  it("if a move of an embedded pod to PostgreSQL is killed, undone and repeated, the embedded pod does not change", async () => {
    const database = await anOddDatabaseOn(server, {})
    const before = await stateAt(embeddedAt(filled))
    const scratch = await anOddDatabaseOn(server, {})
    const last = await ended("move", filled.path, scratch.url)
    await killed("move", filled.path, database.url, last)
    assert.include(await startRefusal(database), "has not ended")
    assert.isTrue(await Effect.runPromise(undoImport(postgresAt(database))))
    const left = await withPostgres(database, (owner) =>
      owner.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    )
    assert.deepStrictEqual(left, [])
    await killAt("move", filled.path, database.url, [last], async () => undefined)
    assert.deepStrictEqual(await stateAt(postgresAt(database)), before)
    assert.deepStrictEqual(await stateAt(embeddedAt(filled)), before)
    assert.notInclude(readdirSync(filled.path).join(), "to-postgres")
    for (const one of [database, scratch]) await one.drop()
  })
})
