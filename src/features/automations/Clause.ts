/** Splits a clause into words, keeps quoted texts whole, and writes values so that the parser can read them again. */
import { Either } from "effect"
import { type Clause, ClauseRefused, lengthsMax, type Value } from "./Automation.ts"

/**
 * A word, or a text in quotation marks. `raw` is the written form; `text` is the same without quotation marks and
 * escapes.
 */
export interface Token {
  readonly raw: string
  readonly text: string
  readonly isQuoted: boolean
  /** The position in the clause at which the token begins. */
  readonly start: number
  /**
   * The reason why the pod cannot read the quotation marks of the token. Undefined if the quotation marks are correct.
   */
  readonly broken?: string
}

export type CompileResult<A> = Either.Either<A, ClauseRefused>

export const refuseClause = (clause: Clause, why: string) => Either.left(new ClauseRefused({ clause, why }))

// A quotation mark opens a quoted text only at the start of a word. So the mark in `5"` is a part of the word. If the
// closing mark is missing, the quoted text continues to the end of the clause.
const tokenForm = /"((?:[^"\\]|\\[\s\S])*)("?)|“([^”]*)(”?)|[^\s"“]\S*/gu
const unclosed = "has a quotation mark that is not closed."
const crowded =
  'has text directly after a closing quotation mark: put a space there, or write \\" for a quotation mark inside the text.'

/** Returns the tokens of a text. A comma, semicolon or colon at the end of a word is a separate token. */
export const tokenize = (text: string): ReadonlyArray<Token> =>
  Array.from(text.matchAll(tokenForm)).flatMap((match): ReadonlyArray<Token> => {
    const { 0: raw, 1: straight, 2: closed, 3: curly, 4: curlyClosed, index: start } = match
    if (straight === undefined && curly === undefined) {
      const bare = raw.replace(/[,;:]$/, "")
      const word = { raw: bare, text: bare, isQuoted: false, start }
      const mark = raw.slice(bare.length)
      const after = { raw: mark, text: mark, isQuoted: false, start: start + bare.length }
      return [word, after].filter((token) => token.raw !== "")
    }
    const next = text[start + raw.length]
    const isClosed = `${closed ?? ""}${curlyClosed ?? ""}` !== ""
    const broken = isClosed ? (next === undefined || /[\s,;:.]/.test(next) ? undefined : crowded) : unclosed
    const content = straight === undefined ? curly : straight.replaceAll(/\\([\s\S])/g, "$1")
    return [{ raw, text: content, isQuoted: true, start, ...(broken === undefined ? {} : { broken }) }]
  })

/** Returns the tokens of a clause, without the punctuation at the end of the clause. */
export const tokensOf = (clause: Clause, text: string): CompileResult<ReadonlyArray<Token>> => {
  const tokens = tokenize(text)
  const broken = tokens.find((token) => token.broken !== undefined)?.broken
  return broken === undefined ? Either.right(withoutEnd(tokens)) : refuseClause(clause, broken)
}

/** Removes a full stop, comma or similar sign at the end of a clause. Such a sign is not part of the last word. */
const withoutEnd = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const last = tokens.at(-1)
  if (last === undefined || last.isQuoted) return tokens
  const text = last.text.replace(/[.,;:]$/, "")
  if (text === "") return tokens.slice(0, -1)
  return text === last.text ? tokens : [...tokens.slice(0, -1), { ...last, raw: text, text }]
}

/**
 * Returns true if a token is one of these words of the grammar, in small or capital letters. Returns false for a quoted
 * text.
 */
export const isWord = (token: Token | undefined, ...words: ReadonlyArray<string>): boolean =>
  token !== undefined && !token.isQuoted && words.includes(token.text.toLowerCase())

/** Returns the index of the first token that is one of these words. Returns -1 if there is no such token. */
export const indexOfWord = (tokens: ReadonlyArray<Token>, ...words: ReadonlyArray<string>): number =>
  tokens.findIndex((token) => isWord(token, ...words))

