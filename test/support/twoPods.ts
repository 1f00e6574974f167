/** Two pods on one PostgreSQL database, for a suite of tests about what one pod does for the other. */
import { afterAll, beforeAll } from "vitest"
import { aPod, type TestPod } from "./pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "./postgres.ts"

export interface TwoPods {
  readonly first: TestPod
  readonly second: TestPod
  readonly url: string
}

// In ms. Two pods start slowly while other tests run.
const startMs = 240_000

/** Runs a suite with two pods. They exist only inside the tests of the suite. */
export const describeTwoPods = (name: string, suite: (pods: TwoPods) => void): void =>
  describePostgres(name, (server) => {
    let database: TestDatabase
    let first: TestPod
    let second: TestPod
    beforeAll(async () => {
      database = await aDatabaseOn(server)
      first = await aPod({ kind: "postgres", url: database.url })
      second = await aPod({ kind: "postgres", url: database.url })
    }, startMs)
    afterAll(async () => {
      await second?.stop()
      await first?.stop()
      await database?.drop()
    })
    suite({
      get first() {
        return first
      },
      get second() {
        return second
      },
      get url() {
        return database.url
      }
    })
  })
