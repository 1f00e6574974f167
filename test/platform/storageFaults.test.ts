/**
 * If the database answers but cannot store anything, the pod answers 503 with the reason. When the database can store
 * again, the pod accepts writes again without a restart.
 */
import { PGlite } from "@electric-sql/pglite"
import { SqlClient, SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { databaseUnavailable } from "../../src/doors/Recovery.ts"
import { ShareUsedUp, TurnTooLate } from "../../src/platform/FairShare.ts"
import { classify, sqlStateOf } from "../../src/platform/Database.ts"
import { logRepeats } from "../../src/platform/LogRepeats.ts"
import * as Logging from "../../src/platform/Logging.ts"
import { writeProbe } from "../../src/platform/WriteProbe.ts"
import { aMoment } from "../support/aMoment.ts"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { aFullDisk } from "../support/fullDisk.ts"
import { aReadOnlyFolder } from "../support/readOnlyFolder.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { connected } from "../support/postgresServer.ts"

const failed = (code?: string) =>
  new SqlError.SqlError({ cause: Object.assign(new Error("no"), { code }), message: "x" })

describe("failures of the database", () => {
  it("if the database lacks disk space, memory or connections, cannot read a file or refuses a write, the pod reports the database as unavailable", () => {
    for (const code of ["53100", "53200", "53300", "58030", "25006", "57P01", "08006", undefined]) {
      assert.strictEqual(classify(failed(code)), "unavailable", code)
    }
    for (const code of ["42P01", "22012", "XX001"]) assert.strictEqual(classify(failed(code)), "broken", code)
  })

  it("if an SQL statement takes too long, the error message says this, and not that the database cannot be reached", () => {
    assert.match(databaseUnavailable(failed("57014")).why, /did not answer within the time/)
    assert.match(databaseUnavailable(failed("57P01")).why, /cannot reach its database/)
  })

  it("if an SQL statement gets no turn, the error message says whether the credential has too many statements or the pod is busy", () => {
    const why = (cause: Error) => databaseUnavailable(new SqlError.SqlError({ cause, message: "x" })).why
    assert.match(why(new ShareUsedUp("")), /^This credential already has as many costly calls/)
    assert.match(why(new TurnTooLate("")), /^The pod is busy: this call waited too long/)
  })

  it("an error code of the operating system, such as EPIPE, counts as a lost database connection and not as an SQLSTATE", () => {
    for (const code of ["EPIPE", "EPERM", "EROFS", "EBADF", "ECONNRESET"]) {
      assert.isUndefined(sqlStateOf(failed(code)), code)
      assert.strictEqual(classify(failed(code)), "unavailable", code)
    }
  })

  it("a log entry that repeats many times is written once, followed by the number of its repetitions", () => {
    const repeats = logRepeats()
    const counts: Array<number> = []
    const admitted = Array.from({ length: 500 }, () => repeats.isFirst("one", (count) => counts.push(count)))
    assert.deepStrictEqual(admitted.filter(Boolean), [true])
    assert.isTrue(repeats.isFirst("another", () => counts.push(-1)))
    repeats.close()
    assert.deepStrictEqual(counts, [499])
  })

  it.effect(
    "the log entry about an outage of the database has no stack trace, and the entry about an error in the pod has one",
    () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const causeOf = (cause: Cause.Cause<unknown>) =>
          Effect.logWarning("The pod cannot look for work", cause).pipe(
            Effect.provide(Logging.layer("info", "json", (text) => lines.push(text))),
            Effect.map((): string => JSON.parse(lines.at(-1) ?? "").cause)
          )
        const outage = yield* causeOf(Cause.fail(failed("ECONNREFUSED")))
        assert.strictEqual(outage, "SqlError x: Error no")
        for (const cause of [
          Cause.fail(failed("42P01")),
          Cause.parallel(Cause.fail(failed("57P01")), Cause.die(new Error("no")))
        ]) {
          assert.include(yield* causeOf(cause), "\n    at ")
        }
      })
  )
})

