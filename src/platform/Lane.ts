/**
 * One connection on which the pod sends further statements before the server has answered the earlier statements. Each
 * statement is a transaction of its own. The server runs and answers the statements in the order in which they were
 * sent. `Lanes.ts` says how much time such a connection (lane) saves, and when this code can be removed.
 */
import type { Redacted } from "effect"
import type pg from "pg"
import { NamedClient, sqlStates } from "./Database.ts"
import {
  breakConnection,
  connectWithinMs,
  endConnection,
  type SqlStateListener,
  onSqlState,
  breakAtSessionEnd,
  streamOf,
  withErrorListener
} from "./PostgresPool.ts"
import { connectionFor } from "./PostgresSession.ts"
import { arePlain, type KnownColumns, PreparedQuery } from "./PreparedQuery.ts"
import { codeOf } from "./ErrorCode.ts"

/**
 * A lane waits this many milliseconds for an answer. After this time, the lane accepts no new statements until all
 * earlier statements are answered.
 */
export const answerWaitMs = 50
// the maximum number of statements that wait for an answer on one connection at the same time
const pendingMax = 64
// pause after a failed attempt to connect
const pauseMs = 500
// seconds without an answer after which the pod breaks this connection; the server ends a statement after 15 s
const silentTicks = 18
// seconds without a statement after which this connection is closed, as in the pool
const idleTicks = 10

export type AnswerCallback = (error: Error | null, rows: ReadonlyArray<object>) => void

/** A statement that was sent and is not answered. */
interface Pending {
  readonly sentAtTick: number
}

/**
 * The connections that got statements in this turn of the event loop. At the end of the turn, each connection writes
 * all of its statements at once.
 */
const unwrittenClients = new Set<pg.Client>()

const writeAll = () => {
  for (const client of unwrittenClients) streamOf(client).uncork()
  unwrittenClients.clear()
}

const writeLater = (client: pg.Client) => {
  if (unwrittenClients.has(client)) return
  streamOf(client).cork()
  if (unwrittenClients.size === 0) setImmediate(writeAll)
  unwrittenClients.add(client)
}

const hasState = (error: Error, state: string): boolean => codeOf(error) === state

/**
 * Returns true if the prepared statement is missing, because the earlier statement that should have prepared it failed.
 * The server has then not run this statement.
 */
export const isUnprepared = (error: Error): boolean => hasState(error, "26000")

/**
 * Returns true if the connection must be replaced after this failure, because the connection lacks a prepared statement
 * or accepts no writes. The pod replaces the connection as soon as no statement waits on it.
 */
const spends = (error: Error): boolean => isUnprepared(error) || hasState(error, sqlStates.readOnly)

export class Lane {
  readonly #url: Redacted.Redacted
  readonly #heldAfterMs: number
  readonly #hear: SqlStateListener
  readonly #settings: Readonly<Record<string, string>>
  #client: NamedClient | undefined
  /** The columns of the statements that are prepared on the connection `#client`. */
  #known: KnownColumns = new Map()
  #isOpening = false
  #isClosed = false
  #opensAfterMs = 0
  /** The statements that wait for an answer. The oldest is the first. */
  readonly #pending = new Set<Pending>()
  /** The time of the latest answer, or of the latest statement that was sent while no other statement waited. */
  #movedAtMs = 0
  #isWatched = false
  /**
   * True while this connection accepts no further statements. It accepts statements again when all statements that were
   * sent are answered.
   */
  #isHeld = false
  /** True if the connection must be replaced as soon as no statement waits on it. */
  #isSpent = false
  #tick = 0
  #usedAtTick = 0

  /** `settings` are the session settings in which this connection differs from the other connections of the pod. */
  constructor(
    url: Redacted.Redacted,
    answerWaitMs: number,
    onState: SqlStateListener,
    settings: Readonly<Record<string, string>>
  ) {
    this.#settings = settings
    this.#url = url
    this.#heldAfterMs = answerWaitMs
    this.#hear = onState
  }

  /** How many statements wait for their answers. */
  get pending(): number {
    return this.#pending.size
  }

  /**
   * Returns true if this connection accepts another statement. While it waits for a slow statement, it accepts none.
   */
  isFree(): boolean {
    return this.#client !== undefined && this.#pending.size < pendingMax && !this.#isHeld
  }

