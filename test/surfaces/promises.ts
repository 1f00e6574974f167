/** Compares an answer of the pod with the API description, and lists the differences. */
import { HttpApi } from "@effect/platform"
import { Option, Schema, type SchemaAST } from "effect"
import { describeApi } from "../../src/Description.ts"
import { HubApi } from "../../src/HubApi.ts"
import type { DescribedOperation } from "../../src/surfaces/OpenApiOperation.ts"
import { commonHeaders } from "../../src/surfaces/OpenApiFailures.ts"
import type { Answer } from "../support/pod.ts"
import { differences } from "./jsonSchema.ts"

export const document = describeApi()
export const text = JSON.stringify(document)

/**
 * Returns the kinds of credential that an operation accepts. If the operation lists none, returns the kinds of the
 * whole document.
 */
export const credentialsOf = ({ security = document.security }: DescribedOperation) =>
  security.flatMap((one) => Object.keys(one))

interface Media {
  readonly schema: object
  readonly example?: unknown
}

interface Header {
  readonly schema: { readonly type: string }
  readonly required?: boolean
}

export interface Response {
  readonly headers?: Readonly<Record<string, object>>
  readonly content: Readonly<Record<string, Media>>
}

/**
 * Returns the target of a reference in the document, or undefined if there is no such part. If `part` is not a
 * reference, returns it unchanged.
 */
export const resolveReference = (part: object | undefined): object | undefined => {
  if (part === undefined || !("$ref" in part)) return part
  const [kind, name] = String(part.$ref).replace("#/components/", "").split("/")
  return document.components[kind]?.[name]
}

export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
)

export const operationNamed = (name: string) => {
  const found = operations.find(({ operation }) => operation.operationId === name)
  if (found === undefined) throw new Error(`${name} is not in the API description`)
  return found
}

/**
 * Returns the response of an operation for this status. The cast is safe, because every response in the document has
 * this shape.
 */
export const responseOf = (name: string, status: number) => {
  const { responses } = operationNamed(name).operation
  return resolveReference(responses[status]) as Response | undefined
}

export const mediaOf = (name: string): Media | undefined =>
  operationNamed(name).operation.requestBody?.content["application/json"]

/** Returns the parameters of an operation, including the parameters that several operations share. */
export const parametersOf = ({ parameters }: { readonly parameters: ReadonlyArray<object> }) =>
  // This cast is safe, because every parameter in the document has this shape.
  parameters.map((each) => resolveReference(each) as { readonly name: string; readonly description?: string })

interface Shown {
  readonly examples?: ReadonlyArray<unknown>
  readonly items?: object
  readonly anyOf?: ReadonlyArray<object>
}

const ownExample = (schema: object): unknown => {
  const { anyOf, examples, items } = resolveReference(schema) as Shown
  if (examples !== undefined) return examples[0]
  if (items !== undefined) {
    const each = ownExample(items)
    return each === undefined ? undefined : [each]
  }
  return anyOf?.[0] === undefined ? undefined : ownExample(anyOf[0])
}

/** Returns the example in the document: next to the schema, or inside the schema. */
export const exampleIn = (media: Media): unknown => media.example ?? ownExample(media.schema)

/** Returns the example in the document for the body of an operation, or undefined if the operation has no body. */
export const exampleOf = (name: string): unknown => {
  const media = mediaOf(name)
  return media === undefined ? undefined : (exampleIn(media) ?? {})
}

/** Every request body and every JSON answer, with the schema from the declaration of its operation. */
export const declaredContents = (() => {
  const found: Array<{ readonly name: string; readonly schema: Schema.Schema<unknown>; readonly media: Media }> = []
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, payloads, successes }) => {
      const add = (what: string, ast: SchemaAST.AST, media: Media | undefined) => {
        if (media !== undefined) found.push({ name: `${endpoint.name} ${what}`, schema: Schema.make(ast), media })
      }
      for (const { ast } of payloads.values()) add("body", ast, mediaOf(endpoint.name))
      const [first] = successes.values()
      const success = successes.get(200) ?? first
      if (success !== undefined && Option.isSome(success.ast)) {
        add("answer", success.ast.value, responseOf(endpoint.name, 200)?.content["application/json"])
      }
    }
  })
  return found
})()

/** Field names that are clear without a description, in every schema. */
const plainNames = new Set(
  "id type kind name title slug displayName description summary status icon color url email success ok error code count total timestamp at createdAt updatedAt startedAt closedAt joinedAt expiresAt fileName sizeBytes checkedAt lastComputedAt oldestComputedAt message text label role score rank password content currentPassword goal model proposals rules relationTypes connections workspaces templateSlug agentType issuerUrl workspaceName relationType reviewPath lastMessageAt readAt dismissedAt ruleId proposalId relationId decisionId documentId messageId messageIds entityId entityIds relationIds documentIds eventId channelId threadId profileId parentProfileId sourceEntityId sourceMessageId query question templateName eventType factId permission".split(
    " "
  )
)

interface Fielded {
  readonly properties?: Readonly<Record<string, object>>
  readonly allOf?: ReadonlyArray<object>
  readonly anyOf?: ReadonlyArray<object>
  readonly items?: object
  readonly additionalProperties?: object | boolean
}

