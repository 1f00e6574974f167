/**
 * A pod creates new data only in an empty directory. It does not start on an incomplete or damaged data directory, and
 * its message says what is missing or damaged.
 */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { aFolder, type Folder, launchPod, refusedStart, startPod } from "../support/builtPod.ts"
import { ask, type RequestHeaders, type CreatedKey, createKey, signInOwner } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { refusedBuild } from "../support/refusedBuild.ts"
import { withLite } from "../transfer/transferScene.ts"

/** No secret is set in the environment, so the pod makes its own secrets and stores them beside its data. */
const ownSecrets = { POD_KEY_PEPPER: "", POD_SESSION_SECRET: "", POD_ENCRYPTION_KEY: "" }

/** Returns a hash of each file in the directory, without the lock file. */
const fingerprintsIn = (path: string) =>
  contents(path)
    .filter((name) => !name.startsWith("pod.lock") && statSync(join(path, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash("sha256")
          .update(readFileSync(join(path, name)))
          .digest("hex")}`
    )

const contents = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" }).sort()

describe("the data directory of a pod on PGlite", () => {
  let folder: Folder
  let session: RequestHeaders
  let key: CreatedKey
  beforeAll(async () => {
    folder = await aPreparedFolder()
    const pod = await startPod({ dataDir: folder.path, environment: ownSecrets })
    session = await signInOwner(pod.baseUrl)
    key = await createKey(pod.baseUrl, session)
    await pod.terminate()
  })
  afterAll(() => folder.remove())

  /** Starts the pod on a copy of the data without these files. The pod must refuse to start. */
  const refusedWithout = async (...missing: ReadonlyArray<string>) => {
    const copy = aFolder()
    cpSync(folder.path, copy.path, { recursive: true })
    for (const name of missing) rmSync(join(copy.path, name), { recursive: true })
    const before = contents(copy.path)
    const refused = await refusedBuild({ POD_DATA_DIR: copy.path })
    assert.strictEqual(refused.code, exitCodes.dataUnfit, refused.errors)
    assert.strictEqual(refused.errors.trim().split("\n").length, 1, refused.errors)
    assert.include(refused.errors, copy.path)
    const isLock = (name: string) => name.startsWith("pod.lock")
    return {
      copy,
      errors: refused.errors,
      after: contents(copy.path).filter((name) => !isLock(name)),
      before
    }
  }

  /** Starts the pod on a copy of the data that `spoil` has changed. The pod must refuse to start. */
  const refusedAfter = async (code: number, spoil: (path: string) => void) => {
    const copy = aFolder()
    cpSync(folder.path, copy.path, { recursive: true })
    spoil(copy.path)
    const before = fingerprintsIn(copy.path)
    const refused = await refusedStart({ dataDir: copy.path, environment: ownSecrets })
    assert.strictEqual(refused.code, code, refused.message)
    assert.strictEqual(refused.errors.trim().split("\n").length, 1, refused.errors)
    assert.notMatch(refused.errors, /Abort|ASSERTIONS|PGlite|unexpected/)
    const after = fingerprintsIn(copy.path)
    copy.remove()
    return { errors: refused.errors, before, after }
  }

  it("the pod does not start on a damaged database, writes nothing to the database, and says what is damaged and what to do", async () => {
    const { after, before, errors } = await refusedAfter(exitCodes.dataDamaged, (path) =>
      writeFileSync(join(path, "pg/global/pg_control"), "")
    )
    assert.include(errors, "global/pg_control is damaged")
    assert.include(errors, "backup")
    assert.deepStrictEqual(after, before)
  })

  it("if only the database engine finds the damage of a database, the pod does not start, and its message does not repeat the words of the engine", async () => {
    const { errors } = await refusedAfter(exitCodes.dataDamaged, (path) =>
      writeFileSync(join(path, "pg/base/5/pg_filenode.map"), "")
    )
    assert.include(errors, "its files are damaged")
  })

  it("a pod does not start on a database of a newer pod version, and its message says to start the newer version", async () => {
    const copy = aFolder()
    cpSync(folder.path, copy.path, { recursive: true })
    await withLite(copy.path, (owner) =>
      owner.exec("INSERT INTO schema_migrations (name, digest) VALUES ('9999_later.sql', 'x')")
    )
    const refused = await refusedBuild({ POD_DATA_DIR: copy.path })
    assert.strictEqual(refused.code, exitCodes.schemaUnknown, refused.errors)
    assert.strictEqual(refused.errors.trim().split("\n").length, 1, refused.errors)
    assert.notMatch(refused.errors, /Abort|ASSERTIONS|PGlite|unexpected/)
    assert.include(refused.errors, "Start the newer version")
    copy.remove()
  })

  const stillServes = async (dataDir: string) => {
    const pod = await startPod({ dataDir, environment: ownSecrets })
    const statuses = [session, key.headers].map((headers) => ask(pod.baseUrl, "GET", "/api/hub/users/me", headers))
    assert.deepStrictEqual(
      (await Promise.all(statuses)).map(({ status }) => status),
      [200, 200]
    )
    await pod.kill()
  }

  it("the pod does not start on a data directory without the file PG_VERSION, and starts again after the file is restored and the directory is moved", async () => {
    const { copy, errors, after, before } = await refusedWithout("pg/PG_VERSION")
    assert.include(errors, "PG_VERSION")
    assert.deepStrictEqual(after, before)
    cpSync(join(folder.path, "pg/PG_VERSION"), join(copy.path, "pg/PG_VERSION"))
    const moved = `${copy.path}-moved`
    renameSync(copy.path, moved)
    const places = ["", "pg", "secrets"].map((name) => join(moved, name))
    for (const path of places) chmodSync(path, 0o777)
    await stillServes(moved)
    for (const path of places) assert.strictEqual(statSync(path).mode & 0o777, 0o700, path)
    rmSync(moved, { recursive: true })
  })

  it("the pod does not start on a data directory in which the file of a table is missing, and its message contains the path of the file", async () => {
    // In PostgreSQL the files of tables that a program created have numbers above 16384.
    const table = readdirSync(join(folder.path, "pg/base/5")).find(
      (name) => /^\d+$/.test(name) && Number(name) > 16_384
    )
    assert.isDefined(table)
    const { copy, errors } = await refusedWithout(`pg/base/5/${table}`)
    assert.include(errors, `base/5/${table}`)
    copy.remove()
  })

  it("the pod does not start on a data directory without the write-ahead log, and does not change the directory", async () => {
    const segments = readdirSync(join(folder.path, "pg/pg_wal")).filter((name) => /^[0-9A-F]{24}$/.test(name))
    const { copy, after, before } = await refusedWithout(...segments.map((name) => `pg/pg_wal/${name}`))
    assert.deepStrictEqual(after, before)
    copy.remove()
  })

  it("a pod refuses a data directory with secrets but without a database, even if the data directory contains an empty database directory", async () => {
    const { copy, errors, after, before } = await refusedWithout("pg")
    assert.include(errors, join(copy.path, "pg"))
    assert.deepStrictEqual(after, before)
    mkdirSync(join(copy.path, "pg"))
    assert.strictEqual((await refusedBuild({ POD_DATA_DIR: copy.path })).code, exitCodes.dataUnfit)
    copy.remove()
  })

  it("a data directory without one or all of its secrets is refused, and the pod creates no new secret", async () => {
    for (const [name, setting] of [
      ["secrets", "POD_KEY_PEPPER"],
      ["secrets/key-pepper", "POD_KEY_PEPPER"],
      ["secrets/session-secret", "POD_SESSION_SECRET"],
      ["secrets/encryption-key", "POD_ENCRYPTION_KEY"]
    ] as const) {
      const { copy, errors, after, before } = await refusedWithout(name)
      assert.include(errors, setting)
      // When the pod opened the database, the database might have added a log file. So the test does not compare log
      // files.
      const isOurs = (file: string) => !file.startsWith("pg/pg_wal/")
      assert.deepStrictEqual(after.filter(isOurs), before.filter(isOurs))
      copy.remove()
    }
  })

  it("if a secret file of the pod is empty, truncated or unreadable, the message names its path and a remedy", async () => {
    const spoilt: ReadonlyArray<readonly [name: string, message: string, spoil: (file: string) => void]> = [
      ["key-pepper", "is empty", (file) => writeFileSync(file, "")],
      ["session-secret", "is cut off", (file) => writeFileSync(file, readFileSync(file, "utf8").slice(0, 20))],
      ["key-pepper", "is not the one", (file) => writeFileSync(file, readFileSync(file, "utf8").slice(0, 40))],
      [
        "session-secret",
        "it is a directory",
        (file) => {
          rmSync(file)
          mkdirSync(file)
        }
      ]
    ]
    for (const [name, message, spoil] of spoilt) {
      const copy = aFolder()
      cpSync(folder.path, copy.path, { recursive: true })
      const path = join(copy.path, "secrets", name)
      spoil(path)
      const refused = await refusedBuild({ POD_DATA_DIR: copy.path })
      assert.strictEqual(refused.code, exitCodes.badSettings, refused.errors)
      assert.strictEqual(refused.errors.trim().split("\n").length, 1, refused.errors)
      const setting = `POD_${name.toUpperCase().replace("-", "_")}`
      for (const part of [message, path, setting]) assert.include(refused.errors, part)
      copy.remove()
    }
  })

  it("if the secrets directory is a file, the pod does not start, and its message contains the path", async () => {
    const copy = aFolder()
    cpSync(folder.path, copy.path, { recursive: true })
    rmSync(join(copy.path, "secrets"), { recursive: true })
    writeFileSync(join(copy.path, "secrets"), "")
    const refused = await refusedBuild({ POD_DATA_DIR: copy.path })
    assert.strictEqual(refused.code, exitCodes.badSettings, refused.errors)
    assert.include(refused.errors, join(copy.path, "secrets"))
    assert.notMatch(refused.errors, /because of an unexpected error|^\s+at /m)
    copy.remove()
  })

  it("if the first start of a pod is killed, the next start succeeds", async () => {
    const fresh = aFolder()
    const appeared = new Promise<void>((resolve) => {
      const watcher = watch(fresh.path, (_event, name) => {
        if (name !== "pg.new") return
        watcher.close()
        resolve()
      })
    })
    const launched = await launchPod({ dataDir: fresh.path, environment: ownSecrets })
    await appeared
    launched.signal("SIGKILL")
    await launched.ended
    assert.isFalse(existsSync(join(fresh.path, "pg")))
    // These files look like the incomplete database that a killed start leaves behind. The next start must create the
    // database from the beginning.
    mkdirSync(join(fresh.path, "pg.new/global"), { recursive: true })
    writeFileSync(join(fresh.path, "pg.new/PG_VERSION"), "18\n")
    const pod = await startPod({ dataDir: fresh.path, environment: ownSecrets })
    assert.strictEqual((await ask(pod.baseUrl, "GET", "/readyz")).status, 200)
    assert.strictEqual(statSync(join(fresh.path, "pg")).mode & 0o777, 0o700)
    assert.notInclude(pod.output(), "open to other users")
    await pod.kill()
    assert.isFalse(existsSync(join(fresh.path, "pg.new")))
    fresh.remove()
  })
})
