/** The OpenAPI document of the REST operations: what the library reads off the schemas, completed by what doors promise. */
import { OpenApiJsonSchema } from "@effect/platform"
import type { OperationProperties } from "../doors/Declare.ts"
import { type Door, givesAuthority, permissionsOf, scopeOf } from "../doors/Door.ts"
import { keyLength } from "../doors/Idempotency.ts"
import { failureAnswersOf } from "../doors/FailureAnswer.ts"
import { ProposedAnswer } from "../doors/Proposed.ts"
import { rawMediaTypes } from "../doors/RawText.ts"
import { opensScope, type Scope, sessionScopes } from "../doors/Scope.ts"
import {
  failureReference,
  failureResponses,
  failureSchemas,
  headerComponents,
  headersNamed
} from "./OpenApiFailures.ts"
import { type ExampleOf, exampleGenerator, schemasInBodies, withExamples, withOwnExamples } from "./OpenApiExamples.ts"
import { type Parameter, type Reference, shareParameters, withDescription } from "./OpenApiParameters.ts"
import { compacted, onlyReferenced } from "./OpenApiSchemas.ts"

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>
}

/** One operation as the library draws it up from its schemas. */
interface DraftOperation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: Content & { readonly required: boolean }
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
}

export interface DraftDocument {
  readonly tags: ReadonlyArray<{
    readonly name: string
    readonly description?: string
    readonly "x-displayName"?: string
  }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DraftOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

type Security = ReadonlyArray<Readonly<Record<string, ReadonlyArray<never>>>>

export interface DescribedOperation extends Omit<DraftOperation, "responses" | "parameters"> {
  readonly summary: string
  readonly description: string
  /** Left out where it is what the document says for all operations. */
  readonly security?: Security
  readonly "x-pod-permissions"?: ReadonlyArray<string>
  readonly "x-pod-scope"?: string
  readonly parameters: ReadonlyArray<Parameter | Reference>
  readonly responses: Readonly<Record<string, object>>
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0"
  readonly info: object
  readonly security: Security
  readonly servers: ReadonlyArray<{ readonly url: string; readonly description: string }>
  readonly tags: ReadonlyArray<{
    readonly name: string
    readonly "x-displayName": string
    readonly description: string
  }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/** A declaration, with the body that it gives as an example. */
type Described = OperationProperties & { readonly example: unknown }

/** What a person wrote about the API as a whole. */
export interface WrittenParts {
  readonly info: object
}

/** `focusSessions` is shown as "Focus sessions"; a group that is called otherwise says so itself. */
const titleOf = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replace(
    /([a-z])([A-Z])/g,
    (_, last: string, first: string) => `${last} ${first.toLowerCase()}`
  )

const needs = ({ scope }: { readonly scope: Scope }) => `Needs \`${scope}\``

const passes = (door: Door): string => {
  switch (door._tag) {
    case "Public":
      return `Open to everybody: ${door.why}.`
    case "Session":
      return "A person's sign-in session passes; keys never do."
    case "Self":
      return `${needs(door)}. Answers about the caller alone, so no grant bounds it.`
    case "Rows":
      return `${needs(door)}. Answers the \`${door.subject}\` rows that the grant reads.`
    case "EveryKind":
      return `${needs(door)}, and a grant that reads every kind of ${door.subjects.join(", ")} without limits.`
    case "FullGrant":
      return `${needs(door)}, and an unrestricted grant (\`*\` without limits).`
    case "Write": {
      const asked = permissionsOf(door).map((permission) => `\`${permission}\``)
      return `${needs(door)}, and a grant that covers ${asked.join(" and ")} where it writes.`
    }
  }
}

/** What most operations take. */
const usualSecurity: Security = [{ bearer: [] }, { session: [] }]

const securityOf = (door: Door): Security => {
  switch (door._tag) {
    case "Public":
      return []
    case "Session":
      return [{ session: [] }]
    case "Self":
    case "Rows":
    case "EveryKind":
    case "FullGrant":
    case "Write":
      return opensScope(sessionScopes, door.scope) ? usualSecurity : [{ bearer: [] }]
  }
}

/** The statuses with which an operation refuses, in order. */
const statusesOf = ({ errors }: OperationProperties): ReadonlyArray<string> =>
  failureAnswersOf(errors)
    .map(({ status }) => String(status))
    .toSorted()

const idempotencyParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes the request safe to send again: within 24 hours the same key with the same request answers what it answered the first time, with the header `x-idempotent-replay`.",
  schema: {
    type: "string",
    minLength: keyLength.least,
    maxLength: keyLength.most,
    pattern: "^[\\x21-\\x7e]+$"
  }
}

const preferParameter = {
  name: "Prefer",
  in: "header",
  required: false,
  description:
    "`handling=lenient` (RFC 7240) has fields that the pod does not know ignored and named in the answer; otherwise they are refused.",
  schema: { type: "string" }
}

/** What goes out as it is kept. */
const asText: Content["content"] = Object.fromEntries(
  rawMediaTypes.map((mediaType) => [mediaType, { schema: { type: "string" } }])
)

/** A write of an agent may be put before a person instead, with the same status. */
const orProposed = (content: Content["content"]): Content["content"] =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      type === "application/json" && !isProposed(media.schema)
        ? { ...media, schema: { anyOf: [media.schema, { $ref: proposedSchema }] } }
        : media
    ])
  )