  /**
   * If no answer came for too long, lets the connection accept no further statements until the earlier ones are
   * answered.
   */
  #watch(afterMs: number): void {
    this.#isWatched = true
    const look = () => {
      this.#isWatched = false
      if (this.#pending.size === 0) return
      const leftMs = this.#heldAfterMs - (performance.now() - this.#movedAtMs)
      if (leftMs > 0) this.#watch(leftMs)
      else this.#isHeld = true
    }
    // A pod that was busy might not have read answers that have arrived already. `setImmediate` lets the pod read these
    // answers before the check.
    setTimeout(() => setImmediate(look), afterMs).unref()
  }

  /** Begins to connect, unless the connection is open or could not be opened a moment ago. */
  open(nowMs: number): void {
    if (this.#client !== undefined || this.#isOpening || this.#isClosed || nowMs < this.#opensAfterMs) return
    this.#isOpening = true
    const client = new NamedClient({
      ...connectionFor("work", this.#url, this.#settings),
      connectionTimeoutMillis: connectWithinMs,
      pipeline: true
    })
    withErrorListener(client)
    let isLost = false
    const giveUpLane = () => {
      isLost = true
      if (this.#client === client) this.#client = undefined
    }
    client.on("error", giveUpLane)
    client.on("end", giveUpLane)
    const use = () => {
      this.#isOpening = false
      onSqlState(client, this.#hear)
      breakAtSessionEnd(client)
      if (this.#isClosed) return void endConnection(client)
      if (isLost) return
      this.#usedAtTick = this.#tick
      this.#client = client
      this.#known = new Map()
    }
    const giveUp = () => {
      this.#isOpening = false
      this.#opensAfterMs = performance.now() + pauseMs
      breakConnection(client, "The connection was not opened.")
    }
    client.connect().then(use, giveUp)
  }

  /**
   * Sends the statement. `answered` is called once, even if the connection breaks. Call `send` only if `isFree` returns
   * true.
   */
  send(text: string, values: ReadonlyArray<unknown>, answered: AnswerCallback): void {
    const client = this.#client
    if (client === undefined) return answered(new Error("The connection was lost."), [])
    const sent: Pending = { sentAtTick: this.#tick }
    if (this.#pending.size === 0) this.#movedAtMs = performance.now()
    this.#pending.add(sent)
    if (!this.#isWatched) this.#watch(this.#heldAfterMs)
    this.#usedAtTick = this.#tick
    writeLater(client)
    const done: AnswerCallback = (error, rows) => {
      // If a value cannot be encoded, its statement fails at once. The server later sends an empty answer for this
      // statement, and this code ignores that answer.
      if (!this.#pending.delete(sent)) return
      if (error !== null && spends(error)) this.#isSpent = this.#isHeld = true
      this.#advance(client)
      answered(error, rows)
    }
    const name = client.nameOf(text)
    if (name !== undefined && arePlain(values)) {
      client.query(new PreparedQuery({ name, text, values, known: this.#known }, done))
    } else {
      client.query(text, [...values], (error: Error | null | undefined, result: pg.QueryResult | undefined) =>
        done(error ?? null, result?.rows ?? [])
      )
    }
  }

  #advance(client: pg.Client): void {
    if (this.#pending.size > 0) {
      this.#movedAtMs = performance.now()
      return
    }
    this.#isHeld = false
    if (this.#isSpent) this.#leave(client)
  }

  #leave(client: pg.Client): void {
    this.#isSpent = false
    if (this.#client === client) this.#client = undefined
    void endConnection(client)
  }

  /**
   * Call this once a second. It breaks the connection if a statement has waited longer than the server lets a statement
   * run. It closes the connection if nobody uses it.
   */
  tick(): void {
    this.#tick += 1
    const client = this.#client
    if (client === undefined) return
    const [first] = this.#pending
    if (first === undefined) {
      if (this.#tick - this.#usedAtTick > idleTicks) this.#leave(client)
    } else if (this.#tick - first.sentAtTick >= silentTicks) {
      breakConnection(client, "PostgreSQL does not answer.")
    }
  }

  /** Waits at most a second for the statements that are not yet answered, and disconnects. */
  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await endConnection(client)
  }
}
