/** The port that Dispatch uses: whose credential this is, and what its principal may reach through a door. */
import { Context, type Effect, type Either } from "effect"
import type { Door } from "./Door.ts"
import type { Forbidden, Unauthorized } from "./Failure.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import type { Origin, ReachShape } from "./Reach.ts"

export class Gatekeeper extends Context.Tag("pod/Gatekeeper")<
  Gatekeeper,
  {
    /**
     * The principal of a credential. May answer from the cache, because every statement checks that the credential is alive.
     * Where no statement follows, `withinMs` limits the age of the cached answer.
     */
    readonly identify: (presented: PresentedCredential, withinMs?: number) => Effect.Effect<Principal, Unauthorized>
    /** The principal, read from the store and not from the cache. Does not count as a use of the credential. */
    readonly lookUp: (presented: PresentedCredential) => Effect.Effect<Principal, Unauthorized>
    /** Removes the credential from the cache, so that the next `identify` asks the store. */
    readonly forget: (presented: PresentedCredential) => Effect.Effect<void>
    /** Decides whether a door admits a principal. The only such decision. Pure. */
    readonly admit: (principal: Principal, door: Door, origin: Origin) => Either.Either<ReachShape, Forbidden>
    /** Records the event of a refusal and returns its id; undefined if it could not be written. */
    readonly recordRefusal: (
      principal: Principal,
      refusal: Forbidden,
      origin: Origin
    ) => Effect.Effect<string | undefined>
  }
>() {}
