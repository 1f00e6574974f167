/** Writes a schema as a TypeScript type. The type describes the encoded values, which are the values in JSON. */
import { Option, SchemaAST } from "effect"

const isIdentifier = (name) => /^[A-Za-z_$][\w$]*$/.test(name)
const keyText = (name) => (isIdentifier(name) ? name : JSON.stringify(name))

/** Returns the comment above a declaration, or an empty text if there is no sentence. */
export const commentText = (sentence) =>
  sentence === undefined ? "" : `/** ${sentence.replaceAll("*/", "*\\/").replaceAll(/\s*\n\s*/g, " ")} */\n`

export const indented = (text) => text.replaceAll(/^(?=.)/gm, "  ")

/** Writes an object type. Each member is on its own line. A member is a field or a procedure. */
export const objectText = (members) =>
  members.length === 0 ? "Record<string, never>" : `{\n${indented(members.join("\n"))}\n}`

const isUndefined = (ast) => SchemaAST.isUndefinedKeyword(ast)
/** Returns the members of a union. For any other type, returns a list with only this type. */
export const alternativesOf = (ast) => (SchemaAST.isUnion(ast) ? ast.types : [ast])

/** Writes a union of these types. */
export const joined = (texts) => {
  const different = [...new Set(texts)]
  return different.includes("unknown") ? "unknown" : different.join(" | ")
}

/** Puts a type into parentheses if it needs them inside an array or a union. */
const grouped = (text) => (/ [|] |^\w+ /.test(text) && !text.startsWith("{") ? `(${text})` : text)

/**
 * Returns the innermost schema: the schema of the encoded values, without the refinements and transformations around
 * it. Also returns the name and the description of the outermost layer that has one, and `fields`. `fields` has the
 * fields of the decoded values by name, because a field with a default has its description only there.
 */
const encodedSide = (ast) => {
  let name, meaning
  const fields = new Map()
  for (let at = ast; ; at = at.from) {
    name ??= Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(at))
    meaning ??= Option.getOrUndefined(SchemaAST.getDescriptionAnnotation(at))
    if (!SchemaAST.isRefinement(at) && !SchemaAST.isTransformation(at)) return { ast: at, name, meaning, fields }
    if (SchemaAST.isTransformation(at) && SchemaAST.isTypeLiteralTransformation(at.transformation))
      for (const field of at.to.propertySignatures) fields.set(field.name, field)
  }
}

/**
 * True for a description that the library adds to a check ("a string at most 120 character(s) long"). Such a
 * description says nothing about the meaning of a field, so it is not used.
 */
const isLibraryMeaning = (meaning) =>
  /^an? (string|number|boolean|integer|non|positive|Universally|array|record|unknown)/.test(meaning ?? "")
const meaningOf = (annotated) => {
  const own = Option.getOrUndefined(SchemaAST.getDescriptionAnnotation(annotated))
  return isLibraryMeaning(own) ? undefined : own
}

/**
 * Returns two functions that write TypeScript types as text. `text(schemaAst)` returns the type of one schema.
 * `declarations()` returns the named types that `text` has found so far, in alphabetical order. `text` throws an error
 * for a schema without a JSON form, and for two different types with one name.
 */
export const typeWriter = () => {
  const named = new Map()

  const fieldText = ({ isOptional, name, type, annotations }, decoded = { annotations: {} }) => {
    const alternatives = alternativesOf(type).filter((ast) => !isUndefined(ast))
    const mayLack = isOptional || alternatives.length < alternativesOf(type).length
    const meaning =
      meaningOf({ annotations }) ?? meaningOf(decoded) ?? meaningOf(type) ?? alternatives.map(meaningOf).find(Boolean)
    // In JSON, a field that is undefined is absent. So the type allows both.
    const text = joined([...alternatives.map(textOf), ...(mayLack ? ["undefined"] : [])])
    return `${commentText(meaning)}readonly ${keyText(String(name))}${mayLack ? "?" : ""}: ${text}`
  }

  const structText = ({ indexSignatures, propertySignatures }, fields) => {
    const records = indexSignatures.map(({ type }) => `Readonly<Record<string, ${textOf(type)}>>`)
    if (propertySignatures.length === 0 && records.length > 0) return records.join(" & ")
    return [objectText(propertySignatures.map((field) => fieldText(field, fields.get(field.name)))), ...records].join(
      " & "
    )
  }

  const arrayText = ({ elements, rest }) => {
    const [repeated, ...after] = rest
    if (after.length > 0) throw new Error("A tuple with elements after its rest has no form here.")
    if (elements.length === 0 && repeated !== undefined) return `ReadonlyArray<${textOf(repeated.type)}>`
    const parts = elements.map(({ isOptional, type }) => grouped(textOf(type)) + (isOptional ? "?" : ""))
    const more = repeated === undefined ? [] : [`...ReadonlyArray<${textOf(repeated.type)}>`]
    return `readonly [${[...parts, ...more].join(", ")}]`
  }

  const anonymousText = (ast, fields) => {
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
        return structText(ast, fields)
      case "TupleType":
        return arrayText(ast)
      default:
        throw new Error(`A ${ast._tag} has no form in JSON: ${String(ast)}`)
    }
  }

  /**
   * True if a named schema gets a type of its own. Only objects and unions get one. A named text or number is written
   * as `string` or `number`.
   */
  const isWorthAName = (ast) =>
    SchemaAST.isUnion(ast) || (SchemaAST.isTypeLiteral(ast) && ast.propertySignatures.length > 0)

  const textOf = (whole) => {
    const { ast, fields, meaning, name } = encodedSide(whole)
    const text = anonymousText(ast, fields)
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

/** True if a caller may omit the whole input, because none of its fields is required. */
export const mayBeLeftOut = (whole) => {
  const { ast } = encodedSide(whole)
  return alternativesOf(ast).some(
    (each) => SchemaAST.isTypeLiteral(each) && each.propertySignatures.every(({ isOptional }) => isOptional)
  )
}
