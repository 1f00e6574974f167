/**
 * Corrects misspelt words. A correction is always a word from a passage that the caller may see, so it reveals no
 * hidden word.
 */
import { entriesPerStep, type Steps } from "../../../platform/InSlices.ts"
import { Postings } from "./Posting.ts"
import type { PostingIndex } from "./PostingIndex.ts"
import { documentFrequency, type Slice } from "./Visible.ts"

// The pod does not correct words with fewer letters, because they are similar to too many other words.
const shortest = 4
// the pod accepts two mistakes in a word with at least this many letters
const longFrom = 8

const pairsOf = (word: string): ReadonlyArray<string> => {
  const padded = `^${word}$`
  return Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2))
}

interface Pairs {
  /** How many words of the vocabulary the pod has split into pairs of letters so far. */
  read: number
  /** For each pair of letters, the numbers of the words that contain this pair. */
  readonly words: Map<string, Postings>
}

/**
 * The pairs of letters of each vocabulary. When an index is compacted, it gets a new vocabulary, and the pairs of the
 * old vocabulary are dropped. The size of a vocabulary (`Vocabulary.bytes`) includes the memory for these pairs.
 */
const pairsKnown = new WeakMap<ReadonlyArray<string>, Pairs>()

// the number of words that are split into pairs between two pauses, in about a millisecond
const wordsPerStep = 500

/**
 * Makes the pairs of letters for a vocabulary. During a pause, another search can continue this work. So each step
 * first reads how many words are done.
 */
const pairsIn = function* ({ vocabulary }: PostingIndex): Steps<Pairs> {
  let pairs = pairsKnown.get(vocabulary)
  if (pairs === undefined) pairsKnown.set(vocabulary, (pairs = { read: 0, words: new Map() }))
  while (pairs.read < vocabulary.length) {
    const end = Math.min(vocabulary.length, pairs.read + wordsPerStep)
    for (; pairs.read < end; pairs.read++) {
      const word = vocabulary[pairs.read]
      if (word.length < shortest - 1 || !/^\p{L}+$/u.test(word)) continue
      for (const pair of new Set(pairsOf(word))) {
        let words = pairs.words.get(pair)
        if (words === undefined) pairs.words.set(pair, (words = new Postings()))
        words.add(pairs.read)
      }
    }
    yield
  }
  return pairs
}

// The last three rows of the table with which `distance` compares two words. Each number fits into 16 bits.
let rows = new Uint16Array(0)

/**
 * Returns the distance of two words by optimal string alignment. This is the number of insertions, deletions,
 * replacements and swaps of neighbouring letters that turn one word into the other. Each letter is changed at most
 * once. Returns Infinity if the distance is more than `max`.
 */
export const distance = (one: string, other: string, max: number): number => {
  if (Math.abs(one.length - other.length) > max) return Infinity
  const width = other.length + 1
  if (rows.length < 3 * width) rows = new Uint16Array(3 * width)
  let [before, last, current] = [0, width, 2 * width]
  for (let column = 0; column < width; column++) rows[last + column] = column
  for (let row = 1; row <= one.length; row++) {
    rows[current] = row
    let minOfRow = row
    const letter = one.charCodeAt(row - 1)
    const letterBefore = row > 1 ? one.charCodeAt(row - 2) : -1
    for (let column = 1; column < width; column++) {
      const otherLetter = other.charCodeAt(column - 1)
      let smallest = Math.min(
        rows[last + column] + 1,
        rows[current + column - 1] + 1,
        rows[last + column - 1] + (letter === otherLetter ? 0 : 1)
      )
      if (column > 1 && letter === other.charCodeAt(column - 2) && letterBefore === otherLetter) {
        smallest = Math.min(smallest, rows[before + column - 2] + 1)
      }
      rows[current + column] = smallest
      if (smallest < minOfRow) minOfRow = smallest
    }
    if (minOfRow > max) return Infinity
    ;[before, last, current] = [last, current, before]
  }
  return rows[last + other.length] > max ? Infinity : rows[last + other.length]
}

const noPostings = new Postings()

/**
 * Adds to `candidates` the words that share enough pairs of letters with `word`. One mistake changes at most three
 * pairs. So a word that shares too few pairs has more than `max` mistakes.
 */
