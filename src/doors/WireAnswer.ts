/** Makes the HTTP answer for each failure: status, body and headers. */
import { docsPathOf } from "./FailureReference.ts"
import type { Failure, Fault, UnauthorizedReason } from "./Failure.ts"

export interface WireAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the sentence of a failure answer. If the field `error` is a code, the sentence is in `message`. */
export const sentenceOf = ({ body }: WireAnswer): string => String(body["message"] ?? body["error"])

const unauthorizedMessage: Record<UnauthorizedReason, string> = {
  no_auth: "Send a key in Authorization: Bearer, or a sign-in token in X-Session-Token.",
  invalid_format: "The credential does not have the form of a pod key. Copy the whole key again.",
  key_revoked:
    "The credential is not valid: it was revoked or signed out, or the pod does not know it. Use another credential.",
  expired: "The credential has expired. Sign in again, or use another key."
}

const faultText = ({ path, message }: Fault) => (path === "" ? message : `${path}: ${message}`)

/**
 * Writes several faults as one text. Each fault is a sentence of its own, so that a list of names in one fault stays
 * separate from the next fault.
 */
const faultsText = ([only, ...more]: ReadonlyArray<Fault>): string => {
  if (only === undefined) return ""
  if (more.length === 0) return faultText(only)
  return [only, ...more].map((fault) => faultText(fault).replace(/[^.!?…]$/, "$&.")).join(" ")
}

const answerOf = (failure: Failure): WireAnswer => {
  switch (failure._tag) {
    case "Unauthorized":
      return {
        status: 401,
        body: {
          error: "unauthorized",
          reason: failure.reason,
          message: failure.why ?? unauthorizedMessage[failure.reason],
          ...(failure.keyIdPrefix === undefined ? {} : { keyIdPrefix: failure.keyIdPrefix })
        },
        headers: { "www-authenticate": 'Bearer realm="pod"' }
      }
    case "Forbidden":
    case "GrantDoorUnsupported":
      return {
        status: 403,
        body: {
          ...(failure._tag === "Forbidden" ? failure.details : {}),
          error: failure.why,
          code: failure.code,
          required: failure.required,
          granted: failure.granted,
          ...(failure.decisionId === undefined ? {} : { decisionId: failure.decisionId }),
          ...(failure.guidance === undefined ? {} : { ...failure.guidance, retryable: false })
        },
        ...(failure.required.length === 0
          ? {}
          : { headers: { "x-svc-required-permission": failure.required.join(", ") } })
      }
    case "Invalid":
      return {
        status: 400,
        body: { error: faultsText(failure.faults), details: failure.faults }
      }
    case "NotFound":
      return { status: 404, body: { ...failure.details, error: failure.why } }
    case "Conflict":
      return {
        status: 409,
        body: {
          error: failure.why,
          code: failure.code,
          ...(failure.details === undefined ? {} : { details: failure.details })
        }
      }
    case "NotImplemented":
      return { status: 501, body: { error: failure.why } }
    case "TooLarge":
      return { status: 413, body: { error: failure.why } }
    case "UnsupportedMedia":
      return { status: 415, body: { error: failure.why } }
    case "MethodNotAllowed":
      return {
        status: 405,
        body: { error: `This path does not accept the method of the request. Use ${failure.allowed.join(" or ")}.` },
        headers: { allow: failure.allowed.join(", ") }
      }
    case "TooMany":
      return {
        status: 429,
        body: { error: failure.why },
        headers: { "retry-after": String(failure.retryAfterSeconds) }
      }
    case "Unavailable":
      return {
        status: 503,
        body: { error: failure.why },
        headers: { "retry-after": String(failure.retryAfterSeconds) }
      }
    case "NoProvider":
      return { status: 503, body: { ...failure.details, error: failure.why, code: "no_provider" } }
    case "UpstreamFailed":
      return { status: 502, body: { error: failure.why, code: failure.code, retryable: failure.isRetryable } }
    case "UpstreamTimedOut":
      return { status: 504, body: { error: failure.why } }
    case "Broken":
      return {
        status: 500,
        body: {
          error: "ServerError",
          code: "INTERNAL_SERVER_ERROR",
          message: "Something went wrong inside the pod. Send the `errorId` to the operator of the pod.",
          errorId: failure.errorId
        }
      }
  }
}

/** Returns the HTTP answer of a failure: always an object with a string `error`. */
export const wireAnswerOf = (failure: Failure): WireAnswer => {
  const answer = answerOf(failure)
  return { ...answer, body: { ...answer.body, docs: docsPathOf(failure) } }
}
