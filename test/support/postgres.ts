/** PostgreSQL for suites: the server of the run, a fresh database per suite, and suites that say why they are skipped. */
import { randomBytes } from "node:crypto"
import { describe, inject } from "vitest"
import { connected, databaseUrl } from "./postgresServer.ts"

/** The server of this run, or null. Suites ask for a database of their own with `aDatabaseOn`. */
export const postgresUrl: string | null = inject("postgresUrl")

/** Why there is no server in this run, or null when there is one. */
export const postgresSkipped: string | null = inject("postgresSkipped")

export interface TestDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** A migrated database of the suite's own, copied from the template of the run. `drop` disconnects who is still in it. */
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

/** An empty database with settings of its own, which every connection to it begins with unless it says otherwise. */
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

/** A suite that needs PostgreSQL. Without one it is skipped, and its name carries the reason. */
export const describePostgres = (name: string, suite: (url: string) => void): void => {
  if (postgresUrl === null) {
    // The body still runs to collect its tests, so that each is counted as skipped; the address is never dialled.
    describe.skip(`${name} (skipped: ${postgresSkipped})`, () => suite("postgresql://no-server.invalid/postgres"))
  } else {
    const url = postgresUrl
    describe(name, () => suite(url))
  }
}
