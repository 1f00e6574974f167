/** What one query sees of an index: statistics and scores come from exactly the visible passages. */
import { frequencyOf, numberOf } from "./Posting.ts"
import type { PostingIndex, Unit } from "./PostingIndex.ts"

/** One index as a query sees it. */
export interface Slice {
  readonly index: PostingIndex
  /** 1 for each passage that the query sees, by its number. */
  readonly visible: Uint8Array
  /** Whether the names of roles are searched: the caller reads every role of this space. */
  readonly withRoles: boolean
  readonly passages: number
  /** The sum of the lengths of the visible passages. */
  readonly words: number
}

/** The length of a passage as this reader sees it. */
export const wordsOf = (unit: Unit, withRoles: boolean): number => unit.words + (withRoles ? unit.roleWords : 0)

export const sliceOf = (index: PostingIndex, isVisible: (unit: Unit) => boolean, withRoles: boolean): Slice => {
  const units = index.passages
  const visible = new Uint8Array(units.length)
  let passages = 0
  let words = 0
  for (const [number, unit] of units.entries()) {
    if (unit === null || !isVisible(unit)) continue
    visible[number] = 1
    passages++
    words += wordsOf(unit, withRoles)
  }
  return { index, visible, withRoles, passages, words }
}

/** In how many visible passages a word stands. */
export const documentFrequency = (word: string, slices: ReadonlyArray<Slice>): number => {
  let count = 0
  for (const { index, visible, withRoles } of slices) {
    const postings = index.postingsOf(word)
    if (postings === undefined) continue
    const { count: length, entries } = postings
    for (let at = 0; at < length; at++) {
      const entry = entries[at]
      if (visible[numberOf(entry)] === 1 && frequencyOf(entry, withRoles) > 0) count++
    }
  }
  return count
}

/** Calls `visit` with each visible passage that holds the word. */
export const eachWith = (
  word: string,
  { index, visible, withRoles }: Slice,
  visit: (number: number, frequency: number) => void
): void => {
  const postings = index.postingsOf(word)
  if (postings === undefined) return
  const { count, entries } = postings
  for (let at = 0; at < count; at++) {
    const entry = entries[at]
    const number = numberOf(entry)
    if (visible[number] !== 1) continue
    const frequency = frequencyOf(entry, withRoles)
    if (frequency > 0) visit(number, frequency)
  }
}
