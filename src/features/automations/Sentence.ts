/** Compiles a rule's sentence (WHEN … WHERE … THEN …) into an automation, and writes an automation as a sentence. */
import { Either, Schema } from "effect"
import { type Automation, type Clause, type ClauseRefused, type Condition, lengthsMax } from "./Automation.ts"
import {
  type CompileResult,
  excerpt,
  indexOfWord,
  isWord,
  pathOf,
  refuseClause,
  tokenize,
  textOf,
  type Token,
  tokensOf,
  valueOf,
  writeText,
  writeValue
} from "./Clause.ts"
import { compileSteps, writeStep } from "./Steps.ts"
import { compileTrigger, writeTrigger } from "./Trigger.ts"
import { described } from "../../doors/Fields.ts"

/** The three clauses of a sentence. `where` is null if there is no condition. */
export interface Sentence {
  readonly when: string
  readonly where: string | null
  readonly then: string
}

/**
 * The maximum number of characters of each clause. `whole` is the maximum for a sentence that is written as one text.
 */
const clauseMax = { when: lengthsMax.when, where: 4000, then: 8000, whole: 12_500 }
const trimmedText = (max: number) => Schema.Trim.pipe(Schema.maxLength(max))
const requiredText = (max: number) => trimmedText(max).pipe(Schema.minLength(1))

/**
 * The two forms in which a caller sends a sentence: separate clauses, or one text with WHEN, THEN and an optional
 * WHERE.
 */
export const SentenceInput = Schema.Union(
  Schema.Struct({
    when: described("Event or schedule that starts the rule.", requiredText(clauseMax.when)),
    where: described("Records that the rule acts on.", Schema.optional(Schema.NullOr(trimmedText(clauseMax.where)))),
    then: described("What the rule does.", requiredText(clauseMax.then))
  }),
  requiredText(clauseMax.whole)
).annotations({ identifier: "RuleSentence", description: "Sentence of the rule, with its clauses." })
export type SentenceInput = typeof SentenceInput.Type

/**
 * Splits a sentence that is written as one text into its clauses. Recognizes WHEN, WHERE and THEN in capital and small
 * letters, but not inside quotation marks.
 */
export const splitSentence = (text: string): CompileResult<Sentence> => {
  const tokens = tokenize(text)
  if (!isWord(tokens[0], "when")) return refuseClause("when", "is missing: begin the sentence with WHEN.")
  const then = indexOfWord(tokens, "then")
  if (then < 0) return refuseClause("then", "is missing: continue with THEN and the action.")
  const found = indexOfWord(tokens.slice(0, then), "where")
  const between = (from: number, to: number) =>
    text.slice(tokens[from].start + tokens[from].raw.length, tokens[to]?.start ?? text.length).trim()
  return Either.right({
    when: between(0, found < 0 ? then : found),
    where: found < 0 ? null : between(found, then),
    then: between(then, tokens.length)
  })
}

const conditionsMax = 20
const operators = ["is", "isn't", "contains", "greater", "less"]
const joinConditionsHint =
  'join conditions with "and", and put quotation marks around a value that contains such a word.'

/**
 * Finds the comparison at this position, and the number of words that name the comparison. Returns null if there is no
 * comparison at this position.
 */
const operatorAt = (tokens: ReadonlyArray<Token>, at: number): { op: Condition["op"]; length: number } | null => {
  const [first, second, third] = tokens.slice(at, at + 3)
  if (isWord(first, "is")) {
    if (isWord(second, "not")) return { op: "is_not", length: 2 }
    const compared = isWord(third, "than") ? operatorAt(tokens, at + 1) : null
    return compared === null ? { op: "is", length: 1 } : { ...compared, length: 3 }
  }
  if (isWord(first, "isn't")) return { op: "is_not", length: 1 }
  if (isWord(first, "contains")) return { op: "contains", length: 1 }
  if (isWord(first, "greater", "less") && isWord(second, "than")) {
    return { op: isWord(first, "greater") ? "greater_than" : "less_than", length: 2 }
  }
  return null
}

const dateForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

