/** A scene for lanes: statements that wait for a lock, a pool that takes none, and a session that holds the locks. */
import { SqlError } from "@effect/sql"
import { Effect, Either, Exit, Redacted } from "effect"
import pg from "pg"
import { classify } from "../../src/platform/Database.ts"
import { acquireLanes, type Executes, type LaneOptions } from "../../src/platform/Lanes.ts"
import { turn } from "../../src/platform/Turn.ts"
import { aDatabaseOn } from "./postgres.ts"

/** A pool that takes no statement, so a test knows that what was answered ran on a lane. */
export const noRoom = new SqlError.SqlError({ cause: new Error("no lane was free"), message: "No room" })
export const noPool: Executes = { execute: () => Effect.fail(noRoom) }

/** Runs again until a lane is open, because a lane connects while the pool takes the first statements. */
export const onLane = (lanes: Executes, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.gen(function* () {
    for (;;) {
      const result = yield* Effect.either(lanes.execute(text, values, undefined))
      if (Either.isRight(result)) return result.right
      if (result.left !== noRoom) return yield* result.left
      yield* turn
    }
  })

export const pidOf = (lanes: Executes) =>
  Effect.map(onLane(lanes, "SELECT pg_backend_pid() AS pid"), ([row]) => (row as { readonly pid: number }).pid)

export const take = "SELECT pg_advisory_xact_lock($1::bigint)::text AS done, $2::int AS id"
export const echo = "SELECT $1::int AS id"

export const unavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause._tag === "Fail" &&
  exit.cause.error instanceof SqlError.SqlError &&
  classify(exit.cause.error) === "unavailable"

/** One lane of each kind, which lets statements wait and run as long as the pool does, unless `times` say otherwise. */
export const lanesAt = (url: string, times: NonNullable<LaneOptions["times"]> = {}) =>
  acquireLanes({
    url: Redacted.make(url),
    read: 1,
    write: 1,
    times: { lockWithinMs: 0, runWithinMs: 15_000, ...times }
  })

export interface LaneScene {
  readonly url: string
  /** A session of a superuser, which is no connection of the pod. */
  readonly holder: pg.Client
  readonly holds: (lock: number) => Effect.Effect<unknown>
  readonly releases: (lock: number) => Effect.Effect<unknown>
  /** The backends that wait for the lock, as soon as there is one. */
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
      // The test cannot wait for an event of another process, so it repeats the question.
      Effect.promise(async () => {
        const text = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        for (;;) {
          const { rows } = await holder.query<{ readonly pid: number }>(text, [lock])
          if (rows.length > 0) return rows.map(({ pid }) => pid)
        }
      }),
    stop: async () => {
      await holder.end()
      await drop()
    }
  }
}
