/** Finds phrases that begin in one passage of a text and end in the next one. */
import { tokensOf } from "./Analyser.ts"
import type { Language } from "./Language.ts"
import type { Passage } from "./Passages.ts"
import { holdsPhrase, sequenceOf } from "./Question.ts"

/** The part of a text around the border of two passages. It counts characters as a passage does. */
export interface Border {
  readonly start: number
  readonly length: number
  /** How many of its characters stand before the border. */
  readonly before: number
  /** Whether it begins or ends within a passage, and so perhaps within a word. */
  readonly isCutAtStart: boolean
  readonly isCutAtEnd: boolean
}

type Place = Pick<Passage, "start" | "length">

// A word of a text can be longer than the same word of a phrase, and more than a space can stand between two words.
const timesOfPhrase = 4
const further = 100 // characters

/** The border of two passages that follow one another, with room for each of the phrases. */
export const borderOf = (one: Place, next: Place, phrases: ReadonlyArray<string>): Border => {
  const room = further + timesOfPhrase * Math.max(...phrases.map((phrase) => phrase.length))
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

/** Whether a phrase crosses the border in the middle of this text. */
export const crosses = (border: Border, text: string, phrase: string, language: Language): boolean => {
  const sequence = sequenceOf(phrase, language)
  const cut = [...text].slice(0, border.before).join("").length
  const words = tokensOf(text, language).filter(
    ({ end, start }) => (start > 0 || !border.isCutAtStart) && (end < text.length || !border.isCutAtEnd)
  )
  const most = sequence.length - 1 // words of the phrase on one side
  const ahead = words.filter(({ end }) => end <= cut)
  const near = [
    ...ahead.slice(Math.max(0, ahead.length - most)),
    ...words.filter(({ end, start }) => start < cut && end > cut),
    ...words.filter(({ start }) => start >= cut).slice(0, most)
  ]
  return holdsPhrase(
    near.map(({ terms: [first] }) => first),
    sequence
  )
}
