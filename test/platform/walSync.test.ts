/**
 * With the setting `wal-sync`, the pod acknowledges a write only when the disk has it. A read never waits for the disk,
 * and a failure of the disk is reported.
 */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import type { PGlite } from "@electric-sql/pglite"
import { embeddedConfig } from "../../src/platform/EmbeddedConfig.ts"
import { makeWalSync, WalSyncFailed, wrapPglite } from "../../src/platform/WalSync.ts"
import type { WalSync } from "../../src/platform/WalSync.ts"
import { anEmbedded } from "../support/pgliteImage.ts"

const first = "000000010000000000000001"
const second = "000000010000000000000002"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pod-wal-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (cause: unknown) => cause
  )

/** Makes a disk that flushes on command, and counts the flushes. */
const aDisk = () => {
  const waiting: Array<{ readonly resolve: () => void; readonly reject: (cause: Error) => void }> = []
  let flushes = 0
  let arrived = () => undefined as void
  return {
    flushes: () => flushes,
    flush: () =>
      new Promise<void>((resolve, reject) => {
        flushes += 1
        waiting.push({ resolve, reject })
        arrived()
      }),
    /** Waits until a flush is requested. */
    asked: () => (waiting.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => (arrived = resolve))),
    finish: () => waiting.splice(0).forEach(({ resolve }) => resolve()),
    fail: () => waiting.splice(0).forEach(({ reject }) => reject(new Error("EIO")))
  }
}

describe("flushing the write-ahead log to the disk", () => {
  let made = 0
  /** Makes a log with one file that is already flushed. */
  const aLog = async () => {
    const directory = join(folder, `log-${(made += 1)}`)
    mkdirSync(join(directory, "pg_wal"), { recursive: true })
    for (const name of [first, second]) writeFileSync(join(directory, "pg_wal", name), "log")
    const disk = aDisk()
    const wal = makeWalSync(directory, disk.flush)
    const ready = wal.sync()
    disk.finish()
    await ready
    return { wal, disk, before: disk.flushes() }
  }

  it("a failed flush of the write-ahead log makes every waiting write and every later write fail", async () => {
    const { wal, disk } = await aLog()
    wal.written(first)
    const waiting = [failureOf(wal.sync()), failureOf(wal.sync())]
    disk.fail()
    for (const failure of await Promise.all(waiting)) assert.instanceOf(failure, WalSyncFailed)
    wal.written(first)
    assert.instanceOf(await failureOf(wal.sync()), WalSyncFailed)
    assert.instanceOf(await failureOf(wal.close()), WalSyncFailed)
  })

  it("writes that are made during a flush of the write-ahead log wait for the next flush and share it", async () => {
    const { wal, disk, before } = await aLog()
    wal.written(second)
    const early = wal.sync()
    wal.written(second)
    const order: Array<string> = []
    const late = [wal.sync(), wal.sync(), wal.sync()].map((one) => one.then(() => order.push("late")))
    disk.finish()
    await early.then(() => order.push("early"))
    await disk.asked()
    assert.deepStrictEqual(order, ["early"])
    disk.finish()
    await Promise.all(late)
    assert.strictEqual(disk.flushes() - before, 2)
    await wal.close()
  })

  it("if no test replaces the disk, the pod flushes the write-ahead log to the real disk", async () => {
    const directory = join(folder, "real")
    mkdirSync(join(directory, "pg_wal"), { recursive: true })
    writeFileSync(join(directory, "pg_wal", first), "log")
    const wal = makeWalSync(directory)
    await wal.sync()
    await wal.close()
  })

  it("the pod flushes every file of the write-ahead log that was written, and flushes nothing if nothing was written", async () => {
    const { wal, disk, before } = await aLog()
    await wal.sync()
    wal.written("archive_status")
    await wal.sync()
    assert.strictEqual(disk.flushes() - before, 0)
    wal.written(first)
    wal.written(second)
    const flushed = wal.sync()
    const both = disk.flushes() - before
    disk.finish()
    await flushed
    assert.isAtLeast(both, 2)
    await wal.close()
  })
})

