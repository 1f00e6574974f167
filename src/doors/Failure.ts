/** The failures that a caller can get: one class for each cause, with its HTTP status. */
import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { modelFailureCodes } from "../platform/models/ModelFailure.ts"
import { ConflictCode, ForbiddenCode, grantDoorUnsupported } from "./FailureCode.ts"

/**
 * One fault of an input. `path` says where the fault is, such as `properties.due`; an empty `path` means the whole
 * input.
 */
export const Fault = Schema.Struct({
  path: Schema.String.annotations({
    description: "Path of a wrong value, such as `properties.due`; empty for the whole input."
  }),
  message: Schema.String.annotations({ description: "What is wrong with the value at `path`." })
}).annotations({ identifier: "Fault" })
export type Fault = typeof Fault.Type

export const UnauthorizedReason = Schema.Literal("no_auth", "invalid_format", "key_revoked", "expired")
export type UnauthorizedReason = typeof UnauthorizedReason.Type

/** Fields of the answer in addition to the text of the refusal, such as the id that was not found. */
const Details = Schema.Record({ key: Schema.String, value: Schema.Unknown })

export class Unauthorized extends Schema.TaggedError<Unauthorized>()(
  "Unauthorized",
  {
    reason: UnauthorizedReason,
    keyIdPrefix: Schema.optional(Schema.String),
    /**
     * The id of the key, if it is known. The pod records the refusal as a use of this key. The pod never sends the id
     * to the caller.
     */
    keyId: Schema.optional(Schema.String),
    /** A sentence for the caller. If absent, the caller gets the standard sentence of the reason. */
    why: Schema.optional(Schema.String)
  },
  HttpApiSchema.annotations({ status: 401 })
) {}

/**
 * The parts of a refusal that only a known caller gets, in addition to the sentence. They say what is missing and how
 * to get it.
 */
export const Guidance = Schema.Struct({
  /** Which right is missing, or why the rights that the caller has do not help. */
  why: Schema.String,
  /** Other operations that the caller is allowed to call instead. */
  alternatives: Schema.Array(Schema.String),
  /** The address of a form for a key that has the missing right. Absent if no scope or permission is missing. */
  fix: Schema.optional(Schema.String),
  requestId: Schema.String
})
export type Guidance = typeof Guidance.Type

/**
 * The caller is not allowed to do this. `required` says which scope or permission was needed, and `granted` says what
 * the credential has.
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  {
    code: ForbiddenCode,
    why: Schema.String,
    required: Schema.Array(Schema.String),
    granted: Schema.Array(Schema.String),
    /** The rule of the governance gate, or the part of the door, that refused the call. */
    rung: Schema.optional(Schema.String),
    /**
     * True if the refusal is based on a cached copy of the person's access, which no statement has confirmed. The call
     * then runs once more with fresh access.
     */
    canBeStale: Schema.optional(Schema.Boolean),
    /**
     * The object of the refused call. Set only if the caller's person is a member of the space of the object. The pod
     * stores this field in the event of the refusal and never sends it to the caller.
     */
    about: Schema.optional(Schema.Struct({ spaceId: Schema.String, objectId: Schema.NullOr(Schema.String) })),
    /**
     * All permissions that the refused write needs for itself and for the writes that it causes. Permissions that the
     * grant already has are included. The pod stores them in the event of the refusal, so that it can find the smallest
     * grant that allows the write. The pod never sends these permissions to the caller.
     */
    needs: Schema.optional(Schema.Array(Schema.String)),
    /** The id of the event that records the refusal, for `GET /auth/decisions/{id}`. */
    decisionId: Schema.optional(Schema.String),
    guidance: Schema.optional(Guidance),
    details: Schema.optional(Details)
  },
  HttpApiSchema.annotations({ status: 403 })
) {}

/** The operation reads more than the grant of the key can limit (specification §5.4). */
export class GrantDoorUnsupported extends Schema.TaggedError<GrantDoorUnsupported>()(
  "GrantDoorUnsupported",
  {
    why: Schema.String,
    required: Schema.Array(Schema.String),
    granted: Schema.Array(Schema.String),
    decisionId: Schema.optional(Schema.String),
    guidance: Schema.optional(Guidance)
  },
  HttpApiSchema.annotations({ status: 403 })
) {
  readonly code = grantDoorUnsupported
}

/** The failures of a known caller who lacks a right. The pod records each of these failures as an event. */
export type Refused = Forbidden | GrantDoorUnsupported

export class Invalid extends Schema.TaggedError<Invalid>()(
  "Invalid",
  {
    faults: Schema.Array(Fault),
    /** The error code for OpenAI clients. If absent, these clients get `invalid_body`. */
    code: Schema.optional(Schema.Literal("parse_error", "missing_user_message"))
  },
  HttpApiSchema.annotations({ status: 400 })
) {}

