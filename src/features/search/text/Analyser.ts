/** Turns text into the terms that search compares. Text and query go through the same steps, so equal words meet. */
import { type Language, type Morphology, morphology } from "./Language.ts"
import { plain } from "./PlainText.ts"

/** A word of a text: where it stands, in UTF-16 units, and the terms it is found by. */
export interface Token {
  readonly start: number
  readonly end: number
  /** The stem of the word first; identifiers such as `ERR-4012` have further terms for their parts. */
  readonly terms: ReadonlyArray<string>
  /** A function word: it counts in phrases and nowhere else. */
  readonly isStopWord: boolean
}

// Letters and digits, also joined as in `v1.2.3`, `a@b.org` and `net/http`.
const runs = /[\p{L}\p{N}\p{M}]+(?:[-_.:/@#+]+[\p{L}\p{N}\p{M}]+)*/gu
const joints = /[-_.:/@#+]+/
// Such a run is also found whole. Plain compounds are not: with them Cranfield loses a hundredth (.4349 → .4232 nDCG@10).
const identifier = /[\p{N}@_:#+]/u
const identifierMost = 100 // characters; of a longer run only the parts are found

const wordMost = 100 // characters; of a longer word only the beginning is compared and kept

// Chinese, Japanese and Korean write without spaces between words: pairs of characters stand for words.
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u
const segments = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+)/u

const pairsOf = (run: string): ReadonlyArray<string> => {
  const characters = [...run.normalize("NFKC")]
  return characters.length === 1 ? characters : characters.slice(1).map((each, at) => `${characters[at]}${each}`)
}

/** The word as it is compared, without half a character at its end. */
const shortened = (word: string): string =>
  word.length <= wordMost ? word : word.slice(0, wordMost).replace(/[\uD800-\uDBFF]$/, "")

const termsOfPart = (part: string, { isStopWord, stem }: Morphology): ReadonlyArray<string> => {
  if (!unspaced.test(part)) {
    const word = plain(shortened(part))
    return word === "" || isStopWord(word) ? [] : [stem(word)]
  }
  return part
    .split(segments)
    .filter((segment) => segment !== "")
    .flatMap((segment) => (unspaced.test(segment) ? pairsOf(segment) : [plain(shortened(segment))]))
    .filter((term) => term !== "") // a segment of marks alone has no plain form
}

const termsOfRun = (run: string, rules: Morphology): ReadonlyArray<string> => {
  if (!joints.test(run)) return termsOfPart(run, rules)
  const parts = run.split(joints).flatMap((part) => termsOfPart(part, rules))
  return identifier.test(run) && run.length <= identifierMost ? [plain(run), ...parts] : parts
}

/** The `s` of a possessive is no word. */
const isPossessive = (text: string, at: number, run: string) =>
  (run === "s" || run === "S") && at > 0 && (text[at - 1] === "'" || text[at - 1] === "’")

/** The words of a text with their places, function words included. */
export const tokensOf = (text: string, language: Language): ReadonlyArray<Token> => {
  const rules = morphology(language)
  const tokens: Array<Token> = []
  for (const match of text.matchAll(runs)) {
    const [run] = match
    if (isPossessive(text, match.index, run)) continue
    const terms = termsOfRun(run, rules)
    const isStopWord = terms.length === 0
    tokens.push({
      start: match.index,
      end: match.index + run.length,
      terms: isStopWord ? [plain(run)] : terms,
      isStopWord
    })
  }
  return tokens
}

/** The terms of a text in their order, repetitions included, function words left out. */
export const analyse = (text: string, language: Language = "english"): ReadonlyArray<string> => {
  const rules = morphology(language)
  const terms: Array<string> = []
  for (const match of text.matchAll(runs)) {
    if (!isPossessive(text, match.index, match[0])) terms.push(...termsOfRun(match[0], rules))
  }
  return terms
}
