/**
 * Compiles the THEN clause. Each step begins with `notify`, `create`, `set`, `tell`, `post` or `call webhook`. The
 * steps run one after the other.
 */
import { Either } from "effect"
import { type Automation, lengthsMax, type Step } from "./Automation.ts"
import {
  type CompileResult,
  excerpt,
  indexOfWord,
  isReserved,
  isWord,
  pathOf,
  quoteText,
  refuseClause,
  textOf,
  type Token,
  tokensOf,
  valueOf,
  writeText,
  writeValue
} from "./Clause.ts"

type Tokens = ReadonlyArray<Token>

const stepsMax = 10
const slugForm = /^[a-z0-9][a-z0-9_-]{0,63}$/
const stepVerbs = ["notify", "create", "set", "tell"]
const joinStepsHint = 'join steps with ", then", and put quotation marks around a text that contains such a word.'

/** Reads a free text, such as a title, from the tokens. */
const readText = (tokens: Tokens, what: string, max: number): CompileResult<string> => {
  const text = textOf(tokens).trim()
  if (text === "") return refuseClause("then", `leaves ${what} empty.`)
  return text.length > max ? refuseClause("then", `gives ${what} more than ${max} characters.`) : Either.right(text)
}

// A name ends before the first of these words. If a name contains one of these words, the name must be in quotation
// marks.
const afterNames = new Set("about after and at by every for if in me of on or us when while with".split(" "))

/**
 * Returns true if a name is valid without quotation marks. For example, "the team" is valid, and "me every day" is not,
 * because it contains more than a name.
 */
const isBareName = (words: ReadonlyArray<string>): boolean =>
  words.length === 1 || !words.some((word) => afterNames.has(word.toLowerCase()))

/** Reads the name of people, of an agent, of a channel or of a webhook from the tokens of a step. */
const readName = (tokens: Tokens, what: string, max = lengthsMax.name): CompileResult<string> => {
  const isQuoted = tokens.length === 1 && tokens[0].isQuoted
  return isQuoted || isBareName(tokens.map(({ raw }) => raw))
    ? readQuotedText(tokens, what, max)
    : refuseClause(
        "then",
        `has "${excerpt(textOf(tokens))}" as ${what}: write only the name, in quotation marks if it is long.`
      )
}

const writeName = (name: string): string => (isBareName(name.split(" ")) ? writeText(name) : quoteText(name))

/**
 * Reads a name or a value. Unlike a free text, it must not contain a comma, a semicolon or a step verb outside of
 * quotation marks.
 */
const readQuotedText = (tokens: Tokens, what: string, max: number): CompileResult<string> =>
  indexOfWord(tokens, ...stepVerbs, ",", ";") >= 0
    ? refuseClause("then", `has "${excerpt(textOf(tokens))}" as ${what}: ${joinStepsHint}`)
    : readText(tokens, what, max)

/** Returns the tokens before and after a word. `after` is null if the word is missing. */
const splitAtWord = (tokens: Tokens, ...words: ReadonlyArray<string>): { before: Tokens; after: Tokens | null } => {
  const at = indexOfWord(tokens, ...words)
  return at < 0 ? { before: tokens, after: null } : { before: tokens.slice(0, at), after: tokens.slice(at + 1) }
}

const compileNotify = (words: Tokens): CompileResult<Step> =>
  Either.gen(function* () {
    const { before, after } = splitAtWord(words, "that")
    const recipient = yield* readName(before, "the person to notify")
    const text = after === null ? null : yield* readText(after, "the text of the notification", lengthsMax.text)
    return { kind: "notify" as const, whom: recipient, text }
  })

const compileCreate = (words: Tokens): CompileResult<Step> =>
  Either.gen(function* () {
    const { before, after } = splitAtWord(words, "called", "named")
    if (after === null)
      return yield* refuseClause("then", "creates something without a title: write “create a <kind> called <title>”.")
    const named = isWord(before[0], "a", "an") ? before.slice(1) : before
    const kind = named.length > 1 && isWord(named[0], "new") ? named.slice(1) : named
    const profileSlug = kind.map(({ raw }) => raw.toLowerCase()).join("-")
    if (!slugForm.test(profileSlug) || isReserved(profileSlug)) {
      return yield* refuseClause(
        "then",
        `cannot create "${excerpt(textOf(kind))}": write one kind of entity, such as task.`
      )
    }
    return { kind: "create" as const, profileSlug, title: yield* readText(after, "the title", lengthsMax.text) }
  })

