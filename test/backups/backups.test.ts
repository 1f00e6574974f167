/** A backup restores the whole pod. A file that is broken or not complete is never accepted as a backup. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll } from "vitest"
import { type BackupMade, packSnapshot, takeSnapshot } from "../../src/backups/Backup.ts"
import { Backups, BackupSettings } from "../../src/backups/Backups.ts"
import { restoreBackup, verifyBackup } from "../../src/backups/Restore.ts"
import { type DatabaseState, stateOf } from "../../src/transfer/StateHash.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import {
  aFilledFolder,
  embeddedAt,
  exportAll,
  importAll,
  postgresAt,
  refusalOf,
  stateAt,
  withLite
} from "../transfer/transferScene.ts"

let filled: Folder
let folder: Folder
let made: BackupMade
/** The state of the pod that is backed up. */
let state: DatabaseState
beforeAll(async () => {
  filled = await aFilledFolder()
  mkdirSync(join(filled.path, "secrets"), { recursive: true })
  writeFileSync(join(filled.path, "secrets", "key-pepper"), "the pepper of the pod that is backed up")
  folder = aFolder()
  await withLite(filled.path, async (owner) => {
    state = await stateOf(owner)
    made = await backUp(owner, 7)
  })
})
afterAll(() => {
  filled.remove()
  folder.remove()
})

const backUp = async (owner: Parameters<typeof takeSnapshot>[0], keep: number) => {
  const order = { folder: folder.path, dataDir: filled.path, podVersion: "0.0.0", kind: "plain", keep } as const
  return packSnapshot(await takeSnapshot(owner, order, join(filled.path, "pg")), order)
}

const run = Effect.runPromise

/** Compresses with the fastest level, because the size of a damaged copy does not matter. */
const packed = (content: Buffer): Buffer => gzipSync(content, { level: 1 })

/** Writes a damaged copy of the backup. Returns the path of the copy. */
const damaged = (name: string, damage: (content: Buffer) => Buffer): string => {
  const path = join(folder.path, name)
  writeFileSync(path, damage(readFileSync(made.path)))
  return path
}

