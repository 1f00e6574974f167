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

/**
 * The visible word nearest to a word that stands in no visible passage; of equally near ones the most frequent, then the first
 * by text. `stem`: the word as the index would have it.
 */
export const corrected = (word: string, stem: string, slices: ReadonlyArray<Slice>): string | undefined => {
  if (word.length < shortest || !/^\p{L}+$/u.test(word)) return undefined
  const most = word.length >= longFrom ? 2 : 1
  const near = [...new Set([...candidatesOf(stem, most, slices), ...candidatesOf(word, most, slices)])]
    .map((each) => ({ each, far: Math.min(distance(stem, each, most), distance(word, each, most)) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, other) => one.far - other.far)
  let best: { readonly each: string; readonly far: number; readonly df: number } | undefined
  for (const { each, far } of near) {
    if (best !== undefined && far > best.far) break
    const df = documentFrequency(each, slices)
    if (df === 0) continue
    if (best === undefined || df > best.df || (df === best.df && each < best.each)) best = { each, far, df }
  }
  return best?.each
}
