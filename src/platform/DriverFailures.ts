/** Brings a failure of the database through a library that hides it behind an error of its own. */
import { SqlError } from "@effect/sql"
import { Effect } from "effect"
import type { PostgresPool, PostgresPoolClient } from "kysely"
import { AsyncLocalStorage } from "node:async_hooks"
import type pg from "pg"

/** What the driver answered last within one call of the library. */
interface Heard {
  failure: unknown
}

const calls = new AsyncLocalStorage<Heard>()

const noted = async <A>(asked: Promise<A>): Promise<A> => {
  try {
    return await asked
  } catch (cause) {
    const heard = calls.getStore()
    if (heard !== undefined) heard.failure = cause
    throw cause
  }
}

/** The pool as the library's query builder uses it. */
export const notingPool = (pool: pg.Pool): PostgresPool => ({
  connect: async () => {
    const client = await noted(pool.connect())
    return {
      // The library uses no cursors, so what comes by is text with values and what goes back a driver's result.
      query: ((text: string, values: ReadonlyArray<unknown>) =>
        noted(client.query(text, [...values]))) as unknown as PostgresPoolClient["query"],
      release: () => client.release()
    }
  },
  end: () => pool.end()
})

/**
 * One call of the library over a noting pool. When it fails after the database did, the defect is the database's
 * failure, so that the caller is told to come back; else `expected` may turn what was thrown into an answer.
 */
export const throughLibrary = <A>(
  run: () => Promise<A>,
  expected: (cause: unknown) => A | undefined = () => undefined
): Effect.Effect<A> =>
  Effect.suspend(() => {
    const heard: Heard = { failure: undefined }
    return Effect.catchAllDefect(
      Effect.promise(() => calls.run(heard, run)),
      (cause) => {
        if (heard.failure !== undefined) {
          return Effect.die(new SqlError.SqlError({ cause: heard.failure, message: "Failed within a library" }))
        }
        const answer = expected(cause)
        return answer === undefined ? Effect.die(cause) : Effect.succeed(answer)
      }
    )
  })
