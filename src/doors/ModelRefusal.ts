/** Turns the failures of a model service into the failures that callers get. */
import type { ModelFailure, ModelNotConfigured } from "../platform/models/ModelFailure.ts"
import { NoProvider, TooMany, UpstreamFailed, UpstreamTimedOut } from "./Failure.ts"

/** The failures of an operation that calls a model, in addition to its other failures. */
export type ModelRefusal = NoProvider | TooMany | UpstreamFailed | UpstreamTimedOut

// the milliseconds after which the caller can try again, if the model service names no time
const pauseMs = 5_000

/**
 * Makes the failure that the caller gets if the model service failed. `withoutModel`: a sentence that says what a pod
 * without a model cannot do. `details`: the parts of the answer that need no model.
 */
export const modelRefusal = (
  failure: ModelFailure | ModelNotConfigured,
  withoutModel: string,
  details: Readonly<Record<string, unknown>> = {}
): ModelRefusal => {
  if (failure._tag === "ModelNotConfigured") return new NoProvider({ why: withoutModel, details })
  const { code, isRetryable, message, retryAfterMs = pauseMs } = failure
  switch (code) {
    case "timeout":
      return new UpstreamTimedOut({ why: message })
    case "rate_limited":
      return new TooMany({ why: message, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) })
    default:
      return new UpstreamFailed({ code, why: message, isRetryable })
  }
}