const compileCondition = (tokens: ReadonlyArray<Token>): CompileResult<Condition> =>
  Either.gen(function* () {
    const at = indexOfWord(tokens, ...operators)
    const operator = at < 0 ? null : operatorAt(tokens, at)
    if (operator === null) {
      const shown = excerpt(textOf(tokens))
      return yield* refuseClause(
        "where",
        `contains "${shown}", which is not a comparison: write <field> is <value>, or ${joinConditionsHint}`
      )
    }
    const path = yield* pathOf("where", tokens.slice(0, at))
    const given = tokens.slice(at + operator.length)
    if (given.length === 0) return yield* refuseClause("where", `gives no value to compare ${excerpt(path)} with.`)
    if (indexOfWord(given, ...operators, "or", ",", ";") >= 0) {
      return yield* refuseClause(
        "where",
        `compares ${excerpt(path)} with "${excerpt(textOf(given))}": ${joinConditionsHint}`
      )
    }
    const value = operator.op === "contains" ? textOf(given) : valueOf(given)
    if (typeof value === "string" && value.length > lengthsMax.text) {
      return yield* refuseClause("where", `gives ${excerpt(path)} a value of more than ${lengthsMax.text} characters.`)
    }
    if (operator.op === "contains" && value === "") {
      return yield* refuseClause(
        "where",
        `tests whether ${excerpt(path)} contains an empty text, which is always true: write the text to look for.`
      )
    }
    const isOrdered = typeof value === "number" || (typeof value === "string" && dateForm.test(value))
    if ((operator.op === "greater_than" || operator.op === "less_than") && !isOrdered) {
      return yield* refuseClause(
        "where",
        `uses greater or less for ${excerpt(path)}: compare it with a number, or a date such as 2026-01-31.`
      )
    }
    return { path, op: operator.op, value }
  })

/** Splits a list of tokens at the words for which `isParting` is true. Returns the parts between these words. */
const partedBy = (
  tokens: ReadonlyArray<Token>,
  isParting: (token: Token) => boolean
): ReadonlyArray<ReadonlyArray<Token>> => {
  const at = tokens.flatMap((token, index) => (isParting(token) ? [index] : []))
  return [-1, ...at].map((from, part) => tokens.slice(from + 1, at[part] ?? tokens.length))
}

const compileConditions = (text: string): CompileResult<ReadonlyArray<Condition>> =>
  Either.gen(function* () {
    const tokens = yield* tokensOf("where", text)
    if (tokens.length === 0) return []
    const parts = partedBy(tokens, (token) => isWord(token, "and"))
    if (parts.length > conditionsMax) return yield* refuseClause("where", `has more than ${conditionsMax} conditions.`)
    return yield* Either.all(parts.map(compileCondition))
  })

/** Compiles a sentence. If a clause cannot be read, returns a Left with the first such clause and the reason. */
export const compileSentence = (input: SentenceInput): Either.Either<Automation, ClauseRefused> =>
  Either.gen(function* () {
    const { when, where, then } = typeof input === "string" ? yield* splitSentence(input) : input
    const trigger = yield* compileTrigger(when)
    const conditions = yield* compileConditions(where ?? "")
    if (trigger.kind === "schedule" && conditions.length > 0) {
      return yield* refuseClause(
        "where",
        "cannot be used with a schedule, because a schedule has no record with fields. Leave out the WHERE clause."
      )
    }
    return { trigger, conditions, steps: yield* compileSteps(then) }
  })

const writeCondition = ({ path, op, value }: Condition): string =>
  `${path} ${op.replace("_", " ")} ${op === "contains" ? writeText(String(value)) : writeValue(value)}`

/** Writes the canonical sentence of an automation. This sentence compiles to the same automation again. */
export const sentenceOf = ({ trigger, conditions, steps }: Automation): Sentence => ({
  when: writeTrigger(trigger),
  where: conditions.length === 0 ? null : conditions.map(writeCondition).join(" and "),
  then: steps.map(writeStep).join(", then ")
})

export const refusalText = ({ clause, why }: { readonly clause: Clause; readonly why: string }): string =>
  `The ${clause.toUpperCase()} clause ${why}`
