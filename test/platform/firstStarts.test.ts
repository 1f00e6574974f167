/** Two pods start for the first time on one PostgreSQL server, with one database or with two. Both pods must start. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll } from "vitest"
import { migrate, migrations } from "../../src/platform/Migrations.ts"
import { aMoment } from "../support/aMoment.ts"
import { type Cluster, serverBinaries, startCluster } from "../support/postgresCluster.ts"
import { databaseUrl } from "../support/postgresServer.ts"

const binaries = await serverBinaries()

// This test uses its own server, because on the server of the other tests the role exists already.
describe.skipIf(binaries === undefined)("a pod starts on a database server without the database role of pods", () => {
  let cluster: Cluster
  let admin: pg.Client
  beforeAll(async () => {
    cluster = await startCluster(binaries ?? "")
    admin = await opened(cluster.url)
  })
  afterAll(async () => {
    await admin.end()
    await cluster.stop()
  })

  const opened = async (url: string) => {
    const client = new pg.Client({ connectionString: url, application_name: "migrating" })
    await client.connect()
    return client
  }

  const migrated = async (database: string) => {
    const client = await opened(databaseUrl(cluster.url, database))
    const owner = {
      exec: (text: string) => client.query(text),
      query: (text: string) => client.query<Record<string, unknown>>(text).then(({ rows }) => rows)
    }
    try {
      return await Effect.runPromise(migrate(owner))
    } finally {
      await client.end()
    }
  }

  const blocked = async () => {
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'migrating' AND wait_event_type = 'Lock'"
    while ((await admin.query(waiting)).rowCount === 0) await aMoment()
  }

  it("a pod continues its start if another pod creates the database role at the same moment", async () => {
    await admin.query("CREATE DATABASE first")
    await admin.query("CREATE DATABASE second")
    const other = await opened(cluster.url)
    // This connection does what another pod does during its first start.
    await other.query("BEGIN")
    await other.query("CREATE ROLE pod_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT")
    const first = migrated("first")
    await blocked()
    await other.query("COMMIT")
    assert.strictEqual((await first).length, migrations.length)

    await other.query("REVOKE pod_app FROM CURRENT_USER")
    await other.query("BEGIN")
    await other.query("GRANT pod_app TO CURRENT_USER")
    const second = migrated("second")
    await blocked()
    await other.query("COMMIT")
    assert.strictEqual((await second).length, migrations.length)
    await other.end()
  })

  it("two pods that start at the same moment on one database apply every migration only once", async () => {
    await admin.query("CREATE DATABASE shared")
    const applied = await Promise.all([migrated("shared"), migrated("shared")])
    assert.sameMembers(
      applied.map(({ length }) => length),
      [0, migrations.length]
    )
  })
})
