/** Runs long computations in slices of a few milliseconds, so that other requests can run in between. */
import { Effect } from "effect"
import { yieldToEventLoop } from "./EventLoop.ts"

/** A computation that can be paused at each `yield`. */
export type Steps<A> = Generator<void, A, void>

/**
 * A computation reads this many entries of a list between two yields, if one entry takes about ten nanoseconds. A yield
 * that does not pause takes less than a microsecond.
 */
export const entriesPerStep = 8192

// how long a computation runs before it pauses
const sliceMs = 8

/**
 * Runs a long computation. After each `sliceMs` milliseconds it pauses at the next `yield`, so that other work can run.
 */
export const inSlices = <A>(steps: Steps<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    let since = performance.now()
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
      if (performance.now() - since < sliceMs) continue
      yield* yieldToEventLoop
      since = performance.now()
    }
  })

/** Runs the computation to its end without a pause. */
export const runWithoutPause = <A>(steps: Steps<A>): A => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
