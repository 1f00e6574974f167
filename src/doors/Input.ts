/** Decodes the input of a call: strictly, or leniently if the caller prefers that and the operation allows it. */
import { Either } from "effect"
import { Invalid } from "./Failure.ts"
import type { Operation } from "./Operation.ts"

/** The decoded input of a call, or what is wrong with it. */
export const inputOf = (
  operation: Operation,
  { isLenient }: { readonly isLenient?: boolean },
  raw: unknown,
  /** Gets the ignored fields, which the answer lists. */
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
