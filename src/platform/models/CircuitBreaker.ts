/**
 * Stops calls to a service that fails again and again. After a pause it lets one call through to find out whether the
 * service answers again.
 */
import { Effect, Exit, Ref } from "effect"
import { elapsedMs } from "../ElapsedTime.ts"
import { ModelFailure, type ModelFailureCode } from "./ModelFailure.ts"

// after this many failures in a row the circuit opens, and further calls are stopped
const failuresMax = 5
// how long calls are stopped before a trial call
export const openMs = 30_000

/**
 * Failures that show that the service is down. A service that refuses a request and gives a reason is not down, so such
 * a failure does not count. A failure of one answer (`isOfAnswer`) does not count either. Otherwise one client could
 * stop the calls of all others.
 */
const ofService: ReadonlySet<ModelFailureCode> = new Set(["timeout", "upstream_error", "invalid_response", "unknown"])

interface State {
  readonly failures: number
  /** The time until which the pod makes no calls. Null while calls are not stopped. */
  readonly openUntil: number | null
  readonly isTrying: boolean
}

const closedState: State = { failures: 0, openUntil: null, isTrying: false }

export type CircuitBreaker = <A, R>(call: Effect.Effect<A, ModelFailure, R>) => Effect.Effect<A, ModelFailure, R>

/** Returns the state after a call. A call that was interrupted counts neither as success nor as failure. */
const stateAfter = (state: State, exit: Exit.Exit<unknown, ModelFailure>, isTrial: boolean, nowMs: number): State => {
  const failure = Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : undefined
  if (Exit.isFailure(exit) && failure === undefined) return isTrial ? { ...state, isTrying: false } : state
  if (failure === undefined || failure.isOfAnswer === true || !ofService.has(failure.code)) {
    // Only the trial call is allowed to close an open circuit. The late answer of a call that began before the circuit
    // opened must not close it.
    return isTrial || state.openUntil === null ? closedState : state
  }
  const failures = state.failures + 1
  if (isTrial) return { failures, openUntil: nowMs + openMs, isTrying: false }
  if (state.openUntil !== null) return state
  return failures < failuresMax ? { ...state, failures } : { failures, openUntil: nowMs + openMs, isTrying: false }
}

export const circuitBreaker: Effect.Effect<CircuitBreaker> = Effect.map(Ref.make(closedState), (stateRef) => {
  const enter = Effect.flatMap(elapsedMs, (nowMs) =>
    Ref.modify(stateRef, (state): readonly ["open" | "call" | "trial", State] => {
      if (state.openUntil === null) return ["call", state]
      return nowMs < state.openUntil || state.isTrying ? ["open", state] : ["trial", { ...state, isTrying: true }]
    })
  )
  return (call) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(enter, (entered) =>
        entered === "open"
          ? Effect.fail(new ModelFailure({ code: "circuit_open" }))
          : Effect.onExit(restore(call), (exit) =>
              Effect.flatMap(elapsedMs, (nowMs) =>
                Ref.update(stateRef, (state) => stateAfter(state, exit, entered === "trial", nowMs))
              )
            )
      )
    )
})
