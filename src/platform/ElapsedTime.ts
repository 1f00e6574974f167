/**
 * A clock for measuring intervals. This clock never jumps. So a time limit does not become longer when somebody sets
 * the clock of the machine back.
 */
import { type Clock, Effect } from "effect"

const nanosPerMs = 1_000_000n

/** Milliseconds since an arbitrary moment. Compare these values only with each other, and never store them. */
export const elapsedMsBy = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos() / nanosPerMs)

/** The same as `elapsedMsBy`, as an effect with the clock of the fiber. */
export const elapsedMs: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedMsBy(clock)))
