/**
 * Decodes the input of a call. If the caller asks the pod to ignore unknown fields and the operation allows this, the
 * pod ignores them. Otherwise the pod refuses them.
 */
import { Either } from "effect"
import type { RunningCall } from "./Call.ts"
import { Invalid } from "./Failure.ts"

/**
 * Decodes the input of a call. If the input is refused, returns its faults. Puts the names of the ignored fields into
 * the progress of the call, so that the answer can list them.
 */
export const inputOf = ({ call, operation, progress }: RunningCall, raw: unknown): Either.Either<unknown, Invalid> => {
  const read =
    call.isLenient === true && operation.decodeLeniently !== undefined
      ? Either.map(operation.decodeLeniently(raw), ({ ignored, input }) => {
          progress.ignored = ignored
          return input
        })
      : operation.decode(raw)
  return Either.mapLeft(read, (faults) => new Invalid({ faults }))
}
