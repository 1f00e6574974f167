/** Makes a folder and the missing folders above it. */
import { mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Creates the folder and the missing folders above it, one at a time. The option `recursive` is not used, because with
 * it Node never returns if the folder cannot be created, for example below `/proc`. Throws the error of the system.
 */
export const makeFolder = (path: string, mode = 0o777): void => {
  const step = resolve(path)
  if (isFolder(step)) return
  if (dirname(step) !== step) makeFolder(dirname(step), mode)
  try {
    mkdirSync(step, { mode })
  } catch (cause) {
    // Another process might have made the folder at the same moment.
    if (!isFolder(step)) throw cause
  }
}
