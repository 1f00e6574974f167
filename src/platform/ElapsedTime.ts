/**
 * A clock for measuring intervals. It never jumps: if the clock of the machine is set back by hours, no time limit
 * becomes longer.
 */
import { type Clock, Effect } from "effect"

const nanosPerMs = 1_000_000n

/** Milliseconds since an arbitrary moment. Compare such values only with each other, and never store one. */
export const elapsedMsBy = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos() / nanosPerMs)

/** The same as an effect. */
export const elapsedMs: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedMsBy(clock)))
