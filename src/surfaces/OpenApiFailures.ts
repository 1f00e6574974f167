/**
 * Describes the failures in the API description: the schemas of `doors/FailureAnswer.ts`, and the meaning and headers
 * of each status.
 */
import { OpenApiJsonSchema } from "@effect/platform"
import {
  Broken,
  Conflict,
  type Failure,
  type FailureType,
  Forbidden,
  GrantDoorUnsupported,
  Invalid,
  invalid,
  NoProvider,
  NotFound,
  NotImplemented,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia,
  UpstreamFailed,
  UpstreamTimedOut
} from "../doors/Failure.ts"
import { type Dialect, failureAnswersOf, wireAnswerIn } from "../doors/Dialect.ts"
import { compactSchema } from "./OpenApiSchemas.ts"

const text = { type: "string" } as const
const whole = { type: "integer", minimum: 0 }
const answerHeaders = {
  "x-request-id": {
    description: "Id of this request in the pod's log. If the client sent an id, the pod uses it.",
    required: true,
    schema: text
  },
  "ratelimit-limit": { description: "How many calls this credential may make in a minute.", schema: whole },
  "ratelimit-remaining": { description: "How many calls are left in this minute.", schema: whole },
  "ratelimit-reset": { description: "Seconds until the next minute begins.", schema: whole },
  "ratelimit-policy": { description: "Limit and its window in seconds, such as `600;w=60`.", schema: text },
  "retry-after": { description: "How many seconds to wait before another try.", schema: whole },
  "www-authenticate": { description: "How to send a key: the authentication scheme.", schema: text },
  "x-svc-required-permission": {
    description: "Scope or permissions that the operation needs. The refusal lists them in `required` too.",
    schema: text
  },
  "x-svc-next-cursor": {
    description: "Cursor of the next page: send it as `cursor`. The last page has none.",
    schema: text
  },
  "x-key-expires-soon": {
    description: "Present only in the last 14 days before the key expires.",
    schema: { type: "string", enum: ["true"] }
  },
  "x-key-expires-at": {
    description: "Time when the key expires.",
    schema: { type: "string", format: "date-time" }
  },
  deprecation: {
    description: "For deprecated operations: the time of the deprecation, as `@` and seconds since 1970.",
    schema: text
  },
  link: { description: "For deprecated operations: what to use instead.", schema: text },
  sunset: {
    description: "For deprecated operations: the time after which the pod might no longer have the operation.",
    schema: text
  }
} as const

export type HeaderName = keyof typeof answerHeaders
export const headerComponents: Readonly<Record<string, object>> = answerHeaders

