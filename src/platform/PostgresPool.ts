/**
 * Connections to PostgreSQL that survive an unreliable network. Every error has a listener, and every wait for an
 * answer has a limit.
 */
import { SqlError } from "@effect/sql"
import { Effect, type Scope } from "effect"
import type { Socket } from "node:net"
import pg from "pg"
import { sqlStates } from "./Database.ts"

export const connectWithinMs = 5_000
// The longest silence of the server on a connection, in milliseconds. The server normally answers earlier, because
// after 15 s it ends a statement, and also a transaction that waits for its next statement.
const silenceMs = 17_000
// the longest wait for the server's answer to a disconnect; it is short, so that the pod stops in less than 10 s
const disconnectMs = 1_000

/** The part of the driver's connection that this file uses. */
interface Connection {
  readonly stream: Socket
  readonly on: (event: "errorMessage", listener: (message: { readonly code?: string | undefined }) => void) => void
}

// The driver's types omit the field `connection` of the client. The stream exists as soon as the client connects.
const connectionOf = (client: pg.Client): Connection =>
  (client as unknown as { readonly connection: Connection }).connection

export const streamOf = (client: pg.Client): Socket => connectionOf(client).stream

/** Breaks the connection, so that everything that waits for it fails at once. Sends nothing to the server. */
export const breakConnection = (client: pg.Client, why: string): void => void streamOf(client).destroy(new Error(why))

/**
 * Adds an error listener that does nothing, because an error without a listener would end the process. The pool removes
 * its own listener when it hands out a client, and not all code that uses the client adds its own listener. Running
 * statements still fail.
 */
export const withErrorListener = (client: pg.Client): pg.Client => client.on("error", () => {})

/** The pool calls this function with the SQLSTATE of each failure that a server reports. */
export type SqlStateListener = (state: string) => void

/**
 * The SQLSTATEs of failures after which the server ends the session. The reasons are: the session was terminated or
 * idle for too long, the server shuts down or crashed, or the database was dropped. The pod recognizes these failures
 * by the SQLSTATE, because the server translates the word FATAL.
 */
const endsSession = /^(?:57P0[1-5]|25P0[34])$/

export const onSqlState = (client: pg.Client, listener: SqlStateListener): void =>
  connectionOf(client).on("errorMessage", ({ code }) => listener(code ?? ""))

/**
 * Breaks the connection when the server announces that it ends the session. The server closes the connection a moment
 * later. Until then the pool would lend the connection to the next call, and this call would fail.
 */
export const breakAtSessionEnd = (client: pg.Client): void =>
  onSqlState(client, (state) => {
    if (endsSession.test(state)) breakConnection(client, "The server ended the session.")
  })

/**
 * Breaks a connection that accepts no writes. Whether a connection accepts writes is fixed when the connection is
 * opened. It depends on the settings at that time and on the server. A new connection can reach a server that accepts
 * writes.
 */
const severAtReadOnly = (client: pg.Client): void =>
  onSqlState(client, (state) => {
    if (state === sqlStates.readOnly) breakConnection(client, "The connection takes no writes.")
  })

/** Disconnects, and breaks the connection if the server does not answer in time. */
export const endConnection = async (client: pg.Client): Promise<void> => {
  const patience = setTimeout(() => breakConnection(client, "The server did not answer the disconnect."), disconnectMs)
  await client.end().catch(() => undefined)
  clearTimeout(patience)
}

export const disconnect = (client: pg.Client): Effect.Effect<void> => Effect.promise(() => endConnection(client))

/**
 * Returns a connection pool that closes with its scope. The pool closes within a second, even if the server no longer
 * answers.
 */
export const acquirePool = (
  config: pg.PoolConfig,
  onState: SqlStateListener = () => {}
): Effect.Effect<pg.Pool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const open = new Set<pg.Client>()
      const pool = new pg.Pool({ connectionTimeoutMillis: connectWithinMs, ...config })
      // If an idle connection breaks, the pool replaces it. Without a listener its error would end the process.
      pool.on("error", () => {})
      pool.on("connect", (lentClient) => {
        const client = withErrorListener(lentClient)
        // The timeout fires when the connection had no traffic for `silenceMs`. Then either the network is down, or
        // nobody used the connection and it can be closed.
        streamOf(client).setTimeout(silenceMs, () => breakConnection(client, "PostgreSQL does not answer."))
        onSqlState(client, onState)
        breakAtSessionEnd(client)
        severAtReadOnly(client)
        open.add(client)
      })
      pool.on("remove", (client) => open.delete(client))
      return { pool, open }
    }),
    ({ open, pool }) =>
      Effect.promise(async () => {
        const patience = setTimeout(() => {
          for (const client of open) breakConnection(client, "The pod stops.")
        }, disconnectMs)
        await pool.end()
        clearTimeout(patience)
      })
  ).pipe(Effect.map(({ pool }) => pool))

/** Runs one statement on a connection of the pool. Fails with `SqlError`. */
export const query = <R extends pg.QueryResultRow>(pool: pg.Pool, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.tryPromise({
    try: () => pool.query<R>(text, [...values]),
    catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to execute statement" })
  })
