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
import { EngineTurns } from "./EngineTurns.ts"
import { isFileFailure, isFileRefusal, refusesChanges } from "./FileAccess.ts"

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

/** The engine that the pool uses now, or none if it has stopped and the pod has not opened the database again yet. */
class CurrentEngine {
  private lite: PGlite | undefined
  private opening: Promise<void> | undefined
  private triedMs = Number.NEGATIVE_INFINITY
  /** The reason of the abort: the SQLSTATE of the first failure that a statement got after the engine had aborted. */
  private reason: string | undefined
  /**
   * True after the system has refused a file to the engine. If the engine could not create a file, it might believe
   * that the file exists. So this engine might never recover.
   */
  private isDamaged = false
  private lookedMs = Number.NEGATIVE_INFINITY
  private replacedMs = Number.NEGATIVE_INFINITY
  readonly clients = new Set<pg.Client>()
  private readonly options: EngineOptions

  constructor(opened: PGlite, options: EngineOptions) {
    this.options = options
    this.use(opened)
  }

  private use(next: PGlite): void {
    this.lite = next
    this.reason = undefined
    this.isDamaged = false
    onAbort(next, () => {
      if (this.lite !== next) return
      this.lite = undefined
      // `setImmediate` runs this code later, so that the statement during which the engine aborted still gets its own
      // failure.
      setImmediate(() => {
        closeFiles(next)
        this.failClients()
      })
    })
  }

  private failClients(): void {
    const failed = [...this.clients]
    this.clients.clear()
    const error = new EngineBroken("The embedded database has stopped; it is opened again.", this.reason)
    for (const client of failed) connectionOf(client).emit("error", error)
  }

  private stopped(): EngineBroken {
    return new EngineBroken("The embedded database has stopped.", this.reason)
  }

  private async open(): Promise<void> {
    const { folder, reopen } = this.options
    if (reopen === undefined) throw this.stopped()
    if (folder !== undefined && isDiskFull(folder)) throw diskFull()
    if (folder !== undefined && refusesChanges(folder)) throw filesRefused()
    if (performance.now() - this.triedMs < pauseMs) {
      throw new EngineBroken("The embedded database is not open.", this.reason)
    }
    this.triedMs = performance.now()
    this.use(await reopen())
  }

  /** Opens the database again if its engine has stopped. */
  ready(): Promise<void> {
    if (this.lite !== undefined) return Promise.resolve()
    this.opening ??= this.open().finally(() => (this.opening = undefined))
    return this.opening
  }

  /** Returns the engine for the next statement. */
  inUse(): PGlite {
    this.replaceIfDamaged()
    if (this.lite === undefined) throw this.stopped()
    return this.lite
  }

  /**
   * Stops using an engine to which the system refused a file, as soon as the system allows changes to the files again.
   * Until then, this engine still answers reads of the files that it has open. The pod does not shut this engine down
   * in the usual way, because the engine would then write and could abort. When the pod opens the database again, the
   * database recovers from its log, as after an abort.
   */
  private replaceIfDamaged(): void {
    if (!this.isDamaged) return
    const { folder, reopen } = this.options
    const nowMs = performance.now()
    if (this.lite === undefined || reopen === undefined || nowMs - this.replacedMs < replaceMs) return
    if (nowMs - this.lookedMs < lookMs) return
    this.lookedMs = nowMs
    if (folder !== undefined && refusesChanges(folder)) return
    this.replacedMs = nowMs
    const damaged = this.lite
    this.lite = undefined
    this.reason = sqlStates.readOnly
    closeFiles(damaged)
    this.failClients()
  }

  /** Notes an error that the engine reported. Changes the code of the error if the system has refused a file. */
  noteError(error: { code?: string; readonly message?: string }): void {
    this.isDamaged ||= isFileRefusal(error)
    if (isFileRefusal(error) || (this.isDamaged && isFileFailure(error))) error.code = sqlStates.readOnly
    const { code } = error
    if (this.lite === undefined) this.reason ??= code
    this.options.onSqlState(code ?? "")
  }

  async giveUp(): Promise<void> {
    const given = this.lite
    this.lite = undefined
    if (given === undefined) return
    this.failClients()
    await given.close()
  }

  async close(): Promise<void> {
    await this.opening?.catch(() => undefined)
    const last = this.lite
    this.lite = undefined
    if (last !== undefined) await last.close()
  }
}

/** Makes the class of the clients that send their statements to the current engine. */
const clientClassOf = (engine: CurrentEngine): typeof pg.Client => {
  const turns = new EngineTurns()
  const facade: EngineMessages = {
    waitReady: Promise.resolve(),
    execProtocolStream: async (...input: Parameters<PGlite["execProtocolStream"]>) => {
      if (turns.isOver()) await turns.pause()
      return engine.inUse().execProtocolStream(...input)
    }
  }
  // Statements are named, so that they are planned once. In the embedded engine, planning is more than half of the time
  // of a write (measured).
  return class EmbeddedClient extends NamedClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...embeddedConfig(facade, () => engine.clients.delete(this)) })
      // without a listener the error would end the process; the client's statements still fail
      this.on("error", () => {})
      // This listener runs before the listener of the driver. So the error that the driver passes on has the code that
      // this listener sets.
      connectionOf(this).on("errorMessage", (error: { code?: string; readonly message?: string }) =>
        engine.noteError(error)
      )
    }
    // The driver has two overloads of `connect`: one with a callback, which the driver's pool uses, and one without.
    override connect(...args: ReadonlyArray<unknown>): never {
      const connected = engine.ready().then(async (): Promise<pg.Client> => {
        engine.clients.add(this)
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
}

/**
 * Serves the pool with the engine `opened`. After this engine has aborted, it serves the pool with the engine that
 * `reopen` returns.
 */
export const engineOf = (opened: PGlite, options: EngineOptions): Engine => {
  const engine = new CurrentEngine(opened, options)
  return {
    Client: clientClassOf(engine),
    giveUp: () => engine.giveUp(),
    close: () => engine.close()
  }
}
