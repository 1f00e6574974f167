/** Waits for the end of all transactions that the nodes of one database have open at the time of the call. */
import { SqlError } from "@effect/sql"
import { type Duration, Effect, Schedule } from "effect"
import type pg from "pg"
import { query } from "./PostgresPool.ts"
import { nameOf } from "./PostgresSession.ts"

// how long the pod waits for the end of a transaction; a transaction of a node takes milliseconds, so a longer
// transaction waits for a lock, or its node has crashed
const patience = "5 seconds"
// the time to wait after the termination, because the server ends a transaction only at its next check for interrupts
const afterTermination = "5 seconds"

/**
 * The pauses between queries. The first pauses are short, because most transactions end within milliseconds. Later
 * pauses are 200 ms, so that a transaction that hangs causes only a few queries a second.
 */
const pauses = Schedule.exponential("2 millis").pipe(Schedule.union(Schedule.spaced("200 millis")))

/**
 * Transactions, each identified by its server process (backend) and its start time. So a later transaction of the same
 * process is another transaction.
 */
interface OpenTransactions {
  readonly pids: ReadonlyArray<number>
  readonly starts: ReadonlyArray<string>
}

interface OpenRow extends OpenTransactions {
  readonly isTracked: boolean
}

/**
 * Selects the connections of nodes with an open transaction. It selects them by their application name, because other
 * programs, such as a backup, can log in as the same user. It leaves out the connections of other users, because
 * PostgreSQL does not show their transactions.
 */
const ofPods = `datname = current_database() AND backend_type = 'client backend' AND usename = session_user
  AND application_name = '${nameOf("work")}' AND xact_start IS NOT NULL`

const ofThese = "(pid, xact_start) IN (SELECT * FROM unnest($1::int[], $2::timestamptz[]))"

const openColumns = `coalesce(array_agg(pid ORDER BY pid), '{}') AS pids,
  coalesce(array_agg(xact_start::text ORDER BY pid), '{}') AS starts,
  current_setting('track_activities')::boolean AS "isTracked"`

/**
 * The failure if the server does not track activities. The list of transactions would then be empty, as if all
 * transactions had ended.
 */
const cannotSee = new SqlError.SqlError({
  message: "Transactions cannot be seen",
  cause: new Error("track_activities is off. Switch it on: the pod has to see which transactions are still open.")
})

const selectOpen = (pool: pg.Pool, condition: string, values: ReadonlyArray<unknown>) =>
  query<OpenRow>(pool, `SELECT ${openColumns} FROM pg_stat_activity WHERE ${condition}`, values).pipe(
    Effect.flatMap(({ rows: [row] }) =>
      row?.isTracked ? Effect.succeed<OpenTransactions>(row) : Effect.fail(cannotSee)
    )
  )

/** Returns the transactions that nodes have open now. Fails if the server does not track them. */
export const openTransactions = (pool: pg.Pool): Effect.Effect<OpenTransactions, SqlError.SqlError> =>
  selectOpen(pool, ofPods, [])

/**
 * Waits for the given transactions, at most for `time`, and returns those that are still open. Returns early if all
 * have ended.
 */
const leftAfter = Effect.fnUntraced(function* (pool: pg.Pool, open: OpenTransactions, time: Duration.DurationInput) {
  let stillOpen = open
  if (stillOpen.pids.length === 0) return stillOpen
  yield* selectOpen(pool, `${ofPods} AND ${ofThese}`, [open.pids, open.starts]).pipe(
    Effect.tap((still) => Effect.sync(() => (stillOpen = still))),
    Effect.repeat({ schedule: Schedule.upTo(pauses, time), until: ({ pids }) => pids.length === 0 })
  )
  return stillOpen
})

/**
 * Terminates the transactions. The callers get the answer that the database is unavailable, and can send their calls
 * again.
 */
const terminate = (pool: pg.Pool, { pids, starts }: OpenTransactions) =>
  query(pool, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofPods} AND ${ofThese}`, [
    pids,
    starts
  ]).pipe(Effect.ignore)

/**
 * Returns when every transaction that a node had open at the time of the call has ended. A transaction that hangs for
 * five seconds is terminated. If a transaction could still commit after that, the function fails within seconds.
 *
 * The function compares transactions and not times, so its result is right even if somebody sets the clock back. The
 * connections of `pool` must not run as `pod_app`, because that role cannot see the transactions. The function would
 * then not wait for them.
 */
export const podTransactionsEnded = (pool: pg.Pool): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const openTooLong = yield* leftAfter(pool, yield* openTransactions(pool), patience)
    if (openTooLong.pids.length === 0) return
    yield* Effect.logWarning(
      "Transactions of a pod did not end after a credential was revoked; they are terminated."
    ).pipe(Effect.annotateLogs({ backends: openTooLong.pids.join(" ") }))
    yield* terminate(pool, openTooLong)
    const stillOpen = yield* leftAfter(pool, openTooLong, afterTermination)
    if (stillOpen.pids.length > 0) {
      return yield* new SqlError.SqlError({
        message: "Transactions do not end",
        cause: new Error(`The backends ${stillOpen.pids.join(", ")} do not end.`)
      })
    }
  })
