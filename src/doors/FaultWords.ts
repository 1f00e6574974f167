/** How a fault of an input is put into words: what is expected, and as much of what was sent as may be said back. */
import { Option, SchemaAST } from "effect"
import { nearName } from "./NearName.ts"

type Path = ReadonlyArray<string>

const shownMost = 40 // characters of a refused value; it may be a whole document
const listedMost = 24 // values in one message

const secretName = /password|secret|token|apikey|authorization|credential|assertion/
const secretForm = /\bsvc_[a-z]+_|^bearer\s/i

/** Whether a value may not be said back at all: by the name of its field, or because it looks like a key. */
export const isSecret = (value: unknown, path: Path): boolean =>
  path.some((name) => secretName.test(name.toLowerCase().replaceAll(/[-_]/g, ""))) ||
  (typeof value === "string" && secretForm.test(value))

/** A refused value as it is said back; undefined for one that is not. */
export const shown = (value: unknown, path: Path): string | undefined => {
  if (isSecret(value, path)) return undefined
  if (typeof value === "string") {
    return JSON.stringify(value.length > shownMost ? `${value.slice(0, shownMost - 1).toWellFormed()}…` : value)
  }
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value).slice(0, shownMost)
}

const quotedLeast = 8 // characters of a secret; a shorter text is part of many words

/** A message that may quote the refused value, with no more of it than may be said back. */
export const withoutValue = (message: string, value: unknown, path: Path): string => {
  if (typeof value !== "string" || value === "") return message
  const instead = shown(value, path) ?? "what was sent"
  const quoted = message.replaceAll(JSON.stringify(value), () => instead)
  const mayStand = value.length <= shownMost && !(isSecret(value, path) && value.length >= quotedLeast)
  return mayStand ? quoted : quoted.replaceAll(value, () => instead)
}

/** `null` and what is left out: nobody who sent something else meant to send them. */
export const isNothing = (ast: SchemaAST.AST): boolean =>
  ast._tag === "UndefinedKeyword" || ast._tag === "VoidKeyword" || (ast._tag === "Literal" && ast.literal === null)

/** The values that a schema lists, when it does nothing else. */
export const listedIn = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (ast._tag === "Literal") return typeof ast.literal === "string" ? [ast.literal] : undefined
  if (ast._tag !== "Union") return undefined
  const members = ast.types.filter((member) => !isNothing(member)).map(listedIn)
  return members.length > 0 && members.every((one) => one !== undefined) ? members.flat() : undefined
}

const inQuotes = (values: ReadonlyArray<string>): string => {
  const listed = [...new Set(values)].map((one) => JSON.stringify(one))
  if (listed.length === 1) return listed[0]
  return `one of ${listed.slice(0, listedMost).join(", ")}${listed.length > listedMost ? " and more" : ""}`
}

/** What a schema takes, in a few words. Shapes of objects are told field by field, once an object is sent. */
export const expectedOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const listed = listedIn(ast)
  if (listed !== undefined) return [inQuotes(listed)]
  switch (ast._tag) {
    case "Union": {
      const members = ast.types.filter((member) => !isNothing(member))
      const values = members.flatMap((member) => listedIn(member) ?? [])
      const others = members.filter((member) => listedIn(member) === undefined).flatMap(expectedOf)
      return values.length === 0 ? others : [inQuotes(values), ...others]
    }
    case "TypeLiteral":
      return ["an object"]
    case "TupleType":
      return ["a list"]
    case "Transformation":
      return expectedOf(ast.from)
    case "Suspend":
      return expectedOf(ast.f())
    default:
      return [
        SchemaAST.getDescriptionAnnotation(ast).pipe(
          Option.orElse(() => SchemaAST.getTitleAnnotation(ast)),
          Option.getOrElse(() => String(ast))
        )
      ]
  }
}

export const unexpected = (expected: ReadonlyArray<string>, value: unknown, path: Path): string => {
  const said = shown(value, path)
  return `Expected ${[...new Set(expected)].join(" or ")}${said === undefined ? "" : `, actual ${said}`}`
}

/** What values of a field are called: by the name of their schema, else by the field that holds them. */
const nounOf = (identifier: string | undefined, path: Path): string =>
  identifier === undefined
    ? (path.findLast((name) => name !== "" && !/^\d+$/.test(name)) ?? "value")
    : identifier.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

/** What is told of a value that is none of those listed. */
export const notListed = (
  listed: ReadonlyArray<string>,
  value: unknown,
  path: Path,
  identifier: string | undefined
): string => {
  if (typeof value !== "string") return unexpected([inQuotes(listed)], value, path)
  const near = isSecret(value, path) ? undefined : nearName(value, listed, (one) => one)
  const said = shown(value, path)
  return `There is no ${nounOf(identifier, path)}${said === undefined ? " of this name" : ` ${said}`}. ${near === undefined ? `Use ${inQuotes(listed)}.` : `Did you mean ${near}?`}`
}
