/**
 * Decodes the input of a call. Unknown fields are refused, or ignored if the caller prefers that and the operation
 * allows it.
 */
import { Either } from "effect"
import { Invalid } from "./Failure.ts"
import type { Operation } from "./Operation.ts"

/** Decodes the input of a call. Returns the faults of the input if it is refused. */
export const inputOf = (
  operation: Operation,
  { isLenient }: { readonly isLenient?: boolean },
  raw: unknown,
  /** Receives the names of the ignored fields, so that the answer can list them. */
  progress: { ignored: ReadonlyArray<string> }
): Either.Either<unknown, Invalid> => {
  const read =
    isLenient === true && operation.decodeLeniently !== undefined
      ? Either.map(operation.decodeLeniently(raw), ({ ignored, input }) => {
          progress.ignored = ignored
          return input
        })
      : operation.decode(raw)
  return Either.mapLeft(read, (faults) => new Invalid({ faults }))
}
