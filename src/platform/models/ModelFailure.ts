/**
 * The failures of a call to a model service, as a fixed list of codes. Each code has a fixed message and says whether a
 * retry can help.
 */
import { Data } from "effect"
import { keysOf } from "../OwnKeys.ts"

interface CodeMeaning {
  /**
   * The message that people see. Each code always has the same message. The pod does not show the text that the model
   * service sends, because that text can contain a key or a prompt.
   */
  readonly message: string
  /** Whether the same call can succeed later without any change. */
  readonly isRetryable: boolean
}

/**
 * The codes that clients know. For the last four codes the clients do not define `retryable`, so the pod chooses it. A
 * retry can help after an error of the service or a bad answer of the model. It cannot help after a refused request or
 * an unknown error.
 */
const codes = {
  cancelled: { message: "The model service cancelled the call.", isRetryable: true },
  rate_limited: { message: "The model service gets too many calls at the moment. Try again later.", isRetryable: true },
  timeout: { message: "The model service did not answer in time.", isRetryable: true },
  circuit_open: {
    message: "The model service failed several times, so the pod does not call it for a while. Try again later.",
    isRetryable: true
  },
  provider_no_credit: { message: "The pod's account at the model service has no credit.", isRetryable: false },
  quota_exhausted: { message: "The pod's account at the model service has used all of its quota.", isRetryable: false },
  account_quota_exceeded: {
    message: "The pod's account at the model service has reached its limit.",
    isRetryable: false
  },
  not_entitled: { message: "The pod's account at the model service may not use this model.", isRetryable: false },
  account_inactive: { message: "The pod's account at the model service is not active.", isRetryable: false },
  llm_budget_exceeded: {
    message: "The pod has used all the tokens that its settings allow for today. Try again tomorrow.",
    isRetryable: false
  },
  context_length_exceeded: { message: "The text is too long for the model. Send a shorter text.", isRetryable: false },
  content_filter: { message: "The model service refused the content of the request.", isRetryable: false },
  provider_auth: { message: "The model service does not accept the key of the pod.", isRetryable: false },
  upstream_error: { message: "The model service failed or cannot be reached.", isRetryable: true },
  bad_request: { message: "The model service does not accept the request of the pod.", isRetryable: false },
  invalid_response: { message: "The pod cannot use the answer of the model service.", isRetryable: true },
  unknown: { message: "The call to the model service failed.", isRetryable: false }
} as const satisfies Readonly<Record<string, CodeMeaning>>

export type ModelFailureCode = keyof typeof codes

/** Every failure code, for the schemas of answers of the API. */
export const modelFailureCodes = keysOf(codes)

/** A failed call. It contains the code that the pod chose, and no text that the service sent. */
export class ModelFailure extends Data.TaggedError("ModelFailure")<{
  readonly code: ModelFailureCode
  /** The pause that the service asked for with `Retry-After`. Absent if the service asked for no pause. */
  readonly retryAfterMs?: number
  /**
   * True after a rate limit, a fault of the service or a broken connection. The pod then sends the request again after
   * a short pause.
   */
  readonly isTransient?: boolean
  /**
   * True if the service works, and only this answer cannot be used: for example, because it is too long. Every client
   * can cause such a failure by its question, so it does not show that the service is down.
   */
  readonly isOfAnswer?: boolean
}> {
  override get message(): string {
    return codes[this.code].message
  }
  get isRetryable(): boolean {
    return codes[this.code].isRetryable
  }
}

/** The settings name no service of this kind, so the pod called no service. */
export class ModelNotConfigured extends Data.TaggedError("ModelNotConfigured")<{
  readonly service: "language model" | "embeddings"
}> {}
