/**
 * Exports, imports, backs up, restores, moves and migrates the whole data of a pod on this machine, for the operator.
 * The command line loads this file only when a command needs it.
 */
import { SqlError } from "@effect/sql"
import { Data, Effect, Option, type Redacted } from "effect"
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type BackupMade, packSnapshot, takeSnapshot } from "./backups/Backup.ts"
import { backupBeforeMigration } from "./backups/BeforeMigration.ts"
import { restoreBackup, verifyBackup } from "./backups/Restore.ts"
import { unpackBackup } from "./backups/BackupFile.ts"
import { backupFolder } from "./ConfiguredPod.ts"
import { connectionFault } from "./platform/ConnectionFaults.ts"
import { DataDirectoryUnfit } from "./platform/DataDirectoryUnfit.ts"
import { DirectoryLocked } from "./platform/DirectoryLock.ts"
import { ImportUnfinished, migrate, migrationStates, NotPrepared, SchemaUnknown } from "./platform/Migrations.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { openFolder, openPlace, type DataPlace } from "./transfer/Databases.ts"
import { exportFrom, exportPlace, type ExportTarget } from "./transfer/ExportTo.ts"
import { importFile, type ImportOptions, undoImport } from "./transfer/ImportInto.ts"
import { checkNewFile } from "./transfer/NewFile.ts"
import { moveToPostgres } from "./transfer/ToPostgres.ts"
import { attempt, noProgress, type Progress, TransferRefused } from "./transfer/TransferRefused.ts"
import type { RowScope } from "./transfer/TransferRowsSql.ts"
import { version } from "./Version.ts"

/** The reason why a command could not work on the data of the pod, as a sentence for the operator. */
export class DataFailure extends Data.TaggedError("DataFailure")<{
  readonly kind:
    | "file"
    | "target"
    | "missing"
    | "locked"
    | "unfit"
    | "incomplete"
    | "damaged"
    | "database"
    | "unexpected"
  readonly message: string
  /** True if waiting cannot help against a fault of the kind `database`. */
  readonly isLasting?: boolean
}> {}

const kindOf = (error: unknown): DataFailure["kind"] => {
  if (error instanceof TransferRefused) return error.reason === "disk" ? "unfit" : error.reason
  if (error instanceof DirectoryLocked) return "locked"
  if (error instanceof ImportUnfinished || error instanceof SchemaUnknown) return "target"
  if (error instanceof DataDirectoryUnfit) return error.state ?? "unfit"
  if (error instanceof NotPrepared) return "incomplete"
  return "unexpected"
}

const explainFailure = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, DataFailure, R> =>
  Effect.mapError(work, (error) => {
    const cause = error instanceof SqlError.SqlError ? error.cause : undefined
    const message = error instanceof Error ? error.message : String(error)
    const text = cause instanceof Error && cause.message !== message ? `${message}: ${cause.message}` : message
    if (!(error instanceof SqlError.SqlError)) return new DataFailure({ kind: kindOf(error), message: text })
    const { mayPass, remedy } = connectionFault(error)
    return new DataFailure({
      kind: "database",
      message: remedy === undefined ? text : `${text.replace(/[.]?$/, ".")} ${remedy}`,
      isLasting: !mayPass
    })
  })

const placeOf = (settings: SettingsShape): DataPlace =>
  Option.match(settings.databaseUrl, {
    onNone: () => ({ kind: "embedded" as const, dataDir: settings.dataDir }),
    onSome: (url) => ({ kind: "postgres" as const, url })
  })

const pgFolderOf = (settings: SettingsShape): string | undefined =>
  Option.isSome(settings.databaseUrl) ? undefined : join(settings.dataDir, "pg")

export interface ExportOptions {
  readonly target: ExportTarget
  readonly scope: RowScope
  readonly withoutSecrets: boolean
  readonly progress?: Progress
}

/**
 * Exports the pod that the settings describe. If the database of the pod is embedded, the pod must not run during the
 * export.
 */
export const exportData = (settings: SettingsShape, { target, ...options }: ExportOptions) =>
  explainFailure(exportPlace(placeOf(settings), target, { ...options, podVersion: version }))

/** Refuses a place to which no export can be written, before anything is read. */
export const checkExportTarget = (target: ExportTarget) =>
  explainFailure(attempt(async () => ("path" in target ? checkNewFile(target.path) : undefined)))

/** Exports the database that a backup contains. A running pod has made this backup for the export. */
export const exportBackup = (path: string, { target, ...options }: ExportOptions) =>
  explainFailure(
    Effect.scoped(
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(tmpdir(), "pod-export-"))),
          (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
        )
        yield* attempt(() => unpackBackup(path, join(folder, "backup"), options.progress))
        const owner = yield* openFolder(join(folder, "backup", "pg"))
        yield* exportFrom({ engine: "embedded", owner }, target, { ...options, podVersion: version })
      })
    )
  )

export const importData = (settings: SettingsShape, options: ImportOptions) =>
  explainFailure(importFile(placeOf(settings), options))

export const undoImportOf = (settings: SettingsShape) => explainFailure(undoImport(placeOf(settings)))

export interface BackupRequest {
  readonly folder: string | undefined
  readonly keep: number | undefined
  readonly withoutSecrets: boolean
  readonly progress?: Progress
}

/**
 * Makes a backup of a pod. If the database is embedded, the pod must not run meanwhile. A running pod makes its own
 * backups.
 */
export const backUpData = (settings: SettingsShape, request: BackupRequest): Effect.Effect<BackupMade, DataFailure> =>
  explainFailure(
    Effect.scoped(
      Effect.flatMap(openPlace(placeOf(settings)), ({ owner }) =>
        attempt(async () => {
          const order = {
            folder: resolve(request.folder ?? backupFolder(settings)),
            dataDir: settings.dataDir,
            podVersion: version,
            kind: "plain",
            keep: request.keep ?? settings.backupKeep,
            withoutSecrets: request.withoutSecrets,
            progress: request.progress ?? noProgress
          } as const
          return packSnapshot(await takeSnapshot(owner, order, pgFolderOf(settings)), order)
        })
      )
    )
  )

export const verifyData = (path: string, progress?: Progress) => explainFailure(verifyBackup(path, progress))

export const restoreData = (settings: SettingsShape, path: string, progress?: Progress) =>
  explainFailure(restoreBackup(path, placeOf(settings), settings.dataDir, progress))

export const moveData = (settings: SettingsShape, url: Redacted.Redacted, progress?: Progress) =>
  explainFailure(
    moveToPostgres({ dataDir: settings.dataDir, url, podVersion: version, progress: progress ?? noProgress })
  )

/** Lists the applied and the missing migrations of the database that the settings name. */
export const migrationsOf = (settings: SettingsShape) =>
  explainFailure(Effect.scoped(Effect.flatMap(openPlace(placeOf(settings)), ({ owner }) => migrationStates(owner))))

/**
 * Brings the schema up to date, without starting the pod. First makes a backup, unless the settings turn this backup off.
 * Returns the names of the applied migrations.
 */
export const migrateData = (settings: SettingsShape) =>
  explainFailure(
    Effect.scoped(
      Effect.flatMap(openPlace(placeOf(settings)), ({ owner }) =>
        migrate(
          owner,
          settings.backupBeforeMigration === "off"
            ? {}
            : {
                before: backupBeforeMigration({
                  folder: backupFolder(settings),
                  dataDir: settings.dataDir,
                  podVersion: version,
                  pgFolder: pgFolderOf(settings)
                })
              }
        )
      )
    )
  )