const proposedSchema = "#/components/schemas/Proposed"

/** No operation declares it: every write may come to it. */
const answerSchemas = (() => {
  const defs: Record<string, OpenApiJsonSchema.JsonSchema> = {}
  OpenApiJsonSchema.makeWithDefs(ProposedAnswer, { defs, defsPath: "#/components/schemas/" })
  return defs as Readonly<Record<string, object>>
})()
const isProposed = (schema: object | undefined) => (schema as { readonly $ref?: unknown })?.$ref === proposedSchema

const described = (
  declared: Described,
  draft: DraftOperation,
  exampleOf: ExampleOf,
  meaning: (parameter: Parameter) => Parameter
): DescribedOperation => {
  const { door, kind } = declared
  const isGuarded = door._tag !== "Public"
  const isMutation = kind === "mutation"
  const scope = scopeOf(door)
  const security = securityOf(door)
  const permissions = permissionsOf(door)
  const mayIgnore = !givesAuthority(door, kind)
  const success = draft.responses["200"]
  if (success === undefined) throw new Error(`${declared.name} has no answer 200, which is all the pod sends.`)
  const { content } = success
  return {
    tags: draft.tags,
    operationId: declared.name,
    summary: declared.summary,
    description: passes(door),
    ...(security === usualSecurity ? {} : { security }),
    ...(permissions.length === 0 ? {} : { "x-pod-permissions": permissions }),
    ...(scope === null ? {} : { "x-pod-scope": scope }),
    parameters: [
      ...draft.parameters.map(meaning),
      ...(isMutation && isGuarded ? [idempotencyParameter] : []),
      ...(mayIgnore ? [preferParameter] : [])
    ],
    ...(draft.requestBody === undefined
      ? {}
      : {
          requestBody: { required: true, content: withExamples(draft.requestBody.content, exampleOf, declared.example) }
        }),
    responses: {
      "200": {
        description: isMutation ? "Done." : "The answer.",
        ...(draft.parameters.some(({ name }) => name === "cursor")
          ? { headers: headersNamed(["x-svc-next-cursor"]) }
          : {}),
        content: declared.answersText === true ? asText : door._tag === "Write" ? orProposed(content) : content
      },
      ...Object.fromEntries(statusesOf(declared).map(failureReference))
    }
  }
}

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "svc_…",
    description: "An API key of a person, an agent or a service: `Authorization: Bearer svc_…`."
  },
  session: {
    type: "apiKey",
    in: "header",
    name: "X-Session-Token",
    description: "A person's sign-in session: the token that `POST /auth/sign-in` answers."
  }
}

/** The whole document. Throws when an operation of the draft was not declared through a door. */
export const openApiDocument = (
  draft: DraftDocument,
  declarations: ReadonlyMap<string, Described>,
  spoken: WrittenParts,
  publicUrl: string | undefined
): OpenApiDocument => {
  const declaredSchemas = compacted({ ...draft.components.schemas, ...answerSchemas })
  const exampleOf = exampleGenerator(declaredSchemas)
  const written = Object.fromEntries(
    Object.entries(draft.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const declared = declarations.get(operation.operationId)
          if (declared === undefined) throw new Error(`${operation.operationId} has no door.`)
          return [method, described(declared, compacted(operation), exampleOf, withDescription(declaredSchemas))]
        })
      )
    ])
  )
  const { paths, parameters } = shareParameters(written)
  const responses = failureResponses
  const schemas = onlyReferenced(
    { ...withOwnExamples(declaredSchemas, schemasInBodies(paths), exampleOf), ...failureSchemas },
    { paths, parameters, responses }
  )
  return {
    openapi: "3.1.0",
    info: spoken.info,
    security: usualSecurity,
    servers: [
      { url: "/", description: "The pod that serves this document." },
      ...(publicUrl === undefined
        ? []
        : [{ url: publicUrl.replace(/\/+$/, ""), description: "The pod under its public address." }])
    ],
    tags: draft.tags.map(({ name, description, ...shown }) => ({
      name,
      "x-displayName": shown["x-displayName"] ?? titleOf(name),
      description: description ?? `Operations of ${name}.`
    })),
    paths,
    components: { securitySchemes, parameters, headers: headerComponents, responses, schemas }
  }
}
