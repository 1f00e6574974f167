/**
 * The embedded engine behind the pool. An engine that has aborted, such as on a full disk, never answers again and does
 * not report this. The pod stops using it: every waiting call fails, and the next call opens the database again.
 */
import type { PGlite } from "@electric-sql/pglite"
import type { EventEmitter } from "node:events"
import { closeSync } from "node:fs"
import pg from "pg"
import { NamedClient, sqlStates } from "./Database.ts"
import { isDiskFull } from "./DiskRoom.ts"
import { embeddedConfig, type EngineMessages } from "./EmbeddedConfig.ts"

const pauseMs = 1_000 // after an attempt to open that failed, because each one takes most of a second of the process

/** The engine has aborted and is not open. A code is the SQLSTATE of the reason, as the driver has it. */
export class EngineBroken extends Error {
  override readonly name = "EngineBroken"
  readonly code: string | undefined
  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

export const diskFull = () => new EngineBroken("No room is left on the disk of the database.", sqlStates.diskFull)

/** The parts of an engine that are used here; its own types omit them. */
interface Internals {
  onAbort?: () => void
  readonly FS?: { readonly streams?: ReadonlyArray<{ readonly nfd?: number } | null> }
}
const internalsOf = ({ Module }: PGlite): Internals => Module

/**
 * Calls `hear` when the engine aborts, after those who asked for it earlier. The call that aborted returns as if nothing had
 * happened, and later ones never do.
 */
export const onAbort = (lite: PGlite, hear: () => void): void => {
  const internals = internalsOf(lite)
  const earlier = internals.onAbort
  internals.onAbort = () => {
    earlier?.()
    hear()
  }
}

/** Closes the files of an engine that has aborted, which cannot do it itself. */
const closeFiles = (lite: PGlite): void => {
  for (const stream of internalsOf(lite).FS?.streams ?? []) {
    if (typeof stream?.nfd === "number") {
      try {
        closeSync(stream.nfd)
      } catch {
        // The file is closed already.
      }
    }
  }
}

export interface Engine {
  /** The clients of the pool: each fails what waits on it when the engine aborts. */
  readonly Client: typeof pg.Client
  /** Stops using the engine, so that the next use opens the database again. */
  readonly giveUp: () => Promise<void>
  readonly close: () => Promise<void>
}

// The driver's types omit its field `connection`.
const connectionOf = (client: pg.Client) => (client as unknown as { readonly connection: EventEmitter }).connection

export interface EngineOptions {
  /** Opens the database again after its engine has aborted. Without it nothing more is answered then. */
  readonly reopen: (() => Promise<PGlite>) | undefined
  /** The folder of the database; undefined for a database in memory. */
  readonly folder: string | undefined
  /** Hears the SQLSTATE of each failure. */
  readonly hear: (state: string) => void
}

/** Serves the pool with `opened`, and after it has aborted with what `reopen` opens. */
export const engineOf = (opened: PGlite, { folder, hear, reopen }: EngineOptions): Engine => {
  let lite: PGlite | undefined
  let opening: Promise<void> | undefined
  let triedMs = Number.NEGATIVE_INFINITY
  /** The SQLSTATE of the first failure that a statement heard since the engine aborted: why it did so. */
  let reason: string | undefined
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
    onAbort(next, () => {
      if (lite !== next) return
      lite = undefined
      // This runs later, so that the statement that found the fault still gets its own failure.
      setImmediate(() => {
        closeFiles(next)
        failClients()
      })
    })
  }

  const open = async (): Promise<void> => {
    if (reopen === undefined) throw new EngineBroken("The embedded database has stopped.", reason)
    if (folder !== undefined && isDiskFull(folder)) throw diskFull()
    if (performance.now() - triedMs < pauseMs) throw new EngineBroken("The embedded database is not open.", reason)
    triedMs = performance.now()
    use(await reopen())
  }

  const ready = (): Promise<void> => {
    if (lite !== undefined) return Promise.resolve()
    opening ??= open().finally(() => (opening = undefined))
    return opening
  }

  const facade: EngineMessages = {
    waitReady: Promise.resolve(),
    execProtocolStream: (...input: Parameters<PGlite["execProtocolStream"]>) =>
      lite === undefined
        ? Promise.reject(new EngineBroken("The embedded database has stopped.", reason))
        : lite.execProtocolStream(...input)
  }

  // Statements are named and planned once. In the embedded engine, planning is more than half of a write (measured).
  class EmbeddedClient extends NamedClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...embeddedConfig(facade, () => clients.delete(this)) })
      this.on("error", () => {}) // without a listener it would end the process; its statements still fail
      connectionOf(this).on("errorMessage", ({ code }: { readonly code?: string }) => {
        if (lite === undefined) reason ??= code
        hear(code ?? "")
      })
    }
    // The driver has two overloads of `connect`: with a callback, which its pool passes, and without.
    override connect(...args: ReadonlyArray<unknown>): never {
      const connected = ready().then(async (): Promise<pg.Client> => {
        clients.add(this)
        await super.connect()
        // The engine has one session, so the statements that an earlier client has prepared are still there.
        const emptied: Promise<unknown> = this.query("DEALLOCATE ALL")
        await emptied
        return this
      })
      const [told] = args
      if (typeof told !== "function") return connected as never
      connected.then(
        () => told(null, this),
        (error: unknown) => told(error)
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
