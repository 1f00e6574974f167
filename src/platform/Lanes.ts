/**
 * Statements share a few connections, called lanes. A lane sends the next statement before the last one is answered. A
 * statement on a lane costs the pod and PostgreSQL about half as much as on a connection of the pool (measured). Reads
 * and writes have separate lanes, so a write that waits for a lock delays no read. The lane ends a statement that takes
 * too long, and the pod runs this statement again on the pool. So the statements behind it wait only for a moment.
 * `lanes.test.ts` compares the rows with those of the pool. The next major version of the SQL client of Effect has a
 * driver with the option `multiplex`, which shares connections too. Measure again when you upgrade to it, and remove
 * the lanes if they are no longer faster.
 */
import { type SqlConnection, SqlError } from "@effect/sql"
import { Effect, type Redacted, type Scope } from "effect"
import { answerWaitMs, isUnprepared, Lane } from "./Lane.ts"
import type { SqlStateListener } from "./PostgresPool.ts"
import { statementKind } from "./StatementKind.ts"
import { codeOf } from "./ErrorCode.ts"

/**
 * Something that runs statements: the pool, a transaction, or the lanes. `payer` is the credential for which a
 * statement runs. Work of the pod itself has none.
 */
export interface StatementRunner {
  readonly execute: (
    text: string,
    values: ReadonlyArray<unknown>,
    transformRows: Parameters<SqlConnection.Connection["execute"]>[2],
    payer?: string
  ) => ReturnType<SqlConnection.Connection["execute"]>
}

/**
 * The longest wait of a write for a lock, and the longest run of a read, on a lane, in milliseconds. The statements
 * behind the write or the read wait for the same time.
 */
const lockWithinMs = 250
const runWithinMs = 1_000
// The pod remembers for this many milliseconds that a read of a credential took too long on a lane. During this time,
// the pool runs this read for this credential.
const costlyForMs = 60_000
const costlyMax = 1_000

/** How many of the allowed connections are lanes. The others belong to the pool, which needs at least two. */
export interface LaneCounts {
  readonly read: number
  readonly write: number
}

export const laneCounts = (connectionsMax: number): LaneCounts => {
  if (connectionsMax >= 8) return { read: 3, write: 2 }
  return connectionsMax >= 4 ? { read: 1, write: 1 } : { read: 0, write: 0 }
}

export interface LaneOptions extends LaneCounts {
  readonly url: Redacted.Redacted
  /**
   * Times in milliseconds. Only tests set them. By default `tickMs` is one second, and each other field has the value
   * of the constant with the same name.
   */
  readonly times?: {
    readonly tickMs?: number
    readonly answerWaitMs?: number
    readonly lockWithinMs?: number
    readonly runWithinMs?: number
  }
  readonly onSqlState?: SqlStateListener
}

/**
 * Sends statements outside of a transaction to a free lane. The pool runs a statement if no lane is free, or if the
 * statement is not suitable for a lane (`StatementKind.ts`).
 */
export interface Lanes {
  (pool: StatementRunner): StatementRunner
  /** How many statements wait on a lane behind another statement. */
  readonly waiting: () => number
}

/**
 * Returns the free lane with the fewest waiting statements. If statements wait on each free lane, the function also
 * opens another lane.
 */
const choose = (lanes: ReadonlyArray<Lane>): Lane | undefined => {
  let chosen: Lane | undefined
  for (const lane of lanes) {
    if (lane.isFree() && (chosen === undefined || lane.pending < chosen.pending)) chosen = lane
  }
  if (chosen === undefined || chosen.pending > 0) for (const lane of lanes) lane.open(performance.now())
  return chosen
}

/**
 * Returns true if a lane has ended the statement because the statement waited too long for a lock or ran too long. The
 * statement was a transaction of its own, so nothing was changed. It can run again on the pool, where no statement
 * waits behind it.
 */
const isCutShort = (kind: "read" | "write", error: Error): boolean =>
  codeOf(error) === (kind === "write" ? "55P03" : "57014")

/** Remembers for each credential which reads took too long. */
const costlyStatements = () => {
  const untilMs = new Map<string, number>()
  const nameOf = (payer: string | undefined, text: string) => `${payer ?? ""} ${text}`
  return {
    note: (payer: string | undefined, text: string) => {
      if (untilMs.size >= costlyMax) untilMs.clear()
      untilMs.set(nameOf(payer, text), performance.now() + costlyForMs)
    },
    has: (payer: string | undefined, text: string) =>
      untilMs.size > 0 && (untilMs.get(nameOf(payer, text)) ?? 0) > performance.now()
  }
}

const runOver =
  (lanes: Readonly<Record<"read" | "write", ReadonlyArray<Lane>>>) =>
  (pool: StatementRunner): StatementRunner => {
    const costly = costlyStatements()
    return {
      execute: (text, values, transformRows, payer) => {
        const kind = statementKind(text)
        if (kind === "session" || costly.has(payer, text)) return pool.execute(text, values, transformRows, payer)
        // If the caller is interrupted, the answer is dropped. The statement is not cancelled, because a cancel could
        // hit another statement on the same connection. The statement ends by itself within the statement timeout.
        return Effect.async<ReadonlyArray<object>, SqlError.SqlError>((resume) => {
          const lane = choose(lanes[kind])
          const onPool = () => resume(pool.execute(text, values, transformRows, payer))
          if (lane === undefined) return onPool()
          lane.send(text, values, (error, rows) => {
            if (error === null) resume(Effect.succeed(rows))
            else if (isUnprepared(error)) onPool()
            else if (isCutShort(kind, error)) {
              if (kind === "read") costly.note(payer, text)
              onPool()
            } else resume(Effect.fail(new SqlError.SqlError({ cause: error, message: "Failed to execute statement" })))
          })
        })
      }
    }
  }

/**
 * Makes the lanes and closes them with the scope. A lane connects when it is needed, and connects again after its
 * connection has broken.
 */
export const acquireLanes = ({
  onSqlState = () => {},
  read,
  times = {},
  url,
  write
}: LaneOptions): Effect.Effect<Lanes, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const makeLanes = (count: number, settings: Readonly<Record<string, string>>) =>
        Array.from({ length: count }, () => new Lane(url, times.answerWaitMs ?? answerWaitMs, onSqlState, settings))
      const lanes = {
        read: makeLanes(read, { statement_timeout: `${times.runWithinMs ?? runWithinMs}` }),
        write: makeLanes(write, { lock_timeout: `${times.lockWithinMs ?? lockWithinMs}` })
      }
      const all = [...lanes.read, ...lanes.write]
      const ticks = setInterval(() => all.forEach((lane) => lane.tick()), times.tickMs ?? 1000)
      ticks.unref()
      return { lanes, all, ticks }
    }),
    ({ all, ticks }) =>
      Effect.promise(async () => {
        clearInterval(ticks)
        await Promise.all(all.map((lane) => lane.close()))
      })
  ).pipe(
    Effect.map(({ all, lanes }) =>
      Object.assign(runOver(lanes), {
        // The server runs the first statement of a lane, and the other statements on it wait.
        waiting: () => all.reduce((sum, { pending }) => sum + Math.max(0, pending - 1), 0)
      })
    )
  )
