/** Chooses the failure code for an error answer of an OpenAI-compatible service. */
import { DateTime, Option, Schema } from "effect"
import { ModelFailure, type ModelFailureCode } from "./ModelFailure.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Union(
    Schema.String,
    Schema.Struct({
      message: Schema.optional(Schema.NullOr(Schema.String)),
      type: Schema.optional(Schema.NullOr(Schema.String)),
      code: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Number)))
    })
  )
})
const readBody = Schema.decodeUnknownOption(ErrorBody)

/**
 * Words that services use in `code`, `type` or `message`, the most specific ones first. They only serve to choose a
 * failure code.
 */
const signs: ReadonlyArray<readonly [RegExp, ModelFailureCode]> = [
  [
    /context_length|context (?:length|window|size)|maximum context|too many tokens|prompt is too long/i,
    "context_length_exceeded"
  ],
  [/content_?filter|content_policy|responsible_?ai/i, "content_filter"],
  [/billing_hard_limit|account_quota/i, "account_quota_exceeded"],
  [/insufficient_quota|quota_exceeded|exceeded your current quota/i, "quota_exhausted"],
  [/insufficient (?:credit|balance|funds)|insufficient_(?:credit|balance|funds)/i, "provider_no_credit"],
  [
    /account_(?:deactivated|inactive|suspended)|account (?:is |has been )?(?:deactivated|inactive|suspended)/i,
    "account_inactive"
  ],
  [/not_entitled|model_not_allowed|insufficient_permissions/i, "not_entitled"],
  [/invalid_api_key|authentication_error/i, "provider_auth"],
  [/rate_limit/i, "rate_limited"]
]

const signIn = (body: unknown): ModelFailureCode | undefined =>
  Option.match(readBody(body), {
    onNone: () => undefined,
    onSome: ({ error }) => {
      const errorText =
        typeof error === "string" ? error : `${error.code ?? ""} ${error.type ?? ""} ${error.message ?? ""}`
      return signs.find(([sign]) => sign.test(errorText))?.[1]
    }
  })

const codeOfStatus = (status: number): ModelFailureCode => {
  if (status >= 500) return "upstream_error"
  switch (status) {
    case 401:
    case 403:
      return "provider_auth"
    case 402:
      return "provider_no_credit"
    case 408:
      return "timeout"
    case 413:
      return "context_length_exceeded"
    case 429:
      return "rate_limited"
    case 499:
      return "cancelled"
    default:
      // A redirection gets the code `bad_request` too. The pod does not follow the redirection, because the key would
      // then go to an address that is not in the settings.
      return "bad_request"
  }
}

/**
 * Returns the failure code for an error answer. The words of the body are used only for the statuses 400 to 499,
 * because a service that has failed can send any text.
 */
const codeOf = (status: number, body: unknown): ModelFailureCode => {
  const byStatus = codeOfStatus(status)
  return status >= 400 && status < 500 ? (signIn(body) ?? byStatus) : byStatus
}

/**
 * Returns the pause that the service asks for, in milliseconds. The function reads it from `retry-after-ms`, or else
 * from `Retry-After` (seconds or a date).
 */
const retryAfterOf = (headers: Headers, nowMs: number): number | undefined => {
  const exact = headers.get("retry-after-ms")
  if (exact !== null && /^\d{1,9}$/.test(exact)) return Number(exact)
  const given = headers.get("retry-after")
  if (given === null) return undefined
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1000
  const moment = Date.parse(given)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs)
}

/** Returns the failure of an error answer. `body` is the JSON of the answer, or undefined if the answer is not JSON. */
export const failureOfAnswer = (
  { headers, status }: Pick<Response, "headers" | "status">,
  body: unknown,
  now: DateTime.Utc
): ModelFailure => {
  const code = codeOf(status, body)
  const retryAfterMs = retryAfterOf(headers, DateTime.toEpochMillis(now))
  return new ModelFailure({
    code,
    isTransient: code === "rate_limited" || code === "upstream_error",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })
}

/** Returns the failure that an event of a stream reports. Returns undefined if the event reports no failure. */
export const failureInEvent = (event: unknown): ModelFailure | undefined =>
  typeof event === "object" && event !== null && "error" in event && event.error !== null
    ? new ModelFailure({ code: signIn(event) ?? "upstream_error" })
    : undefined
