/** What a value has to be to stand under a property: its type, its constraints and its options. Pure. */
import { Either, Schema } from "effect"
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

/** What the entities of a profile may or have to say under one slug. */
export interface PropertyDefinition {
  readonly slug: string
  readonly type: PropertyType
  readonly displayName: string
  readonly required: boolean
  /** What a select or multi_select chooses from, and the items of an array where there are any. */
  readonly options: ReadonlyArray<string>
  /** What a new entity says when nothing was given; null or undefined for nothing. */
  readonly defaultValue: unknown
  readonly constraints: Readonly<Record<string, unknown>>
  /** The profile of the entities that a relation may lead to. Whether they are there is not checked here. */
  readonly targetProfileSlug: string | null
}

export type ValueRule = Pick<PropertyDefinition, "type" | "constraints" | "options">

/** Characters that patterns are tried on, in one value and in all those of one entity. */
export const patternInputMax = 10_000
const namedMax = 20 // options that a message tells

/** Characters; a pair of surrogates is one. */
const count = (text: string): number => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** One constraint; a bound that is not of its own form bounds nothing. */
const bound = (constraints: ValueRule["constraints"], name: string): number | null => {
  const given = Object.hasOwn(constraints, name) ? constraints[name] : undefined
  return typeof given === "number" && !Number.isNaN(given) ? given : null
}

const outside = (size: number, rule: ValueRule, least: string, most: string, unit: string): string | null => {
  const [min, max] = [bound(rule.constraints, least), bound(rule.constraints, most)]
  if (min !== null && size < min) return `needs at least ${min}${unit}`
  return max !== null && size > max ? `takes at most ${max}${unit}` : null
}

const unfit = (text: string, { constraints }: ValueRule): string | null => {
  const pattern = Object.hasOwn(constraints, "pattern") ? constraints.pattern : undefined
  if (pattern === undefined) return null
  if (text.length > patternInputMax) return `takes at most ${patternInputMax} characters, because it has a pattern`
  if (typeof pattern !== "string") return "has a pattern that is no text: mend the definition first"
  return Either.match(linearPattern(pattern), {
    onLeft: (why) => `has a pattern that ${why}: mend the definition first`,
    onRight: ({ test }) => (test(text) ? null : `does not fit the pattern ${pattern}`)
  })
}

const textual =
  (isOne: (text: string) => boolean, what: string) =>
  (value: unknown, rule: ValueRule): string | null =>
    typeof value !== "string" || !isOne(value)
      ? `has to be ${what}`
      : (outside(count(value), rule, "minLength", "maxLength", " characters") ?? unfit(value, rule))

const numeric = (value: unknown, rule: ValueRule): string | null => {
  if (typeof value !== "number" || !Number.isFinite(value)) return "has to be a number"
  if (rule.constraints.integer === true && !Number.isInteger(value)) return "has to be a whole number"
  return outside(value, rule, "min", "max", "")
}

const dated = (value: unknown, { constraints: { max, min } }: ValueRule): string | null => {
  const instants = typeof value === "string" ? instantsOf(value) : null
  if (instants === null) return "has to be a date (2026-03-31) or a date with a time (2026-03-31T09:30:00Z)"
  const earliest = typeof min === "string" ? instantsOf(min) : null
  const latest = typeof max === "string" ? instantsOf(max) : null
  if (earliest !== null && instants.last < earliest.first) return `has to be ${String(min)} or later`
  return latest !== null && instants.first > latest.last ? `has to be ${String(max)} or earlier` : null
}

const named = (options: ReadonlyArray<string>): string =>
  options.slice(0, namedMax).join(", ") + (options.length > namedMax ? ` and ${options.length - namedMax} more` : "")

const selected = (value: unknown, { options }: ValueRule): string | null => {
  if (typeof value === "string" && options.includes(value)) return null
  return options.length === 0 ? "has no options to choose from" : `has to be one of ${named(options)}`
}

const items = (value: ReadonlyArray<unknown>, rule: ValueRule): string | null =>
  outside(value.length, rule, "minItems", "maxItems", " items")

/** Says of the first item that is not one of the options. */
const foreign = (value: ReadonlyArray<unknown>, rule: ValueRule): string | null => {
  const at = value.findIndex((one) => selected(one, rule) !== null)
  return at < 0 ? null : `item ${at + 1} ${selected(value[at], rule)}`
}

const chosen = (value: unknown, rule: ValueRule): string | null => {
  if (!Array.isArray(value)) return "has to be a list of options"
  const fault = foreign(value, rule)
  if (fault !== null) return fault
  return new Set(value).size < value.length ? "names an option twice" : items(value, rule)
}

const isItemType = Schema.is(
  Schema.Literal("text", "number", "boolean", "date", "relation", "entity_id", "url", "email", "phone", "json")
)
/** The type that the items of an array have to be of. */
export const itemTypeOf = (given: unknown): PropertyType | null =>
  given === "string" ? "text" : isItemType(given) ? given : null

const arrayed = (value: unknown, rule: ValueRule): string | null => {
  if (!Array.isArray(value)) return "has to be a list"
  const type = itemTypeOf(rule.constraints.itemType)
  if (type !== null) {
    for (const [at, one] of value.entries()) {
      const fault = valueFault({ type, constraints: {}, options: [] }, one)
      if (fault !== null) return `item ${at + 1} ${fault}`
    }
  }
  return (rule.options.length === 0 ? null : foreign(value, rule)) ?? items(value, rule)
}

const isId = Schema.is(Schema.UUID)
const identified = (value: unknown): string | null => (isId(value) ? null : "has to be the id of an entity")

const checks: Readonly<Record<PropertyType, (value: unknown, rule: ValueRule) => string | null>> = {
  text: textual(() => true, "a text"),
  url: textual(isWebAddress, "a web address that begins with https:// or http://"),
  email: textual(isEmail, "an e-mail address"),
  phone: textual(isPhone, "a phone number"),
  number: numeric,
  boolean: (value) => (typeof value === "boolean" ? null : "has to be true or false"),
  date: dated,
  select: selected,
  multi_select: chosen,
  relation: identified,
  entity_id: identified,
  array: arrayed,
  json: (value) => (value === undefined ? "has to be a value" : null)
}

/** How many characters of a value a pattern would be tried on. */
export const patternInputLength = ({ constraints }: ValueRule, value: unknown): number =>
  typeof value === "string" && Object.hasOwn(constraints, "pattern") ? value.length : 0

/** What is wrong with a value that is there, as the rest of a sentence that begins with the property; null for nothing. */
export const valueFault = (rule: ValueRule, value: unknown): string | null => checks[rule.type](value, rule)

/** Whether a value says nothing: null, a blank text, an empty list. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)
