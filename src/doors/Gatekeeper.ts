/**
 * The interface through which `Dispatch` learns who makes a call, and which rows this caller is allowed to touch
 * through a door.
 */
import { Context, type Effect, type Either } from "effect"
import type { OperationProperties } from "./Declaration.ts"
import type { Guidance, Refused, Unauthorized } from "./Failure.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import type { Origin, ReachShape } from "./Reach.ts"

export class Gatekeeper extends Context.Tag("pod/Gatekeeper")<
  Gatekeeper,
  {
    /**
     * Finds the principal of a credential. The answer can come from the cache, because every statement checks that the
     * credential is alive. For calls without a later statement, `withinMs` limits the age of the cached answer, in
     * milliseconds.
     */
    readonly identify: (presented: PresentedCredential, withinMs?: number) => Effect.Effect<Principal, Unauthorized>
    /**
     * Does the same as `identify`, but reads only the cache. Returns undefined if the cache has no entry that is at
     * most `withinMs` milliseconds old. This function is synchronous, so that code can call it before a fiber starts.
     */
    readonly recall: (presented: PresentedCredential, withinMs: number) => Principal | undefined
    /** Finds the principal in the store and not in the cache. The look-up does not count as a use of the credential. */
    readonly lookUp: (presented: PresentedCredential) => Effect.Effect<Principal, Unauthorized>
    /** Removes the credential from the cache, so that the next `identify` asks the store. */
    readonly forget: (presented: PresentedCredential) => Effect.Effect<void>
    /**
     * Decides whether a principal is allowed to call an operation. The decision depends on the door of the operation
     * and on the tool profile of the key. This function uses only its arguments, and no other function makes this
     * decision.
     */
    readonly admit: (
      principal: Principal,
      operation: Pick<OperationProperties, "name" | "door" | "profiles">,
      origin: Origin
    ) => Either.Either<ReachShape, Refused>
    /**
     * Explains a refusal to the caller. It says which right is missing, and where the caller's person can make a key
     * with this right.
     */
    readonly guide: (principal: Principal, refusal: Refused) => Pick<Guidance, "why" | "fix">
    /**
     * Records the event of a refusal and returns the id of the event. Returns undefined if the event could not be
     * written.
     */
    readonly recordRefusal: (
      principal: Principal,
      refusal: Refused,
      origin: Origin
    ) => Effect.Effect<string | undefined>
  }
>() {}
