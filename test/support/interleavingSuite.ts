/**
 * Tests many random orders of concurrent requests about one proposal, on each database. The pod must apply the proposal
 * once, and exactly as a person approved it.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { interleavings } from "./interleavings.ts"
import { anEmbedded } from "./pgliteImage.ts"
import { aPod, type TestPod } from "./pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "./postgres.ts"

/**
 * The number of random orders of requests that are tested on each database. A database without a number is not tested.
 */
export interface Cases {
  readonly onPglite?: number
  readonly onPostgres?: number
}

const seed = Number(process.env["POD_TEST_SEED"] ?? Date.now() % 1_000_000_000)

const holds = (pod: () => TestPod, cases: number) =>
  it(
    `in at least ${cases} random orders of concurrent requests, the pod applies a proposal once and exactly as a person approved it`,
    { timeout: 600_000 },
    async () => {
      // The first random orders of requests might all have the same outcome. So the test tries more orders until both
      // outcomes have happened.
      const ends = { applied: 0, settled: 0 }
      for (let more = 0; more < 10 && (ends.applied === 0 || ends.settled === 0); more += 1) {
        const counts = await interleavings(pod(), seed + more, cases)
        process.stdout.write(`seed ${seed + more}: ${JSON.stringify(counts)}\n`)
        ends.applied += counts.applied
        ends.settled += counts["settled otherwise"]
      }
      assert.isAbove(ends.applied, 0)
      assert.isAbove(ends.settled, 0)
    }
  )

export const holdsInInterleavings = ({ onPglite, onPostgres }: Cases): void => {
  if (onPglite !== undefined) {
    describe("random orders of requests about a proposal on PGlite", () => {
      let pod: TestPod
      beforeAll(async () => {
        pod = await aPod({ kind: "pglite", open: anEmbedded })
      })
      afterAll(() => pod?.stop())
      holds(() => pod, onPglite)
    })
  }

  if (onPostgres === undefined) return
  describePostgres("random orders of requests about a proposal on PostgreSQL", (server) => {
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
    holds(() => pod, onPostgres)
  })
}
