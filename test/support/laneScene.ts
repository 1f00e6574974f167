/**
 * Helpers for tests of lanes (connections that statements share): statements that wait for a lock, a pool that refuses
 * every statement, and a session that holds the locks.
 */
import { SqlError } from "@effect/sql"
import { Effect, Either, Exit, Redacted } from "effect"
import pg from "pg"
import { classify } from "../../src/platform/Database.ts"
import { acquireLanes, type StatementRunner, type LaneOptions } from "../../src/platform/Lanes.ts"
import { yieldToEventLoop } from "../../src/platform/EventLoop.ts"
import { aMoment } from "./aMoment.ts"
import { aDatabaseOn } from "./postgres.ts"

/**
 * The error of a pool that refuses every statement. If a statement succeeds with this pool, it ran on a lane (a shared
 * connection).
 */
export const noRoom = new SqlError.SqlError({ cause: new Error("no lane was free"), message: "No room" })
export const noPool: StatementRunner = { execute: () => Effect.fail(noRoom) }

/**
 * Repeats the statement until it runs on a lane (a shared connection). While the lane still connects, statements go to
 * the pool.
 */
export const onLane = (lanes: StatementRunner, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.gen(function* () {
    for (;;) {
      const result = yield* Effect.either(lanes.execute(text, values, undefined))
      if (Either.isRight(result)) return result.right
      if (result.left !== noRoom) return yield* result.left
      yield* yieldToEventLoop
    }
  })

export const pidOf = (lanes: StatementRunner) =>
  Effect.map(onLane(lanes, "SELECT pg_backend_pid() AS pid"), ([row]) => (row as { readonly pid: number }).pid)

export const take = "SELECT pg_advisory_xact_lock($1::bigint)::text AS done, $2::int AS id"
export const echo = "SELECT $1::int AS id"

export const unavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause._tag === "Fail" &&
  exit.cause.error instanceof SqlError.SqlError &&
  classify(exit.cause.error) === "unavailable"

/**
 * Opens one lane (a connection that statements share) for reads and one for writes. Statements on a lane have the same
 * time limits as on the pool, unless `times` sets other limits.
 */
export const lanesAt = (url: string, times: NonNullable<LaneOptions["times"]> = {}) =>
  acquireLanes({
    url: Redacted.make(url),
    read: 1,
    write: 1,
    times: { lockWithinMs: 0, runWithinMs: 15_000, ...times }
  })

export interface LaneScene {
  readonly url: string
  /** A database session of a superuser. It is not a connection of the pod. */
  readonly holder: pg.Client
  readonly holds: (lock: number) => Effect.Effect<unknown>
  readonly releases: (lock: number) => Effect.Effect<unknown>
  /** Waits until at least one session waits for the lock. Returns the process ids of all these sessions. */
  readonly waitersFor: (lock: number) => Effect.Effect<ReadonlyArray<number>>
  readonly stop: () => Promise<void>
}

export const aLaneScene = async (server: string): Promise<LaneScene> => {
  const { drop, url } = await aDatabaseOn(server)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  return {
    url,
    holder,
    holds: (lock) => Effect.promise(() => holder.query("SELECT pg_advisory_lock($1)", [lock])),
    releases: (lock) => Effect.promise(() => holder.query("SELECT pg_advisory_unlock($1)", [lock])),
    waitersFor: (lock) =>
      // The database server does not tell the test that a session waits, so the test repeats the query.
      Effect.promise(async () => {
        const text = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        for (;;) {
          const { rows } = await holder.query<{ readonly pid: number }>(text, [lock])
          if (rows.length > 0) return rows.map(({ pid }) => pid)
          await aMoment()
        }
      }),
    stop: async () => {
      await holder.end()
      await drop()
    }
  }
}
