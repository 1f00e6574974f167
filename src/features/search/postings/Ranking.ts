/**
 * Ranks passages for a query by BM25. For longer queries, a second round (feedback) adds words of the best passages to
 * the query. A comment above a constant gives the ranking quality (nDCG@10 on the Cranfield collection) with other
 * values of this constant.
 */
import { entriesPerStep, type Steps } from "../../../platform/InSlices.ts"
import { BestCandidates, betterFirst } from "./BestCandidates.ts"
import { frequencyOf, numberOf, timesInTitle } from "./Posting.ts"
import { fuseRankings, rankingEntriesMax, type ScoredNames } from "../vectors/Fusion.ts"
import type { IndexedPassage } from "./IndexedObject.ts"
import { documentFrequency, type Slice, wordsOf } from "./Visible.ts"

const k1 = 1.2
// with these values of `k1` and `b`, and without feedback, the nDCG@10 is .3926
const b = 0.75
// Feedback (the second round) takes words from this many passages. The nDCG@10 is .4385 with 5, .4349 with 3, and .4267
// with 8.
const feedbackPassages = 5
// feedback adds this many words to the query; the nDCG@10 is .4324 with 60 words
const feedbackWords = 40
// the weight of all added words together; the nDCG@10 is .4392 with .4, and .4297 with .6
const feedbackShare = 0.5
// A query with fewer words gets no feedback (no second round). Such a query is mostly a name, and a name must have more
// weight than added words.
const feedbackFrom = 5

/**
 * A word of the query. The weight is how often the query contains the word. It is lower if the word replaces a misspelt
 * word.
 */
export interface QueryWord {
  readonly word: string
  readonly weight: number
}

export interface Hit {
  readonly slice: Slice
  readonly number: number
  readonly passage: IndexedPassage
  readonly score: number
  /**
   * The name of the hit: the id of the object and the start of the passage. Hits with equal scores are sorted by name.
   */
  readonly name: string
}

export interface RankedPassages {
  /** The passages with the best final scores. */
  readonly hits: ReadonlyArray<Hit>
  /**
   * The three best passages by the words of the question alone, without vectors. The verdict depends on these passages.
   */
  readonly first: ReadonlyArray<Hit>
  /** The inverse document frequency of each word of the query. A rare word has a high number. */
  readonly idf: ReadonlyMap<string, number>
}

interface Frequencies {
  readonly passages: number
  readonly average: number
  readonly idf: (word: string) => number
}

const frequenciesOf = (slices: ReadonlyArray<Slice>): Frequencies => {
  const passages = slices.reduce((sum, slice) => sum + slice.passages, 0)
  const words = slices.reduce((sum, slice) => sum + slice.words, 0)
  const known = new Map<string, number>()
  return {
    passages,
    average: passages === 0 ? 1 : Math.max(1, words / passages),
    idf: (word) => {
      let idf = known.get(word)
      if (idf === undefined) {
        const df = documentFrequency(word, slices)
        known.set(word, (idf = Math.log(1 + (passages - df + 0.5) / (df + 0.5))))
      }
      return idf
    }
  }
}

const saturate = (frequency: number, words: number, average: number): number =>
  frequency / (frequency + k1 * (1 - b + (b * words) / average))

/**
 * Returns the exponent for the inverse document frequency. In long questions the exponent is higher, so that common
 * words have less weight. This raises the nDCG@10 of questions with more than 15 content words from .4572 to .4706.
 */
const exponentOf = (contentWords: number): number => 1 + 0.5 * Math.min(1, Math.max(0, (contentWords - 12) / 28))

/** Makes the name of a passage. Passages with equal scores are sorted by name. */
export const nameOf = ({ object, start }: IndexedPassage): string => `${object.id} ${String(start).padStart(10, "0")}`

/** Adds the score of a word to the sum of each visible passage with this word. */
const addScores = function* (
  sums: Float64Array,
  word: string,
  { index, visible, withFacets }: Slice,
  factor: number,
  average: number
): Steps<void> {
  const { count, entries } = index.postingsOf(word) ?? { count: 0, entries: emptyNumbers }
  const lengths = index.lengthsOf(withFacets)
  for (let at = 0; at < count; at++) {
    if (at % entriesPerStep === 0) yield
    const entry = entries[at]
    const number = numberOf(entry)
    if (visible[number] !== 1) continue
    const frequency = frequencyOf(entry, withFacets)
    if (frequency > 0) sums[number] += factor * saturate(frequency, lengths[number], average)
  }
}

