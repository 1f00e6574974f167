/**
 * Searches the indexes of several spaces: selects the passages that the caller may see, corrects misspelt words, and ranks the
 * passages of all spaces together.
 */
import type { Bounds } from "../../doors/Reach.ts"
import type { SearchedType, Unit } from "./postings/PostingIndex.ts"
import { betterFirst, type Scored } from "./postings/Best.ts"
import { type Hit, nameOf, ranked } from "./postings/Ranking.ts"
import { neighbourOf, passagesForPhrases } from "./postings/PhrasePlaces.ts"
import { corrected } from "./postings/Spelling.ts"
import {
  documentFrequency,
  passagesWith,
  sliceAmong,
  type Slice,
  sliceNamed,
  sliceOf,
  visibleWords
} from "./postings/Visible.ts"
import type { Steps } from "../../platform/InSlices.ts"
import type { QuestionVector } from "./QuestionVectors.ts"
import type { IdList } from "./ReadableIds.ts"
import type { SpaceIndex } from "./SearchIndexes.ts"
import { analyse } from "./text/Analyser.ts"
import { type Language, morphology } from "./text/Language.ts"
import { fusedMost } from "./vectors/Fusion.ts"
import { askedWords, type AskedWord, type Question } from "./text/Question.ts"
import type { Evidence } from "./Verdict.ts"

export interface Asking {
  readonly question: Question
  /** The types to search, each with the bounds of what the caller may read. */
  readonly readable: ReadonlyArray<{ readonly type: SearchedType; readonly bounds: Bounds }>
  /** The only ids that may be found, for each type for which the bounds or the filters name objects or projects. */
  readonly ids: ReadonlyMap<SearchedType, IdList>
  readonly readsRolesIn: (spaceId: string) => boolean
}

/** A space with the slice of its index that the caller sees. */
export interface AskedSpace {
  readonly space: SpaceIndex
  readonly slice: Slice
}

/** A passage that was found. It refers to no part of the index, because the index may change before the text is read. */
export interface Candidate extends Scored {
  readonly unit: Unit
  readonly language: Language
  /** The words that the search looked for. */
  readonly words: ReadonlyArray<AskedWord>
  /** The words of the question that the passage contains, in the spelling of the question. */
  readonly matched: ReadonlyArray<string>
  /** Whether the vector of the passage is among the vectors that are nearest to the question. */
  readonly isNear: boolean
  /** The entity to which the document belongs. Null if there is no such entity or the caller does not see it. */
  readonly owner: Unit | null
  /** The passages before and after this passage in the same text. Null if there are none. */
  readonly before: Unit | null
  readonly after: Unit | null
}

export interface Merged {
  /** Best first. */
  readonly candidates: ReadonlyArray<Candidate>
  readonly corrected: ReadonlyArray<{ readonly from: string; readonly to: string }>
  readonly evidence: Omit<Evidence, "neighbours"> & {
    /** The words of the question in their order. */
    readonly sequence: ReadonlyArray<string>
  }
}

const guessedWeight = 0.8 // the weight of a word that the search uses instead of a misspelt word
const correctedMost = 10 // how many words of a question are corrected; each takes up to 40 ms if the index has a million words

/**
 * Selects the passages of a space that the caller may see and that match the filters of the question. The statistics of the
 * ranking count only these passages.
 */
