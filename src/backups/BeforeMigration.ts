/** Makes a backup before a newer version changes the schema of a database, so that the operator can go back. */
import { Effect } from "effect"
import { NotPrepared, type MigrationPlan } from "../platform/Migrations.ts"
import { attempt } from "../transfer/TransferRefused.ts"
import { packSnapshot, takeSnapshot } from "./Backup.ts"

// the folder keeps this many backups that were made before a migration
const backupsKept = 3

export interface FormerSchema {
  readonly folder: string
  readonly dataDir: string
  readonly podVersion: string
  /** The folder of the embedded database; undefined on PostgreSQL. */
  readonly pgFolder: string | undefined
}

/**
 * Makes a backup before a migration. The start of a pod calls this function before it migrates the database. If the
 * backup cannot be made, the start migrates nothing.
 */
export const backupBeforeMigration =
  ({ pgFolder, ...place }: FormerSchema): NonNullable<MigrationPlan["before"]> =>
  (owner, missing) => {
    const order = { ...place, kind: "before-migration", keep: backupsKept } as const
    return attempt(async () => packSnapshot(await takeSnapshot(owner, order, pgFolder), order)).pipe(
      Effect.tap(({ path }) =>
        Effect.logInfo(
          `Made a backup before ${missing.length} migrations: ${path}. To restore this backup, use \`pod restore\`.`
        )
      ),
      Effect.mapError(
        (error) =>
          new NotPrepared({
            message: `The database was not migrated, because the backup before the migration failed: ${error.message} Free space in ${place.folder}, or set POD_BACKUP_BEFORE_MIGRATION=off.`
          })
      ),
      Effect.asVoid
    )
  }
