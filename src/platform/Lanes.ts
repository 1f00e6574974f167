/**
 * Statements share a few connections, on which the next one is sent before the last one is answered. This costs the pod
 * and PostgreSQL about half of what a connection of the pool costs for each statement (measured). Reads have other lanes
 * than writes, so a write that waits for a lock holds up no read.
 */
import { type SqlConnection, SqlError } from "@effect/sql"
import { Effect, type Redacted, type Scope } from "effect"
import { heldAfterMs, isUnprepared, Lane } from "./Lane.ts"
import type { HearState } from "./PostgresPool.ts"
import { statementKind } from "./StatementKind.ts"

/** What runs statements: the pool, a transaction, or lanes. */
export type Executes = Pick<SqlConnection.Connection, "execute">

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
  /** Tests state other times than a second and `heldAfterMs`. */
  readonly times?: { readonly tickMs?: number; readonly heldAfterMs?: number }
  readonly hear?: HearState
}

/** Takes statements outside of transactions instead of the pool, as far as there is room. The pool takes the others. */
export type Lanes = (pool: Executes) => Executes

/** The free lane on which the fewest statements wait. Opens a further lane while statements wait. */
const choose = (lanes: ReadonlyArray<Lane>): Lane | undefined => {
  const nowMs = performance.now()
  let chosen: Lane | undefined
  for (const lane of lanes) {
    if (lane.isFree(nowMs) && (chosen === undefined || lane.pending < chosen.pending)) chosen = lane
  }
  if (chosen === undefined || chosen.pending > 0) for (const lane of lanes) lane.open(nowMs)
  return chosen
}

const over =
  (lanes: Readonly<Record<"read" | "write", ReadonlyArray<Lane>>>): Lanes =>
  (pool) => ({
    execute: (text, values, transformRows) => {
      const kind = statementKind(text)
      if (kind === "session") return pool.execute(text, values, transformRows)
      // An interrupted caller drops the answer. A cancel could hit the statement of a neighbour, so the statement ends by
      // itself, within the statement timeout.
      return Effect.async<ReadonlyArray<object>, SqlError.SqlError>((resume) => {
        const lane = choose(lanes[kind])
        if (lane === undefined) return resume(pool.execute(text, values, transformRows))
        lane.send(text, values, (error, rows) => {
          if (error === null) resume(Effect.succeed(rows))
          else if (isUnprepared(error)) resume(pool.execute(text, values, transformRows))
          else resume(Effect.fail(new SqlError.SqlError({ cause: error, message: "Failed to execute statement" })))
        })
      })
    }
  })

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
      const made = (count: number) =>
        Array.from({ length: count }, () => new Lane(url, times.heldAfterMs ?? heldAfterMs, hear))
      const lanes = { read: made(read), write: made(write) }
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
