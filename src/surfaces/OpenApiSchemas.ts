/** Puts the schemas of the API description in order: no filler that the library adds, and none that nobody refers to. */

/** Descriptions that only repeat a constraint, such as "a string at most 255 character(s) long". */
const constraintInWords =
  /^an? (?:string|number|bigint|integer|array of|non empty|non-negative|non-positive|positive|negative)\b/
/** Titles that are the name of a filter, such as "maxLength(255)" or "int". */
const filterName = /^(?:[A-Za-z]+\(.*\)|[a-z][A-Za-z]*)$/s

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isFiller = (name: string, value: unknown): boolean =>
  (name === "description" && typeof value === "string" && constraintInWords.test(value)) ||
  (name === "title" && typeof value === "string" && filterName.test(value)) ||
  (name === "required" && Array.isArray(value) && value.length === 0)

const anything = "#/components/schemas/Json"

/** "Of this type, or null" in one schema, where the type stands here itself. */
const valueOrNull = ({ anyOf, ...rest }: Readonly<Record<string, unknown>>): object | undefined => {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [one, other]: ReadonlyArray<unknown> = anyOf
  if (!isRecord(one) || !isRecord(other) || other["type"] !== "null" || Object.keys(other).length > 1) return undefined
  const isPlain = typeof one["type"] === "string" && one["type"] !== "object" && !("enum" in one)
  return isPlain ? { ...one, type: [one["type"], "null"], ...rest } : undefined
}

/** Of an id the format says all that the pattern says. */
const isRepeated = (name: string, { format }: Readonly<Record<string, unknown>>) =>
  name === "pattern" && format === "uuid"

const clean = (value: unknown, isShort: boolean): unknown => {
  if (Array.isArray(value)) return value.map((inner) => clean(inner, isShort))
  if (!isRecord(value)) return value
  // The library marks "anything" with an $id, which would move the base of every $ref below it.
  if (value["$id"] === "/schemas/unknown") return { description: value["description"] ?? "Any JSON value." }
  // Beside a reference the library puts what is said of this use of it; JSON Schema 2020-12 needs no wrapping for that.
  const { allOf, ...rest } = value
  if (Array.isArray(allOf) && allOf.length === 1 && isRecord(allOf[0])) return clean({ ...allOf[0], ...rest }, isShort)
  // "Anything" needs no name: generators make an object type of it, to which texts and lists do not belong.
  if (value["$ref"] === anything)
    return clean(Object.fromEntries(Object.entries(value).filter(([name]) => name !== "$ref")), isShort)
  if (isRecord(value["additionalProperties"]) && value["additionalProperties"]["$ref"] === anything) {
    return clean({ ...value, additionalProperties: true }, isShort)
  }
  const either = isShort ? valueOrNull(value) : undefined
  if (either !== undefined) return clean(either, isShort)
  const kept = Object.entries(value).filter(
    ([name, inner]) =>
      !isFiller(name, inner) &&
      !(isShort && isRepeated(name, value)) &&
      !(name === "properties" && isRecord(inner) && Object.keys(inner).length === 0 && "additionalProperties" in value)
  )
  return Object.fromEntries(kept.map(([name, inner]) => [name, clean(inner, isShort)]))
}

/** The same part of the document without filler. Only optional keywords are dropped, so it keeps its type. */
export const withoutFiller = <A>(part: A): A => clean(part, false) as A

/** The same in fewer words, for a document that is read whole: not every API of a model knows lists of types. */
export const compacted = <A>(part: A): A => clean(part, true) as A

const prefix = "#/components/schemas/"

const referencesIn = (value: unknown, found: Set<string>): Set<string> => {
  if (Array.isArray(value)) for (const inner of value) referencesIn(inner, found)
  else if (isRecord(value)) {
    const { $ref } = value
    if (typeof $ref === "string" && $ref.startsWith(prefix)) found.add($ref.slice(prefix.length))
    for (const inner of Object.values(value)) referencesIn(inner, found)
  }
  return found
}

/** The schemas that something refers to, directly or through another, by name. Throws for a reference to nowhere. */
export const onlyReferenced = (
  schemas: Readonly<Record<string, object>>,
  roots: unknown
): Readonly<Record<string, object>> => {
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
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name]]))
}
