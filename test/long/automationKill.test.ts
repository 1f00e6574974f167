/** A pod is killed while its rules run. On PostgreSQL its runs continue when their lease of half a minute has ended. */
import { describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { killedWhileRunning } from "../support/killedRules.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const patience = { timeout: 180_000 } // Enough for two starts, and for a killed run to continue after half a minute.

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
