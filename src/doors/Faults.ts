/** What is wrong with an input, fault by fault. */
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { type Fault, Invalid } from "./Failure.ts"
import { expectedOf, isNothing, listedIn, notListed, unexpected, withoutValue } from "./FaultWords.ts"

type Path = ReadonlyArray<string>
type Issue = ParseResult.ParseIssue

const messageMost = 500 // characters
const nameMost = 100 // characters of a name that are said back

/** The schema that an issue is about, where it is about one. */
const schemaOf = (issue: Issue): SchemaAST.AST | undefined =>
  issue._tag === "Type" || issue._tag === "Composite" || issue._tag === "Refinement" || issue._tag === "Transformation"
    ? issue.ast
    : undefined

/** Whether the schema says in its own words what it does not take. */
const hasWords = (issue: Issue): boolean => {
  const ast = schemaOf(issue)
  const isAnnotated = ast !== undefined && Option.isSome(SchemaAST.getMessageAnnotation(ast))
  return isAnnotated || (issue._tag === "Type" && issue.message !== undefined)
}

const identifierOf = (ast: SchemaAST.AST): string | undefined =>
  Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(ast))

/** In the library's words, which are the schema's own where it has some. */
const inItsWords = (issue: Issue, path: Path): ReadonlyArray<Fault> =>
  ParseResult.ArrayFormatter.formatIssueSync(issue).map((told) =>
    faultAt([...path, ...told.path.map(String)], withoutValue(told.message, issue.actual, path))
  )

const faultAt = (path: Path, message: string): Fault => ({
  path: path
    .filter((part) => part !== "")
    .map((name) => name.slice(0, nameMost).toWellFormed())
    .join("."),
  message: message.length > messageMost ? `${message.slice(0, messageMost).toWellFormed()}…` : message
})

const issuesIn = (issue: ParseResult.Composite): ReadonlyArray<Issue> =>
  // One issue, or a list of at least one.
  Array.isArray(issue.issues) ? (issue.issues as ReadonlyArray<Issue>) : [issue.issues as Issue]

/** What a schema takes, when it refused the value for what it is and not for what is in it. */
const refusedKind = (issue: Issue): SchemaAST.AST | undefined => {
  switch (issue._tag) {
    case "Type":
      return hasWords(issue) || SchemaAST.isRefinement(issue.ast) ? undefined : issue.ast
    case "Refinement":
      return issue.kind === "From" && !hasWords(issue) ? refusedKind(issue.issue) : undefined
    case "Transformation":
      return issue.kind === "Encoded" && !hasWords(issue) ? refusedKind(issue.issue) : undefined
    default:
      return undefined
  }
}

const namesIn = (ast: SchemaAST.AST): ReadonlyArray<PropertyKey> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map(({ name }) => name)
    case "Refinement":
    case "Transformation":
      return namesIn(ast.from)
    case "Suspend":
      return namesIn(ast.f())
    default:
      return []
  }
}

/** How many of the sent fields a member of a union knows. */
const fields = (issue: Issue): number => {
  const ast = schemaOf(issue)
  const { actual } = issue
  if (ast === undefined || typeof actual !== "object" || actual === null) return 0
  const names = new Set(namesIn(ast))
  return Object.keys(actual).filter((name) => names.has(name)).length
}

/** Every member that refused, where a union holds unions too. */
const members = (issue: Issue): ReadonlyArray<Issue> =>
  issue._tag === "Composite" && issue.ast._tag === "Union" && !hasWords(issue)
    ? issuesIn(issue).flatMap(members)
    : [issue]

/**
 * A value is one member of a union: the one whose telling field it has is the only one that the library tried; of several
 * it is the one that knows most of its fields. Only where none takes its kind at all, all of them are told, in one line.
 */
const faultsOfUnion = (issue: ParseResult.Composite, path: Path): ReadonlyArray<Fault> => {
  const { actual } = issue
  const refused = members(issue)
  const kinds = refused.flatMap((one) => refusedKind(one) ?? []).filter((ast) => !isNothing(ast))
  const inside = refused.filter((one) => refusedKind(one) === undefined)
  const [first, ...others] = inside
  if (first !== undefined) {
    return faultsOfIssue(
      others.reduce((best, one) => (fields(one) > fields(best) ? one : best), first),
      path
    )
  }
  if (kinds.length === 0) return inItsWords(issue, path)
  const listed = kinds.map(listedIn)
  return [
    listed.every((one) => one !== undefined)
      ? faultAt(path, notListed(listed.flat(), actual, path, identifierOf(issue.ast)))
      : faultAt(path, unexpected(kindsExpected(kinds), actual, path))
  ]
}

/** Values that are listed one by one are said together. */
const kindsExpected = (kinds: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<string> =>
  expectedOf(SchemaAST.Union.make(kinds))

const faultsOfIssue = (issue: Issue, path: Path): ReadonlyArray<Fault> => {
  if (hasWords(issue)) return inItsWords(issue, path)
  switch (issue._tag) {
    case "Pointer": {
      const names = Array.isArray(issue.path) ? issue.path.map(String) : [String(issue.path)]
      return faultsOfIssue(issue.issue, [...path, ...names])
    }
    case "Composite":
      return issue.ast._tag === "Union"
        ? faultsOfUnion(issue, path)
        : issuesIn(issue).flatMap((inner) => faultsOfIssue(inner, path))
    case "Refinement":
    case "Transformation":
      return faultsOfIssue(issue.issue, path)
    case "Type": {
      const listed = listedIn(issue.ast)
      return [
        listed === undefined
          ? faultAt(path, unexpected(expectedOf(issue.ast), issue.actual, path))
          : faultAt(path, notListed(listed, issue.actual, path, identifierOf(issue.ast)))
      ]
    }
    case "Missing":
    case "Unexpected":
    case "Forbidden":
      return inItsWords(issue, path)
  }
}

/** The faults of an input that was refused. Each place of it is told once. */
export const faultsOf = (error: ParseResult.ParseError, under = ""): ReadonlyArray<Fault> =>
  faultsOfIssue(error.issue, [under])

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
