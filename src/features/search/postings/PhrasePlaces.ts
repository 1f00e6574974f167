/** Which passages can hold the phrases of a question, by their words: alone, or across the border to a neighbour. */
import type { Unit } from "./PostingIndex.ts"
import { passagesWith, type Slice } from "./Visible.ts"

/** The passage beside one of the same object. The passages of an object have numbers that follow one another. */
export const neighbourOf = (number: number, step: 1 | -1, { index }: Slice): Unit | null => {
  const unit = index.passages[number]
  const other = index.passages[number + step]
  return unit && other && other.object.id === unit.object.id ? other : null
}

/** The visible passages where a phrase of these words can stand: within one, or begun in one and ended in the next. */
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

/** The passages where all of these phrases can stand. Each phrase is given as its words in their order, at least one. */
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
