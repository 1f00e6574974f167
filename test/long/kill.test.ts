/**
 * Kills the pod at least twenty times on each engine. No acknowledged write is lost, no write is partial, and no number
 * of the log is missing.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aFolder, launchPod, startPod } from "../support/builtPod.ts"
import { crashServer } from "../support/crashedServer.ts"
import { ask, signInOwner } from "../support/client.ts"
import { type KillReport, killRounds } from "../support/killRounds.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { serverBinaries, startCluster } from "../support/postgresCluster.ts"

const load = { writers: 12, acknowledgedLeast: 100 }
const tell = (what: string, { acknowledged, entities, unanswered }: KillReport) =>
  process.stdout.write(`${what}: ${acknowledged} acknowledged, ${entities} entities, ${unanswered} left open\n`)

describe("a pod on PGlite that is killed", () => {
  it("a pod on PGlite loses no acknowledged write when it is killed 22 times", async () => {
    const rounds = 22
    const report = await killRounds({ ...load, rounds })
    tell(`PGlite, ${rounds} kills`, report)
    assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
  })

  it("a pod on PGlite with the setting `POD_DURABILITY=wal-sync` loses no acknowledged write when it is killed 4 times", async () => {
    const rounds = 4
    const environment = { POD_DURABILITY: "wal-sync" }
    const report = await killRounds({ ...load, rounds, environment })
    tell(`PGlite with wal-sync, ${rounds} kills`, report)
    assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
  })

  it("a pod starts normally after it was killed at one of six moments of its first start", async () => {
    for (const afterMs of [200, 700, 1_200, 1_800, 2_500, 3_500]) {
      const folder = aFolder()
      const first = await launchPod({ dataDir: folder.path })
      // The test cannot wait for an event during the start of the pod, so it kills the pod at several moments.
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      first.signal("SIGKILL")
      await first.ended
      const pod = await startPod({ dataDir: folder.path })
      const session = await signInOwner(pod.baseUrl)
      assert.strictEqual((await ask(pod.baseUrl, "GET", "/api/hub/users/me", session)).status, 200)
      await pod.kill()
      folder.remove()
    }
  })

  it("if two pods start at the same moment on an empty directory, exactly one of the pods serves requests", async () => {
    const folder = aFolder()
    const both = await Promise.all([1, 2].map(() => launchPod({ dataDir: folder.path })))
    const outcomes = await Promise.allSettled(both.map(({ ready }) => ready))
    assert.deepStrictEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"])
    for (const { signal } of both) signal("SIGKILL")
    await Promise.all(both.map(({ ended }) => ended))
    folder.remove()
  })
})

describePostgres("a pod on PostgreSQL that is killed", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database.drop())

  it("a pod on PostgreSQL loses no acknowledged write when it is killed 22 times", async () => {
    const rounds = 22
    const report = await killRounds({ ...load, rounds, databaseUrl: database.url })
    tell(`PostgreSQL, ${rounds} kills`, report)
    assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
  })

  it("a pod loses no acknowledged write and continues to work when the PostgreSQL server crashes 4 times", async () => {
    const binaries = await serverBinaries()
    // Other suites use the server of this run, so this test starts a separate server and crashes it.
    assert.isDefined(binaries, "this machine has no PostgreSQL binaries for a server to crash")
    const cluster = await startCluster(binaries ?? "")
    const rounds = 4
    const strike = () => crashServer(cluster.url)
    try {
      const report = await killRounds({ ...load, rounds, databaseUrl: cluster.url, strike })
      tell(`PostgreSQL itself, ${rounds} crashes`, report)
      assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
    } finally {
      await cluster.stop()
    }
  })
})
