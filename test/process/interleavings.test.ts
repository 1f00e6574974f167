/** What is applied is what a person approved, once, however edits, approvals, rejections, dead keys and writes meet. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { interleavings } from "../support/interleavings.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const seed = Number(process.env["POD_TEST_SEED"] ?? Date.now() % 1_000_000_000)

const holds = (pod: () => TestPod, cases: number) =>
  it(`in ${cases} interleavings`, { timeout: 240_000 }, async () => {
    const counts = await interleavings(pod(), seed, cases)
    process.stdout.write(`seed ${seed}: ${JSON.stringify(counts)}\n`)
    assert.isAbove(counts.applied, 0)
    assert.isAbove(counts["settled otherwise"], 0)
  })

describe("a proposal on PGlite", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "pglite", open: anEmbedded })
  })
  afterAll(() => pod?.stop())
  holds(() => pod, 60)
})

describePostgres("a proposal on PostgreSQL", (server) => {
  let database: TestDatabase
  let pod: TestPod
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    pod = await aPod({ kind: "postgres", url: database.url })
  })
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })
  holds(() => pod, 120)
})
