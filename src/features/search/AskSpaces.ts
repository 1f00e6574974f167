/**
 * Searches the indexes of several spaces. It corrects misspelt words, and makes one ranking of all passages in these
 * spaces that the caller may see.
 */
import type { IndexedPassage } from "./postings/IndexedObject.ts"
import { betterFirst, type Scored } from "./postings/BestCandidates.ts"
import { type Hit, nameOf, rankPassages } from "./postings/Ranking.ts"
import { neighbourOf, passagesForPhrases } from "./postings/PhrasePlaces.ts"
import { correctWord } from "./postings/Spelling.ts"
import { documentFrequency, inAll, passagesWith, type Slice, visibleWords } from "./postings/Visible.ts"
import { entriesPerStep, type Steps } from "../../platform/InSlices.ts"
import type { QuestionVector } from "./QuestionVectors.ts"
import { analyse } from "./text/Analyser.ts"
import { type Language, morphology } from "./text/Language.ts"
import { rankingEntriesMax } from "./vectors/Fusion.ts"
import { askedWords, type AskedWord, type Question } from "./text/Question.ts"
import type { Evidence } from "./Verdict.ts"
import type { AskedSpace } from "./AskedSpace.ts"

/**
 * A passage that the search found. It does not store the number of the passage, because the index can change before the
 * search reads the text. The passage can then have another number.
 */
export interface Candidate extends Scored {
  readonly passage: IndexedPassage
  readonly language: Language
  /** The words that the search looked for, after it corrected misspelt words. */
  readonly words: ReadonlyArray<AskedWord>
  /** The words of the question that the passage contains, in the spelling of the question. */
  readonly matched: ReadonlyArray<string>
  /** Whether the vector of the passage is among the vectors that are nearest to the question. */
  readonly isNear: boolean
  /**
   * The entity to which the document belongs. Null if the document belongs to no entity, or if the caller cannot see
   * the entity.
   */
  readonly owner: IndexedPassage | null
  /** The passage before and the passage after this passage in the same text. Null if there is no such passage. */
  readonly before: IndexedPassage | null
  readonly after: IndexedPassage | null
}

export interface MergedRanking {
  /** The passages that the search found, best first. */
  readonly candidates: ReadonlyArray<Candidate>
  readonly corrected: ReadonlyArray<{ readonly from: string; readonly to: string }>
  readonly evidence: Omit<Evidence, "neighbours"> & {
    /** The words of the question, in the order of the question. */
    readonly sequence: ReadonlyArray<string>
  }
}

// The weight of a word that replaces a misspelt word. Words that the caller spelt correctly have the weight 1.
const guessedWeight = 0.8
// the maximum number of words that one search corrects; each correction takes up to 40 ms in a large index
const correctedMax = 10

/**
 * Makes one ranking of the passages of all spaces with this language. So these spaces share the same word statistics.
 */
const rankedIn = function* (
  language: Language,
  spaces: ReadonlyArray<AskedSpace>,
  question: Question,
  { byWordsAlone, limit, near: questionVector }: MergingOptions
): Steps<MergedRanking> {
  const slices = spaces.map(({ slice }) => slice)
  const guesses: Array<{ readonly from: string; readonly to: string }> = []
  const { stemOnce } = morphology(language)
  const isKnown = (word: string) => documentFrequency(word, slices) > 0
  let correctedCount = 0
  const words: Array<AskedWord & { readonly weight: number }> = []
  for (const word of askedWords(question.text, language)) {
    const isTried = !isKnown(word.word) && correctedCount++ < correctedMax
    const guess = isTried ? yield* correctWord(word.written, word.word, slices, stemOnce) : undefined
    if (guess !== undefined) guesses.push({ from: word.written, to: guess })
    words.push(
      guess === undefined
        ? { ...word, weight: word.times }
        : { ...word, word: guess, weight: word.times * guessedWeight }
    )
    yield
  }
  const required = question.phrases.map((phrase) => analyse(phrase, language)).filter((phrase) => phrase.length > 0)
  const excluded = question.excluded.map((each) => [...new Set(analyse(each, language))])
  const masks = new Map<Slice, Uint8Array>()
  if (required.length + excluded.length > 0) {
    for (const slice of slices) masks.set(slice, yield* keptIn(slice, required, excluded))
  }
  const isExact = byWordsAlone || question.phrases.length > 0 || question.excluded.length > 0
  const weights = mergedWeights(words)
  // The search does not compare vectors if `byWordsAlone` is set, or if the question has quoted phrases or excluded
  // phrases. The score then depends only on words.
  const near =
    questionVector === undefined || isExact
      ? undefined
      : { share: questionVector.share, hits: yield* nearestIn(spaces, questionVector) }
  const nearNames = new Set(near?.hits.map(({ name }) => name))
  yield
  const { first, hits, idf } = yield* rankPassages(slices, weights, { limit, isExact, masks, near })
  const all = weights.reduce((sum, { word }) => sum + (idf.get(word) ?? 0), 0)
  const coverage = first.map(({ slice, passage }) => {
    const passageWords = visibleWords(passage, slice)
    return weights.reduce((sum, { word }) => sum + (passageWords.has(word) ? (idf.get(word) ?? 0) : 0), 0) / all
  })
  return {
    candidates: hits.map(({ name, number, score, slice, passage }) => {
      const passageWords = visibleWords(passage, slice)
      const matched = words.filter(({ word }) => passageWords.has(word)).map(({ written }) => written)
      const isNear = nearNames.has(name)
      const [before, after] = [neighbourOf(number, -1, slice), neighbourOf(number, 1, slice)]
      return {
        name,
        score,
        passage: passage,
        language,
        words,
        matched,
        isNear,
        owner: ownerOf(passage, spaces),
        before,
        after
      }
    }),
    corrected: guesses,
    evidence: {
      words: words.reduce((sum, { times }) => sum + times, 0),
      coverage: coverage.length === 0 ? 0 : coverage.reduce((sum, each) => sum + each, 0) / coverage.length,
      sequence: analyse(question.text, language)
    }
  }
}

