/** Runs a call of an operation with a public door. */
import { Cause, Effect } from "effect"
import type { RunningCall } from "./Call.ts"
import type { Failure } from "./Failure.ts"
import { inputOf } from "./Input.ts"
import { Presented } from "./Presented.ts"
import { publicReach, Reach } from "./Reach.ts"
import { failureOfDefect } from "./Recovery.ts"
import { originOf } from "./RefusalEvents.ts"

/**
 * Runs a call through a public door. The function looks up no credential, and the call is not allowed to touch any row.
 */
export const runPublic = (running: RunningCall): Effect.Effect<unknown, Failure> => {
  const { call, operation } = running
  return call.input.pipe(
    Effect.flatMap((raw) => inputOf(running, raw)),
    Effect.flatMap((input) =>
      Effect.provideService(operation.run(input), Reach, publicReach(originOf(operation, call)))
    ),
    Effect.provideService(Presented, call.presented),
    Effect.map(operation.encode),
    // a public call has no user, so nobody could make a proposal
    Effect.catchTag("Proposed", Effect.die),
    Effect.catchAllDefect((defect) =>
      Effect.flatMap(failureOfDefect(Cause.die(defect), operation.name, call.requestId), Effect.fail)
    )
  )
}
