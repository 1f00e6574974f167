/** Limits how often one client address tries something that a stranger could guess, such as a one-time link. */
import { Effect } from "effect"
import { elapsedMs } from "../platform/ElapsedTime.ts"
import { addressLimit, clientKey, makeBuckets } from "../platform/SignInThrottle.ts"
import { TooMany } from "./Failure.ts"
import { Reach } from "./Reach.ts"

const addressesTracked = 10_000

/**
 * Returns a function that runs an attempt of the caller. It counts the attempt before the work begins. It removes the
 * attempt from the count if the work succeeds and `isSuccess` accepts the result. Fails with TooMany after too many
 * attempts. `what` ends the sentence “Too many attempts …”.
 */
export const makeAddressAttempts = (what: string) => {
  const attempts = makeBuckets(addressLimit, addressesTracked)
  return <A, E, R>(
    work: Effect.Effect<A, E, R>,
    isSuccess: (result: A) => boolean = () => true
  ): Effect.Effect<A, E | TooMany, R | Reach> =>
    Effect.gen(function* () {
      const { origin } = yield* Reach
      const client = clientKey(origin.client.address)
      const waitMs = attempts.take(client, yield* elapsedMs)
      if (waitMs > 0) {
        const retryAfterSeconds = Math.ceil(waitMs / 1000)
        return yield* new TooMany({
          why: `Too many attempts ${what}. Try again in ${retryAfterSeconds} seconds.`,
          retryAfterSeconds
        })
      }
      return yield* Effect.tap(work, (result) =>
        Effect.sync(() => {
          if (isSuccess(result)) attempts.giveBack(client)
        })
      )
    })
}
