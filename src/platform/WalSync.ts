/**
 * The `wal-sync` durability of the embedded database: a commit is acknowledged only when its entries in the write-ahead
 * log are on the disk.
 */
import type { PGlite } from "@electric-sql/pglite"
import { closeSync, fdatasync, openSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { answeredMessages } from "./EmbeddedConfig.ts"

const segmentName = /^[0-9A-F]{24}$/

/**
 * The log could not be forced to the disk. The latest commits can be lost after a power loss, and no further commit is
 * acknowledged.
 */
export class WalSyncFailed extends Error {
  override readonly name = "WalSyncFailed"
}

export interface WalSync {
  /** Records that a file of the log was written. Ignores a file that is not a segment of the log. */
  readonly written: (name: string) => void
  /**
   * Resolves when everything that was written before the call is on the disk. Callers share one flush, which begins
   * after the last of these callers has written. Rejects with `WalSyncFailed`. After the first failure every call is
   * rejected. The kernel drops data that it failed to write, so a later success would acknowledge lost data.
   */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Forces the content of an open file to the disk. `descriptor` is the file descriptor. */
export type Flush = (descriptor: number) => Promise<void>

/**
 * Watches the folder `<pgDataDir>/pg_wal`. A descriptor is opened when a segment is first written, and not only when it
 * is flushed. PostgreSQL can rename a finished segment before the flush, but the descriptor still belongs to the same
 * file.
 */
export const makeWalSync = (pgDataDir: string, flush: Flush = promisify(fdatasync)): WalSync => {
  const folder = join(pgDataDir, "pg_wal")
  const open = new Map<string, number>()
  const dirty = new Set<string>()
  const folderDescriptor = openSync(folder, "r")
  let hasNewNames = false
  let failure: WalSyncFailed | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const written = (name: string): void => {
    if (!segmentName.test(name)) return
    if (!open.has(name)) {
      open.set(name, openSync(join(folder, name), "r+"))
      hasNewNames = true
    }
    dirty.add(name)
  }

  const closeAllBut = (exceptName: string | undefined): void => {
    for (const [name, descriptor] of open) {
      if (name === exceptName || dirty.has(name)) continue
      open.delete(name)
      closeSync(descriptor)
    }
  }

  const round = async (): Promise<void> => {
    const names = [...dirty]
    const descriptors = names.map((name) => open.get(name)).filter((descriptor) => descriptor !== undefined)
    // The folder is flushed too, because it contains the names of the files. Otherwise a new file could not be found
    // after a power loss.
    if (hasNewNames) descriptors.push(folderDescriptor)
    dirty.clear()
    hasNewNames = false
    await Promise.all(descriptors.map(async (descriptor) => flush(descriptor))).catch((cause: unknown) => {
      failure = new WalSyncFailed("The log of the embedded database could not be forced to the disk; restart the pod", {
        cause
      })
      throw failure
    })
    // the file with the highest name stays open, because the engine still writes it; a later file always has a higher
    // name
    closeAllBut(names.sort().at(-1))
  }

  const begin = (): Promise<void> => {
    next = undefined
    const mine = round().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }

  const sync = (): Promise<void> => {
    if (failure !== undefined) return Promise.reject(failure)
    if (running === undefined) return dirty.size === 0 ? Promise.resolve() : begin()
    // If nothing was written since the running flush began, that flush covers this caller too.
    if (dirty.size === 0) return running
    next ??= running.then(begin)
    return next
  }

  // Files that initdb or recovery wrote before this point count as not flushed.
  for (const name of readdirSync(folder)) written(name)

  return {
    written,
    sync,
    close: async () => {
      await sync().finally(() => {
        dirty.clear()
        closeAllBut(undefined)
        closeSync(folderDescriptor)
      })
    }
  }
}

/** The parts of the engine's file layer that this file uses. The types of the engine omit them. */
interface FileLayer {
  readonly FS?: {
    readonly filesystems?: {
      readonly NODEFS?: {
        readonly stream_ops?: { write: (stream: { readonly path?: string }, ...rest: Array<unknown>) => number }
      }
    }
  }
}

const logPath = /\/pg_wal\/([^/]+)$/

/**
 * Returns true if the server answers `message` with `ReadyForQuery`. If `message` contains several protocol messages,
 * it is enough if one of them has this answer.
 */
const endsTurn = (message: Uint8Array): boolean => {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  let at = 0
  while (at + 5 <= message.byteLength) {
    if (answeredMessages.has(view.getUint8(at))) return true
    // the length includes its own bytes, but not the letter before the length
    at += 1 + view.getUint32(at + 1)
  }
  return false
}

/**
 * Changes the engine. After that, every call (`query`, `exec`, transactions, the node-postgres adapter) answers only
 * when the log that it wrote is on the disk. Reads write no log and do not wait. The function observes each write. It
 * does not compare the times of files, because two commits within one tick of the clock would look like one commit.
 * Throws if the engine has an unexpected file layer, because commits would then be acknowledged without a flush.
 */
export const wrapPglite = (lite: PGlite, wal: WalSync): void => {
  const operations = (lite.Module as FileLayer).FS?.filesystems?.NODEFS?.stream_ops
  if (typeof operations?.write !== "function" || typeof lite.execProtocolRaw !== "function") {
    throw new Error("This version of PGlite cannot be watched for log writes; use durability: process")
  }
  const write = operations.write
  operations.write = (stream, ...rest) => {
    const name = logPath.exec(stream.path ?? "")?.[1]
    const count = write(stream, ...rest)
    if (name !== undefined) wal.written(name)
    return count
  }

  const execute = lite.execProtocolRaw.bind(lite)
  lite.execProtocolRaw = async (message, options) => {
    const answer = await execute(message, options)
    // A statement inside a transaction does not wait, because only the COMMIT acknowledges its writes.
    if (endsTurn(message) && !lite.isInTransaction()) await wal.sync()
    return answer
  }
}