describe("a backup of an embedded pod", () => {
  it("the verification of a backup reports the number of rows that the pod had at the time of the backup, and the hash of these rows", async () => {
    const report = await run(verifyBackup(made.path))
    assert.deepStrictEqual([report.hash, report.rows], [state.hash, state.rows])
    assert.deepStrictEqual(report.manifest.secrets, ["key-pepper"])
  })

  it("a pod that is restored from a backup into an empty directory has the same state and secrets as before", async () => {
    const target = aFolder()
    await run(restoreBackup(made.path, embeddedAt(target), target.path))
    assert.deepStrictEqual(await stateAt(embeddedAt(target)), state)
    assert.deepStrictEqual(readdirSync(target.path).sort(), ["pg", "secrets"])
    assert.include(readFileSync(join(target.path, "secrets", "key-pepper"), "utf8"), "the pepper")
    target.remove()
  })

  it("a restore is refused if the directory already has a database, and is refused without a new file if the directory has secrets that differ from those of the backup", async () => {
    const full = aFolder()
    mkdirSync(join(full.path, "pg"))
    writeFileSync(join(full.path, "pg", "PG_VERSION"), "18")
    const refusal = await refusalOf(restoreBackup(made.path, embeddedAt(full), full.path))
    assert.include(refusal.message, "already contains a database")
    const other = aFolder()
    mkdirSync(join(other.path, "secrets"))
    writeFileSync(join(other.path, "secrets", "key-pepper"), "another pepper")
    assert.include((await refusalOf(restoreBackup(made.path, embeddedAt(other), other.path))).message, "another pod")
    assert.deepStrictEqual(readdirSync(other.path), ["secrets"])
    for (const one of [full, other]) one.remove()
  })

  it("a backup in which one byte of a part was changed is refused by the verification and by a restore", async () => {
    const path = damaged("byte.podbackup", (content) => {
      const plain = gunzipSync(content)
      // In a tar file, the content of a file begins 512 bytes after its name.
      const at = plain.indexOf("pg/PG_VERSION") + 512
      plain[at] = plain[at] ^ 1
      return packed(plain)
    })
    assert.include((await refusalOf(verifyBackup(path))).message, "hash differs")
    const target = aFolder()
    await refusalOf(restoreBackup(path, embeddedAt(target), target.path))
    assert.deepStrictEqual(readdirSync(target.path), [])
    target.remove()
  })

  it("a backup file from which even one byte at its end is missing is refused", async () => {
    for (const share of [0, 0.01, 0.5, 0.99]) {
      const path = damaged("cut.podbackup", (content) => content.subarray(0, Math.floor(content.length * share)))
      await refusalOf(verifyBackup(path))
    }
    const path = damaged("last.podbackup", (content) => content)
    truncateSync(path, readFileSync(path).length - 1)
    await refusalOf(verifyBackup(path))
  })

  it("the verification refuses a backup with a part outside the backup's own folder, or with a newer format version", async () => {
    const renamed = damaged("outside.podbackup", (content) => {
      const plain = gunzipSync(content)
      const at = plain.indexOf("pg/PG_VERSION")
      const sum = (header: Buffer) =>
        header.reduce((total, byte, place) => total + (place >= 148 && place < 156 ? 32 : byte), 0)
      plain.write("../x/../../zz", at)
      const header = plain.subarray(at, at + 512)
      header.write(`${sum(header).toString(8).padStart(6, "0")}\0 `, 148)
      return packed(plain)
    })
    assert.include((await refusalOf(verifyBackup(renamed))).message, "unknown part")
    const newer = damaged("newer.podbackup", (content) => {
      const plain = gunzipSync(content)
      plain.write('"version": 9', plain.lastIndexOf('"version": 1'))
      return packed(plain)
    })
    assert.include((await refusalOf(verifyBackup(newer))).message, "newer version of the pod")
  })

  it("when a pod makes a backup, it deletes the oldest backups in the folder and unfinished files that a killed pod left", async () => {
    mkdirSync(join(folder.path, "pod-20200101T000000000Z.podbackup.snapshot"))
    writeFileSync(join(folder.path, "pod-20200101T000000000Z.podbackup"), "an old one")
    writeFileSync(join(folder.path, "pod-20200101T000000000Z.podbackup.partial"), "")
    const { deleted, path } = await withLite(filled.path, (owner) => backUp(owner, 2))
    assert.deepStrictEqual(deleted, [join(folder.path, "pod-20200101T000000000Z.podbackup")])
    assert.isTrue(existsSync(path) && existsSync(made.path))
    assert.deepStrictEqual(
      readdirSync(folder.path).filter((name) => /snapshot|partial/.test(name)),
      []
    )
  })
})

describePostgres("backups of a pod on PostgreSQL", (server) => {
  it("if a backup is due on two pods at the same moment, a backup is made that restores the same state into an empty PostgreSQL database", async () => {
    const database = await aDatabaseOn(server)
    const rows = join(folder.path, "rows.ndjson")
    await exportAll(embeddedAt(filled), rows)
    await importAll(postgresAt(database), rows)
    const before = await stateAt(postgresAt(database))
    const settings = {
      folder: join(folder.path, "server"),
      dataDir: filled.path,
      podVersion: "0.0.0",
      keep: 7,
      everySeconds: 0
    }
    const due = Effect.flatMap(Backups, ({ makeIfDue }) => makeIfDue).pipe(
      Effect.provide(
        Backups.layer.pipe(
          Layer.provide(layerPostgres({ url: Redacted.make(database.url), poolMax: 2, startTimeoutMs: 5_000 })),
          Layer.provide(Layer.succeed(BackupSettings, { ...settings, everySeconds: 1e-3 }))
        )
      )
    )
    const both = await run(Effect.all([due, due], { concurrency: 2 }))
    const files = readdirSync(settings.folder)
    assert.isAtLeast(both.filter(({ _tag }) => _tag === "Some").length, 1)
    assert.isAtMost(files.length, 2)
    const path = join(settings.folder, files[0])
    assert.strictEqual((await run(verifyBackup(path))).hash, before.hash)
    const [fresh, target] = [await aDatabaseOn(server), aFolder()]
    await run(restoreBackup(path, postgresAt(fresh), target.path))
    assert.deepStrictEqual(await stateAt(postgresAt(fresh)), before)
    await fresh.drop()
    await database.drop()
    target.remove()
  })
})
