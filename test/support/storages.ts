/** Runs suites of tests on the storages that a pod can have. */
import { afterAll, beforeAll, describe } from "@effect/vitest"
import { inject } from "vitest"
import { anEmbedded } from "./pgliteImage.ts"
import type { Storage } from "./pod.ts"
import { aDatabaseOn, describePostgres, postgresUrl, type TestDatabase } from "./postgres.ts"

const memory = ["in memory", { kind: "memory" }] as const
const pglite = ["on PGlite", { kind: "pglite", open: anEmbedded }] as const

/**
 * True in the long test run (`npm run test:long`). This run executes the suites in memory and on PGlite, even if there
 * is a PostgreSQL server.
 */
export const isLong = inject("suitesOnPglite") === true
const server = isLong ? null : postgresUrl

/** The database engine for suites that run on only one engine: PostgreSQL, or PGlite if the test run has no server. */
export const database: Storage = server === null ? pglite[1] : { kind: "postgres", open: () => aDatabaseOn(server) }

type Storages = ReadonlyArray<readonly [where: string, storage: Storage]>

/**
 * The storages for suites that use HTTP: PostgreSQL, or memory if the test run has no server. The long test run uses
 * memory and PGlite. One storage is enough for these suites, because the same code runs on each storage, and the
 * contract suite of each store runs on all three.
 */
export const storages: Storages = isLong ? [memory, pglite] : [server === null ? memory : ["on PostgreSQL", database]]

type Suite = (storage: Storage) => void

/**
 * Runs the suite on PostgreSQL only, for example because several pods of the suite share one database. The URL of the
 * database is known only after the first hook of the suite has run.
 */
export const onPostgres = (noun: string, suite: Suite): void =>
  describePostgres(`${noun}, on PostgreSQL`, (server) => {
    const storage = { kind: "postgres" as const, url: "" }
    let database: TestDatabase | undefined
    beforeAll(async () => {
      database = await aDatabaseOn(server)
      storage.url = database.url
    })
    afterAll(() => database?.drop())
    suite(storage)
  })

/** Runs the suite in memory, on PGlite and on PostgreSQL. */
export const onEachStorage = (noun: string, suite: Suite): void => {
  for (const [where, storage] of [memory, pglite]) describe(`${noun}, ${where}`, () => suite(storage))
  onPostgres(noun, suite)
}

/**
 * Runs the suite on PostgreSQL, where all pods of the suite share one database. The long test run uses memory and
 * PGlite instead.
 */
export const onOneStorage = (noun: string, suite: Suite): void => {
  if (!isLong && server !== null) return onPostgres(noun, suite)
  for (const [where, storage] of storages) describe(`${noun}, ${where}`, () => suite(storage))
}

/**
 * Runs a long suite on only one database engine: on PostgreSQL, which is faster, or on PGlite if the test run has no
 * server. `npm run test:long` runs the suite on PGlite. The contract suite of each store runs on both engines.
 */
export const onOneDatabase = (suite: (storage: () => Storage) => void): void => {
  if (server === null) {
    describe("on PGlite", () => suite(() => ({ kind: "pglite", open: anEmbedded })))
    return
  }
  describePostgres("on PostgreSQL", (server) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await aDatabaseOn(server)
    })
    afterAll(() => database?.drop())
    suite(() => ({ kind: "postgres", url: database.url }))
  })
}