const addCandidates = function* (
  word: string,
  max: number,
  slices: ReadonlyArray<Slice>,
  candidates: Set<string>
): Steps<void> {
  const pairs = [...new Set(pairsOf(word))]
  const needed = Math.max(1, pairs.length - 3 * max)
  for (const { index } of slices) {
    const { words } = yield* pairsIn(index)
    const { vocabulary } = index
    const shared = new Uint16Array(vocabulary.length)
    for (const pair of pairs) {
      const { count, entries } = words.get(pair) ?? noPostings
      for (let at = 0; at < count; at++) shared[entries[at]]++
      yield
    }
    for (let each = 0; each < shared.length; each++) {
      if (each % entriesPerStep === 0) yield
      // If the lengths of two words differ by more than `max`, one word cannot be a misspelling of the other.
      if (shared[each] < needed || Math.abs(vocabulary[each].length - word.length) > max) continue
      candidates.add(vocabulary[each])
    }
  }
}

// the maximum number of letters at the end of a word that are not in the stem
const endingMax = 6
// The pod does not correct the ending of a shorter word, because the ending is most of such a word.
const endingFrom = 7
const letters = [..."abcdefghijklmnopqrstuvwxyz"]

/** Makes all words that differ from this word by one mistake in the ending. */
const withOtherEnding = function* (word: string): Iterable<string> {
  for (let at = Math.max(shortest, word.length - endingMax); at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    if (tail.length > 1) yield `${head}${tail[1]}${tail[0]}${tail.slice(2)}`
    if (tail.length > 0) yield head + tail.slice(1)
    for (const letter of letters) {
      yield head + letter + tail
      if (tail.length > 0) yield head + letter + tail.slice(1)
    }
  }
}

interface Guess {
  readonly word: string
  /**
   * The smaller of two distances: from the indexed word to the misspelt word, and from the indexed word to the stem of
   * the misspelt word.
   */
  readonly far: number
  /**
   * The distance from the indexed word to the whole misspelt word. If two guesses have the same `far`, the guess with
   * the smaller `written` is better.
   */
  readonly written: number
}

/**
 * Selects the visible guess with the fewest mistakes. Of several such guesses, selects the word that is in the most
 * passages. Of words in equally many passages, selects the first in alphabetical order.
 */
const bestOf = function* (guesses: ReadonlyArray<Guess>, slices: ReadonlyArray<Slice>): Steps<string | undefined> {
  const inOrder = guesses.toSorted((one, other) => one.far - other.far || one.written - other.written)
  let best: (Guess & { readonly df: number }) | undefined
  for (const guess of inOrder) {
    if (best !== undefined && (guess.far > best.far || guess.written > best.written)) break
    const df = documentFrequency(guess.word, slices)
    yield
    if (df === 0) continue
    if (best === undefined || df > best.df || (df === best.df && guess.word < best.word)) best = { ...guess, df }
  }
  return best?.word
}

// the number of words that are compared between two pauses; this takes less than a millisecond
const comparedPerStep = 256

/**
 * Corrects a word that is in no visible passage. `stem` is the stem of the word. Returns the visible word of the index
 * that has the fewest mistakes. If there is no such word, the function changes the ending of the given word in every
 * way that is one mistake. It makes the stem of each result with `stemOf`, and returns a visible word that equals one
 * of these stems.
 */
export const correctWord = function* (
  word: string,
  stem: string,
  slices: ReadonlyArray<Slice>,
  stemOf: (word: string) => string
): Steps<string | undefined> {
  if (word.length < shortest || !/^\p{L}+$/u.test(word)) return undefined
  const max = word.length >= longFrom ? 2 : 1
  const candidates = new Set<string>()
  yield* addCandidates(stem, max, slices, candidates)
  if (word !== stem) yield* addCandidates(word, max, slices, candidates)
  const near: Array<Guess> = []
  let compared = 0
  for (const each of candidates) {
    const written = distance(word, each, max)
    const far = word === stem ? written : Math.min(distance(stem, each, max), written)
    if (far <= max) near.push({ word: each, far, written })
    if (++compared % comparedPerStep === 0) yield
  }
  const nearest = yield* bestOf(near, slices)
  if (nearest !== undefined || word.length < endingFrom || !/^[a-z]+$/.test(word)) return nearest
  const stems = new Set([...withOtherEnding(word)].map(stemOf).filter((each) => each.length >= shortest))
  return yield* bestOf(
    [...stems].map((each) => ({ word: each, far: 1, written: 1 })),
    slices
  )
}
