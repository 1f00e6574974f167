/** Something that its client names by a key of its own: made once, however often and by how many at once it is asked for. */
import { Data, Effect, Option } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { isUniqueViolation } from "../../platform/Database.ts"
import type { Transaction } from "../../platform/Transaction.ts"
import { alreadyThere } from "../records/GovernedRecords.ts"

/** The statement that lost against another's has spoilt its transaction: a defect takes all of it back. */
class MadeMeanwhile extends Data.TaggedError("MadeMeanwhile")<{}> {}

const orRolledBack = <A, E, R>(make: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(
    make,
    (failure) => failure instanceof Conflict && failure.code === alreadyThere,
    () => Effect.die(new MadeMeanwhile())
  )

export interface FoundOrMade<A> {
  readonly record: A
  readonly isFound: boolean
}

/**
 * What `find` finds, else what `make` makes. `taken` is what `make` fails with when the key is in use. Of several at
 * once the later find what the first made; where `find` does not reach that, it is `taken`.
 */
export const foundOrMade = <A, E, R, E2, R2>(
  { atomically }: typeof Transaction.Service,
  find: Effect.Effect<A | undefined, E, R>,
  make: Effect.Effect<A, E2, R2>,
  taken: Conflict
): Effect.Effect<FoundOrMade<A>, E | E2 | Conflict, R | R2> => {
  const work = Effect.flatMap(find, (known) =>
    known === undefined
      ? Effect.map(orRolledBack(make), (record): FoundOrMade<A> => ({ record, isFound: false }))
      : Effect.succeed<FoundOrMade<A>>({ record: known, isFound: true })
  )
  const again = Effect.flatMap(find, (known) =>
    known === undefined ? Effect.fail(taken) : Effect.succeed<FoundOrMade<A>>({ record: known, isFound: true })
  )
  // As a value, so that what ends without the record, such as a proposal in its place, is kept all the same.
  return atomically(Effect.either(work)).pipe(
    Effect.flatMap((either): Effect.Effect<FoundOrMade<A>, E | E2> => either),
    Effect.catchIf(
      // By its code: what fails within a span is wrapped, and no longer the same object.
      (failure) => failure instanceof Conflict && failure.code === taken.code,
      () => again
    ),
    Effect.catchSomeDefect((defect) =>
      defect instanceof MadeMeanwhile || isUniqueViolation(defect) ? Option.some(again) : Option.none()
    )
  )
}
