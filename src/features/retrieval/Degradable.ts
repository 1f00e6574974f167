/** Runs one part of an answer. If this part fails, the answer still has the other parts and names the missing part. */
import { Cause, Context, type Duration, Effect } from "effect"
import { diagnose } from "../../doors/Recovery.ts"

export interface Part<A> {
  readonly value: A
  /** The names of the parts of the answer that failed. Empty if no part failed. */
  readonly degraded: ReadonlyArray<string>
}

/** The maximum time that an answer waits for one of its parts. */
export class PartTimeout extends Context.Tag("pod/PartTimeout")<PartTimeout, Duration.Duration>() {}

/**
 * Runs one part of an answer. If the part fails, has a defect or takes too long, returns the fallback value and the
 * name of the part. The whole call fails only if the caller's rights change during the call, or if the call is
 * interrupted.
 */
export const degradableWithin =
  (timeout: Duration.Duration) =>
  <A, E, R>(
    name: string,
    fallback: A,
    part: Effect.Effect<A, E, R>,
    nameOf: (failure: E) => string = () => name
  ): Effect.Effect<Part<A>, never, R> =>
    part.pipe(
      Effect.map((value): Part<A> => ({ value, degraded: [] })),
      Effect.catchAll((failure) => Effect.succeed({ value: fallback, degraded: [nameOf(failure)] })),
      Effect.timeoutTo({
        duration: timeout,
        onSuccess: (answered) => answered,
        onTimeout: (): Part<A> => ({ value: fallback, degraded: [name] })
      }),
      Effect.catchAllCause((cause) =>
        Cause.isInterrupted(cause) || diagnose(cause) === "authorityLost"
          ? Effect.failCause(cause)
          : Effect.as(Effect.logError(`${name} did not answer`, cause), { value: fallback, degraded: [name] })
      )
    )
