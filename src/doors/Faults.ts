/** Finds each fault of an input, with the path to the faulty value. */
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { quickDecoderOf, notAccepted } from "./CompiledSchema.ts"
import { type Fault, Invalid } from "./Failure.ts"
import {
  describeExpected,
  isNullOrAbsent,
  literalsOf,
  notInListMessage,
  unexpectedValueMessage,
  hideValue
} from "./FaultMessages.ts"
import { shortenText } from "../platform/StoredText.ts"

type Path = ReadonlyArray<string>
type Issue = ParseResult.ParseIssue

// the maximum number of characters in the message of a fault
const messageMax = 500
// the maximum number of characters of a field name in the path of a fault
const nameMax = 100

/** Returns the schema that an issue is about. Returns undefined if the issue has no schema. */
const schemaOf = (issue: Issue): SchemaAST.AST | undefined =>
  issue._tag === "Type" || issue._tag === "Composite" || issue._tag === "Refinement" || issue._tag === "Transformation"
    ? issue.ast
    : undefined

/** Returns true if the value fails before the rule of the schema is tried, because it has a wrong type. */
const isBeforeRule = (issue: Issue): boolean =>
  (issue._tag === "Refinement" && issue.kind === "From") ||
  (issue._tag === "Transformation" && issue.kind !== "Transformation")

/**
 * Returns true if the schema of the issue has a message of its own for this issue. As in Effect's `Schema`, a message
 * about a rule does not apply to a value of a wrong type, unless the message is marked as an override.
 */
const hasOwnMessage = (issue: Issue): boolean => {
  if (issue._tag === "Type" && issue.message !== undefined) return true
  const message = Option.getOrUndefined(
    Option.flatMap(Option.fromNullable(schemaOf(issue)), SchemaAST.getMessageAnnotation)
  )
  if (message === undefined) return false
  if (!isBeforeRule(issue)) return true
  const ownMessage = message(issue)
  return typeof ownMessage === "object" && "override" in ownMessage && ownMessage.override
}

const identifierOf = (ast: SchemaAST.AST): string | undefined =>
  Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(ast))

/**
 * Returns the faults in the form that Effect's `Schema` gives them. If the schema has a message of its own, the faults
 * contain this message.
 */
const libraryFaults = (issue: Issue, path: Path): ReadonlyArray<Fault> =>
  ParseResult.ArrayFormatter.formatIssueSync(issue).map((formatted) =>
    faultAt([...path, ...formatted.path.map(String)], hideValue(formatted.message, issue.actual, path))
  )

const faultAt = (path: Path, message: string): Fault => ({
  path: path
    .filter((part) => part !== "")
    .map((name) => shortenText(name, nameMax))
    .join("."),
  message: message.length > messageMax ? `${shortenText(message, messageMax)}…` : message
})

const issuesIn = (issue: ParseResult.Composite): ReadonlyArray<Issue> =>
  // Effect's `Schema` gives one issue or a list of issues. This function always returns a list.
  Array.isArray(issue.issues) ? (issue.issues as ReadonlyArray<Issue>) : [issue.issues as Issue]

/**
 * Returns the schema that refused the value because of a wrong type. Returns undefined if the type is right and the
 * content is wrong.
 */
