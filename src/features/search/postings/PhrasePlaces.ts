/**
 * Selects the passages that possibly contain the phrases of a question. These passages have all words of a phrase. A
 * phrase can also begin in one passage and end in the next passage.
 */
import { entriesPerStep, type Steps } from "../../../platform/InSlices.ts"
import type { IndexedPassage } from "./IndexedObject.ts"
import { inAll, passagesWith, type Slice } from "./Visible.ts"

/**
 * Finds the passage before (-1) or after (1) the passage `number` in the same object, or returns null. The passages of
 * an object have consecutive numbers.
 */
export const neighbourOf = (number: number, step: 1 | -1, { index }: Slice): IndexedPassage | null => {
  const passage = index.passages[number]
  const other = index.passages[number + step]
  return passage && other && other.object.id === passage.object.id ? other : null
}

/**
 * Selects the visible passages that possibly contain a phrase, alone or together with the next passage. `holders` has
 * one list for each word of the phrase. The list has the numbers of the passages with this word, in ascending order.
 */
const placesOf = function* (holders: ReadonlyArray<Uint32Array>, slice: Slice): Steps<Uint32Array> {
  const [begins, ...others] = holders
  // For each word of the phrase except the first: how many passages with this word come before the passage under test.
  const passed = new Uint32Array(others.length)
  const places: Array<number> = []
  const add = (number: number) => {
    if (places.at(-1) !== number) places.push(number)
  }
  for (let place = 0; place < begins.length; place++) {
    if (place % entriesPerStep === 0) yield
    const number = begins[place]
    let isSplit = false
    let isPlace = true
    for (let word = 0; word < others.length && isPlace; word++) {
      const holder = others[word]
      let at = passed[word]
      while (at < holder.length && holder[at] < number) at++
      passed[word] = at
      const isHere = holder[at] === number
      if (isHere && !isSplit) continue
      // If this passage lacks a word of the phrase, the next passage must contain this word and all later words of the
      // phrase.
      isSplit = true
      isPlace = holder[isHere ? at + 1 : at] === number + 1
    }
    if (!isPlace || (isSplit && neighbourOf(number, 1, slice) === null)) continue
    add(number)
    if (isSplit) add(number + 1)
  }
  return Uint32Array.from(places)
}

/**
 * Returns the passages that possibly contain all of these phrases, as numbers in ascending order. Each phrase is a list
 * of at least one word, in the order of the phrase.
 */
export const passagesForPhrases = function* (
  phrases: ReadonlyArray<ReadonlyArray<string>>,
  slice: Slice
): Steps<Uint32Array> {
  const known = new Map<string, Uint32Array>()
  for (const word of new Set(phrases.flat())) known.set(word, yield* passagesWith(word, slice))
  const places: Array<Uint32Array> = []
  for (const words of phrases) {
    places.push(
      yield* placesOf(
        words.flatMap((word) => known.get(word) ?? []),
        slice
      )
    )
  }
  return yield* inAll(places)
}
