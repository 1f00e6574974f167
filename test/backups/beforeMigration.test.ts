/**
 * A pod of a newer version makes a backup before it changes the schema of a database with data. If it cannot make the
 * backup, it changes nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { backupBeforeMigration } from "../../src/backups/BeforeMigration.ts"
import { verifyBackup } from "../../src/backups/Restore.ts"
import { layerEmbedded } from "../../src/platform/Embedded.ts"
import { migrations } from "../../src/platform/Migrations.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { withLite, withPostgres } from "../transfer/transferScene.ts"

const last = "0081_backups.sql"
/** Undoes the migration that adds backups, as if an older version had written the database. */
const older = `DROP TABLE backups; DELETE FROM schema_migrations WHERE name = '${last}'; INSERT INTO setup_links VALUES ('\\x00', now())`
const names = "SELECT name FROM schema_migrations"

let folder: Folder
let backups: Folder
beforeAll(async () => {
  folder = await aPreparedFolder()
  backups = aFolder()
  await withLite(folder.path, (owner) => owner.exec(older))
})
afterAll(() => {
  folder.remove()
  backups.remove()
})

const start = (into: string) =>
  Effect.runPromiseExit(
    Effect.scoped(
      Layer.build(
        layerEmbedded({
          dataDir: folder.path,
          durability: "process",
          beforeMigration: backupBeforeMigration({
            folder: into,
            dataDir: folder.path,
            podVersion: "0.0.0",
            pgFolder: join(folder.path, "pg")
          })
        })
      )
    )
  )

describe("a start of a newer version on an embedded database", () => {
  it("a pod does not migrate its embedded database if it cannot write the backup", async () => {
    const blocked = join(backups.path, "a file")
    writeFileSync(blocked, "")
    const exit = await start(join(blocked, "folder"))
    assert.include(String(exit), "the backup before the migration failed")
    assert.lengthOf(await withLite(folder.path, (owner) => owner.query(names)), migrations.length - 1)
    rmSync(blocked)
  })

  it("a pod makes a backup of its embedded database before it migrates the database, and makes no backup at the next start", async () => {
    assert.strictEqual((await start(backups.path))._tag, "Success")
    const [name = "", ...others] = readdirSync(backups.path)
    assert.deepStrictEqual(others, [])
    assert.match(name, /-before-migration\.podbackup$/)
    const { manifest } = await Effect.runPromise(verifyBackup(join(backups.path, name)))
    assert.notInclude(manifest.schema.map((migration) => migration.name).join(), last)
    assert.lengthOf(await withLite(folder.path, (owner) => owner.query(names)), migrations.length)
    assert.strictEqual((await start(backups.path))._tag, "Success")
    assert.lengthOf(readdirSync(backups.path), 1)
  })
})

describePostgres("a start of a newer version on PostgreSQL", (server) => {
  it("a pod makes a backup of the rows in PostgreSQL before it migrates the database", async () => {
    const database = await aDatabaseOn(server)
    await withPostgres(database, (owner) => owner.exec(older))
    const into = join(backups.path, "server")
    const beforeMigration = backupBeforeMigration({
      folder: into,
      dataDir: backups.path,
      podVersion: "0.0.0",
      pgFolder: undefined
    })
    const layer = layerPostgres({
      url: Redacted.make(database.url),
      poolMax: 2,
      startTimeoutMs: 5_000,
      beforeMigration
    })
    await Effect.runPromise(Effect.scoped(Layer.build(layer)))
    const [name = ""] = readdirSync(into)
    const { manifest, rows } = await Effect.runPromise(verifyBackup(join(into, name)))
    assert.strictEqual(manifest.engine, "postgres")
    assert.isAtLeast(rows, 1)
    assert.isTrue(existsSync(into))
    assert.lengthOf(await withPostgres(database, (owner) => owner.query(names)), migrations.length)
    await database.drop()
  })
})
