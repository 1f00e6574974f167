/**
 * Selects the passages that may contain the phrases of a question, because they have all words of each phrase. A phrase can also
 * begin in one passage and end in the next.
 */
import type { Unit } from "./PostingIndex.ts"
import { passagesWith, type Slice } from "./Visible.ts"

/** The passage before (-1) or after (1) a passage of the same object. The passages of an object have consecutive numbers. */
export const neighbourOf = (number: number, step: 1 | -1, { index }: Slice): Unit | null => {
  const unit = index.passages[number]
  const other = index.passages[number + step]
  return unit && other && other.object.id === unit.object.id ? other : null
}

/** The visible passages that may contain a phrase of these words, or with their neighbour a part of it. */
const placesOf = (
  words: ReadonlyArray<string>,
  slice: Slice,
  withWord: (word: string) => ReadonlySet<number>
): ReadonlySet<number> => {
  const holders = words.map(withWord)
  const places = new Set<number>()
  for (const number of holders[0]) {
    const split = holders.findIndex((each) => !each.has(number))
    if (split === -1) places.add(number)
    else if (neighbourOf(number, 1, slice) && holders.slice(split).every((each) => each.has(number + 1))) {
      places.add(number).add(number + 1)
    }
  }
  return places
}

/** The passages that may contain all of these phrases. Each phrase is the list of its words in order, and has at least one word. */
export const passagesForPhrases = (
  phrases: ReadonlyArray<ReadonlyArray<string>>,
  slice: Slice
): ReadonlySet<number> => {
  const known = new Map<string, ReadonlySet<number>>()
  const withWord = (word: string) => {
    let found = known.get(word)
    if (found === undefined) known.set(word, (found = passagesWith([word], slice)))
    return found
  }
  const [first = new Set<number>(), ...others] = phrases.map((words) => placesOf(words, slice, withWord))
  return new Set([...first].filter((number) => others.every((each) => each.has(number))))
}