/**
 * Returns the text of some tokens. A single quoted token loses its quotation marks. All other tokens stay as the caller
 * wrote them.
 */
export const textOf = (tokens: ReadonlyArray<Token>): string =>
  tokens.length === 1
    ? tokens[0].text
    : tokens
        .map(({ raw }) => raw)
        .join(" ")
        .replaceAll(/ (?=[,;:](?: |$))/g, "")

// A longer number stays a text, because JavaScript would lose some of its digits or write it with an exponent.
const numberForm = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/

/** Reads a value: `true`, `false`, a plain decimal number, or a text. A quoted value is always a text. */
export const valueOf = (tokens: ReadonlyArray<Token>): Value => {
  const text = textOf(tokens)
  if (tokens.length === 1 && tokens[0].isQuoted) return text
  if (numberForm.test(text)) return Number(text) + 0 // adding 0 turns -0 into 0
  const lower = text.toLowerCase()
  return lower === "true" ? true : lower === "false" ? false : text
}

/** The words of the grammar of rule sentences. A value that contains one of these words must be quoted. */
const reserved = new Set(
  `a an and called contains create equals false greater is isn't its less named not notify or set tell than that the
   then to true when where`.split(/\s+/)
)
export const isReserved = (word: string): boolean => reserved.has(word.toLowerCase())

const plainWord = /^[\p{L}\p{N}#@_][\p{L}\p{M}\p{N}#@_+/-]*(?:[.:][\p{L}\p{M}\p{N}#@_+/-]+)*$/u

/**
 * Returns a text in the form that it has in a canonical sentence. The text gets quotes only if one of its words could
 * be read as a word of the grammar.
 */
export const writeText = (text: string): string => {
  const isPlain = text.split(" ").every((word) => plainWord.test(word) && !isReserved(word))
  return isPlain ? text : quoteText(text)
}

export const quoteText = (text: string): string => `"${text.replaceAll(/[\\"]/g, "\\$&")}"`

/**
 * Returns a value in the form that it has in a canonical sentence. A text that looks like a number gets quotes, so that
 * it stays a text.
 */
export const writeValue = (value: Value): string =>
  typeof value !== "string" ? String(value) : numberForm.test(value) ? `"${value}"` : writeText(value)

const pathForm = /^[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u
// No field has one of these names, because these words end the name of a field or separate clauses.
const noField = new Set("and contains greater is isn't its less not or than the then to when where".split(" "))
// Names of built-in members of JavaScript objects. A path with such a name could change the prototype of all objects.
const forbidden = new Set(["__proto__", "constructor", "prototype"])

/**
 * Reads the path to a field: one word with segments that are joined by dots. Leaves out the words "the" and "its"
 * before the path.
 */
export const pathOf = (clause: Clause, tokens: ReadonlyArray<Token>): CompileResult<string> => {
  const named = isWord(tokens[0], "the", "its") ? tokens.slice(1) : tokens
  const [field] = named
  if (field === undefined)
    return refuseClause(clause, "contains no field where the pod expects one, such as “status” or “address.city”.")
  if (named.length > 1 || field.isQuoted || !pathForm.test(field.text) || field.text.length > lengthsMax.path) {
    return refuseClause(
      clause,
      `has "${excerpt(textOf(named))}" where the pod expects a field: a field is one word, such as “status” or “address.city”.`
    )
  }
  const isNone =
    noField.has(field.text.toLowerCase()) ||
    field.text.split(".").some((segment) => forbidden.has(segment.toLowerCase()))
  return isNone
    ? refuseClause(
        clause,
        `has "${excerpt(field.text)}" where the pod expects a field, such as “status” or “address.city”.`
      )
    : Either.right(field.text)
}

const excerptMax = 60 // the maximum number of characters that an error message shows of a refused text

/** Returns the beginning of a text, for the error message that refuses the text. */
export const excerpt = (text: string): string =>
  text.length <= excerptMax ? text : `${Array.from(text.slice(0, excerptMax)).slice(0, -1).join("")}…`
