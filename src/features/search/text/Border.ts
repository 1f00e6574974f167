/** Finds phrases that begin in one passage of a text and end in the next passage. */
import { tokensOf } from "./Analyser.ts"
import type { Language } from "./Language.ts"
import type { Passage } from "./Passages.ts"
import { holdsPhrase, sequenceOf } from "./Question.ts"

/** The part of a text around the border between two passages. All numbers count code points, as in `Passage`. */
export interface Border {
  readonly start: number
  readonly length: number
  /** The number of characters of this part that are before the border. */
  readonly before: number
  /**
   * True if this part of the text begins inside a passage, so that the first word of the part is possibly incomplete.
   * `isCutAtEnd` says the same about the end of the part and its last word.
   */
  readonly isCutAtStart: boolean
  readonly isCutAtEnd: boolean
}

type Place = Pick<Passage, "start" | "length">

// The part around a border must be longer than the phrase. A word of the text can be longer than the matching word of
// the phrase, and several spaces can be between two words.
const timesOfPhrase = 4
// characters on each side of the border, added to `timesOfPhrase` times the length of the phrase
const extraCharacters = 100

/**
 * Returns the part of a text around the border between two neighbouring passages. The part is long enough for each of
 * the phrases.
 */
export const borderOf = (one: Place, next: Place, phrases: ReadonlyArray<string>): Border => {
  const room = extraCharacters + timesOfPhrase * Math.max(...phrases.map((phrase) => phrase.length))
  const start = Math.max(one.start, next.start - room)
  const end = Math.min(next.start + next.length, next.start + room)
  return {
    start,
    length: end - start,
    before: next.start - start,
    isCutAtStart: start > one.start,
    isCutAtEnd: end < next.start + next.length
  }
}

/**
 * Returns true if a phrase begins before the border and ends after it. `text` is the text of the part around the
 * border.
 */
export const crossesBorder = (border: Border, text: string, phrase: string, language: Language): boolean => {
  const sequence = sequenceOf(phrase, language)
  const cut = [...text].slice(0, border.before).join("").length
  const words = tokensOf(text, language).filter(
    ({ end, start }) => (start > 0 || !border.isCutAtStart) && (end < text.length || !border.isCutAtEnd)
  )
  // The maximum number of words of the phrase that can be on one side of the border.
  const wordsMax = sequence.length - 1
  const ahead = words.filter(({ end }) => end <= cut)
  const near = [
    ...ahead.slice(Math.max(0, ahead.length - wordsMax)),
    ...words.filter(({ end, start }) => start < cut && end > cut),
    ...words.filter(({ start }) => start >= cut).slice(0, wordsMax)
  ]
  return holdsPhrase(
    near.map(({ terms: [first] }) => first),
    sequence
  )
}
