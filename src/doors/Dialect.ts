/**
 * The form of failure answers below each base path of the API. Clients of the Hub API, chat clients and OpenAI clients
 * get different bodies for the same refusal.
 */
import { Option, Schema } from "effect"
import { ConflictCode, ForbiddenCode } from "./FailureCode.ts"
import {
  Broken,
  Conflict,
  type Failure,
  type FailureType,
  failureTypes,
  Forbidden,
  GrantDoorUnsupported,
  invalid,
  MethodNotAllowed,
  NoProvider,
  NotFound,
  NotImplemented,
  TooLarge,
  TooMany,
  Unauthorized,
  UnauthorizedReason,
  Unavailable,
  UnsupportedMedia,
  UpstreamFailed,
  UpstreamTimedOut
} from "./Failure.ts"
import {
  type Answer,
  makeAnswer,
  ErrorText,
  failureAnswers,
  type FailureOf,
  type FailureTag,
  refusal
} from "./FailureAnswer.ts"
import { Id } from "./Id.ts"
import { externalMount, isAtOrBelow, n8nMount, openAiMount } from "./Mounts.ts"
import { sentenceOf, type WireAnswer, wireAnswerOf } from "./WireAnswer.ts"

/**
 * The dialects, which are the forms of a failure answer. `hub`: the field `error` is the code or the sentence of the
 * failure. `plain`: the field `error` is always a sentence. `openai`: the field `error` is an object, as OpenAI clients
 * expect.
 */
export type Dialect = "hub" | "plain" | "openai"

/** Returns the dialect (the form of failure answers) for the path of a request. */
export const dialectOf = (path: string): Dialect =>
  isAtOrBelow(openAiMount, path)
    ? "openai"
    : isAtOrBelow(externalMount, path) || isAtOrBelow(n8nMount, path)
      ? "plain"
      : "hub"

const OpenAiError = Schema.Struct({
  error: Schema.Struct(
    {
      message: ErrorText,
      type: Schema.String,
      param: Schema.NullOr(Schema.String).annotations({ description: "Wrong field of the body." }),
      code: Schema.String
    },
    // OpenAI clients also get the fields that a Hub answer has beside `error`, such as the id of the decision.
    { key: Schema.String, value: Schema.Unknown }
  )
}).annotations({ identifier: "OpenAiError" })

const openAiTypes: Readonly<Record<number, string>> = {
  403: "permission_error",
  429: "rate_limit_error",
  500: "server_error",
  501: "server_error",
  502: "server_error",
  503: "server_error",
  504: "server_error"
}

/** Returns the error code that OpenAI clients know for a failure, or the code of the pod if OpenAI has no such code. */
const openAiCodeOf = (failure: Failure): string => {
  switch (failure._tag) {
    case "Invalid":
      return failure.code ?? "invalid_body"
    case "Unauthorized":
      return "invalid_api_key"
    case "Forbidden":
    case "GrantDoorUnsupported":
    case "Conflict":
    case "UpstreamFailed":
      return failure.code
    case "NotFound":
      return typeof failure.details?.["reason"] === "string" ? failure.details["reason"] : "not_found"
    case "TooMany":
      return "rate_limit_exceeded"
    case "NoProvider":
      return "no_provider"
    case "UpstreamTimedOut":
      return "timeout"
    case "TooLarge":
      return "request_too_large"
    case "UnsupportedMedia":
      return "unsupported_media_type"
    case "MethodNotAllowed":
      return "method_not_allowed"
    case "NotImplemented":
      return "not_implemented"
    case "Unavailable":
      return "unavailable"
    case "Broken":
      return "internal_error"
  }
}

const asOpenAi = (failure: Failure): WireAnswer => {
  const answer = wireAnswerOf(failure)
  const { details: _faults, error: _said, ...besides } = answer.body
  const error = {
    ...besides,
    message: sentenceOf(answer),
    type: openAiTypes[answer.status] ?? "invalid_request_error",
    param: (failure._tag === "Invalid" && failure.faults.at(0)?.path) || null,
    code: openAiCodeOf(failure)
  }
  return { ...answer, body: { error } }
}

const asPlain = (failure: Failure): WireAnswer => {
  const answer = wireAnswerOf(failure)
  const { message: _sentence, ...rest } = answer.body
  return { ...answer, body: { ...rest, error: sentenceOf(answer) } }
}

/**
 * Returns the failure that OpenAI clients expect in place of this failure. If a workspace does not exist or the caller
 * cannot use it, these clients expect a `NotFound` with the code `workspace_not_found`.
 */
const knownToOpenAi = (failure: Failure): Failure =>
  failure._tag === "Forbidden" && failure.code === "WORKSPACE_FORBIDDEN"
    ? new NotFound({ why: failure.why, details: { reason: "workspace_not_found", decisionId: failure.decisionId } })
    : failure

