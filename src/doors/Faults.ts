/** What is wrong with an input, fault by fault. */
import { Either, ParseResult, Schema } from "effect"
import { type Fault, Invalid } from "./Failure.ts"

const messageMost = 500 // characters; the library quotes the refused value, which may be a whole document

export const faultsOf = (error: ParseResult.ParseError, under = ""): ReadonlyArray<Fault> =>
  ParseResult.ArrayFormatter.formatErrorSync(error).map((issue) => ({
    path: [under, ...issue.path.map(String)].filter((part) => part !== "").join("."),
    message:
      issue.message.length > messageMost ? `${issue.message.slice(0, messageMost).toWellFormed()}…` : issue.message
  }))

/** Decodes what a proposal holds: a field that the schema does not know is a fault too. */
export const strictly = <A, I>(schema: Schema.Schema<A, I>): ((content: unknown) => Either.Either<A, Invalid>) => {
  const decode = Schema.decodeUnknownEither(schema, { onExcessProperty: "error", errors: "all" })
  return (content) => Either.mapLeft(decode(content), (error) => new Invalid({ faults: faultsOf(error) }))
}
