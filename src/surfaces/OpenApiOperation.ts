/**
 * Describes one operation for the API description, from its declaration and from the draft that `@effect/platform`
 * makes.
 */
import { acceptsIdempotencyKey, type OperationProperties } from "../doors/Declaration.ts"
import { permissionsOf, scopeOf } from "../doors/DoorRequirements.ts"
import { keyLength } from "../doors/Idempotency.ts"
import { type Dialect, failureAnswersOf } from "../doors/Dialect.ts"
import type { HeaderField } from "../doors/HeaderFields.ts"
import { rawMediaTypes } from "../doors/RawText.ts"
import { shortDoorSentence, type Security, securityOf, usualSecurity } from "./DoorWords.ts"
import { failureReference, headersNamed } from "./OpenApiFailures.ts"
import { type ExampleOf, withExamples } from "./OpenApiExamples.ts"
import { type Parameter, type Reference } from "./OpenApiParameters.ts"

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>
}

/** One operation in the draft that `@effect/platform` makes from the schemas. */
export interface DraftOperation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: Content & { readonly required?: true }
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
}

export interface DescribedOperation extends Omit<DraftOperation, "responses" | "parameters"> {
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  /**
   * The credentials that the operation accepts. Absent if they are the same as for most operations. The document lists
   * these usual credentials once.
   */
  readonly security?: Security
  readonly "x-pod-permissions"?: ReadonlyArray<string>
  readonly "x-pod-scope"?: string
  readonly parameters: ReadonlyArray<Parameter | Reference>
  readonly responses: Readonly<Record<string, object>>
}

/** The declaration of an operation, with its example of a request body. */
export type OperationWithExample = OperationProperties & {
  readonly example: unknown
  /** True if the client can send no body, because every field of the body is optional. */
  readonly isBodyOptional: boolean
  /** Headers that clients can send instead of a field of the body. */
  readonly headerFields: ReadonlyArray<HeaderField>
}

/** Returns the HTTP statuses of the refusals of an operation, in ascending order. */
const statusesOf = ({ errors }: OperationProperties): ReadonlyArray<string> =>
  [...new Set(failureAnswersOf(errors).map(({ status }) => String(status)))].toSorted()

const idempotencyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A text of your choice. If you repeat the request with the same text within 24 hours, the pod writes nothing and returns the first answer.",
  schema: {
    type: "string",
    minLength: keyLength.least,
    maxLength: keyLength.most,
    pattern: "^[\\x21-\\x7e]+$"
  }
}

/**
 * Describes a header that clients can send instead of a field. Returns an empty list for a header that the operation
 * always refuses.
 */
const headerParameter = ({ description, name }: HeaderField): ReadonlyArray<Parameter> =>
  description === undefined ? [] : [{ name, in: "header", description, schema: { type: "string" } }]

/** Describes an answer whose body is a stored text and not JSON, such as the text of a document. */
const asText: Content["content"] = Object.fromEntries(
  rawMediaTypes.map((mediaType) => [mediaType, { schema: { type: "string" } }])
)

/** The content of a stream of server-sent events. */
const asEvents: Content["content"] = { "text/event-stream": { schema: { type: "string" } } }

/**
 * Adds the proposal to the possible answers of a write. If the governance gate stores the write as a proposal, the
 * answer has the same HTTP status as after the write itself.
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

const isProposed = (schema: object | undefined) =>
  schema !== undefined && "$ref" in schema && schema.$ref === proposedSchema

/** Returns the content of the answer 200, by its media types. `content` is the JSON that the operation declares. */
const answerContent = (
  { answersStream, answersText, door, frames }: OperationWithExample,
  content: Content["content"]
): Content["content"] => {
  if (answersText === true) return asText
  if (answersStream === true) return asEvents
  const json = door._tag === "Write" ? orProposed(content) : content
  return frames === undefined ? json : { ...json, ...asEvents }
}

export const describeOperation = (
  declared: OperationWithExample,
  dialect: Dialect,
  draft: DraftOperation,
  exampleOf: { readonly body: ExampleOf; readonly answer: ExampleOf },
  meaning: (parameter: Parameter) => Parameter
): DescribedOperation => {
  const { door } = declared
  const isGuarded = door._tag !== "Public"
  const scope = scopeOf(door)
  const security = securityOf(door)
  const permissions = permissionsOf(door)
  const description = shortDoorSentence(door)
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
      ...(isGuarded && acceptsIdempotencyKey(declared) ? [idempotencyParameter] : []),
      ...declared.headerFields.flatMap(headerParameter)
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
        description: "OK",
        ...(draft.parameters.some(({ name }) => name === "cursor")
          ? { headers: headersNamed(["x-svc-next-cursor"]) }
          : {}),
        content: answerContent(declared, content)
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
