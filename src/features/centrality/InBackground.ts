/** How a long computation runs beside the call that asked for it: the one place to change when the pod keeps durable jobs. */
import { Cause, Effect, Fiber, type Scope } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"

const waitedMost = "1 seconds" // a small computation is done before its call is answered

/**
 * Starts the work in a fiber of the pod, which ends with the pod, and waits for it a moment. A credential that dies meanwhile
 * ends the work. What goes wrong is logged.
 */
export const inBackground =
  (scope: Scope.Scope) =>
  <R>(work: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
    Effect.gen(function* () {
      const quiet = Effect.catchAllCause(work, (cause) =>
        [...Cause.defects(cause)].some((defect) => defect instanceof AuthorityLost)
          ? Effect.void
          : Effect.logWarning("a computation in the background failed", cause)
      )
      const fiber = yield* Effect.forkIn(quiet, scope)
      yield* Effect.timeoutOption(Fiber.join(fiber), waitedMost)
    })
