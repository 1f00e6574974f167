/** The transactions that pods have open on one PostgreSQL: waiting until those of a moment have ended. */
import { SqlError } from "@effect/sql"
import { type Duration, Effect, Schedule } from "effect"
import type pg from "pg"
import { query } from "./PostgresPool.ts"
import { nameOf } from "./PostgresSession.ts"

// A transaction of a pod takes milliseconds. One that takes this long waits for a lock or for a pod that is gone.
const patience = "5 seconds"
const afterTermination = "5 seconds" // the server ends a backend at its next check for interrupts

/** Quick while the ordinary case lasts, and a few questions a second while something stands still. */
const pauses = Schedule.exponential("2 millis").pipe(Schedule.union(Schedule.spaced("200 millis")))

/** Transactions, each by its backend and its beginning: a backend that began another one since does not count. */
interface Open {
  readonly pids: ReadonlyArray<number>
  readonly starts: ReadonlyArray<string>
}

interface Found extends Open {
  readonly isTracked: boolean
}

/**
 * Whoever else is logged in as the same user, such as a backup, holds no transaction of a pod: pods are told by the
 * name of their connections. The server shows when a transaction began only to whoever logged that session in.
 */
const ofPods = `datname = current_database() AND backend_type = 'client backend' AND usename = session_user
  AND application_name = '${nameOf("work")}' AND xact_start IS NOT NULL`

const ofThese = "(pid, xact_start) IN (SELECT * FROM unnest($1::int[], $2::timestamptz[]))"

const found = `coalesce(array_agg(pid ORDER BY pid), '{}') AS pids,
  coalesce(array_agg(xact_start::text ORDER BY pid), '{}') AS starts,
  current_setting('track_activities')::boolean AS "isTracked"`

/** Not to know is a failure: an empty list would be taken for "all have ended". */
const blind = new SqlError.SqlError({
  message: "Transactions cannot be seen",
  cause: new Error("track_activities is off. Switch it on: the pod has to see which transactions are still open.")
})

const asked = (pool: pg.Pool, condition: string, values: ReadonlyArray<unknown>) =>
  query<Found>(pool, `SELECT ${found} FROM pg_stat_activity WHERE ${condition}`, values).pipe(
    Effect.flatMap(({ rows: [row] }) => (row?.isTracked ? Effect.succeed<Open>(row) : Effect.fail(blind)))
  )

/** The transactions that pods have open now. Fails when the server does not keep note of them. */
export const openTransactions = (pool: pg.Pool): Effect.Effect<Open, SqlError.SqlError> => asked(pool, ofPods, [])

/** Those of them that are still open after a time; returns as soon as there is none. */
const leftAfter = (pool: pg.Pool, open: Open, time: Duration.DurationInput) =>
  Effect.gen(function* () {
    let left = open
    if (left.pids.length === 0) return left
    yield* asked(pool, `${ofPods} AND ${ofThese}`, [open.pids, open.starts]).pipe(
      Effect.tap((still) => Effect.sync(() => (left = still))),
      Effect.repeat({ schedule: Schedule.upTo(pauses, time), until: ({ pids }) => pids.length === 0 })
    )
    return left
  })

/** The call that a terminated transaction served is answered as when the database went away; it can be sent again. */
const terminate = (pool: pg.Pool, { pids, starts }: Open) =>
  query(pool, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofPods} AND ${ofThese}`, [
    pids,
    starts
  ]).pipe(Effect.ignore)

/**
 * Returns once every transaction that a pod had open at the call has ended; one that stands still for five seconds is
 * ended by force. Fails, within seconds too, when something may still be committed.
 *
 * Compared are transactions and not times, so a clock that is set back hides none. `pool` has to be of connections
 * that did not become pod_app: pod_app would see nothing, and so wait for nothing.
 */
export const podTransactionsEnded = (pool: pg.Pool): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const standing = yield* leftAfter(pool, yield* openTransactions(pool), patience)
    if (standing.pids.length === 0) return
    yield* Effect.logWarning("Transactions of a pod stood still while a credential ended; they are terminated.").pipe(
      Effect.annotateLogs({ backends: standing.pids.join(" ") })
    )
    yield* terminate(pool, standing)
    const left = yield* leftAfter(pool, standing, afterTermination)
    if (left.pids.length > 0) {
      return yield* new SqlError.SqlError({
        message: "Transactions do not end",
        cause: new Error(`The backends ${left.pids.join(", ")} do not end.`)
      })
    }
  })
