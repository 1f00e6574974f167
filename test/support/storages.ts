/** Runs suites of tests on the storages that a pod can have. */
import { afterAll, beforeAll, describe } from "@effect/vitest"
import { anEmbedded } from "./pgliteImage.ts"
import type { Storage } from "./pod.ts"
import { aDatabaseOn, describePostgres, postgresUrl, type TestDatabase } from "./postgres.ts"

export const storages: ReadonlyArray<readonly [where: string, storage: Storage]> = [
  ["in memory", { kind: "memory" }],
  ["on PGlite", { kind: "pglite", open: anEmbedded }]
]

/** Runs the suite in memory, on PGlite and on PostgreSQL. The URL of PostgreSQL is known only after the first hook of its suite has run. */
export const onEachStorage = (noun: string, suite: (storage: Storage) => void): void => {
  for (const [where, storage] of storages) describe(`${noun}, ${where}`, () => suite(storage))
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
}

/**
 * Runs a long suite on only one database engine: on PostgreSQL, which is faster, or on PGlite if the test run has no server.
 * `npm run test:long` runs it on PGlite. The contract suite of each store runs on both engines.
 */
export const onOneDatabase = (suite: (storage: () => Storage) => void): void => {
  if (postgresUrl === null) {
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
