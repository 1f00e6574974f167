/**
 * Checks the properties of an entity against the definitions of its profile and roles. Also checks the definitions
 * themselves.
 */
import { Either, Schema } from "effect"
import type { Fault } from "../../doors/Failure.ts"
import { instantsOf } from "./IsoDate.ts"
import { linearPattern } from "./LinearPattern.ts"
import {
  isBlank,
  itemTypeOf,
  patternInputLength,
  patternInputMax,
  type PropertyDefinition,
  PropertyType,
  valueFault
} from "./PropertyValue.ts"

export type Fields = Readonly<Record<string, unknown>>

/** The property type in a request. A request can also contain `string`, which means `text`. */
export const PropertyTypeInput = Schema.transform(
  Schema.Literal(...PropertyType.literals, "string"),
  Schema.typeSchema(PropertyType),
  { strict: true, decode: (typeName) => (typeName === "string" ? "text" : typeName), encode: (type) => type }
)

type Form = readonly [isOne: (value: unknown) => boolean, what: string]

// the maximum number of options of one property
const optionsMax = 500
// the maximum number of characters of an option
const optionLengthMax = 200

const isOptions = Schema.is(
  Schema.Array(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(optionLengthMax))).pipe(
    Schema.maxItems(optionsMax)
  )
)
const size: Form = [(value) => Number.isSafeInteger(value) && Number(value) >= 0, "a whole number from 0"]
const number: Form = [Number.isFinite, "a number"]
const flag: Form = [(value) => typeof value === "boolean", "true or false"]
const date: Form = [(value) => typeof value === "string" && instantsOf(value) !== null, "a date or a date with a time"]
const itemType: Form = [
  (value) => itemTypeOf(value) !== null,
  "an item type: text, number, boolean, date, relation, entity_id, url, email, phone or json"
]
const options: Form = [isOptions, `up to ${optionsMax} texts of 1 to ${optionLengthMax} characters`]

const text: Form = [(value) => typeof value === "string", "a text"]
const slugOrNull: Form = [(value) => value === null || typeof value === "string", "a slug or null"]
const anything: Form = [() => true, ""]

const lengths = { minLength: size, maxLength: size, pattern: text }
const counts = { minItems: size, maxItems: size }
const target = { targetProfileSlug: slugOrNull }

/** Fields of a definition that a client can also send inside `constraints`. */
const everyType = { required: flag, defaultValue: anything }

/**
 * The constraints of each property type. Each constraint has a function that checks its value, and a text that says
 * what the value must be.
 */
const forms: Readonly<Record<PropertyType, Readonly<Record<string, Form>>>> = {
  text: lengths,
  url: lengths,
  email: lengths,
  phone: lengths,
  number: { min: number, max: number, integer: flag },
  boolean: {},
  date: { min: date, max: date },
  select: { options },
  multi_select: { options, ...counts },
  relation: target,
  entity_id: target,
  array: { ...counts, itemType, options },
  json: {}
}

