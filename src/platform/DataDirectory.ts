/**
 * Prepares the directory of the embedded database. The pod makes a database if there is none, and refuses a database
 * that is incomplete or damaged.
 */
import { Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { refuseIncomplete, whyNoEngine } from "./DatabaseCompleteness.ts"
import { DataDirectoryUnfit } from "./DataDirectoryUnfit.ts"
import { systemCode, unwritableReason } from "./FileReasons.ts"
import { secretNames } from "./Secrets.ts"

const unusableDirectory = (dataDir: string, why: string, remedy = "Let the system user of the pod write there") =>
  new DataDirectoryUnfit({
    message: `The data directory ${resolve(dataDir)} cannot be used: ${why}. ${remedy}, or set POD_DATA_DIR to another directory.`
  })

/** Turns every system error about the directory into a `DataDirectoryUnfit` with a sentence for people. */
export const explainSystemErrors =
  (dataDir: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | DataDirectoryUnfit, R> =>
    Effect.catchSomeDefect(self, (defect) =>
      systemCode(defect) === undefined
        ? Option.none()
        : Option.some(Effect.fail(unusableDirectory(dataDir, unwritableReason(defect))))
    )

const statOf = (path: string) => {
  try {
    return statSync(path)
  } catch (cause) {
    // ENOTDIR means that a part of the path is a file. The check of the parent directory reports that file.
    if (["ENOENT", "ENOTDIR"].includes(systemCode(cause) ?? "")) return undefined
    throw cause
  }
}

/**
 * Creates one directory at a time. With the option `recursive`, Node never returns if a directory cannot be created,
 * for example below `/proc`.
 */
const makeSteps = (dataDir: string, step: string): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.suspend(() => {
    const found = statOf(step)
    if (found?.isDirectory()) return Effect.void
    if (found !== undefined) return Effect.fail(unusableDirectory(dataDir, `${step} is a file`, "Move that file away"))
    return Effect.zipRight(
      makeSteps(dataDir, dirname(step)),
      Effect.sync(() => {
        try {
          mkdirSync(step, { mode: 0o700 })
        } catch (cause) {
          // Another process that starts at the same moment might have made the directory first.
          if (statOf(step)?.isDirectory() !== true) throw cause
        }
      })
    )
  })

const ownerAlone = 0o700
const othersWrite = 0o002
const othersAnything = 0o007

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/**
 * Changes the mode of a directory, so that only the owner of the directory can use it. If the system refuses this
 * change, the mode stays as it is.
 */
const close = (path: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const former = modeOf(path)
    if ((statSync(path).mode & 0o077) === 0) return Effect.void
    try {
      chmodSync(path, ownerAlone)
    } catch {
      // the directory belongs to another user, so the pod cannot change its mode
      return Effect.void
    }
    return (statSync(path).mode & 0o077) === 0
      ? Effect.logInfo(`${path} was open to other users (mode ${former}) and is closed now (mode ${modeOf(path)}).`)
      : Effect.void
  })

/**
 * Closes the directory to other users of the machine, because the directory holds the database and the secrets. The pod
 * cannot change the mode of a directory that another user owns, for example a mounted volume. The function accepts such a
 * directory only if users outside its group can neither write in it nor open the folders of the pod in it.
 */
const closeToOthers = (dataDir: string): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.gen(function* () {
    const inner = ["pg", "secrets", "backups"].map((name) => join(dataDir, name)).filter((path) => existsSync(path))
    for (const [path, refused] of [
      [resolve(dataDir), othersWrite],
      ...inner.map((one) => [one, othersAnything] as const)
    ] as const) {
      // if the path is not a directory, later code reports this
      if (!statSync(path).isDirectory()) continue
      yield* close(path)
      const { mode } = statSync(path)
      if ((mode & refused) !== 0) {
        return yield* new DataDirectoryUnfit({
          message: `The directory ${path} is open to every user of this machine (mode ${modeOf(path)}), and the pod cannot close it. Run chmod 700 ${path} as its owner, or set POD_DATA_DIR to a directory of the pod's own user.`
        })
      }
    }
  })

/**
 * Makes the directory if it is missing, tries to write a file in it, and closes it to other users. A check of the mode
 * would not be enough, because root can ignore the mode, and the mode does not show a read-only file system.
 */
export const ensureDirectory = (dataDir: string): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.gen(function* () {
    yield* makeSteps(dataDir, resolve(dataDir))
    const probe = join(dataDir, `.probe.${randomUUID()}`)
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 })
    rmSync(probe)
    yield* closeToOthers(dataDir)
  }).pipe(explainSystemErrors(dataDir))

