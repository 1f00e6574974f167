/** Finds out who calls, and counts the calls of each caller against the rate limit. */
import { Effect, Either } from "effect"
import { elapsedMsBy } from "../platform/ElapsedTime.ts"
import { clientKey } from "../platform/SignInThrottle.ts"
import { acceptedCredentials, type Progress, type Surface } from "./Call.ts"
import type { Door } from "./Door.ts"
import type { TooMany } from "./Failure.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import { noCredential } from "./NoCredential.ts"
import type { PresentedCredential } from "./Principal.ts"
import { type Allowance, RateLimit, tooMany } from "./RateLimit.ts"
import type { Client } from "./Reach.ts"

/** Returns the id under which the rate limit counts the calls that have no credential. */
export const addressCredit = ({ address }: Client): string => `address ${clientKey(address)}`

/** Makes the functions that find the callers and count their calls. */
export const makeCallers = Effect.gen(function* () {
  const gatekeeper = yield* Gatekeeper
  const limits = yield* RateLimit
  const clock = yield* Effect.clock
  return {
    /**
     * Finds the principal of a credential. Fails if the surface does not accept this kind of credential. `withinMs` is
     * the greatest age of a cached principal in milliseconds.
     */
    identify: (surface: Surface, presented: PresentedCredential, withinMs?: number, door?: Door) =>
      acceptedCredentials[surface].includes(presented.kind)
        ? gatekeeper.identify(presented, withinMs)
        : Effect.fail(noCredential(surface, presented, door)),

    /** Returns the principal of a credential from the cache. Returns undefined if the cache does not have it. */
    recall: (surface: Surface, presented: PresentedCredential, withinMs: number) =>
      acceptedCredentials[surface].includes(presented.kind) ? gatekeeper.recall(presented, withinMs) : undefined,

    /** Counts a call against the rate limit of a credential or an address. Refuses the call if it exceeds the limit. */
    countCall: (creditId: string, progress: Pick<Progress, "allowance">): Either.Either<Allowance, TooMany> => {
      const allowance = limits.take(creditId, elapsedMsBy(clock))
      progress.allowance = allowance
      return allowance.isExceeded ? Either.left(tooMany(allowance)) : Either.right(allowance)
    }
  }
})
