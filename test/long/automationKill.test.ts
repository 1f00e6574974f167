/** A pod is killed while its rules run. On PostgreSQL the runs continue after half a minute, when their leases end. */
import { describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { killedWhileRunning } from "../support/killedRules.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

// In this time a pod can start twice, and a killed run can continue after half a minute.
const patience = { timeout: 180_000 }

describe("a pod on PGlite that is killed while its automation rules run", () => {
  it("after a pod on PGlite was killed and restarted, every step of every automation run is done once", patience, () =>
    killedWhileRunning({})
  )
})

describePostgres("a pod on PostgreSQL that is killed while its automation rules run", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database.drop())

  it(
    "after a pod on PostgreSQL was killed and restarted, every step of every automation run is done once",
    patience,
    () => killedWhileRunning({ POD_DATABASE_URL: database.url })
  )
})
