/**
 * Makes the OpenAPI document of the REST operations. The library `@effect/platform` makes a draft from the schemas.
 * This file adds facts from the door and the declaration of each operation.
 */
import { OpenApiJsonSchema } from "@effect/platform"
import type { OperationProperties } from "../doors/Declaration.ts"
import { permissionsOf, scopeOf } from "../doors/DoorRequirements.ts"
import { keyLength } from "../doors/Idempotency.ts"
import { type Dialect, dialectOf, failureAnswersOf } from "../doors/Dialect.ts"
import { ProposedAnswer } from "../doors/Proposed.ts"
import { rawMediaTypes } from "../doors/RawText.ts"
import { StoredRecord } from "../features/records/RecordType.ts"
import { passesBriefly, type Security, securityOf, titleOf, usualSecurity } from "./DoorWords.ts"
import {
  failureReference,
  failureResponses,
  failureSchemas,
  headerComponents,
  headersNamed
} from "./OpenApiFailures.ts"
import {
  type ExampleOf,
  exampleGenerator,
  schemasInAnswers,
  schemasInBodies,
  withExamples,
  withOwnExamples
} from "./OpenApiExamples.ts"
import { type Parameter, type Reference, shareParameters, withDescription } from "./OpenApiParameters.ts"
import { onlyReferenced, compacted } from "./OpenApiSchemas.ts"
import { sharingAnswers, sharingFields, sharingNullables } from "./OpenApiSharing.ts"

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>
}

/** One operation in the draft that the library makes from the schemas. */
interface DraftOperation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: Content & { readonly required?: true }
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

export interface DescribedOperation extends Omit<DraftOperation, "responses" | "parameters"> {
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  /** Absent if the operation accepts the credentials that the document states for all operations. */
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

/** The declaration of an operation, with its example of a request body. */
export type Described = OperationProperties & {
  readonly example: unknown
  /** Whether the request may have no body, because every field may be left out. */
  readonly isBodyOptional: boolean
}

/** The parts of the document that a person wrote, about the API as a whole. */
export interface WrittenParts {
  readonly info: object
}

/** The HTTP statuses with which an operation can refuse, in ascending order. */
const statusesOf = ({ errors }: OperationProperties): ReadonlyArray<string> =>
  [...new Set(failureAnswersOf(errors).map(({ status }) => String(status)))].toSorted()

const idempotencyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes repeats safe: for 24 hours, the same request with the same key gets the first answer, with the header `x-idempotent-replay`.",
  schema: {
    type: "string",
    minLength: keyLength.least,
    maxLength: keyLength.most,
    pattern: "^[\\x21-\\x7e]+$"
  }
}

/** The content of an answer whose text is sent as it is stored. This is not JSON. */
const asText: Content["content"] = Object.fromEntries(
  rawMediaTypes.map((mediaType) => [mediaType, { schema: { type: "string" } }])
)

/** The content of a stream of server-sent events. */
const asEvents: Content["content"] = { "text/event-stream": { schema: { type: "string" } } }

/**
 * Adds the proposal to the possible answers of a write. The gate may store the write of an agent as a proposal. Then
 * the answer has the same HTTP status as after the write itself.
 */
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

/** Schemas that no operation declares: the proposal, which every write can answer, and the fields of all records. */
const answerSchemas = (() => {
  const defs: Record<string, OpenApiJsonSchema.JsonSchema> = {}
  const options = { defs, defsPath: "#/components/schemas/" }
  OpenApiJsonSchema.makeWithDefs(ProposedAnswer, options)
  OpenApiJsonSchema.makeWithDefs(StoredRecord, options)
  return defs as Readonly<Record<string, object>>
})()
const isProposed = (schema: object | undefined) => (schema as { readonly $ref?: unknown })?.$ref === proposedSchema