export const askIn = (space: SpaceIndex, { ids, question, readable, readsRolesIn }: Asking): AskedSpace => {
  const withRoles = readsRolesIn(space.spaceId)
  const { after = -Infinity, before = Infinity, makers, types, without } = question.filters
  const [askedTypes, refusedTypes] = [new Set(types), new Set(without.types)]
  const [askedMakers, refusedMakers] = [new Set(makers), new Set(without.makers)]
  const tests = new Map<SearchedType, (unit: Unit) => boolean>()
  const searched = readable.filter(({ bounds }) => bounds.spaces.includes(space.spaceId))
  for (const { bounds, type } of searched) {
    const kinds = bounds.kinds === null || type !== "entity" ? null : new Set(bounds.kinds)
    tests.set(type, ({ object: { kind, makerId, roles, updatedAt } }) => {
      const seen = withRoles ? roles : []
      return (
        (kinds === null || (kind !== null && kinds.has(kind))) &&
        updatedAt >= after &&
        updatedAt < before &&
        (askedMakers.size === 0 || askedMakers.has(makerId)) &&
        !refusedMakers.has(makerId) &&
        (askedTypes.size === 0 || isOneOf(askedTypes, type, kind, seen)) &&
        !isOneOf(refusedTypes, type, kind, seen)
      )
    })
  }
  const isVisible = (unit: Unit) => tests.get(unit.object.type)?.(unit) ?? false
  const lists = searched.map(({ type }) => ({ type, ids: ids.get(type)?.ids ?? null }))
  const bounded = searched.map(({ bounds, type }) => [
    type,
    type === "entity" ? bounds.kinds : null,
    ids.get(type)?.name ?? null
  ])
  const named = [makers, without.makers, types, without.types]
  const name = JSON.stringify([bounded, String(after), String(before), ...named, withRoles])
  const isListed = lists.some((each) => each.ids !== null)
  const make = () =>
    isListed ? sliceAmong(space.index, isVisible, withRoles, lists) : sliceOf(space.index, isVisible, withRoles)
  return { space, slice: sliceNamed(space.index, name, make) }
}

/** Does the same for each space. */
export const askEach = function* (spaces: ReadonlyArray<SpaceIndex>, asking: Asking): Steps<ReadonlyArray<AskedSpace>> {
  const asked: Array<AskedSpace> = []
  for (const space of spaces) {
    asked.push(askIn(space, asking))
    yield
  }
  return asked
}

/** Whether `type:` names this object. It can name a kind of entity, a role, or one of the types that search finds. */
const isOneOf = (
  named: ReadonlySet<string>,
  type: SearchedType,
  kind: string | null,
  roles: ReadonlyArray<string>
): boolean => named.has(kind ?? type) || (type !== "entity" && named.has(type)) || roles.some((role) => named.has(role))

/** Ranks all spaces of one language together, so that all of them share the statistics of words. */
const rankedIn = function* (
  language: Language,
  spaces: ReadonlyArray<AskedSpace>,
  question: Question,
  { byWordsAlone, most, near: asked }: MergingOptions
): Steps<Merged> {
  const slices = spaces.map(({ slice }) => slice)
  const guesses: Array<{ readonly from: string; readonly to: string }> = []
  const { stemOnce } = morphology(language)
  const isKnown = (word: string) => documentFrequency(word, slices) > 0
  let tried = 0
  const words: Array<AskedWord & { readonly weight: number }> = []
  for (const word of askedWords(question.text, language)) {
    const isTried = !isKnown(word.word) && tried++ < correctedMost
    const guess = isTried ? corrected(word.written, word.word, slices, stemOnce) : undefined
    if (guess !== undefined) guesses.push({ from: word.written, to: guess })
    words.push(
      guess === undefined
        ? { ...word, weight: word.times }
        : { ...word, word: guess, weight: word.times * guessedWeight }
    )
    yield
  }
  const required = question.phrases.map((phrase) => analyse(phrase, language)).filter((phrase) => phrase.length > 0)
  const holding = new Map(slices.map((slice) => [slice, passagesForPhrases(required, slice)]))
  const excluded = excludedBy(question.excluded, language, slices)
  const isLeftOut = ({ number, slice, unit }: Hit) =>
    excluded.has(unit.object.id) || (required.length > 0 && holding.get(slice)?.has(number) !== true)
  const isExact = byWordsAlone || question.phrases.length > 0 || question.excluded.length > 0
  const weights = mergedWeights(words)
  // A question with words in quotes or with words to leave out is about words, so it does not compare vectors.
  const near = asked === undefined || isExact ? undefined : { share: asked.share, hits: nearestIn(spaces, asked) }
  const nearNames = new Set(near?.hits.map(({ name }) => name))
  yield
  const { first, hits, idf } = yield* ranked(slices, weights, { most, isExact, isLeftOut, near })
  const all = weights.reduce((sum, { word }) => sum + (idf.get(word) ?? 0), 0)
  const coverage = first.map(({ slice, unit }) => {
    const there = visibleWords(unit, slice)
    return weights.reduce((sum, { word }) => sum + (there.has(word) ? (idf.get(word) ?? 0) : 0), 0) / all
  })
  return {
    candidates: hits.map(({ name, number, score, slice, unit }) => {
      const there = visibleWords(unit, slice)
      const matched = words.filter(({ word }) => there.has(word)).map(({ written }) => written)
      const isNear = nearNames.has(name)
      const [before, after] = [neighbourOf(number, -1, slice), neighbourOf(number, 1, slice)]
      return { name, score, unit, language, words, matched, isNear, owner: ownerOf(unit, spaces), before, after }
    }),
    corrected: guesses,
    evidence: {
      words: words.reduce((sum, { times }) => sum + times, 0),
      coverage: coverage.length === 0 ? 0 : coverage.reduce((sum, each) => sum + each, 0) / coverage.length,
      sequence: analyse(question.text, language)
    }
  }
}

