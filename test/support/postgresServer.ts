/**
 * Finds the PostgreSQL server of a test run: the configured server, or a server that already runs. Otherwise starts a
 * server.
 */
import { randomBytes } from "node:crypto"
import { userInfo } from "node:os"
import pg from "pg"
import { prepare } from "./migrations.ts"
import { serverBinaries, startCluster } from "./postgresCluster.ts"

const oldestVersion = 150_000 // The lowest `server_version_num`. The migrations need PostgreSQL 15.
const answerWithinMs = 1_500 // The longest wait for a connection. A server on this machine answers in milliseconds.

export type Server =
  | { readonly url: string; readonly origin: string; readonly stop: () => Promise<void> }
  | { readonly url: null; readonly reason: string; readonly stop: () => Promise<void> }

const nothingToStop = async () => undefined

const messageOf = (cause: unknown): string => {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(", ")
  return cause instanceof Error ? cause.message : String(cause)
}

/** Opens a connection, runs `work` with the connection, and always closes it afterwards. */
export const connected = async <A>(url: string, work: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerWithinMs })
  // If a server stops while a connection is idle, the client emits `error`. Without this handler the event would end
  // the whole test run.
  client.on("error", () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns the reason why the tests cannot use this server for their databases. Undefined if they can. */
const unfit = (url: string): Promise<string | undefined> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ version: number; able: boolean }>(
      `SELECT current_setting('server_version_num')::int AS version,
              rolsuper OR (rolcreatedb AND rolcreaterole) AS able
       FROM pg_roles WHERE rolname = current_user`
    )
    const [found] = rows
    if (found === undefined || !found.able) return "its user may not create databases and roles"
    if (found.version < oldestVersion) return `its version ${found.version} is older than PostgreSQL 15`
    return undefined
  }).catch(messageOf)

const alreadyThere = async (): Promise<string | undefined> => {
  const ownName = encodeURIComponent(userInfo().username)
  for (const account of ["postgres:postgres", ownName]) {
    const url = `postgresql://${account}@127.0.0.1:5432/postgres`
    if ((await unfit(url)) === undefined) return url
  }
  return undefined
}

/**
 * Finds a server, in this order: the server in POD_TEST_DATABASE_URL, a server on 127.0.0.1:5432, a new server with
 * installed binaries. Fails only if the variable is set and its server cannot be used, because the tests must not
 * silently use another server.
 */
export const findServer = async (): Promise<Server> => {
  const givenUrl = process.env["POD_TEST_DATABASE_URL"]
  if (givenUrl !== undefined && givenUrl !== "") {
    const why = await unfit(givenUrl)
    if (why !== undefined) throw new Error(`POD_TEST_DATABASE_URL cannot be used: ${why}`)
    return { url: givenUrl, origin: "POD_TEST_DATABASE_URL", stop: nothingToStop }
  }
  const there = await alreadyThere()
  if (there !== undefined) return { url: there, origin: "the server on 127.0.0.1:5432", stop: nothingToStop }
  const binaries = await serverBinaries()
  if (binaries === undefined) {
    const reason = "no POD_TEST_DATABASE_URL, no usable server on 127.0.0.1:5432, no PostgreSQL binaries"
    return { url: null, reason, stop: nothingToStop }
  }
  return startCluster(binaries).then(
    (cluster) => ({ ...cluster, origin: binaries }),
    (cause: unknown) => ({
      url: null,
      reason: `a private cluster from ${binaries} did not start: ${messageOf(cause)}`,
      stop: nothingToStop
    })
  )
}

/**
 * Returns a text with which the names of all databases of this run begin. At the end of the run, this text identifies
 * the databases that a suite has not dropped.
 */
export const databasesOfRun = (): string => `pod_test_${randomBytes(4).toString("hex")}`

export const databaseUrl = (url: string, name: string): string => {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/**
 * Many servers sort texts by the rules of a language, where "a" comes before "B". PGlite and the stores in memory compare
 * bytes. So the databases of tests sort by a language too, and a statement that forgets `COLLATE "C"` fails a test.
 * PostgreSQL can be built without these rules; then the databases sort as the server does.
 */
const linguistic = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
const canSortByLanguage = "SELECT 1 FROM pg_collation WHERE collprovider = 'i' LIMIT 1"

/** Creates the migrated template database, which is copied for each suite. Returns its name. */
export const makeTemplate = async (url: string, prefix: string): Promise<string> => {
  const name = `${prefix}_template`
  await connected(url, async (client) => {
    const { rows } = await client.query(canSortByLanguage)
    await client.query(`CREATE DATABASE ${name} ${rows.length === 0 ? "" : linguistic}`)
    // Roles belong to the whole server. Two test runs that create the same role at the same moment would conflict, so
    // they take turns.
    await client.query("SELECT pg_advisory_lock(hashtext('pod test template'))")
    await connected(databaseUrl(url, name), (inside) =>
      prepare({
        exec: (text) => inside.query(text),
        query: (text) => inside.query<Record<string, unknown>>(text).then((result) => result.rows)
      })
    )
  })
  return name
}

export const dropDatabasesOfRun = (url: string, prefix: string): Promise<void> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
      [prefix]
    )
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`)
  })
