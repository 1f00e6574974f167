/**
 * Calls better-auth, the library for sign-in. The library replaces failures of the database with its own errors, so
 * this file finds the real failure. This file also turns off the AsyncLocalStorage hooks of Node that the library
 * leaves on.
 */
import { SqlError } from "@effect/sql"
import { Effect } from "effect"
import type { PostgresPool, PostgresPoolClient } from "kysely"
import { AsyncLocalStorage } from "node:async_hooks"
import type pg from "pg"

/** The latest failure of the database driver within one call of better-auth. */
interface DriverFailure {
  failure: unknown
}

const calls = new AsyncLocalStorage<DriverFailure>()

const isStorage = (value: unknown): value is AsyncLocalStorage<unknown> => value instanceof AsyncLocalStorage

/** Returns the AsyncLocalStorage objects that better-auth keeps in the global object. */
const libraryStorages = (): ReadonlyArray<AsyncLocalStorage<unknown>> => {
  const global: unknown = Reflect.get(globalThis, Symbol.for("better-auth:global"))
  const context: unknown = typeof global === "object" && global !== null ? Reflect.get(global, "context") : undefined
  return typeof context === "object" && context !== null ? Object.values(context).filter(isStorage) : []
}

let runningCalls = 0

/**
 * Runs a call of better-auth. When no other call of better-auth is running any more, the function turns off the
 * AsyncLocalStorage objects of the library and of this file. An AsyncLocalStorage in use makes Node follow each promise
 * and each socket, so all requests of the process would become slower. The next call turns these objects on again.
 */
const runStored = async <A>(latest: DriverFailure, run: () => Promise<A>): Promise<A> => {
  runningCalls += 1
  try {
    return await calls.run(latest, run)
  } finally {
    runningCalls -= 1
    if (runningCalls === 0) for (const storage of [calls, ...libraryStorages()]) storage.disable()
  }
}

const recordFailure = async <A>(answer: Promise<A>): Promise<A> => {
  try {
    return await answer
  } catch (cause) {
    const latest = calls.getStore()
    if (latest !== undefined) latest.failure = cause
    throw cause
  }
}

/** Makes a pool for the query builder of better-auth. The pool records the failures of the database driver. */
export const recordingPool = (pool: pg.Pool): PostgresPool => ({
  connect: async () => {
    const client = await recordFailure(pool.connect())
    return {
      // The library better-auth uses no cursors, so this pool needs only queries with a text and values.
      query: ((text: string, values: ReadonlyArray<unknown>) =>
        recordFailure(client.query(text, [...values]))) as unknown as PostgresPoolClient["query"],
      release: () => client.release()
    }
  },
  end: () => pool.end()
})

/**
 * Runs one call of better-auth over a recording pool. If the database failed, this failure becomes a defect, so that
 * the caller is asked to try again later. For other errors of the library, the function `expected` can return an answer
 * instead.
 */
export const callLibrary = <A>(
  run: () => Promise<A>,
  expected: (cause: unknown) => A | undefined = () => undefined
): Effect.Effect<A> =>
  Effect.suspend(() => {
    const latest: DriverFailure = { failure: undefined }
    return Effect.catchAllDefect(
      Effect.promise(() => runStored(latest, run)),
      (cause) => {
        if (latest.failure !== undefined) {
          return Effect.die(new SqlError.SqlError({ cause: latest.failure, message: "Failed within a library" }))
        }
        const answer = expected(cause)
        return answer === undefined ? Effect.die(cause) : Effect.succeed(answer)
      }
    )
  })
