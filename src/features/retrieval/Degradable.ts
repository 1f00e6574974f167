/** A part of an answer that may fail alone: the rest arrives, and the answer names what is missing. */
import { Cause, Duration, Effect } from "effect"
import { diagnose } from "../../doors/Recovery.ts"

export interface Part<A> {
  readonly value: A
  /** What could not answer; empty when all is well. */
  readonly degraded: ReadonlyArray<string>
}

const patience = Duration.seconds(5)

/**
 * Runs the part. When it fails, breaks or takes too long, it answers the fallback under its name. What the caller may do is
 * not up for this: a call whose authority is lost ends as a whole, and so does an interrupted one.
 */
export const degradable = <A, E, R>(
  name: string,
  fallback: A,
  part: Effect.Effect<A, E, R>,
  nameOf: (failure: E) => string = () => name
): Effect.Effect<Part<A>, never, R> =>
  part.pipe(
    Effect.map((value): Part<A> => ({ value, degraded: [] })),
    Effect.catchAll((failure) => Effect.succeed({ value: fallback, degraded: [nameOf(failure)] })),
    Effect.timeoutTo({
      duration: patience,
      onSuccess: (answered) => answered,
      onTimeout: (): Part<A> => ({ value: fallback, degraded: [name] })
    }),
    Effect.catchAllCause((cause) =>
      Cause.isInterrupted(cause) || diagnose(cause) === "authorityLost"
        ? Effect.failCause(cause)
        : Effect.as(Effect.logError(`${name} did not answer`, cause), { value: fallback, degraded: [name] })
    )
  )
