/**
 * Checks the folder that the settings name for backups. The first backup comes a day after the first start, and nobody
 * should learn only then that the folder cannot hold it.
 */
import { Effect } from "effect"
import { accessSync, constants } from "node:fs"
import { unwritableReason } from "../platform/FileReasons.ts"
import { makeFolder } from "../platform/MakeFolder.ts"

/** Makes the folder if it is missing. Returns a sentence if the pod cannot write there, and otherwise undefined. */
export const backupFolderFault = (folder: string): Effect.Effect<string | undefined> =>
  Effect.sync(() => {
    try {
      makeFolder(folder, 0o700)
      accessSync(folder, constants.W_OK)
      return undefined
    } catch (cause) {
      return `The pod cannot make backups in ${folder}: ${unwritableReason(cause)}. Set POD_BACKUP_DIR to a folder in which the pod can write.`
    }
  })
