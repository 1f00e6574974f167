/**
 * The embedded engine that serves the pool. An engine that has aborted, for example on a full disk, never answers again
 * and does not report this. The pod then fails every waiting call, and the next call opens the database again. The pod
 * also replaces an engine to which the system has refused a file. The pod replaces such an engine as soon as the system
 * allows changes to the files again.
 */
import type { PGlite } from "@electric-sql/pglite"
import type { EventEmitter } from "node:events"
import { closeSync } from "node:fs"
import pg from "pg"
import { NamedClient, sqlStates } from "./Database.ts"
import { isDiskFull } from "./DiskRoom.ts"
import { embeddedConfig, type EngineMessages } from "./EmbeddedConfig.ts"
import { isFileFailure, isFileRefusal, refusesChanges } from "./FileAccess.ts"

// the time for which statements can run one after another before other tasks of the process get a turn
const turnMs = 8
// pause after a failed attempt to open the database, because an attempt blocks the process for most of a second
const pauseMs = 1_000
// pause between two checks whether the system allows changes to the files of the database again
const lookMs = 1_000
// pause between two replacements of an engine after the system refused a file
const replaceMs = 10_000

/**
 * The error of a call if the engine has aborted and the pod has not opened the database again yet. `code` is the
 * SQLSTATE of the reason. The field has the same name as in errors of the driver.
 */
