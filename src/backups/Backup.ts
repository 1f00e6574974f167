/** Makes a backup of a database that can be in use: one file with a consistent copy of the database and the secrets. */
import { Effect } from "effect"
import { constants, existsSync } from "node:fs"
import { copyFile, cp, mkdir, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { unwritableReason } from "../platform/FileReasons.ts"
import { makeFolder } from "../platform/MakeFolder.ts"
import { appliedMigrations, type Owner } from "../platform/Migrations.ts"
import { secretNames, secretPath } from "../platform/Secrets.ts"
import { exportLines } from "../transfer/Export.ts"
import { writeNewFile } from "../transfer/NewFile.ts"
import { noProgress, type Progress, refuse } from "../transfer/TransferRefused.ts"
import { packBackup } from "./BackupFile.ts"
import { checkpoint } from "./BackupSql.ts"

export interface BackupOrder {
  readonly folder: string
  /** The data directory with the secrets. */
  readonly dataDir: string
  readonly podVersion: string
  /**
   * A backup of the kind `before-migration` is made before a newer version changes the schema. `keep` counts the
   * backups of each kind separately.
   */
  readonly kind: BackupKind
  /** How many backups of this kind stay in the folder. */
  readonly keep: number
  readonly withoutSecrets?: boolean
  readonly progress?: Progress
}
export type BackupKind = "plain" | "before-migration"

export interface BackupMade {
  readonly path: string
  readonly sizeBytes: number
  /** The paths of the older backups that this backup replaced and that were deleted. */
  readonly deleted: ReadonlyArray<string>
}

const endings: Readonly<Record<BackupKind, string>> = {
  plain: ".podbackup",
  "before-migration": "-before-migration.podbackup"
}
const stamp = /^pod-\d{8}T\d{9}Z/

const nameAt = (now: Date, kind: BackupKind): string =>
  `pod-${now.toISOString().replaceAll(/[-:.]/g, "")}${endings[kind]}`

/** Lists the backups of a kind in a folder, oldest first. */
export const backupsIn = async (folder: string, kind: BackupKind): Promise<ReadonlyArray<string>> =>
  existsSync(folder) ? (await readdir(folder)).filter((name) => name.replace(stamp, "") === endings[kind]).sort() : []

/** A consistent copy of a database in a separate folder, ready to be packed into a backup. */
export interface Snapshot {
  readonly root: string
  readonly engine: "embedded" | "postgres"
  readonly schema: ReadonlyArray<{ readonly name: string; readonly digest: string }>
}

/**
 * Removes the unfinished files of a backup whose process was killed. Only one node at a time makes a backup, so nobody
 * uses these files now.
 */
const removeLeft = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (/^pod-.*\.(?:snapshot|partial)$/.test(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/**
 * Copies one consistent state of the database. No other code uses the connection of `owner` meanwhile. `pgFolder` is
 * the folder of an embedded database. After a checkpoint the files in this folder are complete, and nobody writes them
 * during the copy.
 */
export const takeSnapshot = async (
  owner: Owner,
  order: BackupOrder,
  pgFolder: string | undefined
): Promise<Snapshot> => {
  const root = join(order.folder, `${nameAt(new Date(), order.kind)}.snapshot`)
  try {
    makeFolder(order.folder, 0o700)
    await removeLeft(order.folder)
    await mkdir(root, { mode: 0o700 })
  } catch (cause) {
    return refuse("disk", `The folder ${order.folder} cannot hold the backup: ${unwritableReason(cause)}.`)
  }
  try {
    const schema = await Effect.runPromise(appliedMigrations(owner))
    if (pgFolder !== undefined) {
      await checkpoint(owner)
      await cp(pgFolder, join(root, "pg"), {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
        filter: (path) => !/\/postmaster\.(?:pid|opts)$/.test(path)
      })
      return { root, engine: "embedded", schema }
    }
    const lines = exportLines(owner, {
      engine: "postgres",
      podVersion: order.podVersion,
      scope: { kind: "pod" },
      progress: order.progress ?? noProgress
    })
    await writeNewFile(join(root, "rows.ndjson"), lines)
    return { root, engine: "postgres", schema }
  } catch (cause) {
    await rm(root, { recursive: true, force: true })
    throw cause
  }
}

const copySecrets = async ({ dataDir, withoutSecrets }: BackupOrder, root: string): Promise<ReadonlyArray<string>> => {
  const names = withoutSecrets === true ? [] : secretNames.filter((name) => existsSync(secretPath(dataDir, name)))
  if (names.length > 0) await mkdir(join(root, "secrets"), { mode: 0o700 })
  for (const name of names) await copyFile(secretPath(dataDir, name), join(root, "secrets", name))
  return names
}

/**
 * Packs a snapshot into a backup and removes the snapshot. Then deletes the oldest backups, so that only `keep` backups
 * stay.
 */
export const packSnapshot = async ({ engine, root, schema }: Snapshot, order: BackupOrder): Promise<BackupMade> => {
  const path = root.replace(/\.snapshot$/, "")
  try {
    const secrets = await copySecrets(order, root)
    const { podVersion, progress } = order
    const created = new Date().toISOString()
    await packBackup(path, root, { created, podVersion, engine, secrets, schema }, progress)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  const all = await backupsIn(order.folder, order.kind)
  const old = all.slice(0, Math.max(0, all.length - Math.max(1, order.keep))).map((name) => join(order.folder, name))
  for (const name of old) await rm(name)
  return { path, sizeBytes: (await stat(path)).size, deleted: old }
}