/** References to shared headers, in the form in which OpenAPI lists the headers of a response. */
export const headersNamed = (names: ReadonlyArray<HeaderName>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers that any answer can have. The document describes them once, and does not repeat them for each operation. */
export const commonHeaders: ReadonlySet<string> = new Set([
  "x-request-id",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
  "x-key-expires-soon",
  "x-key-expires-at",
  "x-idempotent-replay",
  "preference-applied",
  "x-svc-ignored-fields",
  "deprecation",
  "link",
  "sunset"
])

/** Headers of every answer to a caller whose credential the pod has accepted. */
const allowance = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"] as const

/** Headers of every answer of a deprecated operation. */
const deprecation = ["deprecation", "link", "sunset"] as const

/** Headers of every answer to a key that expires soon. */
const nearEnd = ["x-key-expires-soon", "x-key-expires-at"] as const

interface FailureRow {
  readonly description: string
  readonly of: FailureType
  /**
   * An example of a failure with this status. `wireAnswerIn` makes the body of the example and also every real answer,
   * so both have the same form.
   */
  readonly example: Failure
  /** Another class of failures with the same status, if there is one. */
  readonly other?: FailureType
  /**
   * Headers that only answers with this status have. Every operation can answer with status 400. So the entry of status
   * 400 also lists the headers that any answer can have.
   */
  readonly headers?: ReadonlyArray<HeaderName>
}

const rows: Readonly<Record<string, FailureRow>> = {
  "400": {
    description: "The input is not valid; `details` says where and why.",
    of: Invalid,
    example: invalid("limit", "Expected a number between 1 and 200, actual 900"),
    headers: ["x-request-id", ...allowance, ...nearEnd, ...deprecation]
  },
  "401": {
    description: "The request has no valid credential.",
    of: Unauthorized,
    example: new Unauthorized({ reason: "no_auth" }),
    headers: ["www-authenticate"]
  },
  "403": {
    description: "The credential does not allow this operation.",
    of: Forbidden,
    example: new Forbidden({
      code: "SCOPE_MISSING",
      why: "This operation needs the scope hub-protocol.write.",
      required: ["hub-protocol.write"],
      granted: ["hub-protocol.read"]
    }),
    other: GrantDoorUnsupported,
    headers: ["x-svc-required-permission"]
  },
  "404": {
    description: "The record does not exist, or the caller may not read it.",
    of: NotFound,
    example: new NotFound({ why: "There is no such entity, or this credential has no access to it." })
  },
  "409": {
    description: "The request conflicts with the stored data; `code` says how.",
    of: Conflict,
    example: new Conflict({
      code: "VERSION_CONFLICT",
      why: "The entity has changed: it is now at version 4. Read it again before you change it."
    })
  },
  "413": {
    description: "The body is larger than the pod allows.",
    of: TooLarge,
    example: TooLarge.bytes(10_485_760)
  },
  "415": {
    description: "The body is not `application/json`, or is compressed.",
    of: UnsupportedMedia,
    example: new UnsupportedMedia({ why: "Send the body as application/json." })
  },
  "429": {
    description: "Too many calls; `retry-after` says when to try again.",
    of: TooMany,
    example: new TooMany({
      why: "The caller made more than 600 calls in a minute. Try again in 12 seconds.",
      retryAfterSeconds: 12
    }),
    headers: ["retry-after"]
  },
  "500": {
    description: "Something went wrong inside the pod.",
    of: Broken,
    example: new Broken({ errorId: "01890a5d-ac96-774b-bcce-b302099a8057" })
  },
  "501": {
    description: "The pod cannot revert or apply this change.",
    of: NotImplemented,
    example: new NotImplemented({ why: "The pod cannot revert an action outside the pod." })
  },
  "503": {
    description: "The pod cannot answer now.",
    of: Unavailable,
    example: new Unavailable({
      why: "The pod cannot reach its database right now. Try again shortly.",
      retryAfterSeconds: 1
    }),
    other: NoProvider,
    headers: ["retry-after"]
  },
  "502": {
    description: "The model service failed, or it refused the request.",
    of: UpstreamFailed,
    example: new UpstreamFailed({
      code: "upstream_error",
      why: "The model service failed or cannot be reached.",
      isRetryable: true
    })
  },
  "504": {
    description: "The model service did not answer in time.",
    of: UpstreamTimedOut,
    example: new UpstreamTimedOut({ why: "The model service did not answer in time." })
  }
}

const defs: Record<string, OpenApiJsonSchema.JsonSchema> = {}

/**
 * Returns the schema of the error bodies that a status can have in a dialect. A dialect is a form of error bodies: Hub,
 * plain or OpenAI.
 */
const bodyOf = ({ of, other }: FailureRow, dialect: Dialect): object => {
  const bodies = new Set(failureAnswersOf(other === undefined ? [of] : [of, other], dialect).map(({ body }) => body))
  const schemas = [...bodies].map((body) =>
    OpenApiJsonSchema.makeWithDefs(body, { defs, defsPath: "#/components/schemas/" })
  )
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas }
}

/** For each dialect (form of error bodies), the first letter of the names of its components. */
const letters: Readonly<Record<Dialect, string>> = { hub: "E", plain: "P", openai: "O" }

/**
 * Returns the entry for an error status in the responses of an operation: the status, and a reference to a component.
 * Each status has its own entry, because the generator orval makes types that do not compile from the ranges `4XX` and
 * `5XX`.
 */
export const failureReference = (status: string, dialect: Dialect): readonly [string, { readonly $ref: string }] => [
  status,
  { $ref: `#/components/responses/${letters[dialect]}${status}` }
]

/**
 * Returns the headers of a status. Headers that any answer can have are listed only in the dialect (form of error
 * bodies) `hub`, which describes them for all answers.
 */
const headersOf = ({ headers = [] }: FailureRow, dialect: Dialect) => {
  const named = headers.filter((name) => dialect === "hub" || !commonHeaders.has(name))
  return named.length === 0 ? {} : { headers: headersNamed(named) }
}

/** The error responses as components, by name. */
export const failureResponses: Readonly<Record<string, object>> = Object.fromEntries(
  (["hub", "plain", "openai"] as const).flatMap((dialect) =>
    Object.entries(rows).map(([status, row]) => [
      `${letters[dialect]}${status}`,
      {
        description: row.description,
        ...headersOf(row, dialect),
        content: {
          "application/json": {
            schema: bodyOf(row, dialect),
            ...(dialect === "hub" ? { example: wireAnswerIn(dialect, row.example).body } : {})
          }
        }
      }
    ])
  )
)

/**
 * The schemas of the error bodies, by name. In the dialect (form of error bodies) `hub`, every body is an object whose
 * field `error` is a text.
 */
export const failureSchemas: Readonly<Record<string, object>> = compactSchema(defs)
