/** Checks the free disk space that the embedded engine needs. */
import { statfsSync } from "node:fs"

/** The engine writes its log in files of 16 MiB. If the engine cannot make the next file, it aborts. */
const logFileBytes = 16 * 1024 * 1024

/** Returns true if the disk of a folder has too little room for the engine. */
export const isDiskFull = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < logFileBytes
}