const pairs = [
  ["min", "max"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"]
] as const

const isReversed = (min: unknown, max: unknown): boolean =>
  typeof min === "number" && typeof max === "number"
    ? min > max
    : typeof min === "string" &&
      typeof max === "string" &&
      (instantsOf(min)?.first ?? 0) > (instantsOf(max)?.last ?? Infinity)

const formFaults = (type: PropertyType, constraints: Fields): ReadonlyArray<Fault> => {
  const known = new Map(Object.entries({ ...forms[type], ...everyType }))
  const names = Object.keys(forms[type])
  return Object.entries(constraints).flatMap(([name, value]) => {
    const path = `constraints.${name}`
    const [isOne, what] = known.get(name) ?? []
    if (isOne === undefined) {
      const instead =
        names.length === 0 ? "this type allows no constraints" : `this type allows the constraints ${names.join(", ")}`
      return [{ path, message: `is not a constraint of the type ${type}: ${instead}` }]
    }
    if (!isOne(value)) return [{ path, message: `must be ${what}` }]
    if (name !== "pattern") return []
    return Either.match(linearPattern(String(value)), {
      onLeft: (why) => [{ path, message: why }],
      onRight: () => []
    })
  })
}

const optionFaults = (type: PropertyType, choices: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  const path = "options"
  const isChoice = type === "select" || type === "multi_select"
  // For every other type, the options are only suggestions. So the pod does not compare values of such a type with the
  // options.
  if (!isChoice && type !== "array") return []
  if (choices.length === 0) {
    return isChoice ? [{ path, message: `are missing: a ${type} needs at least one option` }] : []
  }
  if (!isOptions(choices)) return [{ path, message: `must be ${options[1]}` }]
  return new Set(choices).size < choices.length ? [{ path, message: "must not contain the same option twice" }] : []
}

/**
 * Returns the faults of a definition. The path of a fault is `constraints.<name>`, `options` or `defaultValue`. Faults
 * are: a constraint that the type does not have, a lower bound above the upper bound, missing options, an invalid or
 * unsafe pattern, and a default value that breaks the rules.
 */
export const definitionFaults = (
  type: PropertyType,
  constraints: Fields,
  choices: ReadonlyArray<string>,
  defaultValue: unknown
): ReadonlyArray<Fault> => {
  const faults = [
    ...formFaults(type, constraints),
    ...optionFaults(type, choices),
    ...pairs
      .filter(([min, max]) => isReversed(constraints[min], constraints[max]))
      .map(([min, max]) => ({ path: `constraints.${min}`, message: `must not be greater than ${max}` }))
  ]
  if (faults.length > 0 || defaultValue === undefined || defaultValue === null) return faults
  const fault = valueFault({ type, constraints, options: choices }, defaultValue)
  return fault === null ? [] : [{ path: "defaultValue", message: fault }]
}

const fieldOf = (fields: Fields, slug: string): unknown => (Object.hasOwn(fields, slug) ? fields[slug] : undefined)

const withDefaults = (definitions: ReadonlyArray<PropertyDefinition>, properties: Fields): Fields => {
  const missing = definitions
    .filter(({ defaultValue, slug }) => (defaultValue ?? null) !== null && fieldOf(properties, slug) === undefined)
    .map(({ defaultValue, slug }) => [slug, defaultValue] as const)
    .toReversed() // The list is reversed, so that the first of two definitions with the same slug applies.
  return missing.length === 0 ? properties : Object.fromEntries([...Object.entries(properties), ...missing])
}

const tooMuchMatched = `is too long: all texts with a pattern may have ${patternInputMax} characters together`

const isSame = (one: Fault) => (other: Fault) => one.path === other.path && one.message === other.message

/**
 * Checks properties against their definitions. Properties without a definition stay as they are. If a profile and a
 * role define the same slug, both definitions apply. The path of a fault is `properties.<slug>`. For `create`, the
 * input has all properties of a new entity, and the result also has the default values of missing properties. For
 * `update`, the input has only the properties that change, and the result equals the input. Null removes the value of a
 * property, unless the property is required.
 */
export const validateProperties = (
  definitions: ReadonlyArray<PropertyDefinition>,
  properties: Fields,
  phase: "create" | "update"
): { readonly properties: Fields; readonly faults: ReadonlyArray<Fault> } => {
  const filled = phase === "create" ? withDefaults(definitions, properties) : properties
  let matched = 0
  const faults = definitions.flatMap((definition): ReadonlyArray<Fault> => {
    const { required, slug } = definition
    if (phase === "update" && !Object.hasOwn(filled, slug)) return []
    const value = fieldOf(filled, slug)
    const path = `properties.${slug}`
    if (required && isBlank(value)) return [{ path, message: "is required" }]
    if (value === undefined || value === null) return []
    const length = patternInputLength(definition, value)
    if (matched + length > patternInputMax) return [{ path, message: tooMuchMatched }]
    matched += length
    const message = valueFault(definition, value)
    return message === null ? [] : [{ path, message }]
  })
  return { properties: filled, faults: faults.filter((fault, at) => faults.findIndex(isSame(fault)) === at) }
}
