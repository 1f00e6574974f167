/** Counts the requests that reach no operation against the rate limit of their caller. `Dispatch` counts all others. */
import { Either } from "effect"
import type { Dispatch } from "../doors/Dispatch.ts"
import type { Failure } from "../doors/Failure.ts"
import type { Principal } from "../doors/Principal.ts"
import { type Exchange, noteAllowance } from "./Exchange.ts"

/**
 * Counts calls of a request. Returns the refusal if the rate limit is exceeded. Otherwise, if the caller has a
 * credential, the headers of the answer show what is left of the limit.
 */
export const countCalls = (
  dispatch: typeof Dispatch.Service,
  { client, response }: Exchange,
  principal: Principal | undefined,
  calls = 1
): Failure | undefined => {
  const counted = dispatch.countCalls(principal, client, calls)
  if (Either.isLeft(counted)) return counted.left
  if (principal !== undefined) noteAllowance(response, counted.right)
  return undefined
}
