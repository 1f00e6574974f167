/** Describes a schema of the API description in words, and makes sample inputs. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly default?: unknown
  readonly examples?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** A document with `components`. Its schemas refer to the components with `$ref`. */
export interface ApiDocument {
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const prefix = "#/components/"

/**
 * Returns the schema that a `$ref` names. A schema with `allOf` becomes one object with the fields of all parts. Any
 * other schema stays unchanged.
 */
export const resolveReference = <A extends object>(api: ApiDocument, value: A): A => {
  const { $ref } = value as { readonly $ref?: string }
  const [part = "", name = ""] = $ref?.startsWith(prefix) === true ? $ref.slice(prefix.length).split("/") : []
  const target = $ref === undefined ? value : ((api.components[part]?.[name] ?? value) as A)
  // The components of the API description that have `allOf` are schemas.
  const { allOf } = target as JsonSchema
  if (allOf === undefined) return target
  const parts = allOf.map((each) => resolveReference(api, each))
  return {
    ...target,
    type: "object",
    required: parts.flatMap(({ required }) => required ?? []),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as JsonSchema["properties"]
  }
}

const nameOf = ({ $ref }: JsonSchema) => $ref?.split("/").at(-1)

const formats: Readonly<Record<string, string>> = { uuid: "uuid", "date-time": "date and time" }

/** Describes a type in words. */
export const typeOf = (api: ApiDocument, schema: JsonSchema): string => {
  const target = resolveReference(api, schema)
  if (target.enum !== undefined) return target.enum.map((value) => JSON.stringify(value)).join(" or ")
  if (target.anyOf !== undefined) return target.anyOf.map((part) => typeOf(api, part)).join(" or ")
  if (target.type === "array") return `list of ${target.items === undefined ? "any JSON" : typeOf(api, target.items)}`
  if (target.type === "string") return formats[target.format ?? ""] ?? "text"
  if (target.type === "object") return nameOf(schema) ?? "object"
  if (Array.isArray(target.type)) {
    return target.type.map((type) => typeOf(api, { ...target, type: String(type) })).join(" or ")
  }
  return typeof target.type === "string" ? target.type : "any JSON"
}

/** The limits and the default of a value, as texts for people. */
export const limitsOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const { maxItems, maxLength, maximum, minLength, minimum } = schema
  return [
    maxLength === undefined
      ? ""
      : minLength === undefined || minLength === 0
        ? `at most ${maxLength.toLocaleString("en")} characters`
        : `${minLength} to ${maxLength.toLocaleString("en")} characters`,
    minimum === undefined || maximum === undefined ? "" : `from ${minimum} to ${maximum}`,
    maxItems === undefined ? "" : `at most ${maxItems} items`,
    schema.default === undefined ? "" : `${JSON.stringify(schema.default)} when left out`
  ].filter((text) => text !== "")
}

/** A sample input. It has only the required fields, each with the simplest value that the schema allows. */
export const sample = (api: ApiDocument, schema: JsonSchema): unknown => {
  const target = resolveReference(api, schema)
  if (target.examples !== undefined) return target.examples[0]
  if (target.default !== undefined) return target.default
  if (target.enum !== undefined) return target.enum[0]
  if (target.anyOf?.[0] !== undefined) return sample(api, target.anyOf[0])
  if (Array.isArray(target.type)) return sample(api, { ...target, type: String(target.type[0]) })
  switch (target.type) {
    case "array":
      return (target.minItems ?? 0) > 0 && target.items !== undefined ? [sample(api, target.items)] : []
    case "string":
      return target.format === "uuid"
        ? "00000000-0000-7000-8000-000000000000"
        : target.format === "date-time"
          ? "2030-01-31T12:00:00.000Z"
          : "text"
    case "integer":
    case "number":
      return target.minimum ?? 0
    case "boolean":
      return true
    case "object":
      return Object.fromEntries(
        (target.required ?? []).map((name) => [name, sample(api, target.properties?.[name] ?? {})])
      )
    default:
      return null
  }
}
