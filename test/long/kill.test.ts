/** At least twenty kills on each engine: nothing acknowledged is lost, nothing is torn, no number of the log is skipped. */
import { assert, describe, it } from "@effect/vitest"
import pg from "pg"
import { afterAll, beforeAll } from "vitest"
import { aFolder, launchPod, startPod } from "../support/builtPod.ts"
import { ask, signedIn } from "../support/client.ts"
import { type KillReport, killRounds } from "../support/killRounds.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { serverBinaries, startCluster } from "../support/postgresCluster.ts"

const load = { writers: 12, acknowledgedLeast: 100 }
const tell = (what: string, { acknowledged, entities, unanswered }: KillReport) =>
  process.stdout.write(`${what}: ${acknowledged} acknowledged, ${entities} entities, ${unanswered} left open\n`)

describe("on PGlite", () => {
  it("22 kills lose nothing that was acknowledged", async () => {
    const rounds = 22
    const report = await killRounds({ ...load, rounds })
    tell(`PGlite, ${rounds} kills`, report)
    assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
  })

  it("4 kills lose nothing when commits wait for the disk", async () => {
    const rounds = 4
    const environment = { POD_DURABILITY: "wal-sync" }
    const report = await killRounds({ ...load, rounds, environment })
    tell(`PGlite with wal-sync, ${rounds} kills`, report)
    assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
  })

  it("a kill in the middle of the first start leaves a directory that the next start can use", async () => {
    for (const afterMs of [200, 700, 1_200, 1_800, 2_500, 3_500]) {
      const folder = aFolder()
      const first = await launchPod({ dataDir: folder.path })
      // A moment of the start has no event to wait for: the moments are what is tried.
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      first.signal("SIGKILL")
      await first.ended
      const pod = await startPod({ dataDir: folder.path })
      const session = await signedIn(pod.baseUrl)
      assert.strictEqual((await ask(pod.baseUrl, "GET", "/api/hub/users/me", session)).status, 200)
      await pod.kill()
      folder.remove()
    }
  })

  it("of two pods that start at once on an empty directory one serves", async () => {
    const folder = aFolder()
    const both = await Promise.all([1, 2].map(() => launchPod({ dataDir: folder.path })))
    const outcomes = await Promise.allSettled(both.map(({ ready }) => ready))
    assert.deepStrictEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"])
    for (const { signal } of both) signal("SIGKILL")
    await Promise.all(both.map(({ ended }) => ended))
    folder.remove()
  })
})

describePostgres("on PostgreSQL", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database.drop())

  it("22 kills lose nothing that was acknowledged", async () => {
    const rounds = 22
    const report = await killRounds({ ...load, rounds, databaseUrl: database.url })
    tell(`PostgreSQL, ${rounds} kills`, report)
    assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
  })

  it("4 crashes of the server itself lose nothing, and the pod serves on", async () => {
    const binaries = await serverBinaries()
    // The server of the run is not ours to crash: other suites use it.
    assert.isDefined(binaries, "this machine has no PostgreSQL of its own to crash")
    const cluster = await startCluster(binaries ?? "")
    const rounds = 4
    const strike = async () => {
      const client = new pg.Client({ connectionString: cluster.url })
      client.on("error", () => undefined) // it goes down with the server
      await client.connect()
      const { rows } = await client.query<{ readonly pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'pod' AND backend_type = 'client backend' LIMIT 1"
      )
      // A backend that dies so takes the whole server through its recovery, as a crash of the machine's memory would.
      process.kill(rows[0].pid, "SIGKILL")
      await new Promise<void>((resolve) => client.once("end", () => resolve()))
    }
    try {
      const report = await killRounds({ ...load, rounds, databaseUrl: cluster.url, strike })
      tell(`PostgreSQL itself, ${rounds} crashes`, report)
      assert.isAtLeast(report.acknowledged, rounds * load.acknowledgedLeast)
    } finally {
      await cluster.stop()
    }
  })
})
