/**
 * Imports a file into the data directory of a pod or into PostgreSQL. No pod can start on a database whose import is
 * not complete.
 */
import { Effect, type Scope } from "effect"
import { existsSync, renameSync, rmSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { partialNames } from "../platform/DataDirectory.ts"
import { makeEmbedded } from "../platform/EmbeddedImage.ts"
import { migrations, type Owner } from "../platform/Migrations.ts"
import { holdDirectory, type NotOpened, openFolder, openPostgres, type Place } from "./Databases.ts"
import { fillDatabase, mergeIntoDatabase, type MergeCounts, refuseNewer } from "./Import.ts"
import {
  dropPod,
  hasOtherTables,
  hasSchema,
  isUsed,
  type OnConflict,
  readMark,
  removeMark,
  runningPods,
  setMark,
  takeImportLock
} from "./ImportSql.ts"
import { syncFile, syncFolder } from "./NewFile.ts"
import { type CheckedFile, checkFile } from "./TransferFile.ts"
import { attempt, noProgress, type Progress, refuse, TransferRefused } from "./TransferRefused.ts"

export interface ImportOptions {
  readonly path: string
  readonly onConflict?: OnConflict
  readonly isDryRun?: boolean
  /** True if the import refuses every database of a pod that people have already used, even if `onConflict` is set. */
  readonly isEmptyOnly?: boolean
  readonly progress?: Progress
}

export interface ImportReport extends MergeCounts {
  /**
   * `filled`: the database was new or unused, and now contains exactly the rows of the file. `merged`: the database
   * already had rows of its own.
   */
  readonly kind: "filled" | "merged"
  readonly isDryRun: boolean
  /** The state hash of the file. A database that was filled from the file has the same state hash. */
  readonly hash: string
  /** True if the file contains hashes and ciphertexts that can be used only with the secrets of the exported pod. */
  readonly needsSecrets: boolean
}

const filled = ({ header, trailer }: CheckedFile, added: number, isDryRun: boolean): ImportReport => ({
  kind: "filled",
  isDryRun,
  added,
  replaced: 0,
  skipped: 0,
  hash: trailer.hash,
  needsSecrets: header.secrets
})

const merged = (owner: Owner, file: CheckedFile, options: ImportOptions) =>
  attempt(async (): Promise<ImportReport> => {
    const { isDryRun = false, isEmptyOnly = false, onConflict = "fail", path, progress = noProgress } = options
    if (isEmptyOnly) refuse("target", "The database already contains the data of a pod. Use an empty database.")
    const counts = await mergeIntoDatabase(owner, path, file, { isDryRun, onConflict, progress })
    return { kind: "merged", isDryRun, ...counts, hash: file.trailer.hash, needsSecrets: false }
  })

/**
 * Refuses a file of one workspace for a new database. Such a file does not contain people, so the new database would be
 * only a part of a pod.
 */
const refusePart = ({ path }: ImportOptions, { header }: CheckedFile): Effect.Effect<void, TransferRefused> =>
  header.scope === "pod"
    ? Effect.void
    : new TransferRefused({
        reason: "target",
        message: `${path} contains one workspace. Start the pod and create its owner first, then import the workspace.`
      })

/** Flushes every file below a folder to the disk (fsync). */
export const syncTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) await syncFile(path)
    else if (entry.isDirectory()) await syncFolder(path)
  }
  await syncFolder(folder)
}

/** Opens the draft database of an interrupted import of the same data, or makes a new draft. */
const openDraft = (draft: string, hash: string): Effect.Effect<Owner, NotOpened, Scope.Scope> =>
  Effect.gen(function* () {
    if (existsSync(draft)) {
      const opened = yield* Effect.option(openFolder(draft))
      if (opened._tag === "Some") {
        const owner = opened.value
        const mark = yield* attempt(() => readMark(owner))
        if (mark !== undefined && mark.hash !== hash) {
          return yield* new TransferRefused({
            reason: "target",
            message: `The import of other data has not ended in ${draft}. Finish that import, or run \`pod import --undo\`.`
          })
        }
        if (mark !== undefined) return owner
        // This draft has no mark of an unfinished import. The import was killed before it wrote the mark, or after it
        // removed the mark. This code writes the mark again, and the import starts from the beginning.
        yield* attempt(() => dropPod(owner))
        yield* attempt(() => setMark(owner, hash))
        return owner
      }
      // An earlier import ended while the engine was still creating the database, so the database is empty.
      rmSync(draft, { recursive: true, force: true })
    }
    yield* attempt(() => makeEmbedded(draft, "empty"))
    return yield* openFolder(draft)
  })

