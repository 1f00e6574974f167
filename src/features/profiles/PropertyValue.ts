/** Checks the value of a property against its type, its constraints and its options. The check has no side effects. */
import { Either, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { isEmail, isPhone, isWebAddress } from "./AddressForms.ts"
import { instantsOf } from "./IsoDate.ts"
import { linearPattern } from "./LinearPattern.ts"

export const PropertyType = Schema.Literal(
  "text",
  "number",
  "boolean",
  "date",
  "select",
  "multi_select",
  "relation",
  "entity_id",
  "array",
  "url",
  "email",
  "phone",
  "json"
).annotations({ identifier: "PropertyType" })
export type PropertyType = typeof PropertyType.Type

/** The rule of a profile for one property of the entities that have the profile. */
export interface PropertyDefinition {
  readonly slug: string
  readonly type: PropertyType
  readonly displayName: string
  readonly required: boolean
  /**
   * The allowed values of a property of type `select` or `multi_select`. For an array, these are the allowed items. If
   * this list is empty, the array can contain any item.
   */
  readonly options: ReadonlyArray<string>
  /**
   * The value of this property in a new entity if the request has no value for the property. Null or undefined means
   * that there is no default.
   */
  readonly defaultValue: unknown
  readonly constraints: Readonly<Record<string, unknown>>
  /**
   * The slug of the profile that the target entities of a relation must have. This file does not check whether these
   * entities exist.
   */
  readonly targetProfileSlug: string | null
}

export type ValueRule = Pick<PropertyDefinition, "type" | "constraints" | "options">

/**
 * The maximum number of characters that the pod matches against patterns. The limit applies to one value, and also to
 * all values of one entity together.
 */
export const patternInputMax = 10_000
// the maximum number of options that an error message lists
const namedMax = 20

/** Returns the length of a text in characters. A surrogate pair is one character. */
const count = (text: string): number => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** Returns one constraint as a number. Returns null if the constraint is absent or not a number. */
const bound = (constraints: ValueRule["constraints"], name: string): number | null => {
  const given = Object.hasOwn(constraints, name) ? constraints[name] : undefined
  return typeof given === "number" && !Number.isNaN(given) ? given : null
}

const sizeFault = (size: number, rule: ValueRule, minName: string, maxName: string, unit: string): string | null => {
  const [min, max] = [bound(rule.constraints, minName), bound(rule.constraints, maxName)]
  const verb = unit === "" ? "must be" : "must have"
  if (min !== null && size < min) return `${verb} at least ${min}${unit}`
  return max !== null && size > max ? `${verb} at most ${max}${unit}` : null
}

const unfit = (text: string, { constraints }: ValueRule): string | null => {
  const pattern = Object.hasOwn(constraints, "pattern") ? constraints.pattern : undefined
  if (pattern === undefined) return null
  if (text.length > patternInputMax) return `must have at most ${patternInputMax} characters, because it has a pattern`
  if (typeof pattern !== "string") return "has a pattern that is not a text: correct the definition first"
  return Either.match(linearPattern(pattern), {
    onLeft: (why) => `has a pattern that ${why}: correct the definition first`,
    onRight: ({ test }) => (test(text) ? null : `does not match the pattern ${pattern}`)
  })
}

const textFault =
  (isOne: (text: string) => boolean, what: string) =>
  (value: unknown, rule: ValueRule): string | null =>
    typeof value !== "string" || !isOne(value)
      ? `must be ${what}`
      : (sizeFault(count(value), rule, "minLength", "maxLength", " characters") ?? unfit(value, rule))

const numberFault = (value: unknown, rule: ValueRule): string | null => {
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number"
  if (rule.constraints.integer === true && !Number.isInteger(value)) return "must be a whole number"
  return sizeFault(value, rule, "min", "max", "")
}

const dateFault = (value: unknown, { constraints: { max, min } }: ValueRule): string | null => {
  const instants = typeof value === "string" ? instantsOf(value) : null
  if (instants === null) return "must be a date (2026-03-31) or a date with a time (2026-03-31T09:30:00Z)"
  const earliest = typeof min === "string" ? instantsOf(min) : null
  const latest = typeof max === "string" ? instantsOf(max) : null
  if (earliest !== null && instants.last < earliest.first) return `must be ${String(min)} or later`
  return latest !== null && instants.first > latest.last ? `must be ${String(max)} or earlier` : null
}

const optionsText = (options: ReadonlyArray<string>): string =>
  options.slice(0, namedMax).join(", ") + (options.length > namedMax ? ` and ${options.length - namedMax} more` : "")

const selectFault = (value: unknown, { options }: ValueRule): string | null => {
  if (typeof value === "string" && options.includes(value)) return null
  return options.length === 0
    ? "cannot have a value, because its definition has no options"
    : `must be one of ${optionsText(options)}`
}

const items = (value: ReadonlyArray<unknown>, rule: ValueRule): string | null =>
  sizeFault(value.length, rule, "minItems", "maxItems", " items")

/** Returns what is wrong with the first item that is not an allowed option. Returns null if all items are allowed. */
const optionFault = (value: ReadonlyArray<unknown>, rule: ValueRule): string | null => {
  const at = value.findIndex((one) => selectFault(one, rule) !== null)
  return at < 0 ? null : `item ${at + 1} ${selectFault(value[at], rule)}`
}

const multiSelectFault = (value: unknown, rule: ValueRule): string | null => {
  if (!Array.isArray(value)) return "must be a list of options"
  const fault = optionFault(value, rule)
  if (fault !== null) return fault
  return new Set(value).size < value.length ? "contains an option twice" : items(value, rule)
}

const isItemType = Schema.is(
  Schema.Literal("text", "number", "boolean", "date", "relation", "entity_id", "url", "email", "phone", "json")
)
/**
 * Returns the type of the items of an array, from the text in the definition. Returns null if the text names no type
 * that items can have.
 */
export const itemTypeOf = (typeName: unknown): PropertyType | null =>
  typeName === "string" ? "text" : isItemType(typeName) ? typeName : null

const arrayFault = (value: unknown, rule: ValueRule): string | null => {
  if (!Array.isArray(value)) return "must be a list"
  const type = itemTypeOf(rule.constraints.itemType)
  if (type !== null) {
    for (const [at, one] of value.entries()) {
      const fault = valueFault({ type, constraints: {}, options: [] }, one)
      if (fault !== null) return `item ${at + 1} ${fault}`
    }
  }
  return (rule.options.length === 0 ? null : optionFault(value, rule)) ?? items(value, rule)
}

const isId = Schema.is(Id)
const idFault = (value: unknown): string | null => (isId(value) ? null : "must be the id of an entity")

const checks: Readonly<Record<PropertyType, (value: unknown, rule: ValueRule) => string | null>> = {
  text: textFault(() => true, "a text"),
  url: textFault(isWebAddress, "a web address that begins with https:// or http://"),
  email: textFault(isEmail, "an e-mail address"),
  phone: textFault(isPhone, "a phone number"),
  number: numberFault,
  boolean: (value) => (typeof value === "boolean" ? null : "must be true or false"),
  date: dateFault,
  select: selectFault,
  multi_select: multiSelectFault,
  relation: idFault,
  entity_id: idFault,
  array: arrayFault,
  json: (value) => (value === undefined ? "is required" : null)
}

/**
 * Returns the number of characters of a value that the pod must match against a pattern. Returns 0 if the rule has no
 * pattern.
 */
export const patternInputLength = ({ constraints }: ValueRule, value: unknown): number =>
  typeof value === "string" && Object.hasOwn(constraints, "pattern") ? value.length : 0

/**
 * Returns what is wrong with a value. The result continues a sentence that begins with the name of the property.
 * Returns null if the value is valid.
 */
export const valueFault = (rule: ValueRule, value: unknown): string | null => checks[rule.type](value, rule)

/** Returns true for undefined, null, a blank text and an empty list. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)
