/** Says in TypeScript what the encoded side of a schema is: the values as they travel. */
import { Option, SchemaAST } from "effect"

const isIdentifier = (name) => /^[A-Za-z_$][\w$]*$/.test(name)
const keyText = (name) => (isIdentifier(name) ? name : JSON.stringify(name))

/** A comment above a declaration; nothing where there is nothing to say. */
export const commentText = (sentence) =>
  sentence === undefined ? "" : `/** ${sentence.replaceAll("*/", "*\\/").replaceAll(/\s*\n\s*/g, " ")} */\n`

export const indented = (text) => text.replaceAll(/^(?=.)/gm, "  ")

/** A type with fields, or with procedures: its members one below the other. */
export const objectText = (members) =>
  members.length === 0 ? "Record<string, never>" : `{\n${indented(members.join("\n"))}\n}`

const isUndefined = (ast) => SchemaAST.isUndefinedKeyword(ast)
/** The types that a value may be of. */
export const alternativesOf = (ast) => (SchemaAST.isUnion(ast) ? ast.types : [ast])

/** One type that is any of these. */
export const joined = (texts) => {
  const different = [...new Set(texts)]
  return different.includes("unknown") ? "unknown" : different.join(" | ")
}

/** What stands in an array or beside another alternative. */
const grouped = (text) => (/ [|] |^\w+ /.test(text) && !text.startsWith("{") ? `(${text})` : text)

/** The schema of the encoded side, and on the way there the first name and meaning that were given. */
const encodedSide = (ast) => {
  let name, meaning
  for (let at = ast; ; at = at.from) {
    name ??= Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(at))
    meaning ??= Option.getOrUndefined(SchemaAST.getDescriptionAnnotation(at))
    if (!SchemaAST.isRefinement(at) && !SchemaAST.isTransformation(at)) return { ast: at, name, meaning }
  }
}

/** The library describes its own checks ("a string at most 120 character(s) long"), which is no meaning of a field. */
const isLibraryMeaning = (meaning) =>
  /^an? (string|number|boolean|integer|non|positive|Universally|array|record|unknown)/.test(meaning ?? "")
const meaningOf = (annotated) => {
  const own = Option.getOrUndefined(SchemaAST.getDescriptionAnnotation(annotated))
  return isLibraryMeaning(own) ? undefined : own
}

/**
 * Writes types. `text(schemaAst)` answers the type of one schema; `declarations()` the types with names that were met on the
 * way, in the order of the alphabet. Fails on a schema that has no form in JSON, and on two types with one name.
 */
export const typeWriter = () => {
  const named = new Map()

  const fieldText = ({ isOptional, name, type, annotations }) => {
    const alternatives = alternativesOf(type).filter((ast) => !isUndefined(ast))
    const mayLack = isOptional || alternatives.length < alternativesOf(type).length
    const meaning = meaningOf({ annotations }) ?? meaningOf(type) ?? alternatives.map(meaningOf).find(Boolean)
    // Absent and undefined are one thing in JSON, so a caller may write either.
    const text = joined([...alternatives.map(textOf), ...(mayLack ? ["undefined"] : [])])
    return `${commentText(meaning)}readonly ${keyText(String(name))}${mayLack ? "?" : ""}: ${text}`
  }

  const structText = ({ indexSignatures, propertySignatures }) => {
    const records = indexSignatures.map(({ type }) => `Readonly<Record<string, ${textOf(type)}>>`)
    if (propertySignatures.length === 0 && records.length > 0) return records.join(" & ")
    return [objectText(propertySignatures.map(fieldText)), ...records].join(" & ")
  }

  const arrayText = ({ elements, rest }) => {
    const [repeated, ...after] = rest
    if (after.length > 0) throw new Error("A tuple with elements after its rest has no form here.")
    if (elements.length === 0 && repeated !== undefined) return `ReadonlyArray<${textOf(repeated.type)}>`
    const parts = elements.map(({ isOptional, type }) => grouped(textOf(type)) + (isOptional ? "?" : ""))
    const more = repeated === undefined ? [] : [`...ReadonlyArray<${textOf(repeated.type)}>`]
    return `readonly [${[...parts, ...more].join(", ")}]`
  }

  const anonymousText = (ast) => {
    switch (ast._tag) {
      case "StringKeyword":
        return "string"
      case "NumberKeyword":
        return "number"
      case "BooleanKeyword":
        return "boolean"
      case "UnknownKeyword":
        return "unknown"
      case "Literal":
        return JSON.stringify(ast.literal)
      case "Union":
        return joined(ast.types.map(textOf))
      case "TypeLiteral":
        return structText(ast)
      case "TupleType":
        return arrayText(ast)
      default:
        throw new Error(`A ${ast._tag} has no form in JSON: ${String(ast)}`)
    }
  }

  /** Objects and choices keep their names; a text or a number with a name is what it is on the wire. */
  const isWorthAName = (ast) =>
    SchemaAST.isUnion(ast) || (SchemaAST.isTypeLiteral(ast) && ast.propertySignatures.length > 0)

  const textOf = (whole) => {
    const { ast, meaning, name } = encodedSide(whole)
    const text = anonymousText(ast)
    if (name === undefined || !isWorthAName(ast)) return text
    const declaration = `${commentText(isLibraryMeaning(meaning) ? undefined : meaning)}export type ${name} = ${text}`
    if ((named.get(name) ?? declaration) !== declaration) throw new Error(`Two types are called ${name}.`)
    named.set(name, declaration)
    return name
  }

  return {
    text: textOf,
    declarations: () =>
      [...named].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, declaration]) => declaration)
  }
}

/** Whether a caller may leave the whole input out: no field of it is needed. */
export const mayBeLeftOut = (whole) => {
  const { ast } = encodedSide(whole)
  return alternativesOf(ast).some(
    (each) => SchemaAST.isTypeLiteral(each) && each.propertySignatures.every(({ isOptional }) => isOptional)
  )
}