export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { why: Schema.String, details: Schema.optional(Details) },
  HttpApiSchema.annotations({ status: 404 })
) {}

/**
 * The request conflicts with the stored state. `details` describes the conflict as data, such as the fields that the
 * request and an earlier change both touched.
 */
export class Conflict extends Schema.TaggedError<Conflict>()(
  "Conflict",
  { code: ConflictCode, why: Schema.String, details: Schema.optional(Schema.Unknown) },
  HttpApiSchema.annotations({ status: 409 })
) {}

/** Returns true if somebody else has changed the record since the pod read it. Then another try can succeed. */
export const isVersionConflict = (failure: unknown): boolean =>
  failure instanceof Conflict && failure.code === "VERSION_CONFLICT"

export class NotImplemented extends Schema.TaggedError<NotImplemented>()(
  "NotImplemented",
  { why: Schema.String },
  HttpApiSchema.annotations({ status: 501 })
) {}

export class TooLarge extends Schema.TaggedError<TooLarge>()(
  "TooLarge",
  { why: Schema.String },
  HttpApiSchema.annotations({ status: 413 })
) {
  static bytes = (limitBytes: number) =>
    new TooLarge({ why: `The body of the request is larger than ${limitBytes} bytes. Send a smaller body.` })
}

export class UnsupportedMedia extends Schema.TaggedError<UnsupportedMedia>()(
  "UnsupportedMedia",
  { why: Schema.String },
  HttpApiSchema.annotations({ status: 415 })
) {}

export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()(
  "MethodNotAllowed",
  { allowed: Schema.Array(Schema.String) },
  HttpApiSchema.annotations({ status: 405 })
) {}

export class TooMany extends Schema.TaggedError<TooMany>()(
  "TooMany",
  { why: Schema.String, retryAfterSeconds: Schema.Number },
  HttpApiSchema.annotations({ status: 429 })
) {}

export class Unavailable extends Schema.TaggedError<Unavailable>()(
  "Unavailable",
  { why: Schema.String, retryAfterSeconds: Schema.Number },
  HttpApiSchema.annotations({ status: 503 })
) {}

/**
 * The pod has no model service, so it cannot do what the request asks for. `details`: the parts of the answer that need
 * no model.
 */
export class NoProvider extends Schema.TaggedError<NoProvider>()(
  "NoProvider",
  { why: Schema.String, details: Schema.optional(Details) },
  HttpApiSchema.annotations({ status: 503 })
) {}

/** The pod called a model service. The service failed, or it refused the request. */
export class UpstreamFailed extends Schema.TaggedError<UpstreamFailed>()(
  "UpstreamFailed",
  { code: Schema.Literal(...modelFailureCodes), why: Schema.String, isRetryable: Schema.Boolean },
  HttpApiSchema.annotations({ status: 502 })
) {}

/** The pod called a model service, and the service did not answer in time. */
export class UpstreamTimedOut extends Schema.TaggedError<UpstreamTimedOut>()(
  "UpstreamTimedOut",
  { why: Schema.String },
  HttpApiSchema.annotations({ status: 504 })
) {}

/** An unexpected error. The caller gets only the `errorId`. The log has the details under this id. */
export class Broken extends Schema.TaggedError<Broken>()(
  "Broken",
  { errorId: Schema.String },
  HttpApiSchema.annotations({ status: 500 })
) {}

export type Failure =
  | Unauthorized
  | Forbidden
  | GrantDoorUnsupported
  | Invalid
  | NotFound
  | Conflict
  | NotImplemented
  | TooLarge
  | UnsupportedMedia
  | MethodNotAllowed
  | TooMany
  | Unavailable
  | NoProvider
  | UpstreamFailed
  | UpstreamTimedOut
  | Broken

/**
 * Returns the code of a failure, or the name of its class if the failure has no code. Both are fixed words of the
 * program, so they contain no personal data.
 */
export const nameOfFailure = (failure: Failure): string =>
  ("code" in failure ? failure.code : undefined) ?? failure._tag

/** The failures that a write can have after the door has admitted it and before the row is stored. */
export type WriteRefusal = Forbidden | Invalid | NotFound | Conflict

/**
 * The failures of applying or reverting a stored change. `NotImplemented` means that the record type does not support
 * that change.
 */
export type ChangeRefusal = WriteRefusal | NotImplemented

export const failureTypes = [
  Unauthorized,
  Forbidden,
  GrantDoorUnsupported,
  Invalid,
  NotFound,
  Conflict,
  NotImplemented,
  TooLarge,
  UnsupportedMedia,
  TooMany,
  Unavailable,
  NoProvider,
  UpstreamFailed,
  UpstreamTimedOut,
  Broken
] as const
export type FailureType = (typeof failureTypes)[number]

/** Returns the refusal of an input with one fault at `path`. `message` says what is wrong there. */
export const invalid = (path: string, message: string): Invalid => new Invalid({ faults: [{ path, message }] })
