/**
 * Statements share a few connections, on which the next one is sent before the last one is answered. This costs the pod
 * and PostgreSQL about half of what a connection of the pool costs for each statement (measured). Reads have other lanes
 * than writes, so a write that waits for a lock holds up no read. A statement that takes long on a lane is ended there and
 * runs again on the pool, so those that were sent behind it wait for a moment.
 */
import { type SqlConnection, SqlError } from "@effect/sql"
import { Effect, type Redacted, type Scope } from "effect"
import { heldAfterMs, isUnprepared, Lane } from "./Lane.ts"
import type { HearState } from "./PostgresPool.ts"
import { statementKind } from "./StatementKind.ts"

/** What runs statements: the pool, a transaction, or lanes. `payer` is who asks, if it is not the pod itself. */
export interface Executes {
  readonly execute: (
    text: string,
    values: ReadonlyArray<unknown>,
    transformRows: Parameters<SqlConnection.Connection["execute"]>[2],
    payer?: string
  ) => ReturnType<SqlConnection.Connection["execute"]>
}

/** The longest wait of a write for a lock on a lane, and the longest run of a read. The neighbours behind it wait as long. */
const lockWithinMs = 250
const runWithinMs = 1_000
const costlyForMs = 60_000 // how long the statements of a credential that took too long avoid the lanes
const costlyMax = 1_000

/** How many of the allowed connections are lanes. The others are the pool's, which needs two. */
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
  /** Tests state other times than a second, `heldAfterMs`, `lockWithinMs` and `runWithinMs`. */
  readonly times?: {
    readonly tickMs?: number
    readonly heldAfterMs?: number
    readonly lockWithinMs?: number
    readonly runWithinMs?: number
  }
  readonly hear?: HearState
}

/** Takes statements outside of transactions instead of the pool, as far as there is room. The pool takes the others. */
export type Lanes = (pool: Executes) => Executes

/** The free lane on which the fewest statements wait. Opens a further lane while statements wait. */
const choose = (lanes: ReadonlyArray<Lane>): Lane | undefined => {
  let chosen: Lane | undefined
  for (const lane of lanes) {
    if (lane.isFree() && (chosen === undefined || lane.pending < chosen.pending)) chosen = lane
  }
  if (chosen === undefined || chosen.pending > 0) for (const lane of lanes) lane.open(performance.now())
  return chosen
}

/**
 * A lane has ended the statement, because it waited too long for a lock or ran too long. It was a transaction of its own, so
 * nothing is changed, and it may run again where nobody waits behind it.
 */
const isCutShort = (kind: "read" | "write", error: Error): boolean =>
  (error as { readonly code?: unknown }).code === (kind === "write" ? "55P03" : "57014")

/** Remembers whose statements took too long. */
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

const over =
  (lanes: Readonly<Record<"read" | "write", ReadonlyArray<Lane>>>): Lanes =>
  (pool) => {
    const costly = costlyStatements()
    return {
      execute: (text, values, transformRows, payer) => {
        const kind = statementKind(text)
        if (kind === "session" || costly.has(payer, text)) return pool.execute(text, values, transformRows, payer)
        // An interrupted caller drops the answer. A cancel could hit the statement of a neighbour, so the statement ends by
        // itself, within the statement timeout.
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

/** The lanes, which close with the scope. Each connects when it is needed, and again after it has broken. */
export const acquireLanes = ({
  hear = () => {},
  read,
  times = {},
  url,
  write
}: LaneOptions): Effect.Effect<Lanes, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = (count: number, settings: Readonly<Record<string, string>>) =>
        Array.from({ length: count }, () => new Lane(url, times.heldAfterMs ?? heldAfterMs, hear, settings))
      const lanes = {
        read: made(read, { statement_timeout: `${times.runWithinMs ?? runWithinMs}` }),
        write: made(write, { lock_timeout: `${times.lockWithinMs ?? lockWithinMs}` })
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
  ).pipe(Effect.map(({ lanes }) => over(lanes)))
