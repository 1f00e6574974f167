/**
 * The pod works on a database with unusual defaults, because the pod sets its own settings on each
 * connection.
 */
import { assert } from "@effect/vitest"
import pg from "pg"
import { afterAll, beforeAll, it } from "vitest"
import { nameOf, type PurposeName, settingsOf } from "../../src/platform/PostgresSession.ts"
import { aFaultProxy, type FaultProxy } from "../support/faultProxy.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { anOddDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"

const odd = {
  search_path: "pg_catalog",
  datestyle: "'German, DMY'",
  intervalstyle: "sql_standard",
  timezone: "'Asia/Kathmandu'",
  bytea_output: "escape",
  extra_float_digits: "-15",
  standard_conforming_strings: "off",
  array_nulls: "off",
  transform_null_equals: "on",
  gin_fuzzy_search_limit: "1",
  row_security: "off",
  default_transaction_isolation: "serializable",
  client_encoding: "LATIN1",
  lock_timeout: "1",
  statement_timeout: "1",
  idle_in_transaction_session_timeout: "1",
  idle_session_timeout: "1000",
  plan_cache_mode: "force_custom_plan",
  jit: "on",
  jit_above_cost: "0"
}

const purposes: ReadonlyArray<PurposeName> = ["work", "overseer", "listener", "migration"]

/**
 * Reads the parameters of a startup message. The message has a length and a version of 4 bytes each, and then names and
 * values that end with a zero byte.
 */
const startupOf = (firstWords: string): ReadonlyMap<string, string> => {
  const texts = firstWords.slice(8).split("\0")
  const end = texts.indexOf("")
  const pairs = Array.from({ length: end / 2 }, (_, at) => [texts[2 * at] ?? "", texts[2 * at + 1] ?? ""] as const)
  return new Map(pairs)
}

/** Removes differences of spelling, because PostgreSQL shows names and lists in its own form. */
const plain = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).map(([name, value]) => `${name}=${value.toLowerCase().replaceAll(" ", "")}`)

/**
 * Connects with these options. For each setting that the pod sets on connections for this purpose, returns its value on
 * the new connection.
 */
const inForce = async (url: string, purpose: PurposeName, options: string | undefined) => {
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  try {
    const shown: Record<string, string> = {}
    for (const name of Object.keys(settingsOf(purpose))) {
      const { rows } = await client.query<{ value: string }>("SELECT current_setting($1) AS value", [name])
      const value = rows[0]?.value ?? ""
      shown[name] = /^\d+s$/.test(value) ? `${Number.parseInt(value) * 1000}` : value
    }
    return plain(shown)
  } finally {
    await client.end()
  }
}

describePostgres("a database with unusual defaults", (server) => {
  let database: TestDatabase
  let proxy: FaultProxy
  let pod: TestPod
  beforeAll(async () => {
    database = await anOddDatabaseOn(server, odd)
    proxy = await aFaultProxy(database.url)
    const address = new URL(proxy.through(database.url))
    for (const [name, value] of Object.entries({
      application_name: "another name",
      statement_timeout: "1",
      options: "-c datestyle=SQL -c role=none"
    })) {
      address.searchParams.set(name, value)
    }
    pod = await aPod({ kind: "postgres", url: address.href })
  })
  afterAll(async () => {
    await pod.stop()
    await proxy.close()
    await database.drop()
  })

  it("a pod migrates a database with unusual defaults, and sign-in, keys, records, dates and revocation work on this database", async () => {
    const key = await pod.aKey(pod.owner)
    const workspaceId = await pod.aWorkspace(pod.owner)
    const made = await key.send("POST", "/api/hub/entities", {
      title: "12\\04\\2026 Zoë",
      profileSlug: "note",
      workspaceId
    })
    assert.strictEqual(made.status, 200, JSON.stringify(made.body))
    const listed = await key.send("GET", `/api/hub/entities?workspaceId=${workspaceId}`)
    assert.deepStrictEqual(
      listed.body.map(({ title }: { readonly title: string }) => title),
      ["12\\04\\2026 Zoë"]
    )
    const { createdAt } = listed.body[0]
    assert.strictEqual(new Date(createdAt).toISOString(), createdAt)
    const found = await key.send("GET", `/api/hub/entities?q=Zo%C3%AB&workspaceId=${workspaceId}`)
    assert.strictEqual(found.status, 200)
    assert.strictEqual((await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })).status, 200)
    assert.strictEqual((await key.send("GET", "/api/hub/users/me")).status, 401)
  })

  it("every database connection of the pod has the settings that are needed for the purpose of the connection", async () => {
    const startups = proxy.firstWords().map(startupOf)
    const names = new Set(startups.map((startup) => startup.get("application_name")))
    assert.sameMembers([...names], purposes.map(nameOf))
    for (const purpose of purposes) {
      const itsOptions = startups
        .filter((startup) => startup.get("application_name") === nameOf(purpose))
        .map((startup) => startup.get("options"))
      // Lanes (shared connections) have the settings of the pod's work, except for two shorter time limits: one for a
      // statement, and one for the wait for a lock.
      const ofLanes = ["statement_timeout=1000", "lock_timeout=250"]
      const plainly = new Set(
        itsOptions.map((options) =>
          options?.replace(ofLanes[0], "statement_timeout=15000").replace(ofLanes[1], "lock_timeout=0")
        )
      )
      assert.strictEqual(plainly.size, 1)
      assert.deepStrictEqual(await inForce(database.url, purpose, [...plainly][0]), plain(settingsOf(purpose)))
    }
  })

  it("the pod refuses a database that does not track activity, because a revocation could then not wait for the transactions of the revoked key", async () => {
    const blind = await anOddDatabaseOn(server, { track_activities: "off" })
    const refused = await aPod({ kind: "postgres", url: blind.url }).then(
      async (started) => {
        await started.stop()
        return "it started"
      },
      (cause: unknown) => String(cause)
    )
    await blind.drop()
    assert.include(refused, "Transactions cannot be seen")
  })
})
