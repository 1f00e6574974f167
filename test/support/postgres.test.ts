/** Checks the databases of a test run: they are reachable and migrated, and each suite has its own. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { anEmbedded } from "./pgliteImage.ts"
import { aDatabaseOn, describePostgres } from "./postgres.ts"
import type { TestDatabase } from "./postgres.ts"
import { connected } from "./postgresServer.ts"

describePostgres("the PostgreSQL server that the test run starts", (server) => {
  let first: TestDatabase
  let second: TestDatabase
  beforeAll(async () => {
    first = await aDatabaseOn(server)
    second = await aDatabaseOn(server)
  })
  afterAll(async () => {
    await first.drop()
    await second.drop()
  })

  it("the PostgreSQL database of one test suite does not contain the tables of another suite", async () => {
    await connected(first.url, (client) => client.query("CREATE TABLE only_here (id int)"))
    const { rows } = await connected(second.url, (client) =>
      client.query<{ found: string | null }>("SELECT to_regclass('only_here')::text AS found")
    )
    assert.deepStrictEqual(rows, [{ found: null }])
  })

  it("a dropped database refuses connections, even if a client was connected when the database was dropped", async () => {
    const dropped = await aDatabaseOn(server)
    await connected(dropped.url, async (client) => {
      await client.query("SELECT 1")
      await dropped.drop()
    })
    const failure = await connected(dropped.url, (client) => client.query("SELECT 1")).then(
      () => undefined,
      (cause: unknown) => cause
    )
    assert.propertyVal(failure, "code", "3D000")
  })

  it("the PostgreSQL server of the test run answers the query `SELECT 1`", async () => {
    const { rows } = await connected(server, (client) => client.query("SELECT 1 AS one"))
    assert.deepStrictEqual(rows, [{ one: 1 }])
  })

  it("the PostgreSQL server of the test run has the default planner settings, so that slow statements are slow in tests", async () => {
    const { rows } = await connected(server, (client) =>
      client.query<{ name: string }>(
        `SELECT name FROM pg_settings
         WHERE (name LIKE 'jit%' OR name LIKE '%\\_cost' OR name LIKE 'enable\\_%' OR name = 'plan_cache_mode')
           AND setting <> boot_val AND source NOT IN ('session', 'client')`
      )
    )
    assert.deepStrictEqual(rows, [])
  })

  it("a new PostgreSQL database of the test run is migrated, so it has the table `entities`", async () => {
    const { rows } = await connected(first.url, (client) =>
      client.query<{ found: boolean }>("SELECT to_regclass('entities') IS NOT NULL AS found")
    )
    assert.deepStrictEqual(rows, [{ found: true }])
  })
})

describe("the embedded databases of the test run", () => {
  it("two embedded databases of the test run are separate, and a new one is migrated, so it has the table `entities`", async () => {
    const first = await anEmbedded()
    const second = await anEmbedded()
    await first.exec("CREATE TABLE only_here (id int)")
    const { rows } = await second.query(
      "SELECT to_regclass('only_here')::text AS found, to_regclass('entities') IS NOT NULL AS migrated"
    )
    assert.deepStrictEqual(rows, [{ found: null, migrated: true }])
    await first.close()
    await second.close()
  })
})
