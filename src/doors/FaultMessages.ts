/**
 * Makes the message for a fault of an input. The message says what is expected, and repeats as much of the sent value
 * as is safe.
 */
import { SchemaAST } from "effect"
import { expectedRule } from "./ExpectedRule.ts"
import { nearName } from "../shared/nearName.ts"
import { shortenText } from "../platform/StoredText.ts"

type Path = ReadonlyArray<string>

// the maximum number of characters of a refused value in a message, because the value can be a whole document
const shownMax = 40
// the maximum number of allowed values in one message
const listedMax = 24

const secretName = /password|secret|token|apikey|authorization|credential|assertion|recoverykey/
const secretForm = /\bsvc_[a-z]+_|^bearer\s/i

/**
 * Returns true if a message must hide the value. It must do so if the name of a field in the path means a secret, or if
 * the value looks like a key.
 */
export const isSecret = (value: unknown, path: Path): boolean =>
  path.some((name) => secretName.test(name.toLowerCase().replaceAll(/[-_]/g, ""))) ||
  (typeof value === "string" && secretForm.test(value))

/** Returns the refused value as a message shows it. Returns undefined if a message must not show it. */
export const displayedValue = (value: unknown, path: Path): string | undefined => {
  if (isSecret(value, path)) return undefined
  if (typeof value === "string") {
    return JSON.stringify(value.length > shownMax ? `${shortenText(value, shownMax - 1)}…` : value)
  }
  if (Array.isArray(value)) return value.length === 1 ? "a list of 1 item" : `a list of ${value.length} items`
  return typeof value === "object" && value !== null ? "an object" : String(value).slice(0, shownMax)
}

// the least number of characters of a secret that is replaced everywhere in a message; a shorter secret is replaced
// only in quotes, because without quotes it could be a part of an ordinary word
const quotedLengthMin = 8

/** Replaces the refused value in a message by a short or hidden form. */
export const hideValue = (message: string, value: unknown, path: Path): string => {
  if (typeof value !== "string" || value === "") return message
  const instead = displayedValue(value, path) ?? "what was sent"
  const quoted = message.replaceAll(JSON.stringify(value), () => instead)
  const mayStand = value.length <= shownMax && !(isSecret(value, path) && value.length >= quotedLengthMin)
  return mayStand ? quoted : quoted.replaceAll(value, () => instead)
}

/**
 * Returns true if the schema accepts only null, or only an absent value. If a caller sent another value, the message
 * does not suggest null or an absent value.
 */
export const isNullOrAbsent = (ast: SchemaAST.AST): boolean =>
  ast._tag === "UndefinedKeyword" || ast._tag === "VoidKeyword" || (ast._tag === "Literal" && ast.literal === null)

/** Returns the texts that a schema accepts, if it accepts only listed texts. Returns undefined for any other schema. */
export const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (ast._tag === "Literal") return typeof ast.literal === "string" ? [ast.literal] : undefined
  if (ast._tag !== "Union") return undefined
  const members = ast.types.filter((member) => !isNullOrAbsent(member)).map(literalsOf)
  return members.length > 0 && members.every((one) => one !== undefined) ? members.flat() : undefined
}

const inQuotes = (values: ReadonlyArray<string>): string => {
  const listed = [...new Set(values)].map((one) => JSON.stringify(one))
  if (listed.length === 1) return listed[0]
  return `one of ${listed.slice(0, listedMax).join(", ")}${listed.length > listedMax ? " and more" : ""}`
}

/**
 * Says in a few words what a schema accepts. For an object it lists no fields, because each wrong field of a sent
 * object gets a fault of its own.
 */
export const describeExpected = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const listed = literalsOf(ast)
  if (listed !== undefined) return [inQuotes(listed)]
  switch (ast._tag) {
    case "Union": {
      const members = ast.types.filter((member) => !isNullOrAbsent(member))
      const values = members.flatMap((member) => literalsOf(member) ?? [])
      const others = members.filter((member) => literalsOf(member) === undefined).flatMap(describeExpected)
      return values.length === 0 ? others : [inQuotes(values), ...others]
    }
    case "TypeLiteral":
      return ["an object"]
    case "TupleType":
      return ["a list"]
    case "Transformation":
      return describeExpected(ast.from)
    case "Suspend":
      return describeExpected(ast.f())
    default:
      return [expectedRule(ast)]
  }
}

export const unexpectedValueMessage = (expected: ReadonlyArray<string>, value: unknown, path: Path): string => {
  const actual = displayedValue(value, path)
  return `Expected ${[...new Set(expected)].join(" or ")}${actual === undefined ? "" : `, actual ${actual}`}`
}

/**
 * Returns the noun that a message uses for the values of a field. The noun is the name of the schema, or else the name
 * of the field.
 */
const nounOf = (identifier: string | undefined, path: Path): string =>
  identifier === undefined
    ? (path.findLast((name) => name !== "" && !/^\d+$/.test(name)) ?? "value")
    : identifier.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

/** Returns the message for a value that is not in the list of allowed values. */
export const notInListMessage = (
  listed: ReadonlyArray<string>,
  value: unknown,
  path: Path,
  identifier: string | undefined
): string => {
  if (typeof value !== "string") return unexpectedValueMessage([inQuotes(listed)], value, path)
  const suggestion = isSecret(value, path) ? undefined : nearName(value, listed, (one) => one)
  const actual = displayedValue(value, path)
  return `There is no ${nounOf(identifier, path)}${actual === undefined ? " of this name" : ` ${actual}`}. ${suggestion === undefined ? `Use ${inQuotes(listed)}.` : `Did you mean ${suggestion}?`}`
}