const isReadable = (directory: string): boolean => {
  try {
    accessSync(directory, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** An import and a restore first build a database in one of these folders, next to its final folder. */
export const partialNames = { import: "pg.import", restore: "restore.partial" } as const

/**
 * Refuses a directory in which an import or a restore has not ended, because its database is incomplete. The pod does
 * not make a new database instead, because the pod would then look empty.
 */
export const refusePartial = (dataDir: string): Effect.Effect<void, DataDirectoryUnfit> =>
  Effect.suspend(() => {
    const draft = join(dataDir, partialNames.import)
    if (existsSync(draft)) {
      return new DataDirectoryUnfit({
        message: `An import into ${dataDir} has not ended. Run the same \`pod import\` again to finish it, or \`pod import --undo\`, which deletes ${draft}.`,
        state: "incomplete"
      })
    }
    const restored = join(dataDir, partialNames.restore)
    return existsSync(restored)
      ? new DataDirectoryUnfit({
          message: `A restore into ${dataDir} has not ended. Run the same \`pod restore\` again, or delete ${restored}.`,
          state: "incomplete"
        })
      : Effect.void
  })

/**
 * Makes sure that `<dataDir>/pg` has a complete database. If there is none, `initialise` makes one in another
 * directory, which is renamed to `pg` when the database is complete. So a first start that is killed leaves nothing in
 * `pg`, and a partial database in `pg` is always an error.
 */
export const prepareDirectory = Effect.fnUntraced(function* (
  dataDir: string,
  initialise: (directory: string) => Promise<void>
) {
  const directory = join(dataDir, "pg")
  const isThere = readdirSync(dataDir).includes("pg")
  // A symbolic link whose target is missing counts as an existing database, because the target might be mounted later.
  if (isThere && !isReadable(directory)) {
    return yield* new DataDirectoryUnfit({
      message: `The database in ${directory} cannot be read by the system user of the pod. Let this user read the directory, or set POD_DATA_DIR to another directory.`
    })
  }
  if (isThere && readdirSync(directory).length > 0) {
    yield* refuseIncomplete(directory)
    return false
  }
  const secrets = secretNames.filter((name) => existsSync(join(dataDir, "secrets", name)))
  if (secrets.length > 0) {
    return yield* new DataDirectoryUnfit({
      message: `${dataDir} has the secrets of a database, but the database is missing: ${directory} does not exist or is empty. Restore the database from the same backup, set POD_DATABASE_URL if the database is on PostgreSQL, or remove ${join(dataDir, "secrets")} to start with a new database.`,
      state: "incomplete"
    })
  }
  const draft = join(dataDir, "pg.new")
  rmSync(draft, { recursive: true, force: true })
  yield* Effect.tryPromise({
    try: () => initialise(draft),
    catch: (cause) =>
      unusableDirectory(dataDir, `no database can be made in it: ${whyNoEngine(dataDir, cause) ?? "the engine failed"}`)
  })
  yield* Effect.try({
    try: () => renameSync(draft, directory),
    catch: (cause) =>
      new DataDirectoryUnfit({
        message: `The new database cannot be put in its place: ${String(cause)}. ${directory} must be an ordinary directory of ${dataDir}; mount or link the data directory as a whole.`
      })
  })
  return true
})
