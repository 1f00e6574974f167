/** Restores a backup into an empty data directory or database, or checks whether the backup can be restored. */
import { Effect, type Scope } from "effect"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { cp, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { partialNames } from "../platform/DataDirectory.ts"
import { appliedMigrations } from "../platform/Migrations.ts"
import { holdDirectory, openFolder, type DataPlace } from "../transfer/Databases.ts"
import { exportFrom } from "../transfer/ExportTo.ts"
import { importFile, syncTree } from "../transfer/ImportInto.ts"
import { syncFolder } from "../transfer/NewFile.ts"
import { stateOf } from "../transfer/StateHash.ts"
import { checkFile } from "../transfer/TransferFile.ts"
import { attempt, noProgress, type Progress, refuse, TransferRefused } from "../transfer/TransferRefused.ts"
import { type BackupManifest, engineOfBackup, unpackBackup } from "./BackupFile.ts"

/** A temporary folder. It is removed when the scope closes. */
const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "pod-backup-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Opens an unpacked backup and reads all its rows. The backup has either the files of a database or a file of rows. */
const readContent = (folder: string, manifest: BackupManifest, progress: Progress) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (manifest.engine === "postgres") {
        const { trailer } = yield* attempt(() => checkFile(join(folder, "rows.ndjson"), progress))
        return { manifest, hash: trailer.hash, rows: trailer.rows }
      }
      const owner = yield* openFolder(join(folder, "pg"))
      const schema = yield* appliedMigrations(owner)
      const names = (list: ReadonlyArray<{ readonly name: string }>) => list.map(({ name }) => name).join()
      if (names(schema) !== names(manifest.schema)) {
        return yield* new TransferRefused({
          reason: "file",
          message:
            "The migrations of the database in the backup differ from the migrations in the backup's list of parts."
        })
      }
      const { hash, rows } = yield* attempt(() => stateOf(owner, progress))
      return { manifest, hash, rows }
    })
  )

/** Checks a backup: compares every part with its hash, and opens the database of the backup in a temporary folder. */
export const verifyBackup = (path: string, progress: Progress = noProgress) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "backup")
      const manifest = yield* attempt(() => unpackBackup(path, folder, progress))
      return yield* readContent(folder, manifest, progress)
    })
  )

const isFull = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0

/**
 * Fails if the data directory has secrets of another pod. Accepts secrets that are equal to the secrets of the backup,
 * because an interrupted restore leaves such secrets in the directory.
 */
const refuseOtherSecrets = (dataDir: string, folder: string, { secrets }: Pick<BackupManifest, "secrets">): void => {
  for (const name of secrets) {
    const secretFile = join(dataDir, "secrets", name)
    if (existsSync(secretFile) && !readFileSync(secretFile).equals(readFileSync(join(folder, "secrets", name)))) {
      refuse(
        "target",
        `${secretFile} is a secret of another pod. Move ${join(dataDir, "secrets")} away, or restore into another directory.`
      )
    }
  }
}

const placeSecrets = async (dataDir: string, folder: string, { secrets }: BackupManifest): Promise<void> => {
  if (secrets.length === 0) return
  refuseOtherSecrets(dataDir, folder, { secrets })
  const target = join(dataDir, "secrets")
  if (isFull(target)) {
    // The folder might already have some of these secrets, with equal content. Only the missing ones are added.
    await cp(join(folder, "secrets"), target, { recursive: true, force: false })
  } else {
    rmSync(target, { recursive: true, force: true })
    renameSync(join(folder, "secrets"), target)
  }
  await syncFolder(dataDir)
}

/**
 * Restores the files of an embedded database unchanged. No pod can start in the directory before the restored database
 * is in its place.
 */
const restoreFiles = Effect.fnUntraced(function* (path: string, dataDir: string, progress: Progress) {
  yield* holdDirectory(dataDir)
  const draft = join(dataDir, partialNames.restore)
  yield* attempt(async () => {
    if (isFull(join(dataDir, "pg")))
      refuse("target", `${dataDir} already contains a database. Restore into an empty directory.`)
    if (existsSync(join(dataDir, partialNames.import))) refuse("target", `An import into ${dataDir} has not ended.`)
    rmSync(draft, { recursive: true, force: true })
  })
  // If the restore fails before it has checked the content, it removes the files that it has written. If the restore is
  // killed, it leaves a draft folder, which no pod uses as its data.
  const manifest = yield* attempt(() => unpackBackup(path, draft, progress)).pipe(
    Effect.tapErrorCause(() => Effect.sync(() => rmSync(draft, { recursive: true, force: true })))
  )
  const report = yield* readContent(draft, manifest, progress).pipe(
    Effect.tap(() => attempt(async () => refuseOtherSecrets(dataDir, draft, manifest))),
    Effect.tapErrorCause(() => Effect.sync(() => rmSync(draft, { recursive: true, force: true })))
  )
  yield* attempt(async () => {
    await syncTree(draft)
    await placeSecrets(dataDir, draft, manifest)
    rmSync(join(dataDir, "pg"), { recursive: true, force: true })
    renameSync(join(draft, "pg"), join(dataDir, "pg"))
    await syncFolder(dataDir)
    rmSync(draft, { recursive: true, force: true })
  })
  return report
})

/** Restores the rows of a backup with an import, into an embedded database or into PostgreSQL. */
const restoreRows = Effect.fnUntraced(function* (path: string, place: DataPlace, dataDir: string, progress: Progress) {
  const folder = join(yield* temporaryFolder, "backup")
  const manifest = yield* attempt(() => unpackBackup(path, folder, progress))
  const rows = join(folder, "rows.ndjson")
  if (manifest.engine === "embedded") {
    yield* Effect.scoped(
      Effect.flatMap(openFolder(join(folder, "pg")), (owner) =>
        exportFrom(
          { engine: "embedded", owner },
          { path: rows },
          { podVersion: manifest.podVersion, scope: { kind: "pod" }, progress }
        )
      )
    )
  }
  // An import cannot be undone, so everything that can refuse the restore comes first.
  yield* attempt(async () => refuseOtherSecrets(dataDir, folder, manifest))
  const report = yield* importFile(place, { path: rows, onConflict: "fail", isEmptyOnly: true, progress })
  yield* attempt(() => placeSecrets(dataDir, folder, manifest))
  return { manifest, hash: report.hash, rows: report.added }
})

/**
 * Restores a backup into an empty data directory or an empty PostgreSQL database. The secrets of the backup go into the
 * data directory. Fails if a pod uses the target, or if the target already has data or different secrets.
 */
export const restoreBackup = (path: string, place: DataPlace, dataDir: string, progress: Progress = noProgress) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (!existsSync(path)) return yield* new TransferRefused({ reason: "file", message: `There is no file ${path}.` })
      if (place.kind === "embedded" && (yield* attempt(() => engineOfBackup(path))) === "embedded") {
        return yield* restoreFiles(path, place.dataDir, progress)
      }
      return yield* restoreRows(path, place, dataDir, progress)
    })
  )
