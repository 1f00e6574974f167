/**
 * Encodes answers with encoders that are compiled from their schemas once at start. Schema's own encoder walks the
 * schema for every value and costs 8 µs for a record of 14 fields (measured), and a listing of fifty records pays that
 * fifty times.
 */
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"

/**
 * Marks a value that the compiled encoder does not accept. Schema's own encoder then decides, and reports the reason.
 */
const unfit = Symbol("unfit")

type Encoder = (value: unknown) => unknown

const only =
  (fits: (value: unknown) => boolean): Encoder =>
  (value) =>
    fits(value) ? value : unfit

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The result of an effect of a schema, if the effect has finished synchronously. */
const settled = (effect: unknown): unknown => (Either.isEither(effect) && Either.isRight(effect) ? effect.right : unfit)

const after =
  (first: Encoder, second: Encoder): Encoder =>
  (value) => {
    const between = first(value)
    return between === unfit ? unfit : second(between)
  }

const bySchema = (ast: SchemaAST.AST): Encoder => {
  const encode = ParseResult.encodeUnknownEither(Schema.make(ast))
  return (value) => settled(encode(value))
}

const array =
  (item: Encoder): Encoder =>
  (value) => {
    if (!Array.isArray(value)) return unfit
    const encoded: Array<unknown> = []
    for (const each of value) {
      const one = item(each)
      if (one === unfit) return unfit
      encoded.push(one)
    }
    return encoded
  }

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly encode: Encoder
}

const struct =
  (fields: ReadonlyArray<Field>): Encoder =>
  (value) => {
    if (!isObject(value)) return unfit
    const encoded: Record<string, unknown> = {}
    for (const { encode, isOptional, name } of fields) {
      if (!Object.hasOwn(value, name)) {
        if (isOptional) continue
        return unfit
      }
      const one = encode(value[name])
      if (one === unfit) return unfit
      encoded[name] = one
    }
    return encoded
  }

const record =
  (item: Encoder): Encoder =>
  (value) => {
    if (!isObject(value)) return unfit
    const encoded: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const one = item(value[name])
      if (one === unfit || name === "__proto__") return unfit
      encoded[name] = one
    }
    return encoded
  }

const typeLiteral = (ast: SchemaAST.TypeLiteral): Encoder => {
  const { indexSignatures, propertySignatures } = ast
  const [index] = indexSignatures
  if (index === undefined && propertySignatures.every(({ name }) => typeof name === "string" && name !== "__proto__")) {
    return struct(
      propertySignatures.map(({ isOptional, name, type }) => ({ name: name as string, isOptional, encode: walk(type) }))
    )
  }
  return propertySignatures.length === 0 && indexSignatures.length === 1 && SchemaAST.isStringKeyword(index.parameter)
    ? record(walk(index.type))
    : bySchema(ast)
}

const union =
  (members: ReadonlyArray<Encoder>): Encoder =>
  (value) => {
    for (const member of members) {
      const encoded = member(value)
      if (encoded !== unfit) return encoded
    }
    return unfit
  }

const options = SchemaAST.defaultParseOption

/**
 * Makes the encoder of one part of a schema. Schema's own encoder handles every type of schema that has no case here.
 */
const walk = (ast: SchemaAST.AST): Encoder => {
  switch (ast._tag) {
    case "StringKeyword":
      return only((value) => typeof value === "string")
    case "NumberKeyword":
      return only((value) => typeof value === "number")
    case "BooleanKeyword":
      return only((value) => typeof value === "boolean")
    case "UndefinedKeyword":
      return only((value) => value === undefined)
    case "Literal":
      return only((value) => value === ast.literal)
    case "UnknownKeyword":
      return (value) => value
    case "Union":
      return union(ast.types.map(walk))
    case "TypeLiteral":
      return typeLiteral(ast)
    case "TupleType":
      return ast.elements.length === 0 && ast.rest.length === 1 ? array(walk(ast.rest[0].type)) : bySchema(ast)
    case "Refinement": {
      // A filter expects a value of its own type, so the value is encoded first: that checks the type.
      const encode = walk(ast.from)
      return (value) => {
        const encoded = encode(value)
        return encoded !== unfit && Option.isNone(ast.filter(value, options, ast)) ? encoded : unfit
      }
    }
    case "Declaration": {
      if (ast.typeParameters.length > 0) return bySchema(ast)
      const encode = ast.encodeUnknown()
      return (value) => settled(encode(value, options, ast))
    }
    case "Transformation": {
      const { from, to, transformation } = ast
      if (transformation._tag !== "FinalTransformation") return bySchema(ast)
      const encode: Encoder = (value) => settled(transformation.encode(value, options, ast, value))
      return after(after(walk(to), encode), walk(from))
    }
    default:
      return bySchema(ast)
  }
}

/**
 * Makes the function that encodes a value of this schema to JSON. It throws like `Schema.encodeSync` if the value does
 * not fit the schema.
 */
export const encoderOf = <A, I>(schema: Schema.Schema<A, I>): ((value: unknown) => unknown) => {
  const encode = walk(schema.ast)
  const encodeBySchema = Schema.encodeUnknownSync(schema)
  return (value) => {
    const encoded = encode(value)
    return encoded === unfit ? encodeBySchema(value) : encoded
  }
}
