/**
 * Finds or creates a record that the client identifies by a text. Repeated and simultaneous requests create the record
 * only once.
 */
import { Data, Effect, Option } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import type { Transaction } from "../../platform/Transaction.ts"
import { alreadyExistsCode } from "../records/RecordWrites.ts"

/**
 * This defect means that the write failed, because another request had created the record first. The defect rolls the
 * transaction back.
 */
class MadeMeanwhile extends Data.TaggedError("MadeMeanwhile")<{}> {}

const orRolledBack = <A, E, R>(make: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(
    make,
    (failure) => failure instanceof Conflict && failure.code === alreadyExistsCode,
    () => Effect.die(new MadeMeanwhile())
  )

export interface FoundOrCreated<A> {
  readonly record: A
  readonly isFound: boolean
}

/**
 * Returns the record that `find` finds. If there is no such record, creates the record with `make`. `make` fails with
 * `conflict` if another record already has the text that identifies the record. If several requests run at the same
 * time, the later requests return the record of the first request. A caller who cannot reach this record gets
 * `conflict`.
 */
export const findOrCreate = <A, E, R, E2, R2>(
  { atomically }: typeof Transaction.Service,
  find: Effect.Effect<A | undefined, E, R>,
  make: Effect.Effect<A, E2, R2>,
  conflict: Conflict
): Effect.Effect<FoundOrCreated<A>, E | E2 | Conflict, R | R2> => {
  const work = Effect.flatMap(find, (known) =>
    known === undefined
      ? Effect.map(orRolledBack(make), (record): FoundOrCreated<A> => ({ record, isFound: false }))
      : Effect.succeed<FoundOrCreated<A>>({ record: known, isFound: true })
  )
  const findAgain = Effect.flatMap(find, (known) =>
    known === undefined ? Effect.fail(conflict) : Effect.succeed<FoundOrCreated<A>>({ record: known, isFound: true })
  )
  // The code returns the failure as a value, so that the transaction commits. Otherwise the transaction would lose a
  // proposal that it stored instead of the record.
  return atomically(Effect.either(work)).pipe(
    Effect.flatMap((either): Effect.Effect<FoundOrCreated<A>, E | E2> => either),
    Effect.catchIf(
      // The code compares the codes of the failures, because a failure within a span is wrapped and is not the same
      // object.
      (failure) => failure instanceof Conflict && failure.code === conflict.code,
      () => findAgain
    ),
    Effect.catchSomeDefect((defect) =>
      defect instanceof MadeMeanwhile || isUniqueViolation(defect) ? Option.some(findAgain) : Option.none()
    )
  )
}
