/**
 * Checks an input against the JSON schema of a skill. Users write these schemas. So the pod never compiles a schema to
 * code, and it matches the patterns of a schema in linear time. The pod refuses a schema with an unknown keyword,
 * because a check that ignores the keyword would be too weak.
 */
import { Either, Predicate } from "effect"
import type { Fault } from "../../doors/Failure.ts"
import { shortenText } from "../../platform/StoredText.ts"
import { linearPattern } from "../profiles/LinearPattern.ts"

type Json = Readonly<Record<string, unknown>>

// the maximum number of levels of schemas within schemas
const depthMax = 8
const faultsMax = 20
// The maximum number of characters of a text that the check matches with a pattern. A match takes at most 0.1 s.
const patternTextMax = 10_000

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0
const isNumber = (value: unknown): value is number => typeof value === "number"
const isTexts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string")

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: Predicate.isRecord,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: isNumber,
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null
}

const isTypeName = (name: unknown) => typeof name === "string" && Object.hasOwn(typeTests, name)

/**
 * The keywords that are allowed in a schema. Each keyword has a test for its value. Other code checks the schemas
 * inside `properties` and `items`.
 */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
  enum: Array.isArray,
  const: () => true,
  required: isTexts,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minimum: isNumber,
  maximum: isNumber,
  pattern: (value) => typeof value === "string" && Either.isRight(linearPattern(value)),
  properties: Predicate.isRecord,
  items: Predicate.isRecord,
  additionalProperties: (value) => typeof value === "boolean",
  $schema: () => true,
  title: () => true,
  description: () => true,
  default: () => true,
  examples: () => true,
  format: () => true
}

const at = (path: string, name: string | number) => (path === "" ? String(name) : `${path}.${name}`)

/** Checks the schema itself, and returns its faults. Returns at most one fault for each keyword. */
export const schemaFaults = (schema: unknown, path = "parameters", depth = 0): ReadonlyArray<Fault> => {
  if (!Predicate.isRecord(schema)) return [{ path, message: "must be a JSON schema" }]
  if (depth > depthMax) return [{ path, message: `has more than ${depthMax} levels of nesting` }]
  const own = Object.entries(schema).flatMap(([keyword, value]) => {
    const test = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
    if (test === undefined)
      return [{ path: at(path, keyword), message: "is a JSON Schema keyword that the pod does not support; remove it" }]
    return test(value)
      ? []
      : [{ path: at(path, keyword), message: "has a value that JSON Schema does not allow for this keyword" }]
  })
  const { items, properties } = schema
  const inside = [
    ...(Predicate.isRecord(properties)
      ? Object.entries(properties).flatMap(([name, each]) =>
          schemaFaults(each, at(at(path, "properties"), name), depth + 1)
        )
      : []),
    ...(Predicate.isRecord(items) ? schemaFaults(items, at(path, "items"), depth + 1) : [])
  ]
  return [...own, ...inside].slice(0, faultsMax)
}

/** Writes a value as JSON. Equal values give equal texts, because the fields of an object are always sorted. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    Predicate.isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part
  )

const knownChoices = new WeakMap<ReadonlyArray<unknown>, ReadonlySet<string>>()

/**
 * Returns the allowed values as texts. The function makes the texts only once, because the check can compare them with
 * thousands of values.
 */
const textsOf = (choices: ReadonlyArray<unknown>): ReadonlySet<string> => {
  const known = knownChoices.get(choices)
  if (known !== undefined) return known
  const choiceSet = new Set(choices.map(canonical))
  knownChoices.set(choices, choiceSet)
  return choiceSet
}

const isWithin = (value: number, min: unknown, max: unknown): boolean =>
  (!isNumber(min) || value >= min) && (!isNumber(max) || value <= max)

// the maximum number of characters of the allowed values, or of a pattern, in an error message
const shownMax = 200
// the maximum number of allowed values that an error message lists
const choicesMax = 20

/** Writes the first allowed values as JSON, with an ellipsis if there are more. */
const shownChoices = (choices: ReadonlyArray<unknown>): string => {
  const text = choices.slice(0, choicesMax).map(canonical).join(", ")
  const isWhole = choices.length <= choicesMax && text.length <= shownMax
  return isWhole ? text : `${shortenText(text, shownMax)} …`
}

/** Describes the limits of a number in words. At least one of `min` and `max` must be a number. */
const limitsOf = (min: unknown, max: unknown): string =>
  [...(isNumber(min) ? [`at least ${min}`] : []), ...(isNumber(max) ? [`at most ${max}`] : [])].join(" and ")

/**
 * Checks a value, but not the items of a list or the fields of an object. Returns the fault of the value. Returns
 * undefined if there is no fault.
 */
const ownFault = (schema: Json, value: unknown): string | undefined => {
  const types = [schema["type"]].flat().filter((name) => typeof name === "string")
  if (types.length > 0 && !types.some((name) => typeTests[name](value))) return `must be ${types.join(" or ")}`
  const choices = schema["enum"]
  if (Array.isArray(choices) && !textsOf(choices).has(canonical(value)))
    return `must be one of ${shownChoices(choices)}`
  if (Object.hasOwn(schema, "const") && canonical(schema["const"]) !== canonical(value))
    return `must be ${shownChoices([schema["const"]])}`
  if (isNumber(value) && !isWithin(value, schema["minimum"], schema["maximum"]))
    return `must be ${limitsOf(schema["minimum"], schema["maximum"])}`
  if (Array.isArray(value) && !isWithin(value.length, schema["minItems"], schema["maxItems"]))
    return `must have ${limitsOf(schema["minItems"], schema["maxItems"])} items`
  if (typeof value !== "string") return undefined
  if (!isWithin([...value].length, schema["minLength"], schema["maxLength"]))
    return `must have ${limitsOf(schema["minLength"], schema["maxLength"])} characters`
  const { pattern } = schema
  if (typeof pattern !== "string") return undefined
  if (value.length > patternTextMax)
    return `is longer than ${patternTextMax} characters, so the pod cannot check its pattern`
  return Either.match(linearPattern(pattern), {
    onLeft: () => "cannot be checked, because its pattern in the skill is not valid",
    onRight: ({ test }) => (test(value) ? undefined : `does not match the pattern ${shortenText(pattern, shownMax)}`)
  })
}

/** Finds the faults of a value one after another, so that the caller can stop the check after enough faults. */
function* faultsOf(schema: Json, value: unknown, path: string): Generator<Fault> {
  const message = ownFault(schema, value)
  if (message !== undefined) return yield { path, message }
  const { additionalProperties, items, required } = schema
  const properties = Predicate.isRecord(schema["properties"]) ? schema["properties"] : {}
  if (Array.isArray(value) && Predicate.isRecord(items)) {
    for (const [index, each] of value.entries()) yield* faultsOf(items, each, at(path, index))
  }
  if (!Predicate.isRecord(value)) return
  for (const name of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(value, name)) yield { path: at(path, name), message: "is missing" }
  }
  for (const [name, each] of Object.entries(value)) {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (Predicate.isRecord(part)) yield* faultsOf(part, each, at(path, name))
    else if (additionalProperties === false) yield { path: at(path, name), message: "is not a parameter of the skill" }
  }
}

/** Checks a value against a schema and returns its first faults. The schema itself must have no faults. */
export const inputFaults = (schema: Json, value: unknown, path = "input"): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  for (const fault of faultsOf(schema, value, path)) {
    faults.push(fault)
    if (faults.length === faultsMax) break
  }
  return faults
}
