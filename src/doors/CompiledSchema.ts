/**
 * Compiles a schema once, at its first use, to functions that read and write values. The parser of Schema interprets
 * the schema again for every value. The parser needs 8 µs (measured) to encode one record of 14 fields, and a list has
 * many records.
 */
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { atFirstUse } from "../platform/AtFirstUse.ts"

/**
 * A compiled function returns this value if it does not accept its argument. The pod then gives the argument to the
 * parser of Schema, which reports the reason.
 */
export const notAccepted = Symbol("unfit")

type Compiled = (value: unknown) => unknown

/** The key of the annotation with which a schema states its own compiled functions. */
const quickParts = Symbol("quick parts")

interface QuickParts {
  readonly decode?: Compiled
  readonly encode?: Compiled
}

/**
 * Gives a schema its own functions to read and write values. Use this for schemas whose values occur hundreds of times
 * in one answer. The functions do exactly what the schema does, or return `notAccepted`. Tests compare the functions
 * with the schema.
 */
export const withQuickParts = <S extends Schema.Annotable.All>(
  schema: S,
  parts: QuickParts
): Schema.Annotable.Self<S> => schema.annotations({ [quickParts]: parts })

/** What differs between the two directions, decoding and encoding. */
interface Direction {
  readonly name: "decode" | "encode"
  readonly options: SchemaAST.ParseOptions
  /**
   * If true, the function leaves out fields that the schema does not have. If false, it does not accept an object with
   * such a field.
   */
  readonly dropsUnknown: boolean
  /** Returns the two schemas of a transformation, in the order in which a value passes them. */
  readonly sides: (ast: SchemaAST.Transformation) => readonly [SchemaAST.AST, SchemaAST.AST]
  readonly change: (transformation: SchemaAST.FinalTransformation) => SchemaAST.FinalTransformation["decode"]
  readonly property: (change: SchemaAST.PropertySignatureTransformation) => {
    readonly from: PropertyKey
    readonly to: PropertyKey
    readonly change: (value: Option.Option<unknown>) => Option.Option<unknown>
  }
  /** Gets a value in both forms, before and after the conversion. Returns the decoded form. */
  readonly ofType: (before: unknown, after: unknown) => unknown
  readonly declared: (ast: SchemaAST.Declaration) => Compiled
  readonly bySchema: (ast: SchemaAST.AST) => Compiled
}

const strictly: SchemaAST.ParseOptions = { onExcessProperty: "error", errors: "first" }
const freely = SchemaAST.defaultParseOption

const decodeDirection: Direction = {
  name: "decode",
  options: strictly,
  dropsUnknown: false,
  sides: ({ from, to }) => [from, to],
  change: ({ decode }) => decode,
  property: ({ decode, from, to }) => ({ from, to, change: decode }),
  ofType: (_, after) => after,
  declared: (ast) => {
    const decode = ast.decodeUnknown()
    return (value) => decode(value, strictly, ast)
  },
  bySchema: (ast) => ParseResult.decodeUnknownEither(Schema.make(ast), strictly)
}

const encodeDirection: Direction = {
  name: "encode",
  options: freely,
  dropsUnknown: true,
  sides: ({ from, to }) => [to, from],
  change: ({ encode }) => encode,
  property: ({ encode, from, to }) => ({ from: to, to: from, change: encode }),
  ofType: (before) => before,
  declared: (ast) => {
    const encode = ast.encodeUnknown()
    return (value) => encode(value, freely, ast)
  },
  bySchema: (ast) => ParseResult.encodeUnknownEither(Schema.make(ast), freely)
}

const only =
  (fits: (value: unknown) => boolean): Compiled =>
  (value) =>
    fits(value) ? value : notAccepted

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the result of an effect from Schema if the effect succeeded synchronously. Returns `notAccepted` otherwise. */
const synchronousResult = (effect: unknown): unknown =>
  Either.isEither(effect) && Either.isRight(effect) ? effect.right : notAccepted

const bySchema = (ast: SchemaAST.AST, direction: Direction): Compiled => {
  const parse = direction.bySchema(ast)
  return (value) => synchronousResult(parse(value))
}

const inOrder =
  (...steps: ReadonlyArray<Compiled>): Compiled =>
  (value) => {
    let between = value
    for (const step of steps) {
      between = step(between)
      if (between === notAccepted) return notAccepted
    }
    return between
  }

const array =
  (item: Compiled): Compiled =>
  (value) => {
    if (!Array.isArray(value)) return notAccepted
    const items: Array<unknown> = []
    for (const each of value) {
      const one = item(each)
      if (one === notAccepted) return notAccepted
      items.push(one)
    }
    return items
  }

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly parse: Compiled
}

const struct =
  (fields: ReadonlyArray<Field>, dropsUnknown: boolean): Compiled =>
  (value) => {
    if (!isObject(value)) return notAccepted
    const parsed: Record<string, unknown> = {}
    let known = 0
    for (const { isOptional, name, parse } of fields) {
      if (!Object.hasOwn(value, name)) {
        if (isOptional) continue
        return notAccepted
      }
      known += 1
      const one = parse(value[name])
      if (one === notAccepted) return notAccepted
      parsed[name] = one
    }
    return dropsUnknown || Reflect.ownKeys(value).length === known ? parsed : notAccepted
  }