/** Every field that a schema declares, with the fields of the schemas inside it. A reference is not followed. */
const fieldsIn = (
  schema: object,
  place: string
): ReadonlyArray<readonly [place: string, name: string, part: object]> => {
  const { additionalProperties, allOf = [], anyOf = [], items, properties = {} } = schema as Fielded
  return [
    ...Object.entries(properties).flatMap(([name, part]) => [
      [`${place}.${name}`, name, part] as const,
      ...fieldsIn(part, `${place}.${name}`)
    ]),
    ...[...allOf, ...anyOf].flatMap((part) => fieldsIn(part, place)),
    ...(items === undefined ? [] : fieldsIn(items, `${place}[]`)),
    ...(typeof additionalProperties === "object" ? fieldsIn(additionalProperties, `${place}{}`) : [])
  ]
}

/** Every schema of the document with its place: the components, the request bodies and the answers. */
const everySchema = (): ReadonlyArray<readonly [place: string, schema: object]> => {
  const inContents = (place: string, part: object) =>
    Object.values((part as Partial<Response>).content ?? {}).map(({ schema }) => [place, schema] as const)
  const { responses = {}, schemas = {} } = document.components
  return [
    ...Object.entries(schemas),
    ...Object.entries(responses).flatMap(([name, response]) => inContents(name, response)),
    ...operations.flatMap(({ operation: { operationId, requestBody, responses: answers } }) => [
      ...(requestBody === undefined ? [] : inContents(`${operationId} body`, requestBody)),
      ...Object.values(answers).flatMap((answer) => inContents(operationId, answer))
    ])
  ]
}

const isExplained = (schema: object): boolean => {
  const { allOf, anyOf, description, items } = schema as Shown & {
    readonly description?: string
    readonly allOf?: ReadonlyArray<object>
  }
  const target = resolveReference(schema)
  return (
    description !== undefined ||
    (target !== schema && target !== undefined && isExplained(target)) ||
    [...(anyOf ?? []), ...(allOf ?? []), ...(items === undefined ? [] : [items])].some(isExplained)
  )
}

/**
 * Other texts explain these fields. The reference of OpenAI explains the fields of its API. The notification
 * preferences explain the kinds of notifications that a change of the preferences can contain.
 */
const explainedByOthers =
  /^(?:ChatCompletion\.|CompletionRequest\.|Model(?:List)?\.object|TokenUsage\.|NotificationPreferencesChange\.kinds\.)/

/**
 * These fields have a description in the source, but not in the document. For a field without a default, the library
 * loses the description if another field of the struct has a default. A schema of an id, a scope or a refinement cannot
 * get a description for a single field.
 */
const explainedElsewhere =
  /^(Enrolment\.workspaceId|PropertyDefDraft\.profileId|RelationDraft\.(source|target)EntityId|AutomationRuleDraft\.(intent|scope)|RuleSentence\.(when|then)|(ProviderRouting|workspaces\.setProviderRouting body)\.providers|ServiceSetupDraft\.grant)$/

/** Fields without a description whose name is not clear by itself, with their place, such as `Schema.field`. */
export const undescribedFields: ReadonlyArray<string> = everySchema()
  .flatMap(([place, schema]) => fieldsIn(schema, place))
  .filter(([, name, part]) => !plainNames.has(name) && !isExplained(part))
  .map(([place]) => place)
  .filter((place) => !explainedByOthers.test(place) && !explainedElsewhere.test(place))

export const unusedId = "00000000-0000-7000-8000-000000000000"
export const withUnusedIds = (path: string) => path.replaceAll(/\{\w+\}/g, unusedId)

/** Returns the differences between a value and a schema of the document. */
export const schemaDifferences = (schema: object, value: unknown) =>
  differences(document.components["schemas"], schema, value)

/** Headers that every response of the server has. */
const ofTheServer = new Set([
  "connection",
  "keep-alive",
  "date",
  "content-length",
  "content-type",
  "cache-control",
  "referrer-policy",
  "transfer-encoding",
  "x-accel-buffering", // Streams have this header for proxies.
  "x-content-type-options",
  "x-frame-options"
])

/** Returns all differences between an answer and the description of its operation. */
export const brokenPromises = (name: string, answer: Answer): ReadonlyArray<string> => {
  const response = responseOf(name, answer.status)
  if (response === undefined) return [`${name}: the status ${answer.status} is not described`]
  const common = document.components["headers"] ?? {}
  const declared = {
    ...response.headers,
    ...Object.fromEntries([...commonHeaders].flatMap((header) => (header in common ? [[header, common[header]]] : [])))
  }
  const headers = Object.entries(declared).map(([header, part]) => [header, resolveReference(part) as Header] as const)
  const type = (answer.headers.get("content-type") ?? "").replace(/;.*$/, "")
  const media = response.content[type]
  return [
    ...(media === undefined ? [`the type ${type} is not described`] : schemaDifferences(media.schema, answer.body)),
    ...[...answer.headers.keys()]
      .filter(
        (header) => !ofTheServer.has(header) && !commonHeaders.has(header) && !(header in (response.headers ?? {}))
      )
      .map((header) => `the header ${header} is not described`),
    ...headers.flatMap(([header, { schema, required }]) => {
      const value = answer.headers.get(header)
      if (value === null) return required === true ? [`the header ${header} is missing`] : []
      return schemaDifferences(schema, schema.type === "integer" ? Number(value) : value)
    })
  ].map((fault) => `${name} ${answer.status}: ${fault}`)
}
