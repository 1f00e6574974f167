/**
 * Decides what happens after a defect of a call. The call runs again, or is answered as unavailable, or is logged and
 * answered as broken.
 */
import { SqlError } from "@effect/sql"
import { Cause, Effect } from "effect"
import { classify } from "../platform/Database.ts"
import { uuidv7 } from "../platform/Ids.ts"
import { AuthorityLost } from "./Authority.ts"
import { Broken, type Failure, Unavailable } from "./Failure.ts"

export const unavailable = new Unavailable({
  why: "The pod cannot reach its database right now. Try again shortly.",
  retryAfterSeconds: 1
})

/**
 * The cause of a defect, as far as it matters. After `authorityLost` and `retry` nothing is committed, and the call may
 * run again.
 */
export type Diagnosis = "authorityLost" | "retry" | "unavailable" | "broken"

/** Finds out whether the call can recover from the cause. Every other cause is `broken`. */
export const diagnose = (cause: Cause.Cause<unknown>): Diagnosis => {
  for (const defect of Cause.defects(cause)) {
    if (defect instanceof AuthorityLost) return "authorityLost"
    if (defect instanceof SqlError.SqlError) return classify(defect)
  }
  return "broken"
}

/** Logs the cause under a new id and returns the failure, which holds only that id. */
export const logInternalError = (
  cause: Cause.Cause<unknown>,
  operation: string,
  requestId: string
): Effect.Effect<Failure> => {
  const errorId = uuidv7()
  return Effect.as(
    Effect.logError("call failed", cause).pipe(Effect.annotateLogs({ errorId, operation, requestId })),
    new Broken({ errorId })
  )
}
