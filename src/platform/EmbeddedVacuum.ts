/**
 * Runs VACUUM and ANALYZE on the tables of the embedded database, because PGlite has no autovacuum. Without this,
 * PGlite would always plan as if tables were empty, and would never use the space of old row versions again.
 */
import { Effect, Schedule } from "effect"
import type pg from "pg"

const lookEvery = "15 seconds"

/**
 * Selects the tables that are due, by the rules of PostgreSQL's autovacuum. A table is analysed after changes to more
 * than 50 rows plus a tenth of the table. It is vacuumed after more than 50 old row versions plus a fifth of the table.
 * The counts are lost when the process ends. So a table that was never analysed is also due if it has more than 16
 * pages.
 */
const dueTables = `
  SELECT format('%I.%I', stat.schemaname, stat.relname) AS name,
    stat.n_dead_tup > 50 + 0.2 * GREATEST(class.reltuples, 0) AS "isVacuumDue"
  FROM pg_stat_user_tables stat JOIN pg_class class ON class.oid = stat.relid
  WHERE stat.n_dead_tup > 50 + 0.2 * GREATEST(class.reltuples, 0)
    OR stat.n_mod_since_analyze > 50 + 0.1 * GREATEST(class.reltuples, 0)
    OR (class.reltuples < 0 AND pg_relation_size(class.oid) > 16 * 8192)
  ORDER BY stat.relid`

interface DueTable {
  readonly name: string
  readonly isVacuumDue: boolean
}

/**
 * Lets the role of the pod run VACUUM and ANALYZE on every table. This right does not allow the role to read or change
 * rows. The owner of the database runs this statement.
 */
export const allowVacuum = "GRANT pg_maintain TO pod_app WITH INHERIT TRUE"

/**
 * Vacuums or analyses the tables that are due, one after another, so that calls can run in between. Returns the names
 * of these tables.
 */
export const vacuumDueTables = async (pool: pg.Pool): Promise<ReadonlyArray<string>> => {
  const query = async (text: string): Promise<ReadonlyArray<DueTable>> => {
    const client = await pool.connect()
    return client
      .query<DueTable>(text)
      .then(({ rows }) => rows)
      .finally(() => client.release())
  }
  // A PostgreSQL server updates its counts of changes while it is idle. PGlite does this only when it is asked.
  await query("SELECT pg_stat_force_next_flush()")
  const due = await query(dueTables)
  for (const { isVacuumDue, name } of due) await query(isVacuumDue ? `VACUUM (ANALYZE) ${name}` : `ANALYZE ${name}`)
  return due.map(({ name }) => name)
}

/** Vacuums and analyses the tables that are due, again and again until the scope closes. */
export const vacuumRepeatedly = (pool: pg.Pool) =>
  Effect.tryPromise(() => vacuumDueTables(pool)).pipe(
    Effect.catchAll((cause) => Effect.logWarning("The embedded database could not be vacuumed", cause)),
    Effect.schedule(Schedule.spaced(lookEvery)),
    Effect.delay(lookEvery),
    Effect.forkScoped
  )
