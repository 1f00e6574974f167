/** The promises of the API description, and the differences between them and an answer of the pod. */
import { describeApi } from "../../src/Description.ts"
import type { Answer } from "../support/pod.ts"
import { differences } from "./jsonSchema.ts"

export const document = describeApi()
export const text = JSON.stringify(document)

interface Media {
  readonly schema: object
  readonly example?: unknown
}

interface Header {
  readonly schema: { readonly type: string }
  readonly required?: boolean
}

export interface Response {
  readonly headers: Readonly<Record<string, object>>
  readonly content: Readonly<Record<string, Media>>
}

/** The target of a reference in the document, or undefined; any other part is returned unchanged. */
export const resolved = (part: object | undefined): object | undefined => {
  if (part === undefined || !("$ref" in part)) return part
  const [kind, name] = String(part.$ref).replace("#/components/", "").split("/")
  return document.components[kind]?.[name]
}

export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
)

export const named = (name: string) => {
  const found = operations.find(({ operation }) => operation.operationId === name)
  if (found === undefined) throw new Error(`${name} is not in the API description`)
  return found
}

/** Every response of the document has this shape; `resolved` cannot know which part it was asked for. */
export const responseOf = (name: string, status: number) =>
  resolved(named(name).operation.responses[status]) as Response | undefined

export const mediaOf = (name: string): Media | undefined =>
  named(name).operation.requestBody?.content["application/json"]

/** The body that the document gives as an example; `{}` where it has none, undefined where there is no body. */
export const exampleOf = (name: string): unknown => {
  const media = mediaOf(name)
  return media === undefined ? undefined : (media.example ?? {})
}

export const nowhere = "00000000-0000-7000-8000-000000000000"
export const somewhere = (path: string) => path.replaceAll(/\{\w+\}/g, nowhere)

/** The differences between a value and a schema of the document. */
export const differing = (schema: object, value: unknown) => differences(document.components["schemas"], schema, value)

/** Headers that every response of the server has. */
const ofTheServer = new Set([
  "connection",
  "keep-alive",
  "date",
  "content-length",
  "content-type",
  "cache-control",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options"
])

/** All differences between an answer and the promises for its operation. */
export const brokenPromises = (name: string, answer: Answer): ReadonlyArray<string> => {
  const response = responseOf(name, answer.status)
  if (response === undefined) return [`${name}: the status ${answer.status} is not described`]
  const headers = Object.entries(response.headers).map(([header, part]) => [header, resolved(part) as Header] as const)
  const type = (answer.headers.get("content-type") ?? "").replace(/;.*$/, "")
  const media = response.content[type]
  return [
    ...(media === undefined ? [`the type ${type} is not described`] : differing(media.schema, answer.body)),
    ...[...answer.headers.keys()]
      .filter((header) => !ofTheServer.has(header) && !(header in response.headers))
      .map((header) => `the header ${header} is not described`),
    ...headers.flatMap(([header, { schema, required }]) => {
      const value = answer.headers.get(header)
      if (value === null) return required === true ? [`the header ${header} is missing`] : []
      return differing(schema, schema.type === "integer" ? Number(value) : value)
    })
  ].map((fault) => `${name} ${answer.status}: ${fault}`)
}
