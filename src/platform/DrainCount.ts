/** Counts how often and how long a revocation waits for the end of all transactions that began before it. */
import { Effect } from "effect"
import { elapsedMs } from "./ElapsedTime.ts"

export interface DrainCount {
  readonly count: number
  readonly failed: number
  /** The duration of all waits together, in milliseconds. */
  readonly totalMs: number
}

/** Wraps the effect so that its runs are counted. Returns the wrapped effect and a function that reads the counts. */
export const countDrains = <E, R>(drained: Effect.Effect<void, E, R>) => {
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
