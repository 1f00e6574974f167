/**
 * The SQL statements for backups: the time of the last backup, and the lock under which one node makes the next backup.
 */
import type { Owner } from "../platform/Migrations.ts"

/** Writes every change into the files of the database. */
export const checkpoint = (owner: Owner): Promise<unknown> => owner.exec("CHECKPOINT")

// the id of the PostgreSQL lock that lets only one node at a time make a backup; the number has no meaning
const backupLock = 7_106_534

/** Takes the lock for backups. Returns false if another node makes a backup now. The lock ends with the connection. */
export const takeBackupLock = async (owner: Owner): Promise<boolean> => {
  const [row] = await owner.query(`SELECT pg_try_advisory_lock(${backupLock}) AS taken`)
  return row?.["taken"] === true
}

/**
 * Returns the milliseconds since the last backup. If there is no backup yet, returns the milliseconds since the
 * database was created.
 */
export const sinceLastBackup = async (owner: Owner): Promise<number> => {
  const [row] = await owner.query(
    `SELECT (extract(epoch FROM clock_timestamp() - coalesce(
       (SELECT max(made_at) FROM public.backups), (SELECT min(applied_at) FROM public.schema_migrations))) * 1000)::text AS ms`
  )
  return Number(row?.["ms"])
}

// the database keeps the records of this many latest backups
const recordsKept = 100

export const recordBackup = async (
  owner: Owner,
  { path, sizeBytes }: { readonly path: string; readonly sizeBytes: number }
): Promise<void> => {
  await owner.query("INSERT INTO public.backups (file, size_bytes) VALUES ($1, $2::bigint)", [path, String(sizeBytes)])
  await owner.query(
    `DELETE FROM public.backups WHERE id NOT IN (SELECT id FROM public.backups ORDER BY id DESC LIMIT ${recordsKept})`
  )
}
