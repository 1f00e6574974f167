/** Selects the part of a text that matches a query best, and finds the places of the matched words in this part. */
import { tokensOf } from "./Analyser.ts"
import type { Language } from "./Language.ts"

// the maximum number of UTF-16 units of the text in a snippet
const windowMax = 240
// the maximum number of UTF-16 units of a snippet before its first match
const unitsBeforeMax = 40

export interface Snippet {
  readonly text: string
  /** The start and the end of each matched word in `text`, in UTF-16 units. */
  readonly marks: ReadonlyArray<readonly [start: number, end: number]>
}

/** Returns `at` if this place is between two characters. If the place is inside a surrogate pair, returns `at` - 1. */
const betweenCharacters = (text: string, at: number): number =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at

/**
 * Returns the start of the next word after `at`, or `at` itself if no word starts within the next `unitsBeforeMax`
 * characters.
 */
const wordStart = (text: string, at: number): number => {
  if (at <= 0) return 0
  const space = text.slice(at, at + unitsBeforeMax).search(/\s/)
  return space === -1 ? betweenCharacters(text, at) : at + space + 1
}

/**
 * Selects the part of the text that has the most different words of the query. If several parts are equally good, takes
 * the first one. If no word matches, takes the beginning of the text.
 */
export const snippetOf = (text: string, words: ReadonlySet<string>, language: Language): Snippet => {
  const matches = tokensOf(text, language).flatMap((token) => {
    const word = token.isStopWord ? undefined : token.terms.find((term) => words.has(term))
    return word === undefined ? [] : [{ ...token, word }]
  })
  let from = 0
  let wordsBest = 0
  for (const [at, { start }] of matches.entries()) {
    const different = new Set<string>()
    for (let next = at; next < matches.length && matches[next].end - start <= windowMax - unitsBeforeMax; next++) {
      different.add(matches[next].word)
    }
    if (different.size > wordsBest) [wordsBest, from] = [different.size, start]
  }
  const begin = from <= unitsBeforeMax ? 0 : wordStart(text, from - unitsBeforeMax)
  const end = begin + windowMax >= text.length ? text.length : lastWordEnd(text, begin + windowMax)
  const shown = text.slice(begin, end).replaceAll(/\s/g, " ")
  const [head, tail] = [begin > 0 ? "… " : "", end < text.length ? " …" : ""]
  const marks = matches
    .filter((match) => match.start >= begin && match.end <= end)
    .map((match) => [match.start - begin + head.length, match.end - begin + head.length] as const)
  return { text: `${head}${shown}${tail}`, marks }
}

const lastWordEnd = (text: string, at: number): number => {
  const space = text.slice(0, at).search(/\s\S*$/)
  return space === -1 || space < at - unitsBeforeMax ? betweenCharacters(text, at) : space
}
