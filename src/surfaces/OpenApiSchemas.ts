/**
 * Cleans the schemas of the API description. Removes the meaningless texts that `@effect/platform` adds, and the
 * schemas to which nothing refers.
 */
import { Predicate } from "effect"

/** Finds descriptions that only repeat a constraint, such as "a string at most 255 character(s) long". */
const constraintInWords =
  /^an? (?:string|number|bigint|integer|array of|non empty|non-negative|non-positive|positive|negative)\b/
/** Finds titles that are only the name of a filter, such as `maxLength(255)` or `int`. */
const filterName = /^(?:[A-Za-z]+\(.*\)|[a-z][A-Za-z]*)$/s

const isFiller = (name: string, value: unknown): boolean =>
  (name === "description" && typeof value === "string" && constraintInWords.test(value)) ||
  (name === "title" && typeof value === "string" && filterName.test(value)) ||
  (name === "required" && Array.isArray(value) && value.length === 0)

const anyJsonReference = "#/components/schemas/Json"

/**
 * Components that have only a type and a format. Each reference to such a component is replaced by the type and the
 * format.
 */
const plainTypes: Readonly<Record<string, object>> = {
  "#/components/schemas/UUID": { type: "string", format: "uuid" },
  "#/components/schemas/Int": { type: "integer" }
}

const plainType = ({ $ref }: Readonly<Record<string, unknown>>): object | undefined =>
  typeof $ref === "string" ? plainTypes[$ref] : undefined

/** Writes a union of null and an inline type as one schema whose `type` is a list of two types. */
const valueOrNull = ({ anyOf, ...rest }: Readonly<Record<string, unknown>>): object | undefined => {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [first, other]: ReadonlyArray<unknown> = anyOf
  const one = Predicate.isRecord(first) ? (plainType(first) ?? first) : undefined
  if (
    !Predicate.isRecord(one) ||
    !Predicate.isRecord(other) ||
    other["type"] !== "null" ||
    Object.keys(other).length > 1
  )
    return undefined
  const isPlain = typeof one["type"] === "string" && one["type"] !== "object" && !("enum" in one)
  return isPlain ? { ...one, type: [one["type"], "null"], ...rest } : undefined
}

/** True if a keyword repeats another keyword. The format `uuid` says the same as the pattern of an id. */
const isRepeated = (name: string, { format }: Readonly<Record<string, unknown>>) =>
  name === "pattern" && format === "uuid"

const clean = (value: unknown, isShort: boolean): unknown => {
  if (Array.isArray(value)) return value.map((inner) => clean(inner, isShort))
  if (!Predicate.isRecord(value)) return value
  // The library `@effect/platform` gives an `$id` to the schema that allows any value. This `$id` would change the base
  // of every `$ref` below it.
  if (value["$id"] === "/schemas/unknown") return { description: value["description"] ?? "Any JSON value." }
  // To describe one use of a reference, `@effect/platform` wraps the reference in `allOf`. In JSON Schema 2020-12 the
  // description can stand beside the reference.
  const { allOf, ...rest } = value
  if (Array.isArray(allOf) && allOf.length === 1 && Predicate.isRecord(allOf[0]))
    return clean({ ...allOf[0], ...rest }, isShort)
  // A schema that allows any value is written inline. If the schema had a name, generators would make an object type
  // from it, and this type would exclude texts and lists.
  if (value["$ref"] === anyJsonReference)
    return clean(Object.fromEntries(Object.entries(value).filter(([name]) => name !== "$ref")), isShort)
  if (Predicate.isRecord(value["additionalProperties"]) && value["additionalProperties"]["$ref"] === anyJsonReference) {
    return clean({ ...value, additionalProperties: true }, isShort)
  }
  const plain = isShort ? plainType(value) : undefined
  if (plain !== undefined) {
    const { $ref: _, ...siblings } = value
    return clean({ ...plain, ...siblings }, isShort)
  }
  const nullableValue = isShort ? valueOrNull(value) : undefined
  if (nullableValue !== undefined) return clean(nullableValue, isShort)
  const entries = Object.entries(value).filter(
    ([name, inner]) =>
      !isFiller(name, inner) &&
      !(isShort && isRepeated(name, value)) &&
      !(
        name === "properties" &&
        Predicate.isRecord(inner) &&
        Object.keys(inner).length === 0 &&
        "additionalProperties" in value
      )
  )
  return Object.fromEntries(entries.map(([name, inner]) => [name, clean(inner, isShort)]))
}

/**
 * Removes meaningless texts from a part of the document. Only optional keywords are removed, so the part keeps its
 * TypeScript type.
 */
export const withoutFiller = <A>(part: A): A => clean(part, false) as A

/**
 * Does the same as `withoutFiller`, but the result is shorter and can contain lists of types. Use it only for the API
 * description, because the APIs of some models do not support lists of types.
 */
export const compactSchema = <A>(part: A): A => clean(part, true) as A

const prefix = "#/components/schemas/"

const referencesIn = (value: unknown, found: Set<string>): Set<string> => {
  if (Array.isArray(value)) for (const inner of value) referencesIn(inner, found)
  else if (Predicate.isRecord(value)) {
    const { $ref } = value
    if (typeof $ref === "string" && $ref.startsWith(prefix)) found.add($ref.slice(prefix.length))
    for (const inner of Object.values(value)) referencesIn(inner, found)
  }
  return found
}

/**
 * Returns the names of the schemas that `roots` refers to, directly or through other schemas. Throws if a referenced
 * schema is missing.
 */
export const reachableSchemas = (schemas: Readonly<Record<string, object>>, roots: unknown): ReadonlySet<string> => {
  const open = [...referencesIn(roots, new Set())]
  const used = new Set(open)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const schema = schemas[name]
    if (schema === undefined) throw new Error(`The API description refers to the schema ${name}, which is not there.`)
    for (const next of referencesIn(schema, new Set())) {
      if (used.has(next)) continue
      used.add(next)
      open.push(next)
    }
  }
  return used
}

/** Returns the schemas that `roots` refers to, by name. */
export const onlyReferenced = (
  schemas: Readonly<Record<string, object>>,
  roots: unknown
): Readonly<Record<string, object>> =>
  Object.fromEntries([...reachableSchemas(schemas, roots)].sort().map((name) => [name, schemas[name]]))