const record =
  (item: Compiled): Compiled =>
  (value) => {
    if (!isObject(value)) return notAccepted
    const parsed: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const one = item(value[name])
      if (one === notAccepted || name === "__proto__") return notAccepted
      parsed[name] = one
    }
    return parsed
  }

const typeLiteral = (ast: SchemaAST.TypeLiteral, direction: Direction): Compiled => {
  const { indexSignatures, propertySignatures } = ast
  const [index] = indexSignatures
  const hasPlainNames = propertySignatures.every(({ name }) => typeof name === "string" && name !== "__proto__")
  if (index === undefined && propertySignatures.length === 0) {
    // For a schema without fields, Schema accepts any value and keeps all fields of the value. To decode such a schema,
    // the pod uses Schema itself. To encode it, the pod leaves all fields out.
    return direction.dropsUnknown ? struct([], true) : () => notAccepted
  }
  if (index === undefined && hasPlainNames) {
    const fields = propertySignatures.map(({ isOptional, name, type }) => ({
      name: name as string,
      isOptional,
      parse: compilePart(type, direction)
    }))
    return struct(fields, direction.dropsUnknown)
  }
  return propertySignatures.length === 0 && indexSignatures.length === 1 && SchemaAST.isStringKeyword(index.parameter)
    ? record(compilePart(index.type, direction))
    : bySchema(ast, direction)
}

const union =
  (members: ReadonlyArray<Compiled>): Compiled =>
  (value) => {
    for (const member of members) {
      const parsed = member(value)
      if (parsed !== notAccepted) return parsed
    }
    return notAccepted
  }

/** Makes the function that converts a value of the first schema of a transformation to a value of the second. */
const compileTransformation = (ast: SchemaAST.Transformation, { change, options, property }: Direction): Compiled => {
  const { transformation } = ast
  switch (transformation._tag) {
    case "FinalTransformation": {
      const final = change(transformation)
      return (value) => synchronousResult(final(value, options, ast, value))
    }
    case "ComposeTransformation":
      return (value) => value
    case "TypeLiteralTransformation": {
      const properties = transformation.propertySignatureTransformations.map(property)
      return (value) => {
        // the previous step made this object and no other code has it, so changing the object is safe
        const object = value as Record<PropertyKey, unknown>
        for (const { change: changeOf, from, to } of properties) {
          const changed = changeOf(Object.hasOwn(object, from) ? Option.some(object[from]) : Option.none())
          // Deleting a field makes an object slow, so a field is deleted only if the name of the field changed or the
          // field has no value.
          if ((from !== to || Option.isNone(changed)) && Object.hasOwn(object, from)) delete object[from]
          if (Option.isSome(changed)) object[to] = changed.value
        }
        return object
      }
    }
  }
}

/** Compiles one part of a schema. Schema's own parser handles every type of schema that has no case here. */
const compilePart = (ast: SchemaAST.AST, direction: Direction): Compiled => {
  const own = Option.getOrUndefined(SchemaAST.getAnnotation<QuickParts>(ast, quickParts))?.[direction.name]
  if (own !== undefined) return own
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
      return union(ast.types.map((type) => compilePart(type, direction)))
    case "TypeLiteral":
      return typeLiteral(ast, direction)
    case "TupleType":
      return ast.elements.length === 0 && ast.rest.length === 1
        ? array(compilePart(ast.rest[0].type, direction))
        : bySchema(ast, direction)
    case "Refinement": {
      // A filter checks the decoded value. When the pod decodes, the decoded value is the result of `parse`. When the
      // pod encodes, it is the input of `parse`.
      const parse = compilePart(ast.from, direction)
      return (value) => {
        const parsed = parse(value)
        if (parsed === notAccepted) return notAccepted
        return Option.isNone(ast.filter(direction.ofType(value, parsed), direction.options, ast)) ? parsed : notAccepted
      }
    }
    case "Declaration": {
      if (ast.typeParameters.length > 0) return bySchema(ast, direction)
      const parse = direction.declared(ast)
      return (value) => synchronousResult(parse(value))
    }
    case "Transformation": {
      const [first, last] = direction.sides(ast)
      return inOrder(compilePart(first, direction), compileTransformation(ast, direction), compilePart(last, direction))
    }
    default:
      return bySchema(ast, direction)
  }
}

/**
 * Makes the function that decodes an input of this schema. The function returns `notAccepted` if the input does not fit
 * the schema, or has a field that is not in the schema.
 */
export const quickDecoderOf = <A, I>(schema: Schema.Schema<A, I>): ((input: unknown) => A | typeof notAccepted) => {
  const decode = atFirstUse(() => compilePart(schema.ast, decodeDirection))
  // A compiled schema returns a value of the schema, so the cast is safe.
  return (input) => decode()(input) as A | typeof notAccepted
}

/**
 * Makes the function that encodes a value of this schema to JSON. The function throws like `Schema.encodeSync` if the
 * value does not fit the schema.
 */
export const encoderOf = <A, I>(schema: Schema.Schema<A, I>): ((value: unknown) => unknown) => {
  const encode = atFirstUse(() => compilePart(schema.ast, encodeDirection))
  const encodeBySchema = atFirstUse(() => Schema.encodeUnknownSync(schema))
  return (value) => {
    const encoded = encode()(value)
    return encoded === notAccepted ? encodeBySchema()(value) : encoded
  }
}