const described = (
  declared: Described,
  dialect: Dialect,
  draft: DraftOperation,
  exampleOf: { readonly body: ExampleOf; readonly answer: ExampleOf },
  meaning: (parameter: Parameter) => Parameter
): DescribedOperation => {
  const { door, kind } = declared
  const isGuarded = door._tag !== "Public"
  const isMutation = kind === "mutation"
  const scope = scopeOf(door)
  const security = securityOf(door)
  const permissions = permissionsOf(door)
  const description = passesBriefly(door)
  const success = draft.responses["200"]
  if (success === undefined) throw new Error(`${declared.name} has no answer 200, which is all the pod sends.`)
  const content = withExamples(success.content, exampleOf.answer)
  return {
    tags: draft.tags,
    operationId: declared.name,
    summary: declared.summary,
    ...(description === undefined ? {} : { description }),
    ...(declared.deprecated === undefined ? {} : { deprecated: true as const }),
    ...(security === usualSecurity ? {} : { security }),
    ...(permissions.length === 0 ? {} : { "x-pod-permissions": permissions }),
    ...(scope === null ? {} : { "x-pod-scope": scope }),
    parameters: [
      ...draft.parameters.map(meaning),
      // An answer in frames (a stream) is not stored, so it cannot be sent again. An operation with such an answer
      // takes no idempotency key.
      ...(isMutation && isGuarded && declared.frames === undefined ? [idempotencyParameter] : [])
    ],
    ...(draft.requestBody === undefined
      ? {}
      : {
          requestBody: {
            ...(declared.isBodyOptional ? {} : { required: true as const }),
            content: withExamples(draft.requestBody.content, exampleOf.body, declared.example)
          }
        }),
    responses: {
      "200": {
        description: isMutation ? "Done." : "OK.",
        ...(draft.parameters.some(({ name }) => name === "cursor")
          ? { headers: headersNamed(["x-svc-next-cursor"]) }
          : {}),
        content:
          declared.answersText === true
            ? asText
            : declared.answersStream === true
              ? asEvents
              : door._tag === "Write"
                ? { ...orProposed(content), ...(declared.frames === undefined ? {} : asEvents) }
                : declared.frames === undefined
                  ? content
                  : { ...content, ...asEvents }
      },
      ...(draft.responses["202"] === undefined
        ? {}
        : {
            "202": {
              description: "The request waits for the decision of a person.",
              content: withExamples(draft.responses["202"].content, exampleOf.answer)
            }
          }),
      ...Object.fromEntries(statusesOf(declared).map((status) => failureReference(status, dialect)))
    }
  }
}

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "svc_…",
    description: "The API key of a person, an agent or a service: `Authorization: Bearer svc_…`."
  },
  session: {
    type: "apiKey",
    in: "header",
    name: "X-Session-Token",
    description: "The sign-in session of a person: the token that `POST /auth/sign-in` returns."
  },
  operator: {
    type: "http",
    scheme: "local-socket",
    description:
      "The operator of the data directory. No header is needed: the request comes over the socket `admin.sock`, which only the system user of the pod may open."
  }
}

/** Makes the whole document. Throws if an operation of the draft has no declaration. */
export const openApiDocument = (
  draft: DraftDocument,
  declarations: ReadonlyMap<string, Described>,
  spoken: WrittenParts,
  publicUrl: string | undefined
): OpenApiDocument => {
  const declaredSchemas = compacted({ ...draft.components.schemas, ...answerSchemas })
  const exampleOf = { body: exampleGenerator(declaredSchemas), answer: exampleGenerator(declaredSchemas, true) }
  const written = Object.fromEntries(
    Object.entries(draft.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const declared = declarations.get(operation.operationId)
          if (declared === undefined) throw new Error(`${operation.operationId} has no door.`)
          return [
            method,
            described(declared, dialectOf(path), compacted(operation), exampleOf, withDescription(declaredSchemas))
          ]
        })
      )
    ])
  )
  const whole = sharingNullables(written, {
    ...withOwnExamples(
      withOwnExamples(declaredSchemas, schemasInBodies(written), exampleOf.body),
      schemasInAnswers(written),
      exampleOf.answer
    ),
    ...failureSchemas
  })
  const { paths: answering, responses: answers } = sharingAnswers(whole.part)
  const { paths, parameters } = shareParameters(answering)
  const referenced = JSON.stringify(paths)
  const responses = {
    ...answers,
    ...Object.fromEntries(
      Object.entries(failureResponses).filter(([name]) => referenced.includes(`"#/components/responses/${name}"`))
    )
  }
  const sent = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ requestBody }) => requestBody))
  const shared = sharingFields(whole.schemas, [sent, parameters])
  const schemas = onlyReferenced(shared, { paths, parameters, responses })
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