const compileSet = (words: Tokens): CompileResult<Step> =>
  Either.gen(function* () {
    const { before, after } = splitAtWord(words, "to")
    if (after === null) return yield* refuseClause("then", "gives a field no value: write “set <field> to <value>”.")
    const path = yield* pathOf("then", before)
    const isQuoted = after.length === 1 && after[0].isQuoted
    const text = isQuoted
      ? after[0].text
      : yield* readQuotedText(after, `the value of ${excerpt(path)}`, lengthsMax.text)
    if (text.length > lengthsMax.text) {
      return yield* refuseClause("then", `gives ${excerpt(path)} a value of more than ${lengthsMax.text} characters.`)
    }
    return { kind: "set" as const, path, value: valueOf(after) }
  })

const compileTell = (words: Tokens): CompileResult<Step> =>
  Either.gen(function* () {
    const { before, after } = splitAtWord(words, "to")
    if (after === null)
      return yield* refuseClause("then", "does not say what to tell the agent: write “tell <agent> to <text>”.")
    const agent = yield* readName(before, "the agent to tell")
    return { kind: "tell" as const, agent, text: yield* readText(after, "the text for the agent", lengthsMax.text) }
  })

/**
 * Compiles a `post` step. The name of the channel follows the last "in" or "to", because the text of the post can also
 * contain these words.
 */
const compilePost = (words: Tokens): CompileResult<Step> =>
  Either.gen(function* () {
    const at = words.findLastIndex((token) => isWord(token, "in", "to"))
    if (at < 0) return yield* refuseClause("then", 'does not say where to post: write post "<text>" in <channel>.')
    const text = yield* readText(words.slice(0, at), "the text of the post", lengthsMax.text)
    const after = words.slice(at + 1)
    const named = isWord(after[0], "the") && isWord(after[1], "channel") ? after.slice(2) : after
    return { kind: "post" as const, text, channel: yield* readName(named, "the channel", lengthsMax.title) }
  })

const compileCall = (words: Tokens): CompileResult<Step> =>
  Either.gen(function* () {
    const named = isWord(words[0], "the") ? words.slice(1) : words
    if (!isWord(named[0], "webhook")) {
      return yield* refuseClause("then", 'calls something that is not a webhook: write call webhook "<name>".')
    }
    return { kind: "call_webhook" as const, webhook: yield* readName(named.slice(1), "the webhook") }
  })

const compileStep = (tokens: Tokens): CompileResult<Step> => {
  const [verb, ...words] = tokens
  if (isWord(verb, "notify")) return compileNotify(words)
  if (isWord(verb, "create")) return compileCreate(words)
  if (isWord(verb, "set")) return compileSet(words)
  if (isWord(verb, "tell")) return compileTell(words)
  if (isWord(verb, "post")) return compilePost(words)
  if (isWord(verb, "call")) return compileCall(words)
  return refuseClause(
    "then",
    verb === undefined
      ? 'leaves a step empty: write notify <person>, create a <kind> called <title>, set <field> to <value>, tell <agent> to <text>, post "<text>" in <channel>, call webhook "<name>".'
      : `begins a step with "${excerpt(verb.raw)}": begin each step with notify, create, set, tell, post or call webhook.`
  )
}

/** Compiles the steps in order. The steps are separated by a comma or semicolon, followed by "then". */
export const compileSteps = (clause: string): CompileResult<Automation["steps"]> =>
  Either.gen(function* () {
    const tokens = yield* tokensOf("then", clause)
    const ends = tokens.flatMap((token, at) => (isWord(token, ",", ";") && isWord(tokens[at + 1], "then") ? [at] : []))
    if (ends.length >= stepsMax) return yield* refuseClause("then", `has more than ${stepsMax} steps.`)
    const parts = [-2, ...ends].map((from, part) => tokens.slice(from + 2, ends[part] ?? tokens.length))
    const [first, ...others] = parts
    return [yield* compileStep(first), ...(yield* Either.all(others.map(compileStep)))]
  })

/** Writes a step in the form that it has in a canonical sentence. */
export const writeStep = (step: Step): string => {
  switch (step.kind) {
    case "notify":
      return `notify ${writeName(step.whom)}${step.text === null ? "" : ` that ${writeText(step.text)}`}`
    case "create":
      return `create a ${step.profileSlug} called ${writeText(step.title)}`
    case "set":
      return `set ${step.path} to ${writeValue(step.value)}`
    case "tell":
      return `tell ${writeName(step.agent)} to ${writeText(step.text)}`
    case "post":
      return `post ${quoteText(step.text)} in ${quoteText(step.channel)}`
    case "call_webhook":
      return `call webhook ${quoteText(step.webhook)}`
  }
}