const emptyNumbers = new Uint32Array(0)

/**
 * Adds up the scores of the words in the order of the query. The fixed order makes the sum of floating-point numbers
 * exactly the same on every pod.
 */
const scorePassages = function* (
  slices: ReadonlyArray<Slice>,
  words: ReadonlyArray<QueryWord>,
  { average }: Frequencies,
  weightOf: (word: string) => number
): Steps<ReadonlyArray<Float64Array>> {
  const sums = slices.map(({ visible }) => new Float64Array(visible.length))
  for (const { weight, word } of words) {
    const factor = weight * weightOf(word) * (k1 + 1)
    for (const [place, slice] of slices.entries()) {
      yield* addScores(sums[place], word, slice, factor, average)
    }
  }
  return sums
}

/**
 * Returns true if the name of `one` comes before the name of `other`. It compares the parts of the names, because
 * making the names takes longer.
 */
const isNamedBefore = (one: IndexedPassage, other: IndexedPassage): boolean =>
  one.object.id === other.object.id ? one.start < other.start : one.object.id < other.object.id

/**
 * Selects the passages with the highest scores. If `masks` is given, only passages with a 1 in `masks` can be selected.
 */
const bestOf = function* (
  slices: ReadonlyArray<Slice>,
  sums: ReadonlyArray<Float64Array>,
  limit: number,
  masks: RankingOptions["masks"]
): Steps<ReadonlyArray<Hit>> {
  const best = new BestCandidates<Hit>(limit)
  for (const [place, slice] of slices.entries()) {
    const [sum, passages, isKept] = [sums[place], slice.index.passages, masks?.get(slice)]
    for (let number = 0; number < sum.length; number++) {
      if (number % entriesPerStep === 0) yield
      const score = sum[number]
      const { scoreMin, worst } = best
      if (score <= 0 || score < scoreMin || isKept?.[number] === 0) continue
      const passage = passages[number]
      if (!passage || (score === scoreMin && worst !== undefined && !isNamedBefore(passage, worst.passage))) continue
      best.add({ slice, number, passage, score, name: nameOf(passage) })
    }
  }
  return best.inOrder
}

/**
 * Selects words that occur in the best passages more than in other passages, and gives them weights. The sum of the
 * weights is one.
 */
