/** The storages of pods in tests: suites of flows run once on each. */
import { afterAll, beforeAll, describe } from "@effect/vitest"
import { anEmbedded } from "./pgliteImage.ts"
import type { Storage } from "./pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "./postgres.ts"

export const storages: ReadonlyArray<readonly [where: string, storage: Storage]> = [
  ["in memory", { kind: "memory" }],
  ["on PGlite", { kind: "pglite", open: anEmbedded }]
]

/** Runs the suite in memory, on PGlite and on PostgreSQL. The address of PostgreSQL is known when the first hook of it has run. */
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
