/** Describes the rule of a schema in words that complete "Expected …", such as "an array of at most 50 item(s)". */
import { Option, SchemaAST } from "effect"

type Limit = string | number | undefined
type Limits = Readonly<Record<string, Limit>>

/**
 * Returns true if a description completes "Expected …". Such a description begins with a small letter. Other
 * descriptions say what a field means. The library describes the input of a transformation by the next step, as in "a
 * string that will be trimmed". Such a text tells a caller nothing about a wrong type, so it is not a rule.
 */
const isRule = (description: string): boolean =>
  /^[a-z]/.test(description) && !/^a string (?:that will|to) be /.test(description)

const lengthRule = (min: Limit, max: Limit): string | undefined => {
  if (min !== undefined && max !== undefined) {
    return `a string at least ${min} character(s) and at most ${max} character(s) long`
  }
  if (max !== undefined) return `a string at most ${max} character(s) long`
  return min === undefined ? undefined : `a string at least ${min} character(s) long`
}

const countRule = (min: Limit, max: Limit): string | undefined => {
  if (max !== undefined) return `an array of at most ${max} item(s)`
  return min === undefined ? undefined : `an array of at least ${min} item(s)`
}

const rangeRule = (
  noun: string,
  { exclusiveMaximum, exclusiveMinimum, maximum, minimum }: Limits
): string | undefined => {
  if (minimum !== undefined && maximum !== undefined) return `${noun} between ${minimum} and ${maximum}`
  if (minimum !== undefined) return `${noun} greater than or equal to ${minimum}`
  if (maximum !== undefined) return `${noun} less than or equal to ${maximum}`
  if (exclusiveMinimum !== undefined) return `${noun} greater than ${exclusiveMinimum}`
  return exclusiveMaximum === undefined ? undefined : `${noun} less than ${exclusiveMaximum}`
}

/**
 * Returns the rule of a refinement, taken from the JSON Schema of the refinement. Returns undefined if the JSON Schema
 * states no rule.
 */
const jsonRule = (ast: SchemaAST.AST): string | undefined => {
  const schema = Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(ast)) as Limits | undefined
  if (schema === undefined) return undefined
  const { maxItems, maxLength, minItems, minLength, pattern, type } = schema
  return (
    lengthRule(minLength, maxLength) ??
    countRule(minItems, maxItems) ??
    rangeRule(type === "integer" ? "an integer" : "a number", schema) ??
    (typeof pattern === "string" ? `a string matching the pattern ${pattern}` : undefined) ??
    (type === "integer" ? "an integer" : undefined)
  )
}

const plainNames: Readonly<Partial<Record<SchemaAST.AST["_tag"], string>>> = {
  StringKeyword: "a string",
  NumberKeyword: "a number",
  BooleanKeyword: "a boolean"
}

/**
 * Returns the rule of a schema in words. If the description of the schema is a rule, the result is this description. If
 * the description says what the field means, the result is the limit in the JSON Schema, or the type if there is no
 * limit.
 */
export const expectedRule = (ast: SchemaAST.AST): string => {
  const rule = SchemaAST.getDescriptionAnnotation(ast).pipe(
    Option.filter(isRule),
    Option.orElse(() => Option.fromNullable(jsonRule(ast))),
    Option.orElse(() => Option.fromNullable(plainNames[ast._tag])),
    Option.orElse(() => SchemaAST.getTitleAnnotation(ast)),
    Option.getOrUndefined
  )
  return rule ?? (SchemaAST.isRefinement(ast) ? expectedRule(ast.from) : String(ast))
}
