/**
 * Search over entities, documents and knowledge entries. It finds, ranks and counts only objects that the caller may
 * read.
 */
import { Context, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { type Candidate, mergeRankings, type MergedRanking, type MergingOptions } from "./AskSpaces.ts"
import { askEach, type SpaceQuery } from "./AskedSpace.ts"
import { holdingPhrases, shownId, extraHits, type TextOf } from "./PhraseFilter.ts"
import { inSlices, type Steps } from "../../platform/InSlices.ts"
import { mayAskForProject } from "../grants/AskedProjects.ts"
import { type IdList, ReadableIds } from "./ReadableIds.ts"
import { QuestionVectors } from "./QuestionVectors.ts"
import { type IndexLoading, SearchIndexes } from "./SearchIndexes.ts"
import type { SpaceIndex } from "./SpaceIndex.ts"
import { SearchStore, type PassageText } from "./SearchStore.ts"
import { boundsFor, searchedTypes } from "./SearchBounds.ts"
import type { SearchedType, IndexedPassage } from "./postings/IndexedObject.ts"
import { addVisibleIds } from "./postings/Visible.ts"
import type { Question } from "./text/Question.ts"
import { type Snippet, snippetOf } from "./text/Snippet.ts"
import { analyse, tokensOf } from "./text/Analyser.ts"
import { neighboursIn, type Verdict, verdictOf } from "./Verdict.ts"

export interface SearchRequest {
  readonly question: Question
  readonly types: ReadonlyArray<SearchedType>
  /** The spaces to search. Null means every space that the call may read. */
  readonly spaces: ReadonlyArray<string> | null
  /**
   * The search finds only objects that are in at least one of these projects. Null means that the search finds objects
   * of any project and objects without a project.
   */
  readonly projects: ReadonlyArray<string> | null
  /** The search leaves out objects that are in one of these spaces or projects. */
  readonly without?: { readonly spaces: ReadonlyArray<string>; readonly projects: ReadonlyArray<string> }
  readonly limit: number
  /**
   * True to rank only by the words of the question. The search then uses no vectors, and leaves out the second round,
   * which adds words to the question.
   */
  readonly byWordsAlone?: boolean
}

export interface SearchHit {
  readonly id: string
  readonly type: SearchedType
  readonly kind: string | null
  readonly spaceId: string
  readonly title: string
  readonly snippet: Snippet
  /** The whole passage from which the snippet was taken. */
  readonly passage: string
  /** A higher score is better. Scores of two answers cannot be compared. */
  readonly score: number
  /** Whether the vector of the passage is among the vectors that are nearest to the question. */
  readonly isNear: boolean
  /** The id of the document by which an entity was found. Null for every other hit. */
  readonly documentId: string | null
  /**
   * The words of the question that the passage contains, in the spelling of the question. A word that was misspelt in
   * the question has the spelling of the text.
   */
  readonly matched: ReadonlyArray<string>
  readonly updatedAt: number
}

export interface SearchResult {
  readonly items: ReadonlyArray<SearchHit>
  readonly verdict: Verdict
  /** The misspelt words of the question, each with the word that the search used instead. */
  readonly corrected: ReadonlyArray<{ readonly from: string; readonly to: string }>
  /** True if the pod has an embedding model but the search could not compare vectors in every space. */
  readonly isWithoutVectors: boolean
  /** True if the answer possibly lacks objects, because an index was too large for memory. */
  readonly isIncomplete: boolean
}

const nothingLeftOut = { spaces: [], projects: [] }

// the maximum number of hits in which the search looks for the phrases of a question
const phraseCandidates = 200

export class Search extends Context.Tag("pod/Search")<
  Search,
  {
    /**
     * Finds the best objects. Each object occurs once. Fails with IndexLoading if the pod cannot read the index in
     * time. The pod then continues to read the index in the background.
     */
    readonly find: (request: SearchRequest) => Effect.Effect<SearchResult, IndexLoading, Reach>
    /**
     * Returns a function that takes the id of an object. The function returns true if the call may read this object and
     * the object matches the filters of the question.
     */
    readonly keeps: (request: SearchRequest) => Effect.Effect<(id: string) => boolean, IndexLoading, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* SearchStore
      const indexes = yield* SearchIndexes
      const questions = yield* QuestionVectors
      const readable = yield* ReadableIds

      /**
       * Gets the vector of the question. `isAsked` is true if this search should compare vectors. `vector` is undefined
       * if `isAsked` is false, or if the embedding service returns no vector.
       */
      const vectorOf = Effect.fnUntraced(function* ({ byWordsAlone = false, question }: SearchRequest) {
        const isExact = question.phrases.length > 0 || question.excluded.length > 0
        const isOfMeaning = !byWordsAlone && !isExact && question.text.trim() !== ""
        const isAsked = isOfMeaning && (yield* questions.model) !== undefined
        return { isAsked, vector: isAsked ? yield* questions.of(question.text) : undefined }
      })

      /**
       * Reads from the database the number of the last event of each space. If the grant or a filter names objects or
       * projects, also reads the ids that the search is allowed to find.
       */
      const prepared = Effect.fnUntraced(function* ({
        projects: named,
        question,
        spaces,
        types,
        without = nothingLeftOut
      }: SearchRequest) {
        const reach = yield* Reach
        // If the caller may not read a project, the search treats the project as missing.
        const isAskable = (projectId: string) => mayAskForProject(reach, projectId)
        const projects = named?.filter(isAskable) ?? null
        const notIn = without.projects.filter(isAskable)
        const typesWithBounds = types
          .filter((type) => projects === null || type !== "knowledge")
          .map((type) => ({ type, bounds: boundsFor(reach, type) }))
        const heads = (yield* store.heads(spaces)).filter(({ spaceId }) => !without.spaces.includes(spaceId))
        const ids = new Map<SearchedType, IdList>()
        const isAnyFiling = projects === null && notIn.length === 0
        for (const { bounds, type } of typesWithBounds) {
          if (isAnyFiling && bounds.objects === null && bounds.projects === null) continue
          ids.set(type, yield* readable.of(type, bounds, { in: projects, notIn }, heads))
        }
        const facets = reach.bounds("facet", "read")
        const readsFacetsIn = (spaceId: string) =>
          facets.kinds === null &&
          facets.objects === null &&
          facets.projects === null &&
          facets.spaces.includes(spaceId)
        return { heads, asking: { question, readable: typesWithBounds, ids, readsFacetsIn } }
      })

      /** Reads the texts of the given passages. Leaves out passages that the call may not read. */
      const shown = Effect.fnUntraced(function* (
        passages: ReadonlyArray<Pick<IndexedPassage, "object" | "start" | "length">>
      ) {
        const texts = new Map<string, PassageText>()
        for (const type of searchedTypes) {
          const places = passages.filter(({ object }) => object.type === type)
          if (places.length === 0) continue
          const found = yield* store.show(
            type,
            places.map(({ length, object, start }) => ({ id: object.id, start, length }))
          )
          for (const each of found) texts.set(`${each.id} ${each.start}`, each)
        }
        return ({ object, start }: Pick<IndexedPassage, "object" | "start">) => texts.get(`${object.id} ${start}`)
      })

      const find = (request: SearchRequest): Effect.Effect<SearchResult & { isMoved: boolean }, IndexLoading, Reach> =>
        Effect.gen(function* () {
          const { byWordsAlone = false, limit, question } = request
          const [{ asking, heads }, { vector, isAsked }] = yield* Effect.all([prepared(request), vectorOf(request)], {
            concurrency: 2
          })
          const isComparable = ({ vectors }: SpaceIndex) => vector !== undefined && vectors?.holds(vector) === true
          const near = vector === undefined ? undefined : { ...vector, share: questions.share }
          const hasPhrases = question.phrases.length > 0
          const hitsLimit = hasPhrases ? phraseCandidates : limit * 3 + extraHits
          const { candidates, corrected, evidence, ...lacking } = yield* indexes.reading(heads, (spaces) =>
            Effect.map(inSlices(rankVisible(spaces, asking, { limit: hitsLimit, byWordsAlone, near })), (ranked) => ({
              ...ranked,
              isWithoutVectors: isAsked && !spaces.every(isComparable),
              isIncomplete: spaces.some(({ index }) => index.isIncomplete)
            }))
          )
          if (candidates.length === 0) return { items: [], verdict: "empty", corrected, ...lacking, isMoved: false }
          const holding = hasPhrases ? yield* holdingPhrases(candidates, question, { items: limit, shown }) : candidates
          const best = foldIntoObjects(holding).slice(0, limit)
          const textOf = yield* shown(
            best.flatMap(({ owner, passage }) => (owner === null ? [passage] : [passage, owner]))
          )
          const items = best.flatMap((each) => itemOf(each, textOf, corrected) ?? [])
          const [first] = holding
          const text = first === undefined ? undefined : textOf(first.passage)
          const neighbours =
            text === undefined
              ? 0
              : neighboursIn(evidence.sequence, analyse(`${text.title}\n${text.text}`, first.language))
          return {
            items,
            corrected: corrected.map(({ from, to }) => ({ from, to: shownWord(to, best, textOf) ?? to })),
            ...lacking,
            verdict: items.length === 0 ? "empty" : verdictOf({ ...evidence, neighbours }),
            isMoved: items.length < best.length
          }
        })

      return {
        // If the call cannot read a found row any more, the row has changed since the pod indexed it. The search then
        // runs once more with a newer index.
        find: (request) =>
          Effect.filterOrElse(
            find(request),
            ({ isMoved }) => !isMoved,
            () => find(request)
          ),
        keeps: (request) =>
          Effect.flatMap(prepared(request), ({ asking, heads }) =>
            indexes.reading(heads, (spaces) =>
              Effect.map(inSlices(idsIn(spaces, asking)), (ids) => (id: string) => ids.has(id))
            )
          )
      }
    })
  )
}