/** Makes the HTTP answer for a failure, in the form for Hub clients, other clients or OpenAI clients (the dialect). */
export const wireAnswerIn = (dialect: Dialect, failure: Failure): WireAnswer => {
  switch (dialect) {
    case "hub":
      return wireAnswerOf(failure)
    case "plain":
      return asPlain(failure)
    case "openai":
      return asOpenAi(knownToOpenAi(failure))
  }
}

type Error = (typeof OpenAiError.Type)["error"]
const decodeForbidden = Schema.decodeUnknownOption(ForbiddenCode)
const decodeConflict = Schema.decodeUnknownOption(ConflictCode)
const decodeUpstream = Schema.decodeUnknownOption(UpstreamFailed.fields.code)
const sentInHeader = { retryAfterSeconds: 0 }
const notSent = { required: [], granted: [] }

/** Decodes each failure from the fields of an answer to an OpenAI client, such as the sentence and the code. */
const fromOpenAi: { readonly [Tag in FailureTag]: (error: Error) => FailureOf<Tag> } = {
  Invalid: ({ message, param }) => invalid(param ?? "", message),
  Unauthorized: ({ message }) => new Unauthorized({ reason: "key_revoked", why: message }),
  Forbidden: ({ code, message }) =>
    new Forbidden({ code: Option.getOrElse(decodeForbidden(code), () => "GRANT_DENIED"), why: message, ...notSent }),
  GrantDoorUnsupported: ({ message }) => new GrantDoorUnsupported({ why: message, ...notSent }),
  NotFound: ({ code, message }) => new NotFound({ why: message, details: { reason: code } }),
  MethodNotAllowed: () => new MethodNotAllowed({ allowed: [] }),
  Conflict: ({ code, message }) =>
    new Conflict({ code: Option.getOrElse(decodeConflict(code), () => "VERSION_CONFLICT"), why: message }),
  TooLarge: ({ message }) => new TooLarge({ why: message }),
  UnsupportedMedia: ({ message }) => new UnsupportedMedia({ why: message }),
  TooMany: ({ message }) => new TooMany({ why: message, ...sentInHeader }),
  Unavailable: ({ message }) => new Unavailable({ why: message, ...sentInHeader }),
  NoProvider: ({ message }) => new NoProvider({ why: message }),
  UpstreamFailed: ({ code, message }) =>
    new UpstreamFailed({
      code: Option.getOrElse(decodeUpstream(code), () => "unknown" as const),
      why: message,
      isRetryable: false
    }),
  UpstreamTimedOut: ({ message }) => new UpstreamTimedOut({ why: message }),
  NotImplemented: ({ message }) => new NotImplemented({ why: message }),
  Broken: () => new Broken({ errorId: "" })
}

const PlainUnauthorized = refusal({
  error: ErrorText,
  reason: UnauthorizedReason.annotations({ description: "Code for programs: what is wrong with the credential." }),
  keyIdPrefix: Schema.optional(
    Schema.String.annotations({ description: "First eight characters of the id of the key, if the pod knows the key." })
  )
}).annotations({ identifier: "PlainUnauthorized" })

const PlainBroken = refusal({
  code: Schema.Literal("INTERNAL_SERVER_ERROR"),
  error: ErrorText,
  errorId: Id.annotations({ description: "Id of the log entry with the details of the error." })
}).annotations({ identifier: "PlainBroken" })

/** The schema of any failure. Each class of failures has different fields, so the encoded type is unknown. */
type AnyFailureSchema = Schema.Schema<Failure, unknown>

// A class of failures is the schema of one kind of failure. `makeAnswer` encodes only failures of this kind with it, so
// the cast is safe.
const schemaOf = (failureClass: Schema.Schema.Any): AnyFailureSchema => failureClass as unknown as AnyFailureSchema

type Answers = Readonly<Partial<Record<FailureTag, Answer<Failure>>>>
// Each function returns its own type of failure. The cast gives all functions of the table one common type.
const onHub = failureAnswers as unknown as Answers

const answers: Readonly<Record<Dialect, Answers>> = {
  hub: onHub,
  plain: {
    ...onHub,
    Unauthorized: makeAnswer(
      schemaOf(Unauthorized),
      PlainUnauthorized,
      ({ error, keyIdPrefix, reason }) => new Unauthorized({ reason, keyIdPrefix, why: error }),
      asPlain
    ),
    Broken: makeAnswer(schemaOf(Broken), PlainBroken, ({ errorId }) => new Broken({ errorId }), asPlain)
  },
  openai: Object.fromEntries(
    failureTypes.map((of) => [
      of._tag,
      makeAnswer(schemaOf(of), OpenAiError, ({ error }): Failure => fromOpenAi[of._tag](error), asOpenAi)
    ])
  )
}

/**
 * Returns the answers for the failures that a declaration lists. Each kind of failure gives one answer, even if the
 * declaration lists it twice.
 */
export const failureAnswersOf = (
  errors: ReadonlyArray<FailureType>,
  dialect: Dialect = "hub"
): ReadonlyArray<Answer<Failure>> =>
  [...new Set(errors.map(({ _tag }) => _tag))].flatMap((tag) => answers[dialect][tag] ?? [])
