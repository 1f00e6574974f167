/**
 * Puts the temporary folders of a test run into memory, if the system has room for them: the suites make hundreds of databases, and on
 * a disk half of their processor time goes into files (measured).
 */
import { accessSync, constants, statfsSync } from "node:fs"

const inMemory = "/dev/shm"
const leastBytes = 6 * 1024 ** 3 // three suites at once, each with a few databases of 50 MB, a browser, and a server of PostgreSQL

const hasRoom = (): boolean => {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize > leastBytes
  } catch {
    return false
  }
}

/** Changes the environment of this process, from which the processes of the suites get theirs. */
export const useMemory = (): void => {
  if (process.env["TMPDIR"] === undefined && hasRoom()) process.env["TMPDIR"] = inMemory
}