export class EngineBroken extends Error {
  override readonly name = "EngineBroken"
  readonly code: string | undefined
  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

export const diskFull = () => new EngineBroken("No room is left on the disk of the database.", sqlStates.diskFull)

export const filesRefused = () =>
  new EngineBroken("The system refuses changes to the files of the database.", sqlStates.readOnly)

/** The parts of an engine that this file uses and that are missing in the types of PGlite. */
interface Internals {
  onAbort?: () => void
  readonly FS?: { readonly streams?: ReadonlyArray<{ readonly nfd?: number } | null> }
}
const internalsOf = ({ Module }: PGlite): Internals => Module

/**
 * Calls `listener` when the engine aborts. Functions that were registered earlier run first. Without `listener`, the
 * pod would not notice the abort, because the call in which the engine aborts seems to succeed and later calls never
 * return.
 */
export const onAbort = (lite: PGlite, listener: () => void): void => {
  const internals = internalsOf(lite)
  const earlier = internals.onAbort
  internals.onAbort = () => {
    earlier?.()
    listener()
  }
}

/** Closes the files of an engine that has aborted, because this engine cannot do it itself. */
const closeFiles = (lite: PGlite): void => {
  for (const stream of internalsOf(lite).FS?.streams ?? []) {
    if (typeof stream?.nfd === "number") {
      try {
        closeSync(stream.nfd)
      } catch {
        // An error means that the file is already closed.
      }
    }
  }
}

export interface Engine {
  /** The class of the pool's clients. When the engine aborts, each client fails all its waiting statements. */
  readonly Client: typeof pg.Client
  /** Stops using the engine, so that the next use opens the database again. */
  readonly giveUp: () => Promise<void>
  readonly close: () => Promise<void>
}

// The types of the driver omit the field `connection` of a client.
const connectionOf = (client: pg.Client) => (client as unknown as { readonly connection: EventEmitter }).connection

export interface EngineOptions {
  /** Opens the database again after its engine has aborted. If this field is undefined, every later statement fails. */
  readonly reopen: (() => Promise<PGlite>) | undefined
  /** The folder of the database; undefined for a database in memory. */
  readonly folder: string | undefined
  /** The engine calls this function with the SQLSTATE of each failure that it reports. */
  readonly onSqlState: (state: string) => void
}

/**
 * Serves the pool with the engine `opened`. After this engine has aborted, it serves the pool with the engine that
 * `reopen` returns.
 */
export const engineOf = (opened: PGlite, { folder, onSqlState, reopen }: EngineOptions): Engine => {
  let lite: PGlite | undefined
  let opening: Promise<void> | undefined
  let triedMs = Number.NEGATIVE_INFINITY
  /** The reason of the abort: the SQLSTATE of the first failure that a statement got after the engine had aborted. */
  let reason: string | undefined
  /**
   * True after the system has refused a file to the engine. If the engine could not create a file, it might believe
   * that the file exists. So this engine might never recover.
   */
  let isDamaged = false
  let lookedMs = Number.NEGATIVE_INFINITY
  let replacedMs = Number.NEGATIVE_INFINITY
  const clients = new Set<pg.Client>()

  const failClients = () => {
    const failed = [...clients]
    clients.clear()
    const error = new EngineBroken("The embedded database has stopped; it is opened again.", reason)
    for (const client of failed) connectionOf(client).emit("error", error)
  }

  const use = (next: PGlite) => {
    lite = next
    reason = undefined
    isDamaged = false
    onAbort(next, () => {
      if (lite !== next) return
      lite = undefined
      // `setImmediate` runs this code later, so that the statement during which the engine aborted still gets its own
      // failure.
      setImmediate(() => {
        closeFiles(next)
        failClients()
      })
    })
  }

  const open = async (): Promise<void> => {
    if (reopen === undefined) throw new EngineBroken("The embedded database has stopped.", reason)
    if (folder !== undefined && isDiskFull(folder)) throw diskFull()
    if (folder !== undefined && refusesChanges(folder)) throw filesRefused()
    if (performance.now() - triedMs < pauseMs) throw new EngineBroken("The embedded database is not open.", reason)
    triedMs = performance.now()
    use(await reopen())
  }

  const ready = (): Promise<void> => {
    if (lite !== undefined) return Promise.resolve()
    opening ??= open().finally(() => (opening = undefined))
    return opening
  }

  /**
   * Stops using an engine to which the system refused a file, as soon as the system allows changes to the files again.
   * Until then, this engine still answers reads of the files that it has open. The pod does not shut this engine down
   * in the usual way, because the engine would then write and could abort. When the pod opens the database again, the
   * database recovers from its log, as after an abort.
   */
  const replaceIfDamaged = (): void => {
    const nowMs = performance.now()
    if (!isDamaged || lite === undefined || reopen === undefined || nowMs - replacedMs < replaceMs) return
    if (nowMs - lookedMs < lookMs) return
    lookedMs = nowMs
    if (folder !== undefined && refusesChanges(folder)) return
    replacedMs = nowMs
    const damaged = lite
    lite = undefined
    reason = sqlStates.readOnly
    closeFiles(damaged)
    failClients()
  }

  let lastTurnMs = performance.now()
  let turning: Promise<void> | undefined
  // Lets other tasks run after the engine has answered for `turnMs`, because the engine answers without leaving the
  // current turn of the event loop. If many calls, such as runs of rules, wrote at once, their statements could run one
  // after another for minutes. No request would be read in this time. All messages that come during the pause wait for
  // the same promise, so they keep their order.
  const pause = (): Promise<void> =>
    (turning ??= new Promise((resolve) =>
      setImmediate(() => {
        turning = undefined
        lastTurnMs = performance.now()
        resolve()
      })
    ))

  const facade: EngineMessages = {
    waitReady: Promise.resolve(),
    execProtocolStream: async (...input: Parameters<PGlite["execProtocolStream"]>) => {
      if (turning !== undefined || performance.now() - lastTurnMs > turnMs) await pause()
      replaceIfDamaged()
      if (lite === undefined) throw new EngineBroken("The embedded database has stopped.", reason)
      return lite.execProtocolStream(...input)
    }
  }

  // Statements are named, so that they are planned once. In the embedded engine, planning is more than half of the time
  // of a write (measured).
  class EmbeddedClient extends NamedClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...embeddedConfig(facade, () => clients.delete(this)) })
      // without a listener the error would end the process; the client's statements still fail
      this.on("error", () => {})
      // This listener runs before the listener of the driver. So the error that the driver passes on has the code that
      // this listener sets.
      connectionOf(this).on("errorMessage", (error: { code?: string; readonly message?: string }) => {
        isDamaged ||= isFileRefusal(error)
        if (isFileRefusal(error) || (isDamaged && isFileFailure(error))) error.code = sqlStates.readOnly
        const { code } = error
        if (lite === undefined) reason ??= code
        onSqlState(code ?? "")
      })
    }
    // The driver has two overloads of `connect`: one with a callback, which the driver's pool uses, and one without.
    override connect(...args: ReadonlyArray<unknown>): never {
      const connected = ready().then(async (): Promise<pg.Client> => {
        clients.add(this)
        await super.connect()
        // The engine has only one session. So the prepared statements of an earlier client still exist and must be
        // removed.
        const emptied: Promise<unknown> = this.query("DEALLOCATE ALL")
        await emptied
        return this
      })
      const [settle] = args
      // The driver declares both forms of `connect`, with and without a callback, in one overloaded type.
      if (typeof settle !== "function") return connected as never
      connected.then(
        () => settle(null, this),
        (error: unknown) => settle(error)
      )
      return undefined as never
    }
  }

  use(opened)
  return {
    Client: EmbeddedClient,
    giveUp: async () => {
      const given = lite
      lite = undefined
      if (given === undefined) return
      failClients()
      await given.close()
    },
    close: async () => {
      await opening?.catch(() => undefined)
      const last = lite
      lite = undefined
      if (last !== undefined) await last.close()
    }
  }
}