describe("acknowledged writes of the embedded database", () => {
  let lite: PGlite
  let wal: WalSync
  let pool: pg.Pool
  const disk = aDisk()
  let obeys = true
  const flush = async () => {
    const flushed = disk.flush()
    if (obeys) disk.finish()
    return flushed
  }
  const flushesDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const before = disk.flushes()
    await work()
    return disk.flushes() - before
  }

  beforeAll(async () => {
    const dataDir = join(folder, "pg")
    lite = await anEmbedded({ dataDir })
    wal = makeWalSync(dataDir, flush)
    wrapPglite(lite, wal)
    pool = new pg.Pool(Object.assign({ max: 1 }, embeddedConfig(lite)))
    await pool.query("CREATE TABLE notes (id int PRIMARY KEY, body text)")
    await pool.query("INSERT INTO notes SELECT n, 'x' FROM generate_series(1, 500) AS n")
  })
  afterAll(async () => {
    await pool.end().catch(() => undefined)
    await lite.close().catch(() => undefined)
    await wal.close().catch(() => undefined)
  })

  it("the pod does not flush the write-ahead log for a read, not even in a transaction", async () => {
    await pool.query("SELECT count(*) FROM notes")
    assert.strictEqual(await flushesDuring(() => pool.query("SELECT * FROM notes WHERE id = $1", [7])), 0)
    assert.strictEqual(await flushesDuring(() => pool.query("SELECT sum(length(body)) FROM notes")), 0)
    assert.strictEqual(await flushesDuring(() => pool.query("BEGIN; SELECT 1; COMMIT")), 0)
    assert.strictEqual(await flushesDuring(() => lite.transaction((tx) => tx.query("SELECT * FROM notes"))), 0)
  })

  it("a single statement, a statement with parameters, a transaction and a direct call of the engine each flush the write-ahead log once", async () => {
    assert.strictEqual(await flushesDuring(() => pool.query("UPDATE notes SET body = 'y' WHERE id = 1")), 1)
    assert.strictEqual(await flushesDuring(() => pool.query("UPDATE notes SET body = $1 WHERE id = 2", ["z"])), 1)
    assert.strictEqual(await flushesDuring(() => lite.query("DELETE FROM notes WHERE id = $1", [3])), 1)
    const client = await pool.connect()
    await client.query("BEGIN")
    await client.query("DELETE FROM notes WHERE id = $1", [4])
    await client.query("DELETE FROM notes WHERE id = $1", [5])
    assert.strictEqual(await flushesDuring(() => client.query("COMMIT")), 1)
    client.release()
  })

  it("the pod flushes the write-ahead log once for each of fifty writes in a row, even if two writes are in the same millisecond", async () => {
    const flushes = await flushesDuring(async () => {
      for (let id = 10; id < 60; id += 1) await pool.query("DELETE FROM notes WHERE id = $1", [id])
    })
    assert.strictEqual(flushes, 50)
  })

  it("if a write fills several files of the write-ahead log, the pod flushes all of these files", async () => {
    const { rows } = await lite.query<{ name: string }>("SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name")
    const client = await pool.connect()
    await client.query("BEGIN")
    const early = await flushesDuring(() =>
      client.query("INSERT INTO notes SELECT n, repeat(md5(n::text), 60) FROM generate_series(1000, 11000) AS n")
    )
    assert.strictEqual(early, 0) // At this moment the log is written, but the pod acknowledges no write before COMMIT.
    const flushes = await flushesDuring(() => client.query("COMMIT"))
    client.release()
    const after = await lite.query<{ name: string }>("SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name")
    assert.notDeepEqual(after.rows, rows)
    // The pod makes two flushes for the two log files, and one flush for the folder of the new file.
    assert.isAtLeast(flushes, 3)
  })

  it("the pod acknowledges a write only after it has flushed the write-ahead log, and after a failed flush every write fails", async () => {
    obeys = false
    let acknowledged = false
    const slow = pool.query("DELETE FROM notes WHERE id = 100").then(() => (acknowledged = true))
    await disk.asked()
    assert.isFalse(acknowledged)
    disk.finish()
    await slow
    const doomed = failureOf(pool.query("DELETE FROM notes WHERE id = 101"))
    await disk.asked()
    disk.fail()
    assert.instanceOf(await doomed, WalSyncFailed)
    obeys = true
    assert.instanceOf(await failureOf(pool.query("DELETE FROM notes WHERE id = 102")), WalSyncFailed)
    assert.instanceOf(await failureOf(lite.query("DELETE FROM notes WHERE id = 103")), WalSyncFailed)
  })
})
