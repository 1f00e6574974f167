/** Records one event for each call that a door refused, and tells the caller which operations it may call instead. */
import { Effect } from "effect"
import type { Call, Progress } from "./Call.ts"
import type { Catalog } from "./Catalog.ts"
import { type Failure, Forbidden, GrantDoorUnsupported, type Refused } from "./Failure.ts"
import type { Gatekeeper } from "./Gatekeeper.ts"
import type { Operation } from "./Operation.ts"
import { withOpenDoors } from "./OpenTo.ts"
import { isLocalOperator, type Principal } from "./Principal.ts"
import { isProbing } from "./Probe.ts"
import type { Origin } from "./Reach.ts"

/** Makes the origin of a call: its operation, request and client. */
export const originOf = (operation: Operation, call: Call, principal?: Principal): Origin => ({
  operation: operation.name,
  requestId: call.requestId,
  client: call.client,
  ...(principal !== undefined && isProbing(principal.scopes, operation) ? { isProbe: true } : {}),
  ...(principal !== undefined && isLocalOperator(principal) ? { isOperator: true as const } : {})
})

/** Makes the function that records a refusal. Other failures pass unchanged. */
export const refusalRecorder = (gatekeeper: typeof Gatekeeper.Service, catalog: typeof Catalog.Service) => {
  /**
   * Adds to a refusal the operations that this key may call instead, if its grant cannot limit the refused operation.
   */
  const withAlternatives = (
    refusal: Refused,
    operation: Operation,
    call: Call,
    principal: Principal
  ): Effect.Effect<Refused> =>
    refusal instanceof GrantDoorUnsupported
      ? Effect.map(catalog.compiled, (compiled) =>
          withOpenDoors(refusal, compiled, call.surface, operation, (other) =>
            gatekeeper.admit(principal, other, originOf(operation, call))
          )
        )
      : Effect.succeed(refusal)

  /** Records one event for a refusal. The answer gets the event's id if the event could be written. */
  return (operation: Operation, call: Call, progress: Progress) =>
    (failure: Failure): Effect.Effect<never, Failure> => {
      const { principal } = progress
      const isRefused = failure instanceof Forbidden || failure instanceof GrantDoorUnsupported
      if (!isRefused || principal === undefined) return Effect.fail(failure)
      return Effect.gen(function* () {
        const refusal = yield* withAlternatives(failure, operation, call, principal)
        const decisionId = yield* gatekeeper.recordRefusal(principal, refusal, originOf(operation, call))
        if (decisionId === undefined) return yield* refusal
        return yield* refusal instanceof Forbidden
          ? new Forbidden({ ...refusal, decisionId })
          : new GrantDoorUnsupported({ ...refusal, decisionId })
      })
    }
}
