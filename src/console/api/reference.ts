/**
 * Brings the operations of openapi.json and of the catalog (procedures and tools) into one form for the API reference.
 */
import type { ApiDocument, JsonSchema } from "./schemaWords.ts"

export const surfaces = ["rest", "procedure", "tool"] as const
export type Surface = (typeof surfaces)[number]

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly deprecated?: true
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly "x-pod-permissions"?: ReadonlyArray<string>
  readonly "x-pod-scope"?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}

interface Media {
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface OpenApi extends ApiDocument {
  readonly info: { readonly version: string }
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly "x-displayName"?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Catalog extends ApiDocument {
  readonly groups: ReadonlyArray<{ readonly name: string; readonly title: string }>
  readonly operations: ReadonlyArray<{
    readonly name: string
    readonly kind: "query" | "mutation" | "subscription" | "tool"
    readonly group: string
    readonly summary: string
    readonly door: string
    readonly scope: string | null
    readonly permissions: ReadonlyArray<string>
    readonly credentials: ReadonlyArray<string>
    readonly input: JsonSchema | null
  }>
}

/** One REST operation, procedure or MCP tool. */
export interface Entry {
  readonly api: ApiDocument
  readonly surface: Surface
  /** The kind of the operation, such as `get`, `mutation` or `tool`. */
  readonly kind: string
  readonly id: string
  readonly name: string
  /** The path of a REST operation. For a procedure or a tool, its name. */
  readonly title: string
  readonly group: string
  readonly summary: string
  /** True if clients should no longer use the operation. */
  readonly isDeprecated: boolean
  /** One sentence that says who may call the operation. */
  readonly door: string
  /**
   * The accepted credentials: `bearer` means a key, `session` means a sign-in, and `operator` means the socket in the
   * data directory. Empty if no credential is needed.
   */
  readonly credentials: ReadonlyArray<string>
  readonly scope: string | null
  readonly permissions: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: Media | undefined
  readonly isStream: boolean
}

const restEntries = (api: OpenApi): ReadonlyArray<Entry> => {
  const titles = new Map(api.tags.map((tag) => [tag.name, tag["x-displayName"] ?? tag.name]))
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      api,
      surface: "rest" as const,
      kind: method,
      id: operation.operationId,
      name: operation.operationId,
      title: path,
      group: titles.get(operation.tags[0] ?? "") ?? "Other",
      summary: operation.summary,
      isDeprecated: operation.deprecated === true,
      door: operation.description ?? "",
      credentials: (operation.security ?? api.security).flatMap((way) => Object.keys(way)),
      scope: operation["x-pod-scope"] ?? null,
      permissions: operation["x-pod-permissions"] ?? [],
      parameters: operation.parameters,
      body: operation.requestBody?.content["application/json"],
      isStream: operation.responses["200"]?.content?.["text/event-stream"] !== undefined
    }))
  )
}

const catalogEntries = (catalog: Catalog): ReadonlyArray<Entry> => {
  const titles = new Map(catalog.groups.map(({ name, title }) => [name, title]))
  return catalog.operations.map((each) => {
    const surface = each.kind === "tool" ? ("tool" as const) : ("procedure" as const)
    return {
      api: catalog,
      surface,
      kind: each.kind,
      id: `${surface}:${each.name}`,
      name: each.name,
      title: each.name,
      group: titles.get(each.group) ?? each.group,
      summary: each.summary,
      // No operation of the catalog is deprecated.
      isDeprecated: false,
      door: each.door,
      credentials: each.credentials,
      scope: each.scope,
      permissions: each.permissions,
      parameters: [],
      body: each.input === null ? undefined : { schema: each.input },
      isStream: each.kind === "subscription"
    }
  })
}

export const entriesOf = (api: OpenApi, catalog: Catalog): ReadonlyArray<Entry> => [
  ...restEntries(api),
  ...catalogEntries(catalog)
]

const namesOf = ({ kind, name, title }: Entry) =>
  [name, title, title.replace(/^\/api\/hub(?=\/)/, ""), `${kind} ${title}`].map((each) => each.toLowerCase())

/**
 * The words of the name and the title of an entry. For example, the name `entities.getEntities` gives "entities", "get"
 * and "entities".
 */
const wordsIn = ({ name, title }: Entry) =>
  `${name} ${title}`
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/**
 * The rank of an entry in a search: 0 is the best, and undefined means that the entry does not match. An exact name or
 * path is the best match. The next best matches are, in this order: the beginning of a name, whole words of a name,
 * parts of a name, words of the summary, and words of other texts.
 */
export const rankOf = (entry: Entry, query: string): number | undefined => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const whole = words.join(" ")
  const names = namesOf(entry)
  if (words.length === 0 || names.includes(whole)) return 0
  if (names.some((name) => name.startsWith(whole))) return 1
  const own = wordsIn(entry)
  if (words.every((word) => own.includes(word))) return 2
  const inName = (word: string) => names.some((name) => name.includes(word))
  if (words.every(inName)) return 3
  const summary = entry.summary.toLowerCase()
  if (words.every((word) => inName(word) || summary.includes(word))) return 4
  const besides = [entry.door, entry.group, entry.surface, entry.kind, ...entry.permissions].join(" ").toLowerCase()
  return words.every((word) => inName(word) || summary.includes(word) || besides.includes(word)) ? 5 : undefined
}
