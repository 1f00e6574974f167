/**
 * Decodes the input of a call. If the caller asks the pod to ignore unknown fields and the operation allows this, the
 * pod ignores them. Otherwise the pod refuses them.
 */
import { Either } from "effect"
import { Invalid } from "./Failure.ts"
import type { Operation } from "./Operation.ts"

/** Decodes the input of a call. If the input is refused, returns its faults. */
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
