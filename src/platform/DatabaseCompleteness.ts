/** Checks that an embedded database is complete and not damaged, before the engine opens it. Changes no file. */
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { damageIn } from "./DatabaseFiles.ts"
import { DataDirectoryUnfit } from "./DataDirectoryUnfit.ts"
import { isDiskFull } from "./DiskRoom.ts"
import { systemCode, unwritableReason } from "./FileReasons.ts"

/** Files that every database of the engine has. If one is missing, the database is incomplete or does not open. */
const parts = [
  "PG_VERSION",
  "base/5/PG_VERSION",
  "base/5/pg_filenode.map",
  "global/pg_control",
  "global/pg_filenode.map",
  "pg_commit_ts",
  "pg_hba.conf",
  "pg_logical",
  "pg_multixact/members",
  "pg_multixact/offsets",
  "pg_notify",
  "pg_replslot",
  "pg_tblspc",
  "pg_twophase",
  "pg_wal",
  "pg_xact",
  "postgresql.conf"
]

const namedMax = 5

const namesText = (missing: ReadonlyArray<string>): string =>
  missing.length <= namedMax
    ? missing.join(", ")
    : `${missing.slice(0, namedMax).join(", ")} and ${missing.length - namedMax} more`

const incomplete = (directory: string, missing: ReadonlyArray<string>) =>
  new DataDirectoryUnfit({
    message: `The database in ${directory} is incomplete, nothing was changed. Missing: ${namesText(missing)}. Restore the whole directory from a backup, or use an empty directory.`,
    state: "incomplete"
  })

const logSegment = /^[0-9A-F]{24}$/

const hasLog = (directory: string): boolean =>
  existsSync(join(directory, "pg_wal")) && readdirSync(join(directory, "pg_wal")).some((name) => logSegment.test(name))

/** Checks that all these files exist below the database's directory. Fails with the names of the missing files. */
export const checkFiles = (directory: string, files: ReadonlyArray<string>): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.suspend(() => {
    const missing = files.filter((file) => !existsSync(join(directory, file)))
    return missing.length === 0 ? Effect.void : Effect.fail(incomplete(directory, missing))
  })

/** Fails if a part of the database is missing. */
export const refuseIncomplete = (directory: string): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.zipRight(
    checkFiles(directory, parts),
    Effect.suspend(() =>
      hasLog(directory) ? Effect.void : incomplete(directory, ["every file of the write-ahead log in pg_wal"])
    )
  )

const restore = "Restore the whole directory from a backup"

const damagedDirectory = (directory: string, why: string) =>
  new DataDirectoryUnfit({
    message: `The database in ${directory} cannot be opened: ${why}. Nothing was changed. ${restore}.`,
    state: "damaged"
  })

/** Fails if the files that the engine reads first are damaged. Does not change the files. */
export const refuseDamage = (directory: string): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.suspend(() => {
    const why = damageIn(directory)
    return why === undefined ? Effect.void : damagedDirectory(directory, why)
  })

/**
 * Returns the reason for a failure of the engine, as the end of a sentence. The messages of the engine, such as
 * `Aborted()`, do not help people. Returns undefined if the reason is not known.
 */
export const whyNoEngine = (directory: string, cause: unknown): string | undefined => {
  if (cause instanceof RangeError) return "the system has not enough memory for it"
  if (systemCode(cause) !== undefined) return unwritableReason(cause)
  return isDiskFull(directory) ? "the disk is full" : undefined
}

/** Returns the failure for a database that exists but cannot be opened. */
export const databaseNotOpened = (directory: string, cause: unknown): DataDirectoryUnfit => {
  const why = whyNoEngine(directory, cause)
  return why === undefined
    ? damagedDirectory(directory, "its files are damaged")
    : new DataDirectoryUnfit({ message: `The database in ${directory} cannot be opened: ${why}.` })
}
