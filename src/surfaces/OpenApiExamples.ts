/**
 * The examples in the API description: declarations give some; for every other schema a value is made that the schema
 * allows.
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

/** Makes a value that a schema allows. `name` is the name of the field that the value is for. */
export type ExampleOf = (schema: object, name?: string) => unknown

const prefix = "#/components/schemas/"
const nameIn = ({ $ref }: Schema) => ($ref?.startsWith(prefix) === true ? $ref.slice(prefix.length) : undefined)

/** The words of a name: `displayName` becomes "Display name". */
const words = (name: string) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
const sentence = (name: string) => words(name).replace(/^./, (first) => first.toUpperCase())

/** Texts in the forms that the schemas require. The first text that fits a schema is used. */
const forms = (name: string) => [
  sentence(name),
  words(name).replaceAll(" ", "-"),
  "note",
  "2026-01-31",
  "0190a5e2",
  "#0055ff",
  "iVBORw0KGgo="
]

const textOf = ({ format, maxLength = Infinity, minLength = 0, pattern }: Schema, name: string): string => {
  if (format === "uuid") return "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f"
  if (format === "date-time") return "2026-01-31T12:00:00.000Z"
  const form = new RegExp(pattern ?? "")
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && form.test(text)
  return forms(name).find(fits) ?? sentence(name).padEnd(minLength, ".").slice(0, maxLength)
}

/** Makes examples from the components of a document. Optional fields are left out; fields that may be null are null. */
export const exampleGenerator = (schemas: Schemas): ExampleOf => {
  const valueOf = (schema: Schema, name: string): unknown => {
    const target = nameIn(schema)
    // Every reference has its schema: `onlyReferenced` throws if a schema is missing.
    if (target !== undefined) return valueOf(schemas[target] ?? {}, name)
    const [given] = schema.examples ?? []
    if (given !== undefined) return given
    if (schema.default !== undefined) return schema.default
    if (schema.enum !== undefined) return schema.enum[0]
    if (schema.anyOf !== undefined) {
      const isNullable = schema.anyOf.some(({ type }) => type === "null")
      return isNullable || schema.anyOf[0] === undefined ? null : valueOf(schema.anyOf[0], name)
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
        return schema.items === undefined || (schema.minItems ?? 0) === 0 ? [] : [valueOf(schema.items, name)]
      case "object":
        return Object.fromEntries(
          (schema.required ?? []).map((field) => [field, valueOf(schema.properties?.[field] ?? {}, field)])
        )
      default:
        return null
    }
  }
  return (schema, name = "text") => valueOf(schema, name)
}

/**
 * The name of the component that a body or an answer consists of: the schema itself, the items of a list, or the first
 * member of a union (the answer of a write that is not proposed).
 */
const shown = (schema: Schema): string | undefined =>
  nameIn(schema) ??
  (schema.items === undefined ? undefined : nameIn(schema.items)) ??
  (schema.anyOf?.[0] && shown(schema.anyOf[0]))

/** Adds an example to each schema that is written inline. A component has its own example. */
export const withExamples = (content: Content, exampleOf: ExampleOf, given?: unknown): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      given !== undefined
        ? { ...media, example: given }
        : shown(media.schema) === undefined
          ? { ...media, ...taken(media.schema, exampleOf) }
          : media
    ])
  )

const taken = (schema: Schema, exampleOf: ExampleOf) => {
  const { examples, ...rest } = schema
  return { schema: examples === undefined ? schema : rest, example: exampleOf(schema) }
}

interface Operation {
  readonly requestBody?: { readonly content: Content }
}

/** The components that request bodies consist of. Only these need examples: nobody has to write an answer. */
export const schemasInBodies = (
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
): ReadonlySet<string> =>
  new Set(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
      .flatMap(({ schema }) => shown(schema) ?? [])
  )

/** Adds an example to each component that request bodies consist of. */
export const withOwnExamples = (schemas: Schemas, named: ReadonlySet<string>, exampleOf: ExampleOf): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      !named.has(name) || "examples" in schema ? schema : { ...schema, examples: [exampleOf(schema)] }
    ])
  )
