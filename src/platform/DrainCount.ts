/** Counts how often and how long a revocation waits until every transaction has ended that began before it. */
import { Effect } from "effect"
import { elapsedMs } from "./ElapsedTime.ts"

export interface DrainCount {
  readonly count: number
  readonly failed: number
  /** All waits together. */
  readonly totalMs: number
}

/** The same effect, which counts itself, and what it has counted so far. */
export const countingDrains = <E, R>(drained: Effect.Effect<void, E, R>) => {
  let [count, failed, totalMs] = [0, 0, 0]
  return {
    drained: Effect.flatMap(elapsedMs, (startedMs) =>
      Effect.onExit(drained, (exit) =>
        Effect.map(elapsedMs, (endedMs) => {
          count += 1
          totalMs += endedMs - startedMs
          if (exit._tag === "Failure") failed += 1
        })
      )
    ),
    drains: (): DrainCount => ({ count, failed, totalMs })
  }
}
