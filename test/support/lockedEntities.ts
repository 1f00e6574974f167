/** Blocks the calls of a pod on PostgreSQL: a session of another program locks the table that the calls need. */
import { aMoment } from "./aMoment.ts"
import { connected } from "./postgresServer.ts"

export interface LockedEntities {
  /** Resolves when at least `count` SQL statements of calls wait for the lock. */
  readonly untilWaiting: (count?: number) => Promise<void>
  /**
   * Resolves when the SQL statement of a call runs on a connection of the pool and waits there for the lock. Before
   * that, the statement waits on a lane (a shared connection).
   */
  readonly untilWaitingOnPool: () => Promise<void>
  /**
   * Returns how many SQL statements of calls wait for the lock now. With `before`, counts only the transactions that
   * began before this time of the database.
   */
  readonly waiting: (before?: string) => Promise<number>
  /** Returns the present time of the database. */
  readonly now: () => Promise<string>
  readonly release: () => Promise<void>
  /** Returns how many entities with this title are stored. Waits until the lock is released. */
  readonly stored: (title: string) => Promise<number>
}

/**
 * Selects the waiting SQL statements of calls. These statements begin with `WITH authority AS`, which checks the
 * caller. The pod's own statements, such as those of its hourly jobs, begin in another way and are left out.
 */
const waitingCalls = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH authority AS%'`

// A lane is a shared connection. If a statement waits for a quarter of a second on a lane, it runs again on the pool.
// So a statement that has waited longer than 400 ms is on the pool.
const onPool = "clock_timestamp() - query_start > interval '400 milliseconds'"

/** Locks the table of entities while `work` runs, and always releases it, so that a failed test leaves no lock. */
export const withLockedEntities = <A>(url: string, work: (locked: LockedEntities) => Promise<A>): Promise<A> =>
  connected(url, (holder) =>
    connected(url, async (watcher) => {
      const waiting = async (condition = "true") => {
        const { rows } = await watcher.query(`${waitingCalls} AND ${condition}`)
        return rows.length
      }
      await holder.query("BEGIN; LOCK TABLE entities IN ACCESS EXCLUSIVE MODE")
      return await work({
        // The database server does not tell the test that a statement waits, so the test repeats the query.
        untilWaiting: async (count = 1) => {
          while ((await waiting()) < count) await aMoment()
        },
        untilWaitingOnPool: async () => {
          while ((await waiting(onPool)) === 0) await aMoment()
        },
        waiting: (before) => waiting(before === undefined ? "true" : `xact_start < '${before}'::timestamptz`),
        now: async () => {
          const { rows } = await watcher.query<{ readonly now: string }>("SELECT clock_timestamp()::text AS now")
          return rows[0].now
        },
        release: async () => {
          await holder.query("COMMIT")
        },
        stored: async (title) => {
          const { rows } = await watcher.query("SELECT 1 FROM entities WHERE title = $1", [title])
          return rows.length
        }
      })
    })
  )
