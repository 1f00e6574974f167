/**
 * Reads a rule from free text. Finds the class of the text, the sentence if the text contains one, and the compiled
 * automation.
 */
import { Either } from "effect"
import type { Automation, Clause } from "./Automation.ts"
import { type Classification, type ClassifyContext, classify } from "./Classify.ts"
import { indexOfWord, isWord, tokenize, type Token } from "./Clause.ts"
import { isSchedule } from "./Schedule.ts"
import { compileSentence, type Sentence, sentenceOf, splitSentence } from "./Sentence.ts"

/** The answer to `POST /rules/parse`. */
export interface ParsedRule {
  readonly classification: Classification
  /**
   * If the text compiles, this is the canonical sentence. If the pod refuses the text, the sentence has the original
   * words. Null if the text contains no sentence.
   */
  readonly sentence: Sentence | null
  readonly automation: Automation | null
  /** The reason why the pod cannot compile a text that describes an automation. */
  readonly refused: { readonly clause: Clause; readonly why: string } | null
  /** The given text, written in one line. */
  readonly intent: string
}

/**
 * The place in a text at which a clause begins. The first `length` words of the clause, such as "if", only introduce
 * it.
 */
interface ClauseOpening {
  readonly at: number
  readonly length: number
}

const triggers = [
  "whenever",
  "when",
  "if",
  "once",
  "upon",
  "after",
  "every time",
  "each time",
  "any time",
  "as soon as"
]
const openings = triggers.map((trigger) => trigger.split(" "))

const timeOpenings = /^(?:every|each|on|once|hourly|daily|weekly|monthly|yearly|annually)$/

/**
 * Finds the words that introduce a trigger at this position. A schedule has no introducing words, so its `length` is 0.
 * Null if no trigger begins here.
 */
const openingAt = (tokens: ReadonlyArray<Token>, at: number): ClauseOpening | null => {
  const words = openings.find((all) => all.every((word, ahead) => isWord(tokens[at + ahead], word)))
  const given = tokens.slice(at, at + 3).map(({ text }) => text.toLowerCase())
  const mayBeTime = !(tokens[at]?.isQuoted ?? true) && timeOpenings.test(given[0])
  if (mayBeTime && isSchedule(given.join(" "))) return { at, length: 0 }
  return words === undefined ? null : { at, length: words.length }
}

/**
 * Patterns of how people write a step. Beside each pattern is the beginning of the same step in the words of the
 * grammar. The first pattern that matches is used.
 */
const sayings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^let (me|us|them|everyone|everybody) know(?: that)? /i, "notify $1 that "],
  [/^let (me|us|them|everyone|everybody) know$/i, "notify $1"],
  [/^(?:tell|alert|inform|warn|ping) (me|us|them|everyone|everybody) that /i, "notify $1 that "],
  [/^(?:alert|inform|warn|ping|tell) (me|us|them|everyone|everybody)$/i, "notify $1"],
  [/^(?:remind|tell) (me|us|them|everyone|everybody) (?:to|that) /i, "notify $1 that "],
  [/^(?:alert|inform|warn|ping) /i, "notify "],
  [/^(?:add|make) (an? )/i, "create $1"],
  [/^(?:send|write|say) (?=["“].*["”] (?:in|to) )/i, "post "],
  [/^(?:trigger|run|fire) (?=(?:the )?webhook )/i, "call "]
]

/** Rewrites an action in the words of the grammar. Words that no pattern matches stay as they are. */
const asStep = (action: string): string => {
  const bare = action.replace(/^(?:(?:please|then|also|automatically|always) )+/i, "")
  const [form, step] = sayings.find(([pattern]) => pattern.test(bare)) ?? ["", ""]
  return bare.replace(form, step)
}

const withoutEnds = (text: string): string =>
  text
    .trim()
    .replace(/^[,;]/, "")
    .replace(/[.,;]$/, "")
    .trim()
const stepBegins = [
  "notify",
  "create",
  "set",
  "tell",
  "let",
  "alert",
  "inform",
  "warn",
  "ping",
  "remind",
  "add",
  "make",
  "please",
  "send",
  "email",
  "post",
  "call",
  "move",
  "update",
  "delete",
  "archive",
  "assign",
  "tag",
  "mark",
  "close",
  "run",
  "start",
  "extract"
]

/** The parts of a rule, in the words of the text. `when` and `then` can be empty. */
interface RuleParts {
  readonly when: string
  readonly then: string
}

/**
 * Returns true if the trigger and the conditions compile. The function adds a valid step for this test, so the real
 * steps do not matter.
 */
const isReadable = (clauses: Pick<Sentence, "when" | "where">): boolean =>
  Either.isRight(compileSentence({ ...clauses, then: "notify me" }))

