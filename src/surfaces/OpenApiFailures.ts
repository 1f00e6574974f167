/** How the API description says failures: the schemas, headers and answers of `doors/Failure.ts`, each stated once. */
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
  wireOf
} from "../doors/Failure.ts"

const text = { type: "string" } as const
const list = (items: object) => ({ type: "array", items })

/** A closed object, so that a field nobody described fails the contract test. */
const record = (properties: Readonly<Record<string, object>>, optional: ReadonlyArray<string> = []) => ({
  type: "object",
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  additionalProperties: false
})

const why = { ...text, description: "What was wrong and what to do next, for people." }
const code = { ...text, description: "Names the cause, for programs." }

/** The bodies of failures. Every one is an object with a text `error`. */
export const failureSchemas: Readonly<Record<string, object>> = {
  Fault: record({
    path: { ...text, description: "Where, such as `properties.due`; empty for the whole input." },
    message: { ...text, description: "What is wrong there." }
  }),
  InvalidRefusal: record({ error: why, details: list({ $ref: "#/components/schemas/Fault" }) }),
  UnauthorizedRefusal: record(
    {
      error: { ...text, enum: ["unauthorized"] },
      reason: { ...text, enum: ["no_auth", "invalid_format", "key_revoked", "expired"] },
      message: why,
      keyIdPrefix: { ...text, description: "The first eight characters of the key's id, where the key is known." }
    },
    ["keyIdPrefix"]
  ),
  ForbiddenRefusal: record(
    {
      error: why,
      code,
      required: { ...list(text), description: "The scopes or permissions it takes." },
      granted: { ...list(text), description: "Those that the credential has." },
      decisionId: { ...text, format: "uuid", description: "Names the decision for `GET /auth/decisions/{id}`." },
      openTo: { ...list(text), description: "With `GRANT_DOOR_UNSUPPORTED`: doors that are open to this key." },
      status: { ...text, enum: ["denied"], description: "With rules." },
      reason: { ...text, description: "With rules: the same as `error`." },
      clause: { ...text, enum: ["when", "where", "then"], description: "The clause of a rule that cannot be read." }
    },
    ["decisionId", "openTo", "status", "reason", "clause"]
  ),
  ConflictRefusal: record(
    { error: why, code, details: { description: "What disagrees, such as the fields that two changes both touched." } },
    ["details"]
  ),
  NotFoundRefusal: record(
    {
      error: why,
      reason: { ...text, description: "Names the cause, where there can be several." },
      message: why,
      brandWorkspaceId: { type: ["string", "null"], format: "uuid", description: "Where a brand was looked for." },
      projectId: { type: ["string", "null"], format: "uuid", description: "The project it was looked for." }
    },
    ["reason", "message", "brandWorkspaceId", "projectId"]
  ),
  Refusal: record({ error: why }),
  BrokenAnswer: record({
    error: { ...text, enum: ["ServerError"] },
    code: { ...text, enum: ["INTERNAL_SERVER_ERROR"] },
    message: why,
    errorId: { ...text, format: "uuid", description: "Under this id the pod's log has the rest." }
  })
}

const whole = { type: "integer", minimum: 0 }
const answerHeaders = {
  "x-request-id": {
    description: "Names this request in the pod's log; the one that was sent, where one was.",
    required: true,
    schema: text
  },
  "ratelimit-limit": { description: "Calls a minute that this credential may make.", schema: whole },
  "ratelimit-remaining": { description: "Calls left in the present minute.", schema: whole },
  "ratelimit-reset": { description: "Seconds until the next minute begins.", schema: whole },
  "ratelimit-policy": { description: "The limit and its window, such as `600;w=60`.", schema: text },
  "retry-after": { description: "Seconds to wait before trying again.", schema: whole },
  "www-authenticate": { description: "The scheme by which to present a key.", schema: text },
  "x-svc-required-permission": { description: "What it takes, as in `required`.", schema: text },
  "x-idempotent-replay": {
    description: "Present when this is the kept answer of an earlier request.",
    schema: { type: "string", enum: ["true"] }
  },
  "x-svc-next-cursor": {
    description: "Present when the listing goes on: give it as `cursor` for the next page.",
    schema: text
  },
  "x-key-expires-soon": {
    description: "Present during the last 14 days of a key.",
    schema: { type: "string", enum: ["true"] }
  },
  "x-key-expires-at": { description: "When that key ends.", schema: { type: "string", format: "date-time" } }
} as const

