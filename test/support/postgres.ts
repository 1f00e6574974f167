/**
 * PostgreSQL for suites: the server of the test run, and a new database for each suite. If there is no server, the
 * suites are skipped, and their names give the reason.
 */
import { randomBytes } from "node:crypto"
import { describe, inject } from "vitest"
import { connected, databaseUrl } from "./postgresServer.ts"

/** The URL of the server of this run, or null. A suite gets its own database with `aDatabaseOn`. */
export const postgresUrl: string | null = inject("postgresUrl")

/** The reason why this run has no server. Null if it has a server. */
export const postgresSkipped: string | null = inject("postgresSkipped")

export interface TestDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** Creates a migrated database for one suite, copied from the template of the run. `drop` ends its open connections. */
export const aDatabaseOn = async (url: string): Promise<TestDatabase> => {
  const template = inject("postgresTemplate")
  if (template === null) throw new Error(`no template database: ${inject("migrationFailure") ?? "no server"}`)
  const name = `${inject("postgresPrefix")}_${randomBytes(6).toString("hex")}`
  await connected(url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  return {
    url: databaseUrl(url, name),
    drop: async () => {
      await connected(url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    }
  }
}

/** Creates an empty database with special settings. Every connection to it starts with these settings. */
export const anOddDatabaseOn = async (
  url: string,
  settings: Readonly<Record<string, string>>
): Promise<TestDatabase> => {
  const name = `${inject("postgresPrefix")}_${randomBytes(6).toString("hex")}`
  await connected(url, async (client) => {
    await client.query(`CREATE DATABASE ${name}`)
    for (const [setting, value] of Object.entries(settings)) {
      await client.query(`ALTER DATABASE ${name} SET ${setting} = ${value}`)
    }
  })
  return {
    url: databaseUrl(url, name),
    drop: async () => {
      await connected(url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    }
  }
}

/** Declares a suite that needs PostgreSQL. Without a server the suite is skipped, and its name gives the reason. */
export const describePostgres = (name: string, suite: (url: string) => void): void => {
  if (postgresUrl === null) {
    // The body of the suite still runs, so that each of its tests is counted as skipped. No test uses this address.
    describe.skip(`${name} (skipped: ${postgresSkipped})`, () => suite("postgresql://no-server.invalid/postgres"))
  } else {
    const url = postgresUrl
    describe(name, () => suite(url))
  }
}