/**
 * Imports into a data directory. The import builds the database in a separate folder. When the state of the database is
 * equal to the state in the file, the import moves the database to its final place. Until then no pod starts in the
 * directory. If a call is interrupted, the next call with the same data continues this import.
 */
const intoDirectory = Effect.fnUntraced(function* (dataDir: string, file: CheckedFile, options: ImportOptions) {
  const { isDryRun = false, path, progress = noProgress } = options
  yield* holdDirectory(dataDir)
  const place = join(dataDir, "pg")
  const draft = join(dataDir, partialNames.import)
  if (existsSync(place)) {
    const report = yield* Effect.scoped(
      Effect.gen(function* () {
        const owner = yield* openFolder(place)
        return (yield* attempt(() => isUsed(owner))) ? yield* merged(owner, file, options) : undefined
      })
    )
    if (report !== undefined) return report
  }
  yield* refusePart(options, file)
  if (isDryRun) return filled(file, file.trailer.rows, true)
  const added = yield* Effect.scoped(
    Effect.flatMap(openDraft(draft, file.trailer.hash), (owner) =>
      attempt(() => fillDatabase(owner, path, file, progress))
    )
  )
  yield* attempt(async () => {
    await syncTree(draft)
    const former = join(dataDir, "pg.replaced")
    rmSync(former, { recursive: true, force: true })
    if (existsSync(place)) renameSync(place, former)
    renameSync(draft, place)
    await syncFolder(dataDir)
    rmSync(former, { recursive: true, force: true })
  })
  return filled(file, added, false)
})

const refuseRunning = async (owner: Owner): Promise<void> => {
  const running = await runningPods(owner)
  if (running > 0)
    refuse("target", `A pod uses this database (${running} connections). First stop every pod that uses it.`)
}

const intoServer = Effect.fnUntraced(function* (owner: Owner, file: CheckedFile, options: ImportOptions) {
  const { isDryRun = false, path, progress = noProgress } = options
  const isTaken = yield* attempt(async () => {
    const hasLock = await takeImportLock(owner)
    if (!hasLock) refuse("target", "Another import into this database is running. Wait until it ends.")
    await refuseRunning(owner)
    return (await readMark(owner)) === undefined && (await isUsed(owner))
  })
  if (isTaken) return yield* merged(owner, file, options)
  yield* refusePart(options, file)
  if (isDryRun) return filled(file, file.trailer.rows, true)
  return yield* attempt(async () => {
    if ((await readMark(owner)) === undefined) {
      await refuseFullSchema(owner, path, file)
      await setMark(owner, file.trailer.hash)
      // A pod might have started before the mark existed. This second check finds such a pod.
      await refuseRunning(owner).catch(async (cause: unknown) => {
        await removeMark(owner)
        throw cause
      })
    }
    return filled(file, await fillDatabase(owner, path, file, progress), false)
  })
})

/**
 * Refuses a database that contains tables of another program. The caller has checked that nobody has used the pod of
 * this database. So if the schema of the file is older than the schema of this program, the function first empties the
 * database.
 */
const refuseFullSchema = async (owner: Owner, path: string, { header }: CheckedFile): Promise<void> => {
  if (!(await hasSchema(owner))) {
    if (await hasOtherTables(owner))
      refuse("target", "The database contains tables of another program. Use a database of its own for the pod.")
    return
  }
  if (header.schema.length === migrations.length) return
  // Nobody has used the pod of this database, so nothing is lost when this code empties it. The import then gives the
  // database the schema of the file.
  await dropPod(owner)
  refuseNewer(path, header)
}

/** Imports a file into the database of a pod that does not run. */
export const importFile = (place: Place, options: ImportOptions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* attempt(async () => {
        const checked = await checkFile(options.path, options.progress)
        refuseNewer(options.path, checked.header)
        return checked
      })
      if (place.kind === "embedded") return yield* intoDirectory(place.dataDir, file, options)
      return yield* intoServer(yield* openPostgres(place.url), file, options)
    })
  )

/** Removes everything that an unfinished import has made. Returns true if there was an unfinished import. */
export const undoImport = (place: Place) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (place.kind === "embedded") {
        yield* holdDirectory(place.dataDir)
        return yield* attempt(async () => {
          const draft = join(place.dataDir, partialNames.import)
          const isThere = existsSync(draft)
          rmSync(draft, { recursive: true, force: true })
          return isThere
        })
      }
      const owner = yield* openPostgres(place.url)
      return yield* attempt(async () => {
        if ((await readMark(owner)) === undefined) return false
        if (!(await takeImportLock(owner))) refuse("target", "The import is still running. Stop it first.")
        await dropPod(owner)
        return true
      })
    })
  )
