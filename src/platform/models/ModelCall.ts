/** Makes one call to a model service, with its retries, within the time that the settings allow. */
import { Effect, Random } from "effect"
import type { ModelEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"

const retriesMax = 2
const firstPauseMs = 500
const pauseMsMax = 10_000

/**
 * Returns the pause before the next attempt, in milliseconds. If the service asked for a pause, the function returns
 * that pause. If that pause is longer than `pauseMsMax`, the function returns undefined, and there is no further
 * attempt. If the service asked for no pause, the pause is random, so that several nodes do not call again at the same
 * time. The mean of the random pauses doubles with each retry.
 */
const pauseBefore = (retry: number, { retryAfterMs }: ModelFailure): Effect.Effect<number | undefined> => {
  if (retryAfterMs !== undefined) return Effect.succeed(retryAfterMs <= pauseMsMax ? retryAfterMs : undefined)
  const mean = firstPauseMs * 2 ** retry
  return Random.nextRange(mean / 2, mean * 1.5)
}

const withRetries = <A, R>(attempt: Effect.Effect<A, ModelFailure, R>, retry = 0): Effect.Effect<A, ModelFailure, R> =>
  Effect.catchAll(attempt, (failure) =>
    retry >= retriesMax || failure.isTransient !== true
      ? Effect.fail(failure)
      : Effect.flatMap(pauseBefore(retry, failure), (pauseMs) =>
          pauseMs === undefined
            ? Effect.fail(failure)
            : Effect.zipRight(Effect.sleep(pauseMs), withRetries(attempt, retry + 1))
        )
  )

/**
 * Calls the service with retries. The pod sends a request again only after a rate limit, a fault of the service or a
 * broken connection.
 */
export const callModel = <A, R>(
  { timeoutMs }: ModelEndpoint,
  attempt: Effect.Effect<A, ModelFailure, R>
): Effect.Effect<A, ModelFailure, R> =>
  Effect.timeoutFail(withRetries(attempt), {
    duration: timeoutMs,
    onTimeout: () => new ModelFailure({ code: "timeout" })
  })
