/**
 * Checks a value against a schema of the API description. The check supports only the keywords that the API description
 * uses, and throws at any other keyword.
 */

type Schemas = Readonly<Record<string, object>>
type Faults = ReadonlyArray<string>

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => uuidForm.test(text),
  "date-time": (text) => instantForm.test(text) && !Number.isNaN(Date.parse(text))
}

const typeOf = (value: unknown) =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value

/**
 * One keyword of a schema and the value to check. `rule` is the value of the keyword, `schema` is the schema with the
 * keyword, and `check` checks an inner value.
 */
interface Judged<Rule, Value> {
  readonly rule: Rule
  readonly value: Value
  readonly schema: object
  readonly check: (part: object, inner: unknown, step: string) => Faults
}

type Judge = (judged: Judged<unknown, unknown>) => Faults

/**
 * Makes the check of a keyword that applies only to values of one type. Values of other types pass. The cast is safe,
 * because each keyword has one type.
 */
const about =
  <Value>(isKind: (value: unknown) => value is Value) =>
  <Rule>(judge: (judged: Judged<Rule, Value>) => Faults): Judge =>
  (judged) =>
    isKind(judged.value) ? judge(judged as Judged<Rule, Value>) : []

const texts = about((value): value is string => typeof value === "string")
const numbers = about((value): value is number => typeof value === "number")
const lists = about((value): value is ReadonlyArray<unknown> => Array.isArray(value))
const objects = about((value): value is Readonly<Record<string, unknown>> => typeOf(value) === "object")
const anything = about((_value): _value is unknown => true)
const none: Judge = () => []

const unless = (isFine: boolean, fault: string): Faults => (isFine ? [] : [fault])
const length = (text: string) => Array.from(text).length

const keywords: Readonly<Record<string, Judge>> = {
  $ref: none, // A reference needs no check of its own, because the function `differences` already follows references.
  description: none,
  title: none,
  example: none,
  examples: none,
  default: none,
  type: anything<string | ReadonlyArray<string>>(({ rule, value }) =>
    unless(
      [rule].flat().some((type) => typeOf(value) === type || (type === "number" && typeof value === "number")),
      `is ${typeOf(value)}, not ${[rule].flat().join(" or ")}`
    )
  ),
  enum: anything<ReadonlyArray<unknown>>(({ rule, value }) =>
    unless(rule.includes(value), `is not one of ${JSON.stringify(rule)}`)
  ),
  anyOf: anything<ReadonlyArray<object>>(({ rule, value, check }) =>
    unless(
      rule.some((part) => check(part, value, "").length === 0),
      `does not fit any of ${JSON.stringify(rule)}`
    )
  ),
  format: texts<string>(({ rule, value }) => {
    if (!(rule in formats)) throw new Error(`the test does not handle the format ${rule}`)
    return unless(formats[rule](value), `is not a ${rule}: ${value}`)
  }),
  pattern: texts<string>(({ rule, value }) => unless(new RegExp(rule, "u").test(value), `breaks ${rule}`)),
  minLength: texts<number>(({ rule, value }) => unless(length(value) >= rule, "is too short")),
  maxLength: texts<number>(({ rule, value }) => unless(length(value) <= rule, "is too long")),
  exclusiveMinimum: numbers<number>(({ rule, value }) => unless(value > rule, "is too small")),
  minimum: numbers<number>(({ rule, value }) => unless(value >= rule, "is too small")),
  maximum: numbers<number>(({ rule, value }) => unless(value <= rule, "is too large")),
  minItems: lists<number>(({ rule, value }) => unless(value.length >= rule, "has too few items")),
  maxItems: lists<number>(({ rule, value }) => unless(value.length <= rule, "has too many items")),
  items: lists<object>(({ rule, value, check }) => value.flatMap((item, at) => check(rule, item, `[${at}]`))),
  required: objects<ReadonlyArray<string>>(({ rule, value }) =>
    rule.filter((name) => !(name in value)).map((name) => `lacks ${name}`)
  ),
  properties: objects<Schemas>(({ rule, value, check }) =>
    Object.entries(rule).flatMap(([name, part]) => (name in value ? check(part, value[name], `.${name}`) : []))
  ),
  additionalProperties: objects<boolean | object>(({ rule, value, schema, check }) => {
    const described = "properties" in schema ? Object.keys(schema.properties as Schemas) : []
    const more = Object.keys(value).filter((name) => !described.includes(name))
    if (typeof rule === "object") return more.flatMap((name) => check(rule, value[name], `.${name}`))
    return rule ? [] : more.map((name) => `has ${name}, which is not described`)
  })
}

interface Struct {
  readonly type: "object"
  readonly required?: ReadonlyArray<string>
  readonly properties?: Schemas
  readonly additionalProperties?: boolean | object
}

/**
 * Joins the parts of an `allOf` into one schema that allows no other fields. The API description allows further fields
 * for later versions, but in these tests an answer must not have a field that is not described.
 */
const closed = (schemas: Schemas, schema: object): object => {
  if ("allOf" in schema) {
    const { allOf, ...rest } = schema as { readonly allOf: ReadonlyArray<object> }
    const parts = allOf.map((part) => closed(schemas, "$ref" in part ? targetOf(schemas, part.$ref) : part) as Struct)
    return {
      ...rest,
      type: "object",
      required: parts.flatMap(({ required }) => required ?? []),
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Schemas,
      additionalProperties: false
    }
  }
  return "properties" in schema && !("additionalProperties" in schema)
    ? { ...schema, additionalProperties: false }
    : schema
}

const targetOf = (schemas: Schemas, reference: unknown): object => {
  const name = String(reference).replace("#/components/schemas/", "")
  if (!(name in schemas)) throw new Error(`${name} is not in the document`)
  return schemas[name]
}

/**
 * Returns all differences between a value and a schema. The list is empty if the value fits. Throws if the schema has
 * an unknown keyword.
 */
export const differences = (schemas: Schemas, schema: object, value: unknown, at = "$"): Faults => {
  const check = (part: object, inner: unknown, step: string) => differences(schemas, part, inner, at + step)
  const whole = closed(schemas, schema)
  return Object.entries(whole).flatMap(([keyword, rule]: [string, unknown]) => {
    if (keyword === "$ref") {
      return check(targetOf(schemas, rule), value, "")
    }
    if (!(keyword in keywords)) throw new Error(`the test does not handle the keyword ${keyword}`)
    const faults = keywords[keyword]({ rule, value, schema: whole, check })
    return faults.map((fault) => (fault.startsWith("$") ? fault : `${at} ${fault}`))
  })
}
