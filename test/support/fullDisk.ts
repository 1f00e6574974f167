/**
 * Simulates a full disk for PGlite. When the database engine writes to one of the files that the test names, it gets
 * the error ENOSPC.
 */
import type { PGlite } from "@electric-sql/pglite"

const noSpace = 51 // The number of the error ENOSPC in the database engine.

interface FileLayer {
  readonly FS: {
    readonly ErrnoError: new (number: number) => Error
    readonly filesystems: {
      readonly NODEFS: {
        readonly stream_ops: { write: (stream: { readonly path: string }, ...rest: Array<unknown>) => number }
      }
    }
  }
}

export interface FullDisk {
  /** From now on, every write to a file fails if the path of the file contains this part. */
  readonly fill: (part: string) => void
  readonly makeRoom: () => void
  /** Makes PGlite use the simulated disk. */
  readonly holds: (lite: PGlite) => PGlite
}

export const aFullDisk = (): FullDisk => {
  let full: string | undefined
  return {
    fill: (part) => (full = part),
    makeRoom: () => (full = undefined),
    holds: (lite) => {
      const { FS } = lite.Module as unknown as FileLayer
      const operations = FS.filesystems.NODEFS.stream_ops
      const write = operations.write
      operations.write = (stream, ...rest) => {
        if (full !== undefined && stream.path.includes(full)) throw new FS.ErrnoError(noSpace)
        return write(stream, ...rest)
      }
      return lite
    }
  }
}
