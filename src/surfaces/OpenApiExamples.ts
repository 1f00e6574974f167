/**
 * Makes the examples in the API description. A declaration can give an example. For every other schema, this file makes
 * an example that the schema allows.
 */

interface Schema {
  readonly $ref?: string
  readonly examples?: ReadonlyArray<unknown>
  readonly default?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
}

type Schemas = Readonly<Record<string, object>>
interface Media {
  readonly schema: object
  readonly example?: unknown
}
type Content = Readonly<Record<string, Media>>

/** Makes a value that a schema allows. `name` is the name of the field that gets the value. */
export type ExampleOf = (schema: object, name?: string) => unknown

const prefix = "#/components/schemas/"
const nameIn = ({ $ref }: Schema) => ($ref?.startsWith(prefix) === true ? $ref.slice(prefix.length) : undefined)

/** Splits a name into words in small letters: `displayName` becomes "display name". */
const words = (name: string) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
const sentence = (name: string) => words(name).replace(/^./, (first) => first.toUpperCase())

/** Returns the name of one item of a list: `tags` becomes `tag`. */
const singular = (name: string) => name.replace(/ies$/, "y").replace(/([^s])s$/, "$1")

/**
 * Typical texts for fields that many schemas have. A field with one of these names has the same text in every example.
 */
const texts: Readonly<Record<string, string>> = {
  title: "How we deploy",
  name: "Release notes",
  displayName: "Release notes",
  label: "Release notes",
  email: "ana@example.com",
  slug: "how-we-deploy",
  profileSlug: "note",
  templateSlug: "product-team",
  type: "note",
  status: "active",
  content: "We deploy on Tuesdays.",
  body: "We deploy on Tuesdays.",
  text: "We deploy on Tuesdays.",
  snippet: "We deploy on Tuesdays",
  preview: "We deploy on Tuesdays",
  summary: "We deploy on Tuesdays.",
  fact: "We deploy on Tuesdays.",
  assertion: "header.claims.signature",
  query: "When do we deploy?",
  description: "What the team knows about its releases.",
  goal: "Write down how we deploy.",
  intent: "Tell the team about each new decision.",
  prompt: "Write the release notes of this week.",
  reason: "The release notes were missing.",
  message: "Done.",
  scope: "hub-protocol.read",
  permission: "entity.create",
  requiredPermission: "entity.create",
  operation: "entities.create",
  eventType: "entity.create",
  relationType: "mentions",
  proposalType: "create",
  targetType: "entity",
  reviewPath: "/admin/inbox/0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f",
  agentType: "claude",
  rung: "person",
  contentHash: "9f86d081884c7d65",
  targetPattern: "entities.*",
  hubApiKey: "svc_the-secret-of-the-key",
  token: "the-part-of-the-link-after-the-hash",
  key: "deploy-day",
  path: "/notes/how-we-deploy",
  version: "1.0.0",
  hash: "9f86d081884c7d65",
  tag: "release",
  timezone: "Europe/Berlin",
  personName: "Ana"
}

/** Returns the typical text for a field with this name. Returns undefined if there is no typical text. */
const expectedText = (name: string): string | undefined =>
  texts[name] ?? (/^ur[il]$|Url$/.test(name) ? "https://example.com/page" : undefined)

/** Texts in all forms that the schemas can require. The example uses the first text that the schema allows. */
const forms = (name: string) => [
  ...[expectedText(name)].filter((text) => text !== undefined),
  sentence(name),
  words(name).replaceAll(" ", "-"),
  "note",
  "2026-01-31",
  "0190a5e2",
  "#0055ff",
  "iVBORw0KGgo="
]

/**
 * The last two digits of an example id, by the name of its field. These digits show a reader which ids identify the
 * same record.
 */
const idEnds: ReadonlyArray<readonly [form: RegExp, end: string]> = [
  [/workspace|space/i, "a1"],
  [/agent/i, "c3"],
  [/user|owner|person|By$|actor|author|assign|inviter|member/i, "b2"],
  [/key|credential/i, "d4"],
  [/project/i, "e5"],
  [/document/i, "f6"],
  [/correlation|causation|request|session|decision/i, "07"],
  [/thread|channel|message/i, "18"]
]
const idFor = (name: string) =>
  `0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e${idEnds.find(([form]) => form.test(name))?.[1] ?? "0f"}`
/** Returns an example time at the end of January 2026. An expiry is one week later. */
const timeOf = (name: string) => (name === "expiresAt" ? "2026-02-07T12:00:00.000Z" : "2026-01-31T12:00:00.000Z")

const textOf = ({ format, maxLength = Infinity, minLength = 0, pattern }: Schema, name: string): string => {
  // An id or a time of another system has no format in the schema. So this code recognises it by the name of the field.
  if (pattern === undefined && maxLength >= 36 && /(?:^id|Id)$/.test(name)) return idFor(name)
  if (pattern === undefined && maxLength >= 24 && /[a-z]At$/.test(name)) return timeOf(name)
  if (format === "uuid") return idFor(name)
  if (format === "date-time") return timeOf(name)
  const form = new RegExp(pattern ?? "")
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && form.test(text)
  return forms(name).find(fits) ?? sentence(name).padEnd(minLength, ".").slice(0, maxLength)
}

