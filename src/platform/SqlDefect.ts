/** Turns failures of the database into defects. */
import { SqlError } from "@effect/sql"
import { Effect } from "effect"

/**
 * Turns a `SqlError` into a defect, and keeps every other error. This is right where no caller can do anything with the
 * failure: Dispatch finds the defect, and then runs the call again or answers that the database is not available. A
 * failure that means something to the caller, such as an email that is taken, must be translated before. The frames of
 * `doors/Authority.ts` already do this for their statements, so only statements without a reach need it.
 */
export const dieOnSqlError = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E, SqlError.SqlError> => error instanceof SqlError.SqlError,
    Effect.die
  )