export type HeaderName = keyof typeof answerHeaders
export const headerComponents: Readonly<Record<string, object>> = answerHeaders

/** References to headers, as a response lists them. */
export const headersNamed = (names: ReadonlyArray<HeaderName>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** What any answer may carry: said once for the whole document, and not by each operation. */
export const commonHeaders: ReadonlySet<string> = new Set([
  "x-request-id",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
  "x-key-expires-soon",
  "x-key-expires-at",
  "preference-applied",
  "x-svc-ignored-fields"
])

/** What every answer to a known credential carries. */
const allowance = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"] as const

/** What stands on an answer to a key that ends soon. */
const nearEnd = ["x-key-expires-soon", "x-key-expires-at"] as const

interface FailureRow {
  readonly name: string
  readonly schema: keyof typeof failureSchemas
  readonly description: string
  /** Said by `wireOf` itself, so the example cannot drift from the answer. */
  readonly example: Failure
  readonly headers: ReadonlyArray<HeaderName>
}

const known = [...allowance, ...nearEnd]

/** Every status that a REST operation refuses with. */
export const failureRows: Readonly<Record<string, FailureRow>> = {
  "400": {
    name: "Invalid",
    schema: "InvalidRefusal",
    description: "The input is not what the operation takes; `details` says where and why.",
    example: invalid("limit", "Expected a number between 1 and 200, actual 900"),
    headers: known
  },
  "401": {
    name: "Unauthorized",
    schema: "UnauthorizedRefusal",
    description: "No credential was sent, or it is not valid.",
    example: new Unauthorized({ reason: "no_auth" }),
    headers: ["www-authenticate", ...known]
  },
  "403": {
    name: "Forbidden",
    schema: "ForbiddenRefusal",
    description: "The credential is valid and may not do this.",
    example: new Forbidden({
      code: "SCOPE_MISSING",
      why: "This needs the scope hub-protocol.write.",
      required: ["hub-protocol.write"],
      granted: ["hub-protocol.read"]
    }),
    headers: ["x-svc-required-permission", ...known]
  },
  "404": {
    name: "NotFound",
    schema: "NotFoundRefusal",
    description: "There is no such thing for this caller: missing and out of reach are one answer.",
    example: new NotFound({ why: "There is no such entity." }),
    headers: known
  },
  "409": {
    name: "Conflict",
    schema: "ConflictRefusal",
    description: "What is there does not go with this request.",
    example: new Conflict({ code: "VERSION_CONFLICT", why: "The entity is at version 4 by now." }),
    headers: known
  },
  "413": {
    name: "TooLarge",
    schema: "Refusal",
    description: "The body is larger than this pod takes.",
    example: TooLarge.bytes(10_485_760),
    headers: known
  },
  "415": {
    name: "UnsupportedMedia",
    schema: "Refusal",
    description: "The body is not sent as plain `application/json`.",
    example: new UnsupportedMedia({ why: "Send the body as application/json." }),
    headers: known
  },
  "429": {
    name: "TooMany",
    schema: "Refusal",
    description: "Too many calls; `retry-after` says when to come back.",
    example: new TooMany({ why: "More than 600 calls in a minute. Try again in 12 s.", retryAfterSeconds: 12 }),
    headers: ["retry-after", ...known]
  },
  "500": {
    name: "Broken",
    schema: "BrokenAnswer",
    description: "Something went wrong inside the pod.",
    example: new Broken({ errorId: "01890a5d-ac96-774b-bcce-b302099a8057" }),
    headers: known
  },
  "501": {
    name: "NotImplemented",
    schema: "Refusal",
    description: "This cannot be taken back, or applied, by the pod.",
    example: new NotImplemented({ why: "This cannot be taken back." }),
    headers: known
  },
  "503": {
    name: "Unavailable",
    schema: "Refusal",
    description: "The pod cannot serve right now; nothing was changed.",
    example: new Unavailable({
      why: "The pod cannot reach its database right now. Try again shortly.",
      retryAfterSeconds: 1
    }),
    headers: ["retry-after", ...known]
  }
}

/** The answers as components, by name. */
export const failureResponses: Readonly<Record<string, object>> = Object.fromEntries(
  Object.values(failureRows).map(({ name, schema, description, example, headers }) => [
    name,
    {
      description,
      headers: headersNamed(["x-request-id", ...headers]),
      content: {
        "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example: wireOf(example).body }
      }
    }
  ])
)