/**
 * Makes examples from the components of a document. An example leaves out optional fields, and contains null where the
 * schema allows null. For answers, `fillsLists` is true: each list has one item, except lists deep inside the answer.
 * For request bodies, it is false: a list has an item only if the list must not be empty.
 */
export const exampleGenerator = (schemas: Schemas, fillsLists = false): ExampleOf => {
  /**
   * `within` has the names of the components that contain the value. If the items of a list are one of these
   * components, the list stays empty. Otherwise the example would contain itself.
   */
  const valueOf = (schema: Schema, name: string, within: ReadonlyArray<string>): unknown => {
    const target = nameIn(schema)
    // The referenced schema always exists, because the function `onlyReferenced` refuses a document in which a schema
    // is missing.
    if (target !== undefined) return valueOf(schemas[target] ?? {}, name, [...within, target])
    const [given] = schema.examples ?? []
    if (given !== undefined) return given
    if (schema.default !== undefined) return schema.default
    if (schema.enum !== undefined) return schema.enum[0]
    if (schema.anyOf !== undefined) {
      const isNullable = schema.anyOf.some(({ type }) => type === "null")
      return isNullable || schema.anyOf[0] === undefined ? null : valueOf(schema.anyOf[0], name, within)
    }
    if (Array.isArray(schema.type)) return null
    switch (schema.type) {
      case "string":
        return textOf(schema, name)
      case "integer":
      case "number":
        return Math.max(schema.minimum ?? 0, Math.min(1, schema.minimum ?? 1))
      case "boolean":
        return true
      case "array":
        return schema.items === undefined || (!hasItem(schema, within) && (schema.minItems ?? 0) === 0)
          ? []
          : [valueOf(schema.items, singular(name), within)]
      case "object":
        return Object.fromEntries(
          (schema.required ?? []).map((field) => [
            field,
            valueOf(schema.properties?.[field] ?? {}, contentName(schema, field), within)
          ])
        )
      default:
        return null
    }
  }
  const hasItem = ({ items = {} }: Schema, within: ReadonlyArray<string>) => {
    const item = nameIn(items)
    return fillsLists && within.length < 2 && (item === undefined || !within.includes(item))
  }
  return (schema, name = "text") => valueOf(schema, name, [])
}

/**
 * Returns the name of the component in a body or an answer: the schema itself, the items of a list, or the first member
 * of a union. For a write, the first member is the answer without a proposal.
 */
const componentName = (schema: Schema): string | undefined =>
  nameIn(schema) ??
  (schema.items === undefined ? undefined : nameIn(schema.items)) ??
  (schema.anyOf?.[0] && componentName(schema.anyOf[0]))

/**
 * Adds an example to the content if its schema is written inline. If the schema is a component, the component itself
 * has the example.
 */
export const withExamples = (content: Content, exampleOf: ExampleOf, example?: unknown): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      example !== undefined
        ? { ...media, example }
        : componentName(media.schema) === undefined
          ? { ...media, ...splitExample(media.schema, exampleOf) }
          : media
    ])
  )

const splitExample = (schema: Schema, exampleOf: ExampleOf) => {
  const { examples, ...rest } = schema
  return { schema: examples === undefined ? schema : rest, example: exampleOf(schema) }
}

/**
 * Returns the field name that selects the example text. If the object also has an e-mail address, the example of its
 * field `name` is the name of a person.
 */
const contentName = ({ properties = {} }: Schema, field: string) =>
  field === "name" && "email" in properties ? "personName" : field

interface Operation {
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, object>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const schemasIn = (contents: ReadonlyArray<Content | undefined>): ReadonlySet<string> =>
  new Set(
    contents.flatMap((content) => Object.values(content ?? {})).flatMap(({ schema }) => componentName(schema) ?? [])
  )

const operationsIn = (paths: Paths) => Object.values(paths).flatMap((methods) => Object.values(methods))

/** Returns the names of the components that are used as request bodies without a declared example. */
export const schemasInBodies = (paths: Paths): ReadonlySet<string> =>
  schemasIn(
    operationsIn(paths).map(({ requestBody }) =>
      Object.fromEntries(Object.entries(requestBody?.content ?? {}).filter(([, media]) => !("example" in media)))
    )
  )

/** Returns the names of the components that are used as successful answers. */
export const schemasInAnswers = (paths: Paths): ReadonlySet<string> =>
  schemasIn(
    operationsIn(paths).map(({ responses }) => {
      const answer: { readonly content?: Content } | undefined = responses["200"]
      return answer?.content
    })
  )

/** Adds an example to each of the named components. Keeps the example of a component that already has one. */
export const withOwnExamples = (schemas: Schemas, named: ReadonlySet<string>, exampleOf: ExampleOf): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      !named.has(name) || "examples" in schema
        ? schema
        : { ...schema, examples: [exampleOf({ $ref: `${prefix}${name}` })] }
    ])
  )
