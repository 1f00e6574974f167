/**
 * Makes the API description shorter. Three things are written only once: each nullable type, the fields that two
 * answers have in common, and each answer that several operations give.
 */
import { Predicate } from "effect"
import { reachableSchemas } from "./OpenApiSchemas.ts"

type Schemas = Readonly<Record<string, object>>

interface Struct {
  readonly type: "object"
  readonly description?: string
  readonly examples?: ReadonlyArray<unknown>
  readonly required?: ReadonlyArray<string>
  readonly properties: Readonly<Record<string, object>>
}

const prefix = "#/components/schemas/"
const nameIn = (schema: unknown): string | undefined => {
  if (!Predicate.isRecord(schema)) return undefined
  const { $ref } = schema
  return typeof $ref === "string" && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined
}

/**
 * Returns the name of the referenced schema if a union consists of a reference and null. Returns undefined for any
 * other schema.
 */
const nullableName = ({ anyOf }: Readonly<Record<string, unknown>>): string | undefined => {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [one, other]: ReadonlyArray<unknown> = anyOf
  return Predicate.isRecord(other) && other["type"] === "null" ? nameIn(one) : undefined
}

/**
 * True if null can be added to a schema as a second type. False for enums. False for objects too, because generators
 * disagree about a list of the types `object` and `null`.
 */
const isPlain = (schema: object | undefined): schema is Readonly<Record<string, unknown>> =>
  schema !== undefined &&
  "type" in schema &&
  typeof schema.type === "string" &&
  schema.type !== "object" &&
  !("enum" in schema)

const replaceNullable = (value: unknown, schemas: Schemas, used: Set<string>): unknown => {
  if (Array.isArray(value)) return value.map((inner) => replaceNullable(inner, schemas, used))
  if (!Predicate.isRecord(value)) return value
  const name = nullableName(value)
  if (name === undefined || !isPlain(schemas[name])) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceNullable(inner, schemas, used)]))
  }
  used.add(name)
  const { anyOf: _, ...rest } = value
  return { $ref: `${prefix}${name}OrNull`, ...rest }
}

/** Makes one component for each type that can also be null, such as an id or null. */
export const shareNullables = <P>(part: P, schemas: Schemas): { readonly part: P; readonly schemas: Schemas } => {
  const used = new Set<string>()
  // Each new schema allows the same values as the schema that it replaces. So the cast to the same TypeScript type is
  // correct.
  const replaced = replaceNullable({ part, schemas }, schemas, used) as { readonly part: P; readonly schemas: Schemas }
  const named = [...used].map((name) => {
    const plain = schemas[name]
    return [`${name}OrNull`, isPlain(plain) ? { ...plain, type: [plain["type"], "null"] } : {}] as const
  })
  return { part: replaced.part, schemas: { ...replaced.schemas, ...Object.fromEntries(named) } }
}

const isStruct = (schema: object): schema is Struct =>
  "type" in schema && schema.type === "object" && "properties" in schema && !("additionalProperties" in schema)

const sameText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

// An extended schema must have at least this many fields, because repeating fewer fields is shorter than a reference.
const fieldsMin = 3

/**
 * True if `whole` has all fields of `part` and at least one more. Each common field must have the same schema in both,
 * and must be required in both or optional in both.
 */
const contains = (whole: Struct, part: Struct): boolean =>
  Object.keys(whole.properties).length > Object.keys(part.properties).length &&
  Object.entries(part.properties).every(
    ([name, schema]) =>
      sameText(whole.properties[name], schema) &&
      (whole.required ?? []).includes(name) === (part.required ?? []).includes(name)
  )

const extendSchema = (
  base: string,
  part: Struct,
  { description, examples, properties, required = [] }: Struct
): object => {
  const own = Object.entries(properties).filter(([name]) => !(name in part.properties))
  const ownRequired = required.filter((name) => !(name in part.properties))
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [
      { $ref: `${prefix}${base}` },
      {
        type: "object",
        ...(ownRequired.length === 0 ? {} : { required: ownRequired }),
        properties: Object.fromEntries(own)
      }
    ],
    ...(examples === undefined ? {} : { examples })
  }
}

/** The keywords that limit the length of a text or of a list. */
const lengthLimits = new Set(["minLength", "maxLength", "minItems", "maxItems"])

