/** What is wrong with an input, fault by fault. */
import { Either, ParseResult, Schema, type SchemaAST } from "effect"
import { type Fault, Invalid } from "./Failure.ts"

const messageMost = 500 // characters; the library quotes the refused value, which may be a whole document

export const faultsOf = (error: ParseResult.ParseError, under = ""): ReadonlyArray<Fault> =>
  ParseResult.ArrayFormatter.formatErrorSync(error).map((issue) => ({
    path: [under, ...issue.path.map(String)].filter((part) => part !== "").join("."),
    message:
      issue.message.length > messageMost ? `${issue.message.slice(0, messageMost).toWellFormed()}…` : issue.message
  }))

const toldWholeMost = 1000 // values of an input; telling each fault of more takes longer than anything else of the call

const holdsMoreThan = (value: unknown, most: number): boolean => {
  let left = most
  const isWithin = (part: unknown): boolean =>
    --left >= 0 && (typeof part !== "object" || part === null || Object.values(part).every(isWithin))
  return !isWithin(value)
}

/**
 * Decodes an input and tells everything that is wrong with it; of a large one the first fault, for a list of fifty
 * thousand wrong items would be fifty thousand faults.
 */
export const decoderOf = <A, I>(
  schema: Schema.Schema<A, I>,
  options: Omit<SchemaAST.ParseOptions, "errors"> = {}
): ((input: unknown) => Either.Either<A, ParseResult.ParseError>) => {
  const toFirst = Schema.decodeUnknownEither(schema, { ...options, errors: "first" })
  const toLast = Schema.decodeUnknownEither(schema, { ...options, errors: "all" })
  return (input) => {
    const decoded = toFirst(input)
    return Either.isRight(decoded) || holdsMoreThan(input, toldWholeMost) ? decoded : toLast(input)
  }
}

/** Decodes what a proposal holds: a field that the schema does not know is a fault too. */
export const strictly = <A, I>(schema: Schema.Schema<A, I>): ((content: unknown) => Either.Either<A, Invalid>) => {
  const decode = decoderOf(schema, { onExcessProperty: "error" })
  return (content) => Either.mapLeft(decode(content), (error) => new Invalid({ faults: faultsOf(error) }))
}
