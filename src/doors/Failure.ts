/** The failures a caller can meet, one class a cause, and how each is said on the wire. */
import { Data } from "effect"

/** One thing wrong with an input: where (`properties.due`, empty for the whole), and what. */
export interface Fault {
  readonly path: string
  readonly message: string
}

export type UnauthorizedReason = "no_auth" | "invalid_format" | "key_revoked" | "expired"

export class Unauthorized extends Data.TaggedError("Unauthorized")<{
  readonly reason: UnauthorizedReason
  readonly keyIdPrefix?: string
  /** Said instead of the reason's own sentence. */
  readonly why?: string
}> {}

/** `required` and `granted` say which scope or permission was needed and what the credential has. */
export class Forbidden extends Data.TaggedError("Forbidden")<{
  readonly code: string
  readonly why: string
  readonly required: ReadonlyArray<string>
  readonly granted: ReadonlyArray<string>
  /** The rung of the gate or the part of the door that refused. */
  readonly rung?: string
  /** It rests on access that was remembered and no statement confirmed: the call is tried once more with fresh access. */
  readonly canBeStale?: boolean
  /** What it was about, once it was clear that the caller's person is there: kept with the event, never answered. */
  readonly about?: { readonly spaceId: string; readonly objectId: string | null }
  /** The event that tells of it, for `GET /auth/decisions/{id}`. */
  readonly decisionId?: string
  /** Stand beside the text, such as the clause that could not be read. */
  readonly details?: Readonly<Record<string, unknown>>
}> {}

export class Invalid extends Data.TaggedError("Invalid")<{ readonly faults: ReadonlyArray<Fault> }> {}
/** `details` stand beside the text, such as what was looked for. */
export class NotFound extends Data.TaggedError("NotFound")<{
  readonly why: string
  readonly details?: Readonly<Record<string, unknown>>
}> {}
/** `details` says more as data, such as the fields that two changes both touched. */
export class Conflict extends Data.TaggedError("Conflict")<{
  readonly code: string
  readonly why: string
  readonly details?: unknown
}> {}
export class NotImplemented extends Data.TaggedError("NotImplemented")<{ readonly why: string }> {}
export class TooLarge extends Data.TaggedError("TooLarge")<{ readonly why: string }> {
  static bytes = (limitBytes: number) => new TooLarge({ why: `The body is larger than ${limitBytes} bytes.` })
}
export class UnsupportedMedia extends Data.TaggedError("UnsupportedMedia")<{ readonly why: string }> {}
export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed")<{
  readonly allowed: ReadonlyArray<string>
}> {}
export class TooMany extends Data.TaggedError("TooMany")<{
  readonly why: string
  readonly retryAfterSeconds: number
}> {}
export class Unavailable extends Data.TaggedError("Unavailable")<{
  readonly why: string
  readonly retryAfterSeconds: number
}> {}
/** Something went wrong inside. `errorId` is all the caller gets; the log has the rest under it. */
export class Broken extends Data.TaggedError("Broken")<{ readonly errorId: string }> {}

export type Failure =
  | Unauthorized
  | Forbidden
  | Invalid
  | NotFound
  | Conflict
  | NotImplemented
  | TooLarge
  | UnsupportedMedia
  | MethodNotAllowed
  | TooMany
  | Unavailable
  | Broken

/** A refusal of one bad value: what was wrong, where. */
export const invalid = (path: string, message: string): Invalid => new Invalid({ faults: [{ path, message }] })

export interface WireAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

const unauthorizedMessage: Record<UnauthorizedReason, string> = {
  no_auth: "Send a key in Authorization: Bearer, or a sign-in token in X-Session-Token.",
  invalid_format: "The credential does not have the form of a pod key.",
  key_revoked: "The credential is not valid: revoked, signed out or not known here.",
  expired: "The credential has expired."
}

const faultText = ({ path, message }: Fault) => (path === "" ? message : `${path}: ${message}`)

/** How a failure is said over HTTP: always an object with a string `error` (compatibility reference §2.1). */
export const wireOf = (failure: Failure): WireAnswer => {
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
      return {
        status: 403,
        body: {
          ...failure.details,
          error: failure.why,
          code: failure.code,
          required: failure.required,
          granted: failure.granted,
          ...(failure.decisionId === undefined ? {} : { decisionId: failure.decisionId })
        },
        ...(failure.required.length === 0
          ? {}
          : { headers: { "x-svc-required-permission": failure.required.join(", ") } })
      }
    case "Invalid":
      return {
        status: 400,
        body: { error: failure.faults.map(faultText).join(", "), details: failure.faults }
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
        body: { error: `Use ${failure.allowed.join(" or ")}.` },
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
    case "Broken":
      return {
        status: 500,
        body: {
          error: "ServerError",
          code: "INTERNAL_SERVER_ERROR",
          message: "Something went wrong inside the pod. Quote the errorId to whoever runs it.",
          errorId: failure.errorId
        }
      }
  }
}
