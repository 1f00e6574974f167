/**
 * Completes the refusal of a known caller. It adds the missing right, what the caller can do, and the id of the event
 * that records the refusal.
 */
import { Effect } from "effect"
import type { Attempt, Call, RunningCall } from "./Call.ts"
import type { Catalog } from "./Catalog.ts"
import { type Failure, Forbidden, GrantDoorUnsupported, type Refused } from "./Failure.ts"
import type { Gatekeeper } from "./Gatekeeper.ts"
import type { Operation } from "./Operation.ts"
import { openBeside } from "./OpenTo.ts"
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

const withFields = (refusal: Refused, fields: Partial<Pick<Refused, "why" | "guidance" | "decisionId">>): Refused =>
  refusal instanceof Forbidden
    ? new Forbidden({ ...refusal, ...fields })
    : new GrantDoorUnsupported({ ...refusal, ...fields })

/**
 * Makes the function that completes a refusal of a known caller. The function adds what the caller can do about the
 * refusal, and records one event. It does not change failures of other kinds.
 */
export const refusalRecorder = (gatekeeper: typeof Gatekeeper.Service, catalog: typeof Catalog.Service) => {
  /**
   * Returns the operations that this key is allowed to call instead of the refused operation. Returns an empty list for
   * every refusal other than `GrantDoorUnsupported`.
   */
  const alternativesTo = (
    refusal: Refused,
    { call, operation, principal }: Attempt
  ): Effect.Effect<ReadonlyArray<string>> =>
    refusal instanceof GrantDoorUnsupported
      ? Effect.map(catalog.compiled, (compiled) =>
          openBeside(compiled, call.surface, operation, (other) =>
            gatekeeper.admit(principal, other, originOf(operation, call))
          )
        )
      : Effect.succeed([])

  return (running: RunningCall) =>
    (failure: Failure): Effect.Effect<never, Failure> => {
      const { call, operation, progress } = running
      const { principal } = progress
      const isRefused = failure instanceof Forbidden || failure instanceof GrantDoorUnsupported
      if (!isRefused || principal === undefined) return Effect.fail(failure)
      return Effect.gen(function* () {
        const alternatives = yield* alternativesTo(failure, { ...running, principal })
        const refusal = withFields(failure, {
          why:
            alternatives.length === 0
              ? failure.why
              : `${failure.why} This key can call these operations instead: ${alternatives.join(", ")}.`,
          guidance: { ...gatekeeper.guide(principal, failure), alternatives, requestId: call.requestId }
        })
        const decisionId = yield* gatekeeper.recordRefusal(principal, refusal, originOf(operation, call))
        return yield* decisionId === undefined ? refusal : withFields(refusal, { decisionId })
      })
    }
}