/** The passages of these spaces whose vectors are nearest to the question. */
const nearestIn = (spaces: ReadonlyArray<AskedSpace>, asked: QuestionVector): ReadonlyArray<Hit> =>
  spaces
    .flatMap(({ slice, space: { vectors } }) =>
      vectors?.holds(asked) === true
        ? vectors.nearest(asked.vector, fusedMost, slice).map((near) => ({ ...near, slice, name: nameOf(near.unit) }))
        : []
    )
    .toSorted(betterFirst)
    .slice(0, fusedMost)

/** The entity to which a document belongs. Null if there is no such entity or the caller does not see it. */
const ownerOf = ({ object: { ownerId } }: Unit, spaces: ReadonlyArray<AskedSpace>): Unit | null => {
  if (ownerId === null) return null
  for (const { slice } of spaces) {
    const number = slice.index.placesOf(ownerId).find((each) => slice.visible[each] === 1)
    const unit = number === undefined ? undefined : slice.index.passages[number]
    if (unit) return unit
  }
  return null
}

/** Adds up the weights of equal words: two misspelt words can be corrected to the same word. */
const mergedWeights = (words: ReadonlyArray<{ readonly word: string; readonly weight: number }>) => {
  const weights = new Map<string, number>()
  for (const { weight, word } of words) weights.set(word, (weights.get(word) ?? 0) + weight)
  return Array.from(weights, ([word, weight]) => ({ word, weight }))
}

/** The objects that the question leaves out. For several words in quotes: the objects with a passage that has all the words. */
const excludedBy = (
  excluded: ReadonlyArray<string>,
  language: Language,
  slices: ReadonlyArray<Slice>
): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const each of excluded) {
    const words = new Set(analyse(each, language))
    for (const slice of slices) {
      for (const number of passagesWith(words, slice)) ids.add(slice.index.passages[number]?.object.id ?? "")
    }
  }
  return ids
}

/** The vector of a question. `share` is the share of the vectors in a score, from 0 to 1. */
export interface AskedVector extends QuestionVector {
  readonly share: number
}

export interface MergingOptions {
  readonly most: number
  /** Undefined if the search does not compare vectors. */
  readonly near?: AskedVector | undefined
  /** Ranks without a second round that adds words of the best passages to the question. */
  readonly byWordsAlone: boolean
}

/** Ranks the spaces of each language together, and merges the rankings of all languages. */
export const merged = function* (
  spaces: ReadonlyArray<AskedSpace>,
  question: Question,
  options: MergingOptions
): Steps<Merged> {
  const languages = [...new Set(spaces.map(({ space }) => space.language))].toSorted()
  const answers: Array<Merged> = []
  for (const language of languages) {
    const ofLanguage = spaces.filter(({ space }) => space.language === language)
    answers.push(yield* rankedIn(language, ofLanguage, question, options))
  }
  const candidates = answers.flatMap((answer) => answer.candidates).toSorted(betterFirst)
  // The verdict is about the best hit, so it uses the evidence from the language of the best hit.
  const best = answers.toSorted((one, other) => scoreOf(other) - scoreOf(one)).at(0)
  return {
    candidates: languages.length === 1 ? answers[0].candidates : candidates.slice(0, options.most),
    corrected: answers.flatMap((answer) => answer.corrected),
    evidence: best?.evidence ?? { words: 0, coverage: 0, sequence: [] }
  }
}

const scoreOf = ({ candidates: [best] }: Merged): number => best?.score ?? -1