/** Separates the conditions from a clause. In free text, "and" or "if" can also introduce a condition. */
const withConditions = (clause: string): Pick<Sentence, "when" | "where"> => {
  const plain = { when: clause, where: null }
  if (isReadable(plain)) return plain
  const tokens = tokenize(clause)
  const at = indexOfWord(tokens, "where") >= 0 ? indexOfWord(tokens, "where") : indexOfWord(tokens, "and", "if")
  if (at < 0) return plain
  const where = withoutEnds(clause.slice(tokens[at].start + tokens[at].raw.length))
  const parted = { when: withoutEnds(clause.slice(0, tokens[at].start)), where }
  return isWord(tokens[at], "where") || isReadable(parted) ? parted : plain
}

/** Returns true if a comma only separates the members of a list, as in "every monday, tuesday and friday". */
const isListed = (next: Token | undefined): boolean =>
  next !== undefined && !next.isQuoted && /^(?:sun|mon|tues|wednes|thurs|fri|satur)days?$/i.test(next.text)

const verbsMax = 10 // the maximum number of verbs that the pod tries as the start of the action if there is no comma

/**
 * Splits a text that starts with its trigger into the trigger and the action. The trigger ends at a comma, a semicolon,
 * a colon or "then". If there is none of these, the trigger ends before a verb. This is the first verb for which the
 * words before it compile as a trigger.
 */
const whenFirst = (text: string, tokens: ReadonlyArray<Token>, opening: ClauseOpening): RuleParts => {
  const from = (at: number) => tokens[at]?.start ?? text.length
  const starts = opening.at + opening.length
  const end = tokens.findIndex(
    (token, at) =>
      at >= starts && (isWord(token, "then") || (isWord(token, ",", ";", ":") && !isListed(tokens[at + 1])))
  )
  if (end >= 0) return { when: text.slice(from(starts), from(end)), then: text.slice(from(end + 1)) }
  const parted = tokens
    .flatMap((token, at) => (at > starts && isWord(token, ...stepBegins) ? [at] : []))
    .slice(0, verbsMax)
    .map((at) => ({ when: text.slice(from(starts), from(at)), then: text.slice(from(at)) }))
  const readable = parted.find(({ when }) => isReadable(withConditions(withoutEnds(when))))
  return readable ?? parted[0] ?? { when: text.slice(from(starts)), then: "" }
}

/** Splits a text into its trigger and its action. The text can begin with either part. */
const findParts = (text: string): RuleParts | null => {
  const tokens = tokenize(text)
  const begin = isWord(tokens[0], "please") ? 1 : 0
  const first = openingAt(tokens, begin)
  if (first !== null) return whenFirst(text, tokens, first)
  const later = tokens.map((_, at) => (at > begin ? openingAt(tokens, at) : null)).find((opening) => opening !== null)
  if (later === undefined || later === null) return null
  const from = (at: number) => tokens[at]?.start ?? text.length
  return { when: text.slice(from(later.at + later.length)), then: text.slice(from(begin), from(later.at)) }
}

const missingClause = (clause: "when" | "then", why: string) => ({
  sentence: null,
  automation: null,
  refused: { clause, why }
})

const compileParsed = (sentence: Sentence) =>
  Either.match(compileSentence(sentence), {
    onLeft: ({ clause, why }) => ({ sentence, automation: null, refused: { clause, why } }),
    onRight: (automation) => ({ sentence: sentenceOf(automation), automation, refused: null })
  })

/** Reads the rule from a text that is a sentence (WHEN … THEN …) or free words. */
const ruleOf = (text: string): Pick<ParsedRule, "sentence" | "automation" | "refused"> => {
  const strict = Either.getOrNull(splitSentence(text))
  if (strict !== null && Either.isRight(compileSentence(strict))) return compileParsed(strict)
  const found = findParts(text)
  if (found === null) return { sentence: null, automation: null, refused: null }
  const when = withoutEnds(found.when)
  const then = withoutEnds(found.then)
  if (when === "")
    return missingClause(
      "when",
      "contains no event and no time: write an event or a time, such as “a task is created” or “every day at 9:00”."
    )
  if (then === "") return missingClause("then", "is missing: say what to do, such as “notify me”.")
  return compileParsed({ ...withConditions(when), then: asStep(then) })
}

/**
 * Reads a text of 1 to 2000 characters as a rule. The function never fails. If the pod cannot read the rule, `refused`
 * names the clause.
 */
export const parseRule = (text: string, context: ClassifyContext = {}): ParsedRule => ({
  classification: classify(text, context),
  ...ruleOf(text.trim()),
  intent: text.trim().replaceAll(/\s+/g, " ")
})