describe("the probe that checks whether the database can store data", () => {
  it.effect(
    "if 100 callers ask at the same moment whether the database can store data, the pod makes only one test write",
    () =>
      Effect.gen(function* () {
        let stored = 0
        const { check } = writeProbe(() => Effect.sync(() => void (stored += 1)))
        yield* Effect.all(
          Array.from({ length: 100 }, () => check),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(stored, 1)
      })
  )

  it.effect(
    "after a write failed because of a full disk, the pod's check of the database also looks for free space on the disk",
    () =>
      Effect.gen(function* () {
        const asked: Array<boolean> = []
        const probe = writeProbe((isThorough) => Effect.sync(() => void asked.push(isThorough)))
        yield* probe.check
        probe.onSqlState("42P01")
        yield* probe.check
        assert.deepStrictEqual(asked, [false])
        probe.onSqlState("53100")
        yield* probe.check
        assert.deepStrictEqual(asked, [false, true])
      })
  )
})

const draft = { title: "a note", profileSlug: "note", description: "x".repeat(100_000) }

/** Checks that writes and `/readyz` get 503 with this reason and with Retry-After. */
const refusesWrites = async (pod: TestPod, key: Caller, why: RegExp) => {
  for (let count = 0; count < 5; count++) {
    const refused = await key.send("POST", "/api/hub/entities", draft)
    assert.strictEqual(refused.status, 503, JSON.stringify(refused.body))
    assert.match(refused.body.error, why)
    assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
  }
  const ready = await pod.stranger.send("GET", "/readyz")
  assert.strictEqual(ready.status, 503)
  assert.match(ready.body.error, why)
  assert.match(ready.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
}

/** Repeats the requests until the pod answers 200. The pod recovers by itself. */
const storesAgain = async (pod: TestPod, key: Caller) => {
  while ((await key.send("POST", "/api/hub/entities", draft)).status !== 200) await aMoment()
  while ((await pod.stranger.send("GET", "/readyz")).status !== 200) await aMoment()
}

const aLoggedPod = async (storage: Parameters<typeof aPod>[0]) => {
  const lines: Array<string> = []
  const pod = await aPod(storage, {}, { logging: Logging.layer("info", "json", (text) => lines.push(text)) })
  const warned = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => /answered with 503/.test(msg))
  return { pod, key: await pod.aKey(pod.owner), lines, warned }
}

describePostgres("a PostgreSQL server that stores nothing", (server) => {
  let database: TestDatabase
  let scene: Awaited<ReturnType<typeof aLoggedPod>>
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    scene = await aLoggedPod({ kind: "postgres", url: database.url })
  })
  afterAll(async () => {
    await scene?.pod.stop()
    await database?.drop()
  })
  const run = (text: string) => connected(database.url, (client) => client.query(text))

  it("while the disk of the database is full, writes and `/readyz` get 503 with the reason, and reads are answered", async () => {
    const { key, pod, warned } = scene
    await run(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`)
    for (const table of ["entities", "write_probes"]) {
      await run(`CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION no_room()`)
    }
    await refusesWrites(pod, key, /disk of the database is full/)
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
    const health = await pod.owner.send("GET", "/api/hub/health/dependencies")
    const state = health.body.dependencies.find(({ name }: { readonly name: string }) => name === "database")
    assert.strictEqual(state.state, "down")
    assert.match(state.reason, /disk of the database is full/)
    assert.lengthOf(warned(), 1)
    assert.notProperty(warned()[0], "cause")
    await run("DROP FUNCTION no_room CASCADE")
    await storesAgain(pod, key)
  })

  it("while the database is read-only, writes and `/readyz` get 503 with the reason, and when the database accepts writes again, the pod stores data again", async () => {
    const { key, pod } = scene
    const name = new URL(database.url).pathname.slice(1)
    await run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`)
    while ((await key.send("GET", "/api/hub/entities")).status !== 200) await aMoment()
    await refusesWrites(pod, key, /accepts only reads/)
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
    // The open connections of the pod stay read-only even after this change, so the pod must replace them.
    await run(`BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`)
    await storesAgain(pod, key)
  })
})

