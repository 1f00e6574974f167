/**
 * Puts the temporary folders of a test run into memory if the memory is large enough. The suites make hundreds of
 * databases. On a disk, half of the processor time of the suites goes into files (measured).
 */
import { accessSync, constants, statfsSync } from "node:fs"
import { freemem } from "node:os"

const inMemory = "/dev/shm"
// This is enough memory for three suites at once, each with a few databases of 50 MB, a browser and a PostgreSQL
// server.
const leastBytes = 6 * 1024 ** 3

const hasRoom = (): boolean => {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    // The folder can be as large as the whole memory, which other programs use too.
    return bavail * bsize > leastBytes && freemem() > leastBytes
  } catch {
    return false
  }
}

/** Changes TMPDIR in the environment of this process. The processes of the suites inherit it. */
export const useMemory = (): void => {
  if (process.env["TMPDIR"] === undefined && hasRoom()) process.env["TMPDIR"] = inMemory
}