/** Selects the passages in these spaces that the caller may see, and ranks them. */
const rankVisible = function* (
  spaces: ReadonlyArray<SpaceIndex>,
  spaceQuery: SpaceQuery,
  options: MergingOptions
): Steps<MergedRanking> {
  return yield* mergeRankings(yield* askEach(spaces, spaceQuery), spaceQuery.question, options)
}

/** Finds the ids of the objects in these spaces that the caller may see and that match the filters. */
const idsIn = function* (spaces: ReadonlyArray<SpaceIndex>, spaceQuery: SpaceQuery): Steps<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const { slice } of yield* askEach(spaces, spaceQuery)) yield* addVisibleIds(slice, ids)
  return ids
}

/**
 * Returns each object once, with its best passage. If the caller sees the entity of a document, a passage of the
 * document counts as a passage of the entity.
 */
const foldIntoObjects = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const seen = new Set<string>()
  return candidates.filter((candidate) => !seen.has(shownId(candidate)) && seen.add(shownId(candidate)))
}

/**
 * Finds how a text spells the word with this stem. Uses the first text that contains the word. Returns undefined if no
 * text contains the word.
 */
const shownWord = (stem: string, candidates: ReadonlyArray<Candidate>, textOf: TextOf): string | undefined => {
  for (const { language, passage } of candidates) {
    const shown = textOf(passage)
    const text = shown === undefined ? "" : `${shown.title}\n${shown.text}`
    const token = tokensOf(text, language).find(({ terms }) => terms.includes(stem))
    if (token !== undefined) return text.slice(token.start, token.end).toLowerCase()
  }
  return undefined
}

const itemOf = (candidate: Candidate, textOf: TextOf, corrected: SearchResult["corrected"]): SearchHit | undefined => {
  const { isNear, language, matched, owner, score, passage, words } = candidate
  const text = textOf(passage)
  const head = owner === null ? text : textOf(owner)
  if (text === undefined || head === undefined) return undefined
  return {
    id: head.id,
    type: head.type,
    kind: head.kind,
    spaceId: head.spaceId,
    title: head.title,
    snippet: snippetOf(text.text === "" ? text.title : text.text, new Set(words.map(({ word }) => word)), language),
    passage: text.text,
    score,
    isNear,
    documentId: owner === null ? null : text.id,
    matched: matched.map((written) => {
      const guess = corrected.find(({ from }) => from === written)
      return guess === undefined ? written : (shownWord(guess.to, [candidate], textOf) ?? guess.to)
    }),
    updatedAt: head.updatedAt
  }
}
