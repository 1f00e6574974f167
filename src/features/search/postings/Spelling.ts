/** Finds the word that a misspelt word of a query means. It offers only words that the caller can see in this very query. */
import { Postings } from "./Posting.ts"
import type { PostingIndex } from "./PostingIndex.ts"
import { documentFrequency, type Slice } from "./Visible.ts"

const shortest = 4 // letters; shorter words have too many neighbours
const longFrom = 8 // letters from which two mistakes are forgiven

const pairsOf = (word: string): ReadonlyArray<string> => {
  const padded = `^${word}$`
  return Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2))
}

interface Pairs {
  /** How many words of the vocabulary were read. */
  read: number
  /** The numbers of the words that have a pair of letters. */
  readonly words: Map<string, Postings>
}

/** By vocabulary, which an index replaces when it is built anew, and which counts the memory of the pairs from the beginning. */
const pairsKnown = new WeakMap<ReadonlyArray<string>, Pairs>()

const pairsIn = ({ vocabulary }: PostingIndex): Pairs => {
  let pairs = pairsKnown.get(vocabulary)
  if (pairs === undefined) pairsKnown.set(vocabulary, (pairs = { read: 0, words: new Map() }))
  for (; pairs.read < vocabulary.length; pairs.read++) {
    const word = vocabulary[pairs.read]
    if (word.length < shortest - 1 || !/^\p{L}+$/u.test(word)) continue
    for (const pair of new Set(pairsOf(word))) {
      let words = pairs.words.get(pair)
      if (words === undefined) pairs.words.set(pair, (words = new Postings()))
      words.add(pairs.read)
    }
  }
  return pairs
}

/**
 * Optimal string alignment: insertions, deletions, replacements and swaps of neighbours, each part edited once. Infinity when
 * it is more than `most`.
 */
export const distance = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return Infinity
  let before: Array<number> = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let least = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        least = Math.min(least, before[column - 2] + 1)
      }
      current.push(least)
    }
    if (Math.min(...current) > most) return Infinity
    ;[before, last] = [last, current]
  }
  return last[other.length] > most ? Infinity : last[other.length]
}

const none = new Postings()

/** The words that share enough pairs of letters to be within `most` mistakes: one mistake touches at most three pairs. */
const candidatesOf = (word: string, most: number, slices: ReadonlyArray<Slice>): ReadonlySet<string> => {
  const pairs = [...new Set(pairsOf(word))]
  const needed = Math.max(1, pairs.length - 3 * most)
  const candidates = new Set<string>()
  for (const { index } of slices) {
    const { words } = pairsIn(index)
    const shared = new Map<number, number>()
    for (const pair of pairs) {
      const { count, entries } = words.get(pair) ?? none
      for (let at = 0; at < count; at++) shared.set(entries[at], (shared.get(entries[at]) ?? 0) + 1)
    }
    for (const [each, count] of shared) if (count >= needed) candidates.add(index.vocabulary[each])
  }
  return candidates
}

const endingMost = 6 // letters at the end of a word that stems leave out
const endingFrom = 7 // letters of a word; the ending of a shorter one is most of it
const letters = [..."abcdefghijklmnopqrstuvwxyz"]

/** The words that one mistake in the ending can have made this word of. */
const withOtherEnding = function* (word: string): Iterable<string> {
  for (let at = Math.max(shortest, word.length - endingMost); at <= word.length; at++) {
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
  /** How many mistakes lead from the index's word to the stem or to the word itself. */
  readonly far: number
  /** How many lead to the word as it was written: of equally near stems the likelier one. */
  readonly written: number
}

/** The most frequent of the best visible guesses, then the first by text. */
const bestOf = (guesses: ReadonlyArray<Guess>, slices: ReadonlyArray<Slice>): string | undefined => {
  const inOrder = guesses.toSorted((one, other) => one.far - other.far || one.written - other.written)
  let best: (Guess & { readonly df: number }) | undefined
  for (const guess of inOrder) {
    if (best !== undefined && (guess.far > best.far || guess.written > best.written)) break
    const df = documentFrequency(guess.word, slices)
    if (df === 0) continue
    if (best === undefined || df > best.df || (df === best.df && guess.word < best.word)) best = { ...guess, df }
  }
  return best?.word
}

/**
 * The visible word of the index that a word means which stands in no visible passage: the nearest one, or one that another
 * ending of the word leads to. `stem`: the word as the index would have it. `stemOf`: makes the stem of another word.
 */
export const corrected = (
  word: string,
  stem: string,
  slices: ReadonlyArray<Slice>,
  stemOf: (word: string) => string
): string | undefined => {
  if (word.length < shortest || !/^\p{L}+$/u.test(word)) return undefined
  const most = word.length >= longFrom ? 2 : 1
  const near = [...new Set([...candidatesOf(stem, most, slices), ...candidatesOf(word, most, slices)])]
    .map((each) => ({
      word: each,
      far: Math.min(distance(stem, each, most), distance(word, each, most)),
      written: distance(word, each, most)
    }))
    .filter(({ far }) => far <= most)
  const nearest = bestOf(near, slices)
  if (nearest !== undefined || word.length < endingFrom || !/^[a-z]+$/.test(word)) return nearest
  const stems = new Set([...withOtherEnding(word)].map(stemOf).filter((each) => each.length >= shortest))
  return bestOf(
    [...stems].map((each) => ({ word: each, far: 1, written: 1 })),
    slices
  )
}
