/**
 * The one place where operations run. The steps are: find the caller of the credential, let the door decide, compute
 * which rows the call is allowed to touch, decode, run the handler, encode.
 */
import { Cause, Context, Effect, Either, Layer, Option } from "effect"
import type { Call, Outcome, Surface } from "./Call.ts"
import { addressCredit, makeCallers } from "./Callers.ts"
import { makeCallRunner } from "./CallRunner.ts"
import type { Failure, TooMany } from "./Failure.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import type { Operation } from "./Operation.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import type { Allowance } from "./RateLimit.ts"
import { type Client, noClient } from "./Reach.ts"
import { failureOfDefect } from "./Recovery.ts"

// the greatest age in milliseconds of a cached credential that no statement confirms
const unconfirmedMs = 1000

export class Dispatch extends Context.Tag("pod/Dispatch")<
  Dispatch,
  {
    /**
     * Runs a call of an operation. Calls `done` exactly once, also after a cancel. Returns the function that cancels
     * the call.
     */
    readonly start: (operation: Operation, call: Call, done: (outcome: Outcome) => void) => () => void
    /** Finds the principal of a credential, for code that needs the principal before it knows the operation. */
    readonly identify: (
      surface: Surface,
      presented: PresentedCredential,
      requestId: string
    ) => Effect.Effect<Principal, Failure>
    /**
     * Returns the principal that `identify` would return, if the cache has this principal. Returns undefined if
     * `identify` would have to ask the store.
     */
    readonly recall: (surface: Surface, presented: PresentedCredential) => Principal | undefined
    /**
     * Counts calls that `start` does not count, such as a request to an unknown route or the messages of an MCP
     * request. The pod counts them for the credential. If there is no credential, it counts them for the address of the
     * client.
     */
    readonly countCalls: (
      principal: Principal | undefined,
      client: Client,
      calls?: number
    ) => Either.Either<Allowance, TooMany>
    /**
     * Returns true if the principal is allowed to call the operation. A call of the operation gets the same decision.
     */
    readonly admits: (principal: Principal, operation: Operation) => boolean
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const gatekeeper = yield* Gatekeeper
      const { countCall, identify, recall } = yield* makeCallers
      return {
        start: yield* makeCallRunner,
        recall: (surface, presented) => recall(surface, presented, unconfirmedMs),
        identify: (surface, presented, requestId) =>
          Effect.catchAllCause(identify(surface, presented, unconfirmedMs), (cause) =>
            Option.match(Cause.failureOption(cause), {
              onSome: Effect.fail,
              onNone: () => Effect.flatMap(failureOfDefect(cause, "identify", requestId), Effect.fail)
            })
          ),
        countCalls: (principal, client, calls = 1) => {
          const id = principal?.credential.id ?? addressCredit(client)
          let counted = countCall(id, {})
          for (let call = 1; call < calls && Either.isRight(counted); call++) counted = countCall(id, {})
          return counted
        },
        admits: (principal, operation) =>
          Either.isRight(gatekeeper.admit(principal, operation, { operation: "", requestId: "", client: noClient }))
      }
    })
  )
}