const isLimit = (keyword: string, value: unknown) =>
  keyword === "additionalProperties" ? value === false : lengthLimits.has(keyword) && typeof value === "number"

/**
 * Lets the schema of an answer allow additional fields and any length, because a later version of the pod might send
 * more fields and longer values. The schemas of inputs stay strict, because the pod refuses unknown fields and too long
 * values.
 */
const allowUnknownFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(allowUnknownFields)
  if (!Predicate.isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !isLimit(key, inner))
      .map(([key, inner]) => [key, allowUnknownFields(inner)])
  )
}

/** Only optional keywords are removed, so a part keeps its type. */
const openPart = <A>(part: A): A => allowUnknownFields(part) as A

/**
 * Returns the operations with answers that allow additional fields and values of any length. This includes answers
 * whose schema has no name.
 */
export const openingAnswers = <O extends Answers>(paths: Paths<O>): Paths<O> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          { ...operation, responses: openPart(operation.responses) }
        ])
      )
    ])
  )

/**
 * Makes the schemas of answers shorter. If an answer has all fields of another answer, its schema refers to the schema
 * of the other answer and lists only the additional fields. `inputs` are the parts of the document that describe
 * inputs. The function does not change the schemas of inputs, and no schema extends them, because they allow no
 * additional fields.
 */
export const shareFields = (schemas: Schemas, inputs: unknown): Schemas => {
  const sent = reachableSchemas(schemas, inputs)
  const open = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, sent.has(name) ? schema : openPart(schema)])
  )
  const structs = Object.entries(open).flatMap(([name, schema]) =>
    !sent.has(name) && isStruct(schema) && Object.keys(schema.properties).length >= fieldsMin
      ? [{ name, schema, size: JSON.stringify(schema.properties).length }]
      : []
  )
  const bySize = structs.toSorted((one, other) => other.size - one.size)
  return Object.fromEntries(
    Object.entries(open).map(([name, schema]) => {
      if (sent.has(name) || !isStruct(schema)) return [name, schema]
      const base = bySize.find((other) => other.name !== name && contains(schema, other.schema))
      return [name, base === undefined ? schema : extendSchema(base.name, base.schema, schema)]
    })
  )
}

interface Answers {
  readonly responses: Readonly<Record<string, object>>
}
type Paths<O> = Readonly<Record<string, Readonly<Record<string, O>>>>

/**
 * Returns a name for a JSON answer, made of the names of its schemas. Returns undefined if one of the schemas has no
 * name.
 */
const answerName = (response: object): string | undefined => {
  const content = Predicate.isRecord(response) ? response["content"] : undefined
  const media = Predicate.isRecord(content) ? content["application/json"] : undefined
  if (!Predicate.isRecord(media) || !Predicate.isRecord(media["schema"])) return undefined
  const { anyOf, items } = media["schema"]
  if (items !== undefined) {
    const item = nameIn(items)
    return item === undefined ? undefined : `${item}List${"headers" in response ? "Page" : ""}`
  }
  const names = (Array.isArray(anyOf) ? anyOf : [media["schema"]]).map(nameIn)
  return names.includes(undefined) ? undefined : names.join("Or")
}

/**
 * Finds each answer that several operations give, and replaces it by a reference to one component. The name of the
 * component is made of the names of its schemas.
 */
export const shareAnswers = <O extends Answers>(
  paths: Paths<O>
): { readonly paths: Paths<O>; readonly responses: Schemas } => {
  const uses = new Map<string, { readonly response: object; count: number }>()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const response = operation.responses["200"]
    if (response === undefined) continue
    const text = JSON.stringify(response)
    const use = uses.get(text) ?? { response, count: 0 }
    use.count += 1
    uses.set(text, use)
  }
  const responses: Record<string, object> = {}
  const names = new Map<string, string>()
  for (const [text, { count, response }] of uses) {
    const name = answerName(response)
    if (count === 1 || name === undefined || name in responses) continue
    responses[name] = response
    names.set(text, name)
  }
  const referring = (operation: O): O => {
    const name = names.get(JSON.stringify(operation.responses["200"]))
    if (name === undefined) return operation
    return { ...operation, responses: { ...operation.responses, "200": { $ref: `#/components/responses/${name}` } } }
  }
  return {
    responses,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, referring(operation)]))
      ])
    )
  }
}
