/**
 * Makes the OpenAPI document of the REST operations. The library `@effect/platform` makes a draft from the schemas.
 * This file adds facts from the declaration of each operation, such as who is allowed to call it.
 */
import { OpenApiJsonSchema } from "@effect/platform"
import { dialectOf } from "../doors/Dialect.ts"
import { NewProposal, ProposedAnswer } from "../doors/Proposed.ts"
import { StoredRecord } from "../features/records/RecordType.ts"
import { withoutLastSlashes } from "../platform/ParsedUrl.ts"
import { type Security, titleOf, usualSecurity } from "./DoorWords.ts"
import { failureResponses, failureSchemas, headerComponents } from "./OpenApiFailures.ts"
import { exampleGenerator, schemasInAnswers, schemasInBodies, withOwnExamples } from "./OpenApiExamples.ts"
import { shareParameters, withDescription } from "./OpenApiParameters.ts"
import { onlyReferenced, compactSchema } from "./OpenApiSchemas.ts"
import { openingAnswers, shareAnswers, shareFields, shareNullables } from "./OpenApiSharing.ts"
import {
  type OperationWithExample,
  type DescribedOperation,
  type DraftOperation,
  describeOperation
} from "./OpenApiOperation.ts"

export interface DraftDocument {
  readonly tags: ReadonlyArray<{
    readonly name: string
    readonly description?: string
    readonly "x-displayName"?: string
  }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DraftOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
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

/** The parts of the document that a person wrote. They describe the API as a whole. */
export interface WrittenParts {
  readonly info: object
}

/**
 * Schemas of answers that no single operation declares: the answer of a write that became a proposal, the fields that
 * all new proposals have, and the fields that all records have.
 */
const answerSchemas = (() => {
  const defs: Record<string, OpenApiJsonSchema.JsonSchema> = {}
  const options = { defs, defsPath: "#/components/schemas/" }
  OpenApiJsonSchema.makeWithDefs(ProposedAnswer, options)
  OpenApiJsonSchema.makeWithDefs(NewProposal, options)
  OpenApiJsonSchema.makeWithDefs(StoredRecord, options)
  return defs
})()
const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "svc_…",
    description: "API key of a person, an agent or a service: `Authorization: Bearer svc_…`."
  },
  session: {
    type: "apiKey",
    in: "header",
    name: "X-Session-Token",
    description: "Sign-in session of a person: the token that `POST /auth/sign-in` returns."
  },
  operator: {
    type: "http",
    scheme: "local-socket",
    description:
      "The operator: the request comes over the socket `admin.sock`, which only the system user of the pod may open."
  }
}

/**
 * Makes the whole OpenAPI document. Throws if the library's draft of the document has an operation without a
 * declaration.
 */
export const openApiDocument = (
  draft: DraftDocument,
  declarations: ReadonlyMap<string, OperationWithExample>,
  writtenParts: WrittenParts,
  publicUrl: string | undefined
): OpenApiDocument => {
  const declaredSchemas = compactSchema({ ...draft.components.schemas, ...answerSchemas })
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
            describeOperation(
              declared,
              dialectOf(path),
              compactSchema(operation),
              exampleOf,
              withDescription(declaredSchemas)
            )
          ]
        })
      )
    ])
  )
  const whole = shareNullables(written, {
    ...withOwnExamples(
      withOwnExamples(declaredSchemas, schemasInBodies(written), exampleOf.body),
      schemasInAnswers(written),
      exampleOf.answer
    ),
    ...failureSchemas
  })
  const { paths: answering, responses: answers } = shareAnswers(openingAnswers(whole.part))
  const { paths, parameters } = shareParameters(answering)
  const referenced = JSON.stringify(paths)
  const responses = {
    ...answers,
    ...Object.fromEntries(
      Object.entries(failureResponses).filter(([name]) => referenced.includes(`"#/components/responses/${name}"`))
    )
  }
  const sent = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ requestBody }) => requestBody))
  const shared = shareFields(whole.schemas, [sent, parameters])
  const schemas = onlyReferenced(shared, { paths, parameters, responses })
  return {
    openapi: "3.1.0",
    info: writtenParts.info,
    security: usualSecurity,
    servers: [
      { url: "/", description: "The pod that serves this document." },
      ...(publicUrl === undefined
        ? []
        : [{ url: withoutLastSlashes(publicUrl), description: "The pod under its public address." }])
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
