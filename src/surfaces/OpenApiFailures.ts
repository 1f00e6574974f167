/**
 * The failures in the API description: the schemas of `doors/FailureAnswer.ts`, and each status with its meaning and
 * headers.
 */
import { OpenApiJsonSchema } from "@effect/platform"
import {
  Broken,
  Conflict,
  type Failure,
  Forbidden,
  invalid,
  NotFound,
  NotImplemented,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia,
  wireAnswerOf
} from "../doors/Failure.ts"
import { failureAnswers, type FailureTag } from "../doors/FailureAnswer.ts"
import { withoutFiller } from "./OpenApiSchemas.ts"

const text = { type: "string" } as const
const whole = { type: "integer", minimum: 0 }
const answerHeaders = {
  "x-request-id": {
    description: "The id of this request in the log of the pod; the same id as in the request, if the request has one.",
    required: true,
    schema: text
  },
  "ratelimit-limit": { description: "How many calls this credential may make in a minute.", schema: whole },
  "ratelimit-remaining": { description: "How many calls are left in this minute.", schema: whole },
  "ratelimit-reset": { description: "The number of seconds until the next minute begins.", schema: whole },
  "ratelimit-policy": { description: "The limit and its window in seconds, such as `600;w=60`.", schema: text },
  "retry-after": { description: "How many seconds to wait before another try.", schema: whole },
  "www-authenticate": { description: "The authentication scheme for a key.", schema: text },
  "x-svc-required-permission": {
    description: "What the operation needs: the scope or permissions that the refusal also lists in `required`.",
    schema: text
  },
  "x-svc-next-cursor": {
    description: "The cursor of the next page: send it as `cursor`. The last page has none.",
    schema: text
  },
  "x-key-expires-soon": {
    description: "Present during the last 14 days of the key.",
    schema: { type: "string", enum: ["true"] }
  },
  "x-key-expires-at": {
    description: "The time when the key expires.",
    schema: { type: "string", format: "date-time" }
  },
  deprecation: {
    description: "For deprecated operations: the time of the deprecation, as `@` and seconds since 1970.",
    schema: text
  },
  link: { description: "For deprecated operations: what to use instead.", schema: text }
} as const

export type HeaderName = keyof typeof answerHeaders
export const headerComponents: Readonly<Record<string, object>> = answerHeaders

/** References to headers, as a response lists them. */
export const headersNamed = (names: ReadonlyArray<HeaderName>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers that any answer may have. The document describes them once, and not for each operation. */
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
  "link"
])

/** Headers of every answer to a known credential. */
const allowance = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"] as const

/** Headers of every answer of a deprecated operation. */
const deprecation = ["deprecation", "link"] as const

/** Headers of every answer to a key that expires soon. */
const nearEnd = ["x-key-expires-soon", "x-key-expires-at"] as const

interface FailureRow {
  readonly description: string
  /** The failure from which `wireAnswerOf` makes the example, so that the example always equals the real answer. */
  readonly example: Failure
  /** A second failure that has the same status. */
  readonly other?: FailureTag
  /**
   * Headers that only this status has. Status 400, which every operation can answer, also lists the headers of all
   * answers.
   */
  readonly headers?: ReadonlyArray<HeaderName>
}

const rows: Readonly<Record<string, FailureRow>> = {
  "400": {
    description: "The input is not valid for the operation; `details` says which path and why.",
    example: invalid("limit", "Expected a number between 1 and 200, actual 900"),
    headers: ["x-request-id", ...allowance, ...nearEnd, ...deprecation]
  },
  "401": {
    description: "The request has no credential, or the credential is not valid.",
    example: new Unauthorized({ reason: "no_auth" }),
    headers: ["www-authenticate"]
  },
  "403": {
    description: "The credential is valid but does not allow this operation.",
    example: new Forbidden({
      code: "SCOPE_MISSING",
      why: "This operation needs the scope hub-protocol.write.",
      required: ["hub-protocol.write"],
      granted: ["hub-protocol.read"]
    }),
    other: "GrantDoorUnsupported",
    headers: ["x-svc-required-permission"]
  },
  "404": {
    description: "The record is missing, or the caller may not read it: both cases have the same answer.",
    example: new NotFound({ why: "There is no such entity." })
  },
  "409": {
    description: "The present state of the pod conflicts with the request.",
    example: new Conflict({ code: "VERSION_CONFLICT", why: "The entity is at version 4 by now." })
  },
  "413": {
    description: "The body is larger than the limit of this pod.",
    example: TooLarge.bytes(10_485_760)
  },
  "415": {
    description: "The media type of the body is not plain `application/json`.",
    example: new UnsupportedMedia({ why: "Send the body as application/json." })
  },
  "429": {
    description: "The caller sent too many calls; `retry-after` says when to try again.",
    example: new TooMany({ why: "More than 600 calls in a minute. Try again in 12 s.", retryAfterSeconds: 12 }),
    headers: ["retry-after"]
  },
  "500": {
    description: "Something went wrong inside the pod.",
    example: new Broken({ errorId: "01890a5d-ac96-774b-bcce-b302099a8057" })
  },
  "501": {
    description: "The pod cannot revert or apply this change.",
    example: new NotImplemented({ why: "The pod cannot revert this change." })
  },
  "503": {
    description: "The pod cannot serve at present; nothing was changed.",
    example: new Unavailable({
      why: "The pod cannot reach its database right now. Try again shortly.",
      retryAfterSeconds: 1
    }),
    headers: ["retry-after"]
  }
}

const defs: Record<string, OpenApiJsonSchema.JsonSchema> = {}

const bodyOf = (tag: FailureTag): object =>
  OpenApiJsonSchema.makeWithDefs(failureAnswers[tag].body, { defs, defsPath: "#/components/schemas/" })

/** Every status that a REST operation refuses with, and the schema of its body. */
const failureRows = Object.entries(rows).map(([status, row]) => ({
  ...row,
  status,
  schema: row.other === undefined ? bodyOf(row.example._tag) : { anyOf: [bodyOf(row.example._tag), bodyOf(row.other)] }
}))

/** The bodies of failures, by name. Every one is an object with a text `error`. */
export const failureSchemas: Readonly<Record<string, object>> = withoutFiller(defs)

/**
 * The entry of a status in an operation: its number, and a reference to a component. The ranges `4XX` and `5XX` are not
 * used, because orval makes types from them that do not compile.
 */
export const failureReference = (status: string): readonly [string, { readonly $ref: string }] => [
  status,
  { $ref: `#/components/responses/E${status}` }
]

/** The answers of failures as components, by name. */
export const failureResponses: Readonly<Record<string, object>> = Object.fromEntries(
  failureRows.map(({ description, example, headers, schema, status }) => [
    `E${status}`,
    {
      description,
      ...(headers === undefined ? {} : { headers: headersNamed(headers) }),
      content: { "application/json": { schema, example: wireAnswerOf(example).body } }
    }
  ])
)
