/** The directory of the embedded database: begun only where it is empty, opened only where it is whole. */
import { Data, Effect } from "effect"
import { accessSync, constants, existsSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { secretNames } from "./Secrets.ts"

/** The directory cannot be used as it is. Nothing in it was changed. */
export class DataDirectoryUnfit extends Data.TaggedError("DataDirectoryUnfit")<{ readonly message: string }> {}

/** What every database of the engine has from its first moment to its last, and does not open or is not whole without. */
const parts = [
  "PG_VERSION",
  "base/1/PG_VERSION",
  "base/4/PG_VERSION",
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

const namedMost = 5

const named = (missing: ReadonlyArray<string>): string =>
  missing.length <= namedMost
    ? missing.join(", ")
    : `${missing.slice(0, namedMost).join(", ")} and ${missing.length - namedMost} more`

const incomplete = (directory: string, missing: ReadonlyArray<string>) =>
  new DataDirectoryUnfit({
    message: `The database in ${directory} is incomplete, nothing was changed. Missing: ${named(missing)}. Restore the whole directory from a backup, or use an empty one.`
  })

const logSegment = /^[0-9A-F]{24}$/

const hasLog = (directory: string): boolean =>
  existsSync(join(directory, "pg_wal")) && readdirSync(join(directory, "pg_wal")).some((name) => logSegment.test(name))

/** Fails, naming what is missing, unless each of the files below the database's directory is there. */
export const checkFiles = (directory: string, files: ReadonlyArray<string>): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.suspend(() => {
    const missing = files.filter((file) => !existsSync(join(directory, file)))
    return missing.length === 0 ? Effect.void : Effect.fail(incomplete(directory, missing))
  })

/** The database is there but does not open. */
export const unopenable = (directory: string, cause: unknown) =>
  new DataDirectoryUnfit({
    message: `The database in ${directory} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)} Restore the whole directory from a backup.`
  })

const isReadable = (directory: string): boolean => {
  try {
    accessSync(directory, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Sees to it that `<dataDir>/pg` holds a whole database. Where there is none yet `initialise` makes it in a directory
 * beside, which takes the name only once it is complete: a first start that is killed leaves nothing that could be
 * taken for a database, and a part of a database is never taken for the remains of a first start.
 */
export const prepareDirectory = (dataDir: string, initialise: (directory: string) => Promise<void>) =>
  Effect.gen(function* () {
    const directory = join(dataDir, "pg")
    const isThere = readdirSync(dataDir).includes("pg")
    // So is a link that leads nowhere: what it led to may come back.
    if (isThere && !isReadable(directory)) {
      return yield* new DataDirectoryUnfit({
        message: `The database in ${directory} cannot be read by the pod's user.`
      })
    }
    if (isThere && readdirSync(directory).length > 0) {
      yield* checkFiles(directory, parts)
      return hasLog(directory) ? undefined : yield* incomplete(directory, ["every file of the log in pg_wal"])
    }
    const secrets = secretNames.filter((name) => existsSync(join(dataDir, "secrets", name)))
    if (secrets.length > 0) {
      return yield* new DataDirectoryUnfit({
        message: `${dataDir} holds the secrets of a database, but not the database: ${directory} is missing or empty. Restore it from the same backup, set POD_DATABASE_URL if the database is on PostgreSQL, or remove ${join(dataDir, "secrets")} to begin anew.`
      })
    }
    const draft = join(dataDir, "pg.new")
    rmSync(draft, { recursive: true, force: true })
    yield* Effect.promise(() => initialise(draft))
    yield* Effect.try({
      try: () => renameSync(draft, directory),
      catch: (cause) =>
        new DataDirectoryUnfit({
          message: `The new database cannot be put in its place: ${String(cause)}. ${directory} must be an ordinary directory of ${dataDir}; mount or link the data directory as a whole.`
        })
    })
  })