const feedbackOf = function* (
  best: ReadonlyArray<Hit>,
  { average, idf }: Frequencies
): Steps<ReadonlyArray<QueryWord>> {
  const total = best.reduce((sum, { score }) => sum + score, 0)
  const weights = new Map<string, number>()
  for (const { score, slice, passage } of best) {
    const words = wordsOf(passage, slice.withFacets)
    for (const entry of passage.entries) {
      const frequency = frequencyOf(entry, slice.withFacets)
      if (frequency === 0) continue
      const word = slice.index.wordOf(entry)
      const part = (score / total) * saturate(frequency, words, average) * idf(word)
      weights.set(word, (weights.get(word) ?? 0) + part)
      // Pauses after each word, because `idf` counts the passages of a word when it is first called for this word. This
      // takes up to a millisecond.
      yield
    }
  }
  const terms = [...weights]
    .map(([word, weight]) => ({ word, weight }))
    .toSorted((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
    .slice(0, feedbackWords)
  const sum = terms.reduce((all, { weight }) => all + weight, 0)
  return terms.map(({ weight, word }) => ({ word, weight: weight / sum }))
}

/**
 * Adds the feedback words, which the first results have in common, to the query, after its own words. All feedback words together have the weight
 * `feedbackShare`, and the words of the query have the rest.
 */
const mixQueries = (words: ReadonlyArray<QueryWord>, feedback: ReadonlyArray<QueryWord>): ReadonlyArray<QueryWord> => {
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const weights = new Map(words.map(({ weight, word }) => [word, ((1 - feedbackShare) * weight) / total]))
  for (const { weight, word } of feedback) weights.set(word, (weights.get(word) ?? 0) + feedbackShare * weight)
  return Array.from(weights, ([word, weight]) => ({ word, weight }))
}

/** Returns true if the title of the hit has exactly the words of the query, in any order. */
const isTitle = ({ slice, passage }: Hit, words: ReadonlyArray<QueryWord>, contentWords: number): boolean => {
  if (passage.titleWords !== contentWords || passage.start > 0) return false
  const times = new Map<string, number>()
  for (const entry of passage.entries) times.set(slice.index.wordOf(entry), timesInTitle(entry))
  return words.every(({ weight, word }) => (times.get(word) ?? 0) >= Math.min(weight, 15))
}

/** The passages whose vectors are nearest to the question, best first. Their scores are the cosines of the angles. */
export interface NearHits {
  readonly hits: ReadonlyArray<Hit>
  /** The weight of the vectors in a score, from 0 to 1. */
  readonly share: number
}

export interface RankingOptions {
  readonly limit: number
  readonly near?: NearHits | undefined
  /**
   * Whether to rank without feedback (in one round), for example because the question has phrases or excludes words.
   */
  readonly isExact: boolean
  /**
   * For each slice (the passages of one index that the caller may see), an array by passage number: 1 if the passage
   * can be a hit, otherwise 0. If a slice has no array, all its passages can be hits. The statistics include all
   * passages, so the array does not change the scores of the hits.
   */
  readonly masks?: ReadonlyMap<Slice, Uint8Array>
}

const scoredNamesOf = (hits: ReadonlyArray<Hit>): ScoredNames => hits.map(({ name, score }) => [name, score])

/** Merges the ranking by words and the ranking by vectors into one ranking, best first. */
const mixedWith = (byWords: ReadonlyArray<Hit>, { hits, share }: NearHits): ReadonlyArray<Hit> => {
  const all = new Map([...byWords, ...hits].map((hit) => [hit.name, hit]))
  const scores = fuseRankings(scoredNamesOf(byWords), scoredNamesOf(hits), share)
  return [...scores]
    .flatMap(([name, score]) => {
      const hit = all.get(name)
      return hit === undefined ? [] : [{ ...hit, score }]
    })
    .toSorted(betterFirst)
}

/**
 * Ranks the passages and returns the best `limit`. `words` has each word of the query once, in the order of the query.
 */
export const rankPassages = function* (
  slices: ReadonlyArray<Slice>,
  words: ReadonlyArray<QueryWord>,
  { isExact, masks, limit, near }: RankingOptions
): Steps<RankedPassages> {
  const frequencies = frequenciesOf(slices)
  const contentWords = words.reduce((sum, { weight }) => sum + Math.ceil(weight), 0)
  const exponent = exponentOf(contentWords)
  const weightOf = (word: string) => frequencies.idf(word) ** exponent
  const firstSums = yield* scorePassages(slices, words, frequencies, weightOf)
  const byWordsMax = Math.max(limit, near === undefined ? feedbackPassages : rankingEntriesMax)
  const byWords = yield* bestOf(slices, firstSums, byWordsMax, masks)
  const first = near === undefined ? byWords : mixedWith(byWords, near)
  yield
  const idf = new Map(words.map(({ word }) => [word, frequencies.idf(word)]))
  const answer = (hits: ReadonlyArray<Hit>): RankedPassages => ({
    hits: hits.slice(0, limit),
    first: byWords.slice(0, 3),
    idf
  })
  if (isExact || contentWords < feedbackFrom || first.length === 0) return answer(first)

  const extendedQuery = mixQueries(words, yield* feedbackOf(first.slice(0, feedbackPassages), frequencies))
  yield
  const secondSums = yield* scorePassages(slices, extendedQuery, frequencies, weightOf)
  const second = yield* bestOf(slices, secondSums, limit, masks)
  // A passage whose title has exactly the words of the query always comes first, even if feedback changes its score.
  const titled = first.filter((hit) => isTitle(hit, words, contentWords))
  return answer([...titled, ...second.filter(({ name }) => titled.every((hit) => hit.name !== name))])
}