/** Finds the passages of these spaces whose vectors are nearest to the vector of the question. */
const nearestIn = function* (
  spaces: ReadonlyArray<AskedSpace>,
  questionVector: QuestionVector
): Steps<ReadonlyArray<Hit>> {
  const hits: Array<Hit> = []
  for (const { slice, space } of spaces) {
    if (space.vectors?.holds(questionVector) !== true) continue
    const nearest = yield* space.vectors.nearest(questionVector.vector, rankingEntriesMax, slice)
    for (const near of nearest) hits.push({ ...near, slice, name: nameOf(near.passage) })
  }
  return hits.toSorted(betterFirst).slice(0, rankingEntriesMax)
}

/**
 * Finds the entity to which a document belongs. Returns null if there is no such entity, or if the caller cannot see
 * it.
 */
const ownerOf = ({ object: { ownerId } }: IndexedPassage, spaces: ReadonlyArray<AskedSpace>): IndexedPassage | null => {
  if (ownerId === null) return null
  for (const { slice } of spaces) {
    const number = slice.index.placesOf(ownerId).find((each) => slice.visible[each] === 1)
    const passage = number === undefined ? undefined : slice.index.passages[number]
    if (passage) return passage
  }
  return null
}

/**
 * Adds up the weights of equal words. A word can occur twice, because two misspelt words can get the same correction.
 */
const mergedWeights = (words: ReadonlyArray<{ readonly word: string; readonly weight: number }>) => {
  const weights = new Map<string, number>()
  for (const { weight, word } of words) weights.set(word, (weights.get(word) ?? 0) + weight)
  return Array.from(weights, ([word, weight]) => ({ word, weight }))
}

/**
 * Finds the passages that can match the phrases of the question. Leaves out a passage that cannot contain all quoted
 * phrases. Also leaves out all passages of an object if one of them contains all words of an excluded phrase. Returns
 * an array with the value 1 for each remaining passage and 0 for all others, by passage number.
 */
const keptIn = function* (
  slice: Slice,
  phrases: ReadonlyArray<ReadonlyArray<string>>,
  excluded: ReadonlyArray<ReadonlyArray<string>>
): Steps<Uint8Array> {
  const passages = slice.index.passages
  const mask = new Uint8Array(slice.visible.length)
  if (phrases.length === 0) mask.fill(1)
  else for (const number of yield* passagesForPhrases(phrases, slice)) mask[number] = 1
  for (const words of excluded) {
    const holders: Array<Uint32Array> = []
    for (const word of words) holders.push(yield* passagesWith(word, slice))
    const found = yield* inAll(holders)
    // The passages with numbers below `end` are already checked.
    let end = 0
    for (let at = 0; at < found.length; at++) {
      if (at % entriesPerStep === 0) yield
      if (found[at] < end) continue
      const object = passages[found[at]]?.object
      let first = found[at]
      while (first > 0 && passages[first - 1]?.object === object) first--
      end = found[at]
      while (end < mask.length && passages[end]?.object === object) end++
      mask.fill(0, first, end)
    }
  }
  return mask
}

/** The vector of a question. `share` is the weight of the vectors in a score, from 0 to 1. */
export interface AskedVector extends QuestionVector {
  readonly share: number
}

export interface MergingOptions {
  readonly limit: number
  /** The vector of the question. Undefined if the search does not compare vectors. */
  readonly near?: AskedVector | undefined
  /** True to rank in one round only. A second round adds words from the best passages to the question. */
  readonly byWordsAlone: boolean
}

/** Ranks the spaces of each language together, and merges the rankings of all languages. */
export const mergeRankings = function* (
  spaces: ReadonlyArray<AskedSpace>,
  question: Question,
  options: MergingOptions
): Steps<MergedRanking> {
  const languages = [...new Set(spaces.map(({ space }) => space.language))].toSorted()
  const answers: Array<MergedRanking> = []
  for (const language of languages) {
    const ofLanguage = spaces.filter(({ space }) => space.language === language)
    answers.push(yield* rankedIn(language, ofLanguage, question, options))
  }
  const candidates = answers.flatMap((answer) => answer.candidates).toSorted(betterFirst)
  // The verdict (`Verdict.ts`) judges the best hit. So the evidence for the verdict must come from the ranking that
  // contains the best hit.
  const best = answers.toSorted((one, other) => scoreOf(other) - scoreOf(one)).at(0)
  return {
    candidates: languages.length === 1 ? answers[0].candidates : candidates.slice(0, options.limit),
    corrected: answers.flatMap((answer) => answer.corrected),
    evidence: best?.evidence ?? { words: 0, coverage: 0, sequence: [] }
  }
}

const scoreOf = ({ candidates: [best] }: MergedRanking): number => best?.score ?? -1
