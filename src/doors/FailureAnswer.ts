/**
 * The schemas for the bodies of HTTP answers that report a failure. A typed client uses such a schema to decode the
 * body to the failure.
 */
import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { ConflictCode, ForbiddenCode, grantDoorUnsupported } from "./FailureCode.ts"
import {
  Broken,
  Conflict,
  type Failure,
  Fault,
  Forbidden,
  GrantDoorUnsupported,
  type Guidance,
  Invalid,
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
import { Id } from "./Id.ts"
import { type WireAnswer, wireAnswerOf } from "./WireAnswer.ts"

export type FailureTag = Failure["_tag"]
export type FailureOf<Tag extends FailureTag> = Extract<Failure, { readonly _tag: Tag }>

/** The schema of the sentence in a refusal. The sentence says what is wrong and what to do. */
export const ErrorText = Schema.String.annotations({
  identifier: "ErrorText",
  description: "What is wrong and what to do, as a text for people."
})
const textList = (description: string) => Schema.Array(Schema.String).annotations({ description })

/**
 * Makes the schema for the body of a refusal. The body has these fields, and the path of the documentation that
 * explains the refusal.
 */
export const refusal = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct({
    ...fields,
    docs: Schema.optional(
      Schema.String.annotations({
        identifier: "ErrorDocs",
        description: "Path of the page of this pod that explains the error."
      })
    )
  })

const InvalidRefusal = refusal({
  error: ErrorText,
  details: Schema.Array(Fault).annotations({ description: "Every fault of the input, at most one for each path." })
}).annotations({
  identifier: "InvalidRefusal"
})

const UnauthorizedRefusal = refusal({
  error: Schema.Literal("unauthorized"),
  reason: UnauthorizedReason.annotations({ description: "Code for programs: what is wrong with the credential." }),
  message: ErrorText,
  keyIdPrefix: Schema.optional(
    Schema.String.annotations({ description: "First eight characters of the id of the key, if the pod knows the key." })
  )
}).annotations({ identifier: "UnauthorizedRefusal" })

/**
 * Makes a field for the bodies of both refusals with status 403. The API description lists such a field once, as its
 * own component.
 */
const sharedSchema = <A, I>(identifier: string, description: string, schema: Schema.Schema<A, I>) =>
  Schema.optional(schema.annotations({ identifier, description }))

/**
 * The fields of a 403 that only a known caller gets. `retryable` is always false, because the same request never
 * succeeds later without a change.
 */
const guidance = {
  why: sharedSchema("RefusalWhy", "Which right the credential lacks, or why its rights are not enough.", Schema.String),
  alternatives: sharedSchema("Alternatives", "Operations that this credential may call.", Schema.Array(Schema.String)),
  fix: sharedSchema(
    "RefusalFix",
    "URL of the page where a person can create a key with the missing right.",
    Schema.String
  ),
  retryable: sharedSchema("NotRetryable", "Always `false`: repeating does not help.", Schema.Literal(false)),
  requestId: sharedSchema("RefusedRequest", "Id of the request in the pod's log.", Schema.String)
}

const decisionId = sharedSchema("DecisionId", "Id of the decision; `GET /auth/decisions/{id}` explains it.", Id)

type GuidanceFields = {
  readonly [Name in keyof typeof guidance]?: Schema.Schema.Type<(typeof guidance)[Name]["from"]> | undefined
}

/** Returns the guidance that the body of a 403 contains. Returns no guidance for an unknown caller. */
const guidanceIn = ({ alternatives, fix, requestId, why }: GuidanceFields): { readonly guidance?: Guidance } =>
  why === undefined || requestId === undefined
    ? {}
    : { guidance: { why, alternatives: alternatives ?? [], ...(fix === undefined ? {} : { fix }), requestId } }

const ForbiddenRefusal = refusal({
  error: ErrorText,
  code: ForbiddenCode,
  required: textList("Scopes or permissions that the operation needs."),
  granted: textList("Scopes or permissions that the credential has."),
  decisionId,
  ...guidance,
  status: Schema.optional(
    Schema.Literal("denied").annotations({
      description: "Always `denied`. Present only if the pod refused to create an automation rule."
    })
  ),
  reason: Schema.optional(
    Schema.String.annotations({ description: "Same text as `error`. Present only for automation rules." })
  ),
  clause: Schema.optional(
    Schema.Literal("when", "where", "then").annotations({
      description: "Clause of the automation rule that the pod cannot read."
    })
  )
}).annotations({ identifier: "ForbiddenRefusal" })

const GrantDoorUnsupportedRefusal = refusal({
  error: ErrorText,
  code: Schema.Literal(grantDoorUnsupported).annotations({
    description: "The pod cannot limit this operation to what the key's grant allows."
  }),
  required: textList(
    "Permissions that a key needs for this operation. The key must not be limited to certain records."
  ),
  granted: textList("Permissions that the key has."),
  decisionId,
  ...guidance
}).annotations({ identifier: "GrantDoorUnsupportedRefusal" })

const NotFoundRefusal = refusal({
  error: ErrorText,
  reason: Schema.optional(
    Schema.String.annotations({ description: "Code of the reason, if several reasons are possible." })
  ),
  message: Schema.optional(ErrorText),
  brandWorkspaceId: Schema.optional(
    Schema.NullOr(Id).annotations({ description: "Workspace where the pod looked for the brand." })
  ),
  projectId: Schema.optional(
    Schema.NullOr(Id).annotations({
      description: "Id of the project whose brand (visual style) was not found."
    })
  )
}).annotations({ identifier: "NotFoundRefusal" })

const ConflictRefusal = refusal({
  error: ErrorText,
  code: ConflictCode,
  details: Schema.optional(
    Schema.Unknown.annotations({
      description: "Details of the conflict, such as the fields that both changes write."
    })
  )
}).annotations({ identifier: "ConflictRefusal" })

const Refusal = refusal({ error: ErrorText }).annotations({ identifier: "Refusal" })

const BrokenAnswer = refusal({
  error: Schema.Literal("ServerError"),
  code: Schema.Literal("INTERNAL_SERVER_ERROR"),
  message: ErrorText,
  errorId: Id.annotations({ description: "Id of the log entry with the details of the error." })
}).annotations({ identifier: "BrokenAnswer" })

const NoProviderRefusal = refusal({ error: ErrorText, code: Schema.Literal("no_provider") }).annotations({
  identifier: "NoProviderRefusal"
})

const UpstreamRefusal = refusal({
  error: ErrorText,
  code: UpstreamFailed.fields.code.annotations({ description: "Code of what went wrong at the model service." }),
  retryable: Schema.Boolean.annotations({ description: "Whether the same request can succeed later." })
}).annotations({ identifier: "UpstreamRefusal" })

export interface Answer<F extends Failure> {
  readonly status: number
  /** The schema of the body of the HTTP answer. The schema has the name that the API description uses. */
  readonly body: Schema.Schema.AnyNoContext
  /** The schema that encodes the failure to the body of its HTTP answer, and decodes such a body to the failure. */
  readonly schema: Schema.Schema<F, unknown>
}

/**
 * A header contains the value of this field, and the body does not. A failure that is decoded from a body therefore
 * gets 0 seconds.
 */
const sentAsHeader = { retryAfterSeconds: 0 }

/** Makes the answer of a failure. `write` makes the body to send, and `read` makes the failure from such a body. */
export const makeAnswer = <F extends Failure, FI, B, BI>(
  of: Schema.Schema<F, FI>,
  body: Schema.Schema<B, BI>,
  read: (body: B) => F,
  write: (failure: F) => WireAnswer = wireAnswerOf
): Answer<F> => {
  const status = HttpApiSchema.getStatusErrorAST(of.ast)
  return {
    status,
    body,
    schema: Schema.transform(body, Schema.typeSchema(of), {
      strict: true,
      decode: read,
      // `write` returns each field in its encoded form. In these bodies the encoded form of a field equals its value,
      // so the cast is safe.
      encode: (failure) => write(failure).body as unknown as B
    }).annotations(HttpApiSchema.annotations({ status })) as Schema.Schema<F, unknown>
  }
}

export const failureAnswers: { readonly [Tag in FailureTag]: Answer<FailureOf<Tag>> } = {
  Invalid: makeAnswer(Invalid, InvalidRefusal, ({ details }) => new Invalid({ faults: details })),
  Unauthorized: makeAnswer(
    Unauthorized,
    UnauthorizedRefusal,
    ({ keyIdPrefix, message, reason }) => new Unauthorized({ reason, keyIdPrefix, why: message })
  ),
  Forbidden: makeAnswer(
    Forbidden,
    ForbiddenRefusal,
    ({
      alternatives,
      code,
      decisionId,
      docs: _docs,
      error,
      fix,
      granted,
      requestId,
      required,
      retryable,
      why,
      ...details
    }) =>
      new Forbidden({
        code,
        decisionId,
        why: error,
        granted,
        required,
        ...guidanceIn({ alternatives, fix, requestId, retryable, why }),
        details
      })
  ),
  GrantDoorUnsupported: makeAnswer(
    GrantDoorUnsupported,
    GrantDoorUnsupportedRefusal,
    ({ decisionId, error, granted, required, ...body }) =>
      new GrantDoorUnsupported({ why: error, decisionId, granted, required, ...guidanceIn(body) })
  ),
  NotFound: makeAnswer(
    NotFound,
    NotFoundRefusal,
    ({ docs: _docs, error, ...details }) => new NotFound({ why: error, details })
  ),
  MethodNotAllowed: makeAnswer(MethodNotAllowed, Refusal, () => new MethodNotAllowed({ allowed: [] })),
  Conflict: makeAnswer(
    Conflict,
    ConflictRefusal,
    ({ code, details, error }) => new Conflict({ code, why: error, details })
  ),
  TooLarge: makeAnswer(TooLarge, Refusal, ({ error }) => new TooLarge({ why: error })),
  UnsupportedMedia: makeAnswer(UnsupportedMedia, Refusal, ({ error }) => new UnsupportedMedia({ why: error })),
  TooMany: makeAnswer(TooMany, Refusal, ({ error }) => new TooMany({ why: error, ...sentAsHeader })),
  Broken: makeAnswer(Broken, BrokenAnswer, ({ errorId }) => new Broken({ errorId })),
  NotImplemented: makeAnswer(NotImplemented, Refusal, ({ error }) => new NotImplemented({ why: error })),
  Unavailable: makeAnswer(Unavailable, Refusal, ({ error }) => new Unavailable({ why: error, ...sentAsHeader })),
  NoProvider: makeAnswer(NoProvider, NoProviderRefusal, ({ error }) => new NoProvider({ why: error })),
  UpstreamFailed: makeAnswer(
    UpstreamFailed,
    UpstreamRefusal,
    ({ code, error, retryable }) => new UpstreamFailed({ code, why: error, isRetryable: retryable })
  ),
  UpstreamTimedOut: makeAnswer(UpstreamTimedOut, Refusal, ({ error }) => new UpstreamTimedOut({ why: error }))
}