const refusedKind = (issue: Issue): SchemaAST.AST | undefined => {
  switch (issue._tag) {
    case "Type":
      return hasOwnMessage(issue) || SchemaAST.isRefinement(issue.ast) ? undefined : issue.ast
    case "Refinement":
      return issue.kind === "From" && !hasOwnMessage(issue) ? refusedKind(issue.issue) : undefined
    case "Transformation":
      return issue.kind === "Encoded" && !hasOwnMessage(issue) ? refusedKind(issue.issue) : undefined
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

/** Returns the number of fields in the sent value that also exist in this member of a union. */
const knownFieldCount = (issue: Issue): number => {
  const ast = schemaOf(issue)
  const { actual } = issue
  if (ast === undefined || typeof actual !== "object" || actual === null) return 0
  const names = new Set(namesIn(ast))
  return Object.keys(actual).filter((name) => names.has(name)).length
}

/** Returns the issues of every member of a union that refused the value, including members of nested unions. */
const members = (issue: Issue): ReadonlyArray<Issue> =>
  issue._tag === "Composite" && issue.ast._tag === "Union" && !hasOwnMessage(issue)
    ? issuesIn(issue).flatMap(members)
    : [issue]

/**
 * Reports only the faults of the union member that the caller probably meant. This is the member that has most of the
 * sent fields. If the union has a discriminating field, Effect's `Schema` has tried only one member. If no member
 * accepts the type of the value, the message lists what all members expect.
 */
const faultsOfUnion = (issue: ParseResult.Composite, path: Path): ReadonlyArray<Fault> => {
  const { actual } = issue
  const refused = members(issue)
  const kinds = refused.flatMap((one) => refusedKind(one) ?? []).filter((ast) => !isNullOrAbsent(ast))
  const inside = refused.filter((one) => refusedKind(one) === undefined)
  const [first, ...others] = inside
  if (first !== undefined) {
    return faultsOfIssue(
      others.reduce((best, one) => (knownFieldCount(one) > knownFieldCount(best) ? one : best), first),
      path
    )
  }
  if (kinds.length === 0) return libraryFaults(issue, path)
  const listed = kinds.map(literalsOf)
  return [
    listed.every((one) => one !== undefined)
      ? faultAt(path, notInListMessage(listed.flat(), actual, path, identifierOf(issue.ast)))
      : faultAt(path, unexpectedValueMessage(kindsExpected(kinds), actual, path))
  ]
}

/**
 * Says in words what these schemas expect. If several schemas allow only one value each, the text lists these values
 * together.
 */
const kindsExpected = (kinds: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<string> =>
  describeExpected(SchemaAST.Union.make(kinds))

/**
 * The words for what a client must send. If the library cannot decode a text, its message ends with the words "into …"
 * and what the text should become. Each key of this table is such an ending.
 */
const formNames: Readonly<Record<string, string>> = {
  "a number": "a number",
  "a DateTime.Utc": "a time in ISO 8601, such as 2025-03-03T09:00:00Z"
}

/** Returns what the text should be, in words for the client, if the library could not decode the text. */
const expectedForm = (issue: Issue): string | undefined =>
  issue._tag === "Type"
    ? formNames[/^Unable to decode [^]* into (.+)$/.exec(issue.message ?? "")?.[1] ?? ""]
    : undefined

const faultsOfIssue = (issue: Issue, path: Path): ReadonlyArray<Fault> => {
  const form = expectedForm(issue)
  if (form !== undefined) return [faultAt(path, unexpectedValueMessage([form], issue.actual, path))]
  if (hasOwnMessage(issue)) return libraryFaults(issue, path)
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
      const listed = literalsOf(issue.ast)
      return [
        listed === undefined
          ? faultAt(path, unexpectedValueMessage(describeExpected(issue.ast), issue.actual, path))
          : faultAt(path, notInListMessage(listed, issue.actual, path, identifierOf(issue.ast)))
      ]
    }
    case "Missing":
    case "Unexpected":
    case "Forbidden":
      return libraryFaults(issue, path)
  }
}

/** Returns the faults of a refused input, at most one fault for each place in the input. */
export const faultsOf = (error: ParseResult.ParseError, parentPath = ""): ReadonlyArray<Fault> =>
  faultsOfIssue(error.issue, [parentPath])

// the pod reports all faults of an input with at most this many values; for a larger input, the full report takes
// longer than the rest of the call
const fullReportMax = 1000

const holdsMoreThan = (value: unknown, max: number): boolean => {
  let remaining = max
  const isWithin = (part: unknown): boolean =>
    --remaining >= 0 && (typeof part !== "object" || part === null || Object.values(part).every(isWithin))
  return !isWithin(value)
}

/**
 * Makes a decoder that reports all faults of an input. For a large input it reports only the first fault. Otherwise a
 * list of fifty thousand wrong items would give fifty thousand faults.
 */
export const decoderOf = <A, I>(
  schema: Schema.Schema<A, I>,
  options: Omit<SchemaAST.ParseOptions, "errors"> = {}
): ((input: unknown) => Either.Either<A, ParseResult.ParseError>) => {
  const toFirst = Schema.decodeUnknownEither(schema, { ...options, errors: "first" })
  const toLast = Schema.decodeUnknownEither(schema, { ...options, errors: "all" })
  return (input) => {
    const decoded = toFirst(input)
    return Either.isRight(decoded) || holdsMoreThan(input, fullReportMax) ? decoded : toLast(input)
  }
}

/**
 * Makes a decoder for the content of a change. An unknown field is a fault. Several steps of a write decode the same
 * object, so the result is remembered for as long as the object exists. Therefore no code may change a content object,
 * and the type of the object is read-only.
 */
export const strictDecoder = <A, I>(schema: Schema.Schema<A, I>): ((content: unknown) => Either.Either<A, Invalid>) => {
  const quickly = quickDecoderOf(schema)
  const decode = decoderOf(schema, { onExcessProperty: "error" })
  const cache = new WeakMap<object, Either.Right<Invalid, A>>()
  return (content) => {
    const isKey = typeof content === "object" && content !== null
    const known = isKey ? cache.get(content) : undefined
    if (known !== undefined) return known
    const quick = quickly(content)
    const decoded =
      quick === notAccepted
        ? Either.mapLeft(decode(content), (error) => new Invalid({ faults: faultsOf(error) }))
        : Either.right(quick)
    if (isKey && Either.isRight(decoded)) cache.set(content, decoded)
    return decoded
  }
}
