/** Long computations in slices, so that other requests have their turn in between. */
import { Effect } from "effect"

/** A computation that offers others a turn at each `yield`. */
export type Steps<A> = Generator<void, A, void>

const sliceMs = 8

/** Gives everything else that waits in this process a turn. */
export const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Runs the computation. It pauses at the first `yield` after each slice of time. */
export const inSlices = <A>(steps: Steps<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    let since = performance.now()
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
      if (performance.now() - since < sliceMs) continue
      yield* turn
      since = performance.now()
    }
  })

/** Runs the computation without a pause. */
export const atOnce = <A>(steps: Steps<A>): A => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
