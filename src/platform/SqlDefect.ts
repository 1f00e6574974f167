/** Turns failures of the database into defects. */
import { SqlError } from "@effect/sql"
import { Effect } from "effect"

/**
 * Turns a `SqlError` into a defect, and keeps every other error. Dispatch finds the defect, and then runs the call again
 * or answers that the database is not available. If a `SqlError` means something to the caller, such as an email that is
 * taken, turn it into another failure first. The frames of `doors/Authority.ts` call this function for their statements,
 * so only statements without a reach must call it themselves.
 */
export const dieOnSqlError = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E, SqlError.SqlError> => error instanceof SqlError.SqlError,
    Effect.die
  )
