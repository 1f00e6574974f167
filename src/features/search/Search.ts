/** Search over entities, documents and knowledge entries: it finds, ranks and counts within the caller's reach alone. */
import { Context, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { askIn, type Candidate, merged } from "./AskSpaces.ts"
import { type IndexLoading, SearchIndexes } from "./SearchIndexes.ts"
import { boundsFor, searchedTypes, SearchStore, type Shown } from "./SearchStore.ts"
import type { SearchedType, Unit } from "./postings/PostingIndex.ts"
import { holdsPhrase, type Question, sequenceOf } from "./text/Question.ts"
import { type Snippet, snippetOf } from "./text/Snippet.ts"
import { analyse } from "./text/Analyser.ts"
import { neighboursIn, type Verdict, verdictOf } from "./Verdict.ts"

export interface SearchRequest {
  readonly question: Question
  readonly types: ReadonlyArray<SearchedType>
  /** Only these spaces; null: every space that the call may read. */
  readonly spaces: ReadonlyArray<string> | null
  /** Only what is filed in one of these projects; null: anything. */
  readonly projects: ReadonlyArray<string> | null
  readonly limit: number
  /** Ranks by the words of the question alone, without feedback. */
  readonly byWordsAlone?: boolean
}

export interface Found {
  readonly id: string
  readonly type: SearchedType
  readonly kind: string | null
  readonly spaceId: string
  readonly title: string
  readonly snippet: Snippet
  /** The whole passage that the snippet is from. */
  readonly passage: string
  /** Higher is better. Comparable within one answer. */
  readonly score: number
  /** The document whose text matched, for an entity that was found by its document. */
  readonly documentId: string | null
  /** The words of the question that were found in it, as they were asked. */
  readonly matched: ReadonlyArray<string>
  readonly updatedAt: number
}

export interface Searched {
  readonly items: ReadonlyArray<Found>
  readonly verdict: Verdict
  /** Misspelt words, with the word that was searched for instead. */
  readonly corrected: ReadonlyArray<{ readonly from: string; readonly to: string }>
  /** Whether an index had no room for all of its space, so that something may be missing. */
  readonly isIncomplete: boolean
}

const nothingFound = { items: [], verdict: "empty" as const }

const phraseCandidates = 200 // hits whose text is read for a phrase
const spare = 20 // further hits, because passages of one object and its entity become one

export class Search extends Context.Tag("pod/Search")<
  Search,
  {
    /** The best objects, each once. Fails when an index takes too long to read; it is read further meanwhile. */
    readonly find: (request: SearchRequest) => Effect.Effect<Searched, IndexLoading, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* SearchStore
      const indexes = yield* SearchIndexes

      /** What the call may read: each space with its newest index, and the ids where bounds name objects or projects. */
      const prepared = ({ projects, question, spaces, types }: SearchRequest) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const readable = types
            .filter((type) => projects === null || type !== "knowledge")
            .map((type) => ({ type, bounds: boundsFor(reach, type) }))
          const heads = yield* store.heads(spaces)
          const ids = new Map<SearchedType, ReadonlySet<string>>()
          for (const { bounds, type } of readable) {
            if (projects === null && bounds.objects === null && bounds.projects === null) continue
            ids.set(type, new Set(yield* store.readable(type, projects)))
          }
          const found = yield* indexes.upTo(heads)
          const roles = reach.bounds("facet", "read")
          const readsRolesIn = (spaceId: string) =>
            roles.kinds === null && roles.objects === null && roles.projects === null && roles.spaces.includes(spaceId)
          return { spaces: found, asking: { question, readable, ids, readsRolesIn } }
        })

      /** The texts of passages, as far as the call may read them. */
      const shown = (units: ReadonlyArray<Unit>) =>
        Effect.gen(function* () {
          const texts = new Map<string, Shown>()
          for (const type of searchedTypes) {
            const places = units.filter(({ object }) => object.type === type)
            if (places.length === 0) continue
            const found = yield* store.show(
              type,
              places.map(({ length, object, start }) => ({ id: object.id, start, length }))
            )
            for (const each of found) texts.set(`${each.id} ${each.start}`, each)
          }
          return ({ object, start }: Unit) => texts.get(`${object.id} ${start}`)
        })

      const find = (request: SearchRequest): Effect.Effect<Searched & { isMoved: boolean }, IndexLoading, Reach> =>
        Effect.gen(function* () {
          const { byWordsAlone = false, limit, question } = request
          const { asking, spaces } = yield* prepared(request)
          const hasPhrases = question.phrases.length > 0
          const most = hasPhrases ? phraseCandidates : limit * 3 + spare
          // An index may change whenever others run, so it is asked in one go.
          const asked = spaces.map((space) => askIn(space, asking))
          const isIncomplete = spaces.some(({ index }) => index.isIncomplete)
          const { candidates, corrected, evidence } = merged(asked, question, { most, byWordsAlone })
          if (candidates.length === 0) return { ...nothingFound, corrected, isIncomplete, isMoved: false }
          const holding = hasPhrases ? yield* holdingPhrases(candidates, question) : candidates
          const best = folded(holding).slice(0, limit)
          const textOf = yield* shown(best.flatMap(({ owner, unit }) => (owner === null ? [unit] : [unit, owner])))
          const items = best.flatMap((each) => itemOf(each, textOf) ?? [])
          const [first] = holding
          const text = first === undefined ? undefined : textOf(first.unit)
          const neighbours =
            text === undefined
              ? 0
              : neighboursIn(evidence.sequence, analyse(`${text.title}\n${text.text}`, first.language))
          return {
            items,
            corrected,
            isIncomplete,
            verdict: items.length === 0 ? "empty" : verdictOf({ ...evidence, neighbours }),
            isMoved: items.length < best.length
          }
        })

      const holdingPhrases = (candidates: ReadonlyArray<Candidate>, { phrases }: Question) =>
        Effect.map(shown(candidates.map(({ unit }) => unit)), (textOf) =>
          candidates.filter(({ language, unit }) => {
            const text = textOf(unit)
            const texts = [text?.title ?? "", text?.text ?? ""].map((each) => sequenceOf(each, language))
            return phrases.every((phrase) => {
              const sequence = sequenceOf(phrase, language)
              return texts.some((words) => holdsPhrase(words, sequence))
            })
          })
        )

      return {
        // A row that was indexed and is not shown has changed in between; the index is brought up to date once more.
        find: (request) =>
          Effect.filterOrElse(
            find(request),
            ({ isMoved }) => !isMoved,
            () => find(request)
          )
      }
    })
  )
}

const shownId = ({ owner, unit }: Candidate): string => (owner ?? unit).object.id

/** Each object once, with its best passage. A document stands for its entity where the caller sees that too. */
const folded = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const seen = new Set<string>()
  return candidates.filter((candidate) => !seen.has(shownId(candidate)) && seen.add(shownId(candidate)))
}

const itemOf = (candidate: Candidate, textOf: (unit: Unit) => Shown | undefined): Found | undefined => {
  const { language, matched, owner, score, unit, words } = candidate
  const text = textOf(unit)
  const head = owner === null ? text : textOf(owner)
  if (text === undefined || head === undefined) return undefined
  return {
    id: head.id,
    type: head.type,
    kind: head.kind,
    spaceId: head.spaceId,
    title: head.title,
    snippet: snippetOf(text.text, new Set(words.map(({ word }) => word)), language),
    passage: text.text,
    score,
    documentId: owner === null ? null : text.id,
    matched,
    updatedAt: head.updatedAt
  }
}
