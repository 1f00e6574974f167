/**
 * Makes the backups of a running pod. The pod makes a backup when somebody asks for one, and when the last backup is
 * too old.
 */
import type { SqlError } from "@effect/sql"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { outsideTransaction } from "../platform/CommitHooks.ts"
import { Database } from "../platform/Database.ts"
import type { Owner } from "../platform/Migrations.ts"
import { attempt, refuse, TransferRefused } from "../transfer/TransferRefused.ts"
import { type BackupMade, type BackupOrder, packSnapshot, type Snapshot, takeSnapshot } from "./Backup.ts"
import { recordBackup, sinceLastBackup, takeBackupLock } from "./BackupSql.ts"

const lookEvery = "10 minutes"
// the first check waits this long, because a starting pod has other work to do
const firstLook = "30 seconds"
const elsewhere = "Another process of the pod is making a backup now. Try again later."

/** Says where and how often the pod keeps backups. */
export class BackupSettings extends Context.Tag("pod/BackupSettings")<
  BackupSettings,
  {
    readonly folder: string
    readonly dataDir: string
    readonly podVersion: string
    readonly keep: number
    /** The seconds between two backups that the pod makes by itself. If 0, the pod makes no backup by itself. */
    readonly everySeconds: number
  }
>() {}

/**
 * The options that a person can choose for a backup: its folder, how many backups stay there, and whether it has the
 * secrets.
 */
export type BackupRequest = Partial<Pick<BackupOrder, "folder" | "keep" | "withoutSecrets">>

export type BackupFailure = TransferRefused | SqlError.SqlError

const unwrapFailure = (error: BackupFailure): BackupFailure =>
  error instanceof TransferRefused || !(error.cause instanceof TransferRefused) ? error : error.cause

export class Backups extends Context.Tag("pod/Backups")<
  Backups,
  {
    /** Makes a backup now. Fails if another node makes a backup at this moment, or if the backup cannot be written. */
    readonly make: (request?: BackupRequest) => Effect.Effect<BackupMade, BackupFailure>
    /**
     * Makes a backup if the last one is older than the settings allow. If there is no backup yet, the age of the
     * database decides. If the pod has several nodes, one of them makes the backup.
     */
    readonly makeIfDue: Effect.Effect<Option.Option<BackupMade>, BackupFailure>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { asOwner, engine, folder: pgFolder } = yield* Database
      const settings = yield* BackupSettings
      const turn = yield* Effect.makeSemaphore(1)

      /**
       * Makes a backup if `isWanted` returns true. On PostgreSQL `isWanted` first takes the lock for backups, and the
       * pod holds the lock until the backup is recorded.
       */
      const makeIf = (isWanted: (owner: Owner) => Promise<boolean>, request: BackupRequest) => {
        const order: BackupOrder = { ...settings, kind: "plain", ...request }
        const beginSnapshot = async (owner: Owner): Promise<Snapshot | undefined> =>
          (await isWanted(owner)) ? takeSnapshot(owner, order, pgFolder) : undefined
        // A backup in another folder can be temporary, so it is not recorded. The time of the next backup in the usual
        // folder stays the same.
        const record = async (owner: Owner, backup: BackupMade): Promise<void> => {
          if (order.folder === settings.folder) await recordBackup(owner, backup)
        }
        if (engine === "postgres") {
          return asOwner(async (owner) => {
            const snapshot = await beginSnapshot(owner)
            if (snapshot === undefined) return undefined
            const backup = await packSnapshot(snapshot, order)
            await record(owner, backup)
            return backup
          })
        }
        // While this code holds the owner connection of the embedded database, all other queries wait. So this code
        // takes the connection only before and after the slow packing.
        return Effect.gen(function* () {
          const snapshot = yield* asOwner(beginSnapshot)
          if (snapshot === undefined) return undefined
          const backup = yield* attempt(() => packSnapshot(snapshot, order))
          yield* asOwner((owner) => record(owner, backup))
          return backup
        })
      }

      const locked = async (owner: Owner): Promise<boolean> => engine === "embedded" || (await takeBackupLock(owner))

      return {
        make: (request = {}) =>
          makeIf(async (owner) => (await locked(owner)) || refuse("target", elsewhere), request).pipe(
            Effect.mapError(unwrapFailure),
            Effect.filterOrDieMessage((backup) => backup !== undefined, "a wanted backup was not made"),
            turn.withPermits(1),
            outsideTransaction
          ),
        makeIfDue: makeIf(async (owner) => {
          if (!(await locked(owner))) return false
          return (await sinceLastBackup(owner)) >= settings.everySeconds * 1000
        }, {}).pipe(Effect.mapError(unwrapFailure), Effect.map(Option.fromNullable), turn.withPermits(1))
      }
    })
  )
}

/**
 * Checks at intervals whether a backup is due, until this effect is interrupted. If a backup fails, the effect logs the
 * failure and tries again later.
 */
export const keepBackups = Effect.gen(function* () {
  const { everySeconds } = yield* BackupSettings
  const { makeIfDue } = yield* Backups
  if (everySeconds === 0) return
  const look = makeIfDue.pipe(
    Effect.tap(
      Option.match({
        onNone: () => Effect.void,
        onSome: ({ path, sizeBytes }) => Effect.logInfo(`Backup made: ${path} (${sizeBytes} bytes)`)
      })
    ),
    Effect.catchAll((error) => Effect.logError(`The pod could not make its backup: ${error.message}`)),
    Effect.catchAllDefect((defect) => Effect.logError("The pod could not make its backup", defect))
  )
  yield* Effect.delay(Effect.repeat(look, Schedule.spaced(lookEvery)), firstLook)
})