describe("an embedded database whose disk is full", () => {
  let folder: Folder
  const disk = aFullDisk()
  let scene: Awaited<ReturnType<typeof aLoggedPod>>
  beforeAll(async () => {
    folder = aFolder()
    const dataDir = `${folder.path}/pg`
    scene = await aLoggedPod({
      kind: "pglite",
      open: () => anEmbedded({ dataDir }).then(disk.holds),
      reopen: () => PGlite.create({ dataDir }).then(disk.holds)
    })
  })
  afterAll(async () => {
    await scene?.pod.stop()
    folder?.remove()
  })

  it("while the disk has no room for the tables of the embedded database, the pod refuses writes with the reason and answers reads", async () => {
    const { key, pod, warned } = scene
    disk.fill("/base/")
    const refused = await key.send("POST", "/api/hub/entities", draft)
    assert.strictEqual(refused.status, 503, JSON.stringify(refused.body))
    assert.match(refused.body.error, /disk of the database is full/)
    assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 200)
    assert.lengthOf(warned(), 1)
    disk.makeRoom()
    await storesAgain(pod, key)
  })

  it("while the disk has no room for the write-ahead log, calls get 503 at once, and when there is room, the pod opens the database again", async () => {
    const { key, pod, lines } = scene
    const before = await key.send("POST", "/api/hub/entities", { title: "kept", profileSlug: "note" })
    disk.fill("/pg_wal/")
    const refused = await key.send("POST", "/api/hub/entities", draft)
    assert.strictEqual(refused.status, 503, JSON.stringify(refused.body))
    assert.match(refused.body.error, /disk of the database is full/)
    for (let count = 0; count < 3; count++) {
      assert.strictEqual((await key.send("POST", "/api/hub/entities", draft)).status, 503)
      assert.strictEqual((await pod.stranger.send("GET", "/readyz")).status, 503)
    }
    disk.makeRoom()
    await storesAgain(pod, key)
    assert.strictEqual((await key.send("GET", `/api/hub/entities/${before.body.id}`)).status, 200)
    // The new connection must use the role of the pod. The owner of the database would bypass row-level security.
    const asked = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT current_user::text AS role`)
    assert.deepStrictEqual(await pod.run(asked), [{ role: "pod_app" }])
    assert.notMatch(lines.join(""), /Aborted|sASSERTIONS/)
  })
})

describe("an embedded database whose files the system makes read-only", () => {
  let folder: Folder
  let files: ReturnType<typeof aReadOnlyFolder>
  let scene: Awaited<ReturnType<typeof aLoggedPod>>
  beforeAll(async () => {
    folder = aFolder()
    const dataDir = `${folder.path}/pg`
    files = aReadOnlyFolder(dataDir)
    const reopen = () => PGlite.create({ dataDir })
    scene = await aLoggedPod({ kind: "pglite", folder: dataDir, open: () => anEmbedded({ dataDir }), reopen })
  })
  afterAll(async () => {
    files?.allow()
    await scene?.pod.stop()
    files?.remove()
    folder?.remove()
  })

  it("while the system refuses access to the files of the embedded database, `/readyz` and writes that need a new page get 503, and later the pod stores data again", async () => {
    const { key, lines, pod } = scene
    const before = await key.send("POST", "/api/hub/entities", { title: "kept", profileSlug: "note" })
    files.refuse()
    // The files are already open, so a write that needs no new page can still succeed. The pod refuses a write that
    // needs a new page.
    const answers = []
    for (let count = 0; count < 20; count++) answers.push(await key.send("POST", "/api/hub/entities", draft))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.isNotEmpty(refused)
    for (const { body, status } of refused) {
      assert.strictEqual(status, 503, JSON.stringify(body))
      assert.match(body.error, /accepts only reads/)
    }
    const ready = await pod.stranger.send("GET", "/readyz")
    assert.strictEqual(ready.status, 503)
    assert.match(ready.body.error, /accepts only reads/)
    files.allow()
    await storesAgain(pod, key)
    for (let count = 0; count < 20; count++) {
      assert.strictEqual((await key.send("POST", "/api/hub/entities", draft)).status, 200)
    }
    assert.strictEqual((await key.send("GET", `/api/hub/entities/${before.body.id}`)).status, 200)
    for (const { body, status } of answers) {
      if (status === 200) assert.strictEqual((await key.send("GET", `/api/hub/entities/${body.id}`)).status, 200)
    }
    const ofCalls = lines.filter((line) => /"msg":"(?:call failed|request|Calls are answered)/.test(line))
    assert.deepStrictEqual(
      ofCalls.filter((line) => /"cause"|Permission denied/.test(line)),
      []
    )
  })
})
