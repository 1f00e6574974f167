/** Connections to PostgreSQL that outlive a bad line: no error goes unheard, and nobody waits on a silent one for ever. */
import { SqlError } from "@effect/sql"
import { Effect, type Scope } from "effect"
import type { Socket } from "node:net"
import pg from "pg"

export const connectWithinMs = 5_000
const silenceMs = 17_000 // the server ends a statement, or a pause in a transaction, after 15 s: by then it has spoken
const farewellMs = 1_000 // a goodbye over a silent line is not answered; of the 10 s that a stop may take

// The driver's types leave its connection out; the stream is there from the first moment of connecting.
const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream

/** Breaks the connection: what waits on it fails at once, and nothing is said to the server. */
export const sever = (client: pg.Client, why: string): void => void streamOf(client).destroy(new Error(why))

/**
 * Makes an error that comes while nobody listens harmless; it would end the process. The pool stops listening when it
 * lends a client, and not every borrower begins to. The statements under way fail all the same.
 */
export const heard = (client: pg.Client): pg.Client => client.on("error", () => {})

/** Says goodbye, and leaves without an answer when there is none. */
export const leave = (client: pg.Client): Effect.Effect<void> =>
  Effect.promise(async () => {
    const patience = setTimeout(() => sever(client, "The goodbye was not answered."), farewellMs)
    await client.end().catch(() => undefined)
    clearTimeout(patience)
  })

/** A pool that ends with its scope, within a second also when the server no longer answers. */
export const acquirePool = (config: pg.PoolConfig): Effect.Effect<pg.Pool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const open = new Set<pg.Client>()
      const pool = new pg.Pool({ connectionTimeoutMillis: connectWithinMs, ...config })
      // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
      pool.on("error", () => {})
      pool.on("connect", (lent) => {
        const client = heard(lent)
        // No traffic for so long: the line is gone, or nobody used the client and it is not missed.
        streamOf(client).setTimeout(silenceMs, () => sever(client, "PostgreSQL does not answer."))
        open.add(client)
      })
      pool.on("remove", (client) => open.delete(client))
      return { pool, open }
    }),
    ({ open, pool }) =>
      Effect.promise(async () => {
        const patience = setTimeout(() => {
          for (const client of open) sever(client, "The pod stops.")
        }, farewellMs)
        await pool.end()
        clearTimeout(patience)
      })
  ).pipe(Effect.map(({ pool }) => pool))

/** One statement on a pool. */
export const query = <R extends pg.QueryResultRow>(pool: pg.Pool, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.tryPromise({
    try: () => pool.query<R>(text, [...values]),
    catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to execute statement" })
  })
