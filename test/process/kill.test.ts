/** A pod that is killed under load keeps every acknowledged write with its event, and no part of any other write. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { killRounds } from "../support/killRounds.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const load = { rounds: 1, writers: 8, acknowledgedLeast: 60 }

describe("a pod on PGlite that is killed", () => {
  it("a pod on PGlite that is killed keeps every write that it acknowledged", async () => {
    const { acknowledged } = await killRounds(load)
    assert.isAtLeast(acknowledged, load.rounds * load.acknowledgedLeast)
  })
})

describePostgres("a pod on PostgreSQL that is killed", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database.drop())

  it("a pod on PostgreSQL that is killed keeps every write that it acknowledged", async () => {
    const { acknowledged } = await killRounds({ ...load, databaseUrl: database.url })
    assert.isAtLeast(acknowledged, load.rounds * load.acknowledgedLeast)
  })
})
