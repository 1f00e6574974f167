/** Search over entities, documents and knowledge entries: it finds, ranks and counts within the caller's reach alone. */
import { Context, Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { type AskedSpace, askIn, type Asking, type Candidate, merged } from "./AskSpaces.ts"
import { type IndexLoading, SearchIndexes } from "./SearchIndexes.ts"
import { boundsFor, searchedTypes, SearchStore, type Shown } from "./SearchStore.ts"
import type { SearchedType } from "./postings/PostingIndex.ts"
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
}

const nothingFound: Searched = { items: [], verdict: "empty", corrected: [] }

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
      const asking = ({ projects, question, spaces, types }: SearchRequest) =>
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
          const asked: Asking = { question, readable, ids, readsRolesIn }
          return found.map((space): AskedSpace => askIn(space, asked))
        })

      /** The texts of the candidates, as far as the call may read them. */
      const shown = (candidates: ReadonlyArray<Candidate>) =>
        Effect.gen(function* () {
          const texts = new Map<string, Shown>()
          for (const type of searchedTypes) {
            const places = candidates.filter(({ unit }) => unit.object.type === type)
            if (places.length === 0) continue
            const found = yield* store.show(
              type,
              places.map(({ unit }) => ({ id: unit.object.id, start: unit.start, length: unit.length }))
            )
            for (const each of found) texts.set(`${each.id} ${each.start}`, each)
          }
          return (candidate: Candidate) => texts.get(`${candidate.unit.object.id} ${candidate.unit.start}`)
        })

      const find = (request: SearchRequest): Effect.Effect<Searched & { isMoved: boolean }, IndexLoading, Reach> =>
        Effect.gen(function* () {
          const { byWordsAlone = false, limit, question } = request
          const spaces = yield* asking(request)
          const hasPhrases = question.phrases.length > 0
          const most = hasPhrases ? phraseCandidates : limit * 3 + spare
          const { candidates, corrected, evidence } = merged(spaces, question, { most, byWordsAlone })
          if (candidates.length === 0) return { ...nothingFound, corrected, isMoved: false }
          const holding = hasPhrases ? yield* holdingPhrases(candidates, question) : candidates
          const best = folded(holding, spaces).slice(0, limit)
          const textOf = yield* shown(
            best.flatMap(({ candidate, owner }) => (owner === null ? [candidate] : [candidate, owner]))
          )
          const items = best.flatMap((each) => itemOf(each, textOf) ?? [])
          const [first] = holding
          const text = first === undefined ? undefined : textOf(first)
          const neighbours =
            text === undefined
              ? 0
              : neighboursIn(evidence.sequence, analyse(`${text.title}\n${text.text}`, first.language))
          return {
            items,
            corrected,
            verdict: items.length === 0 ? "empty" : verdictOf({ ...evidence, neighbours }),
            isMoved: items.length < best.length
          }
        })

      const holdingPhrases = (candidates: ReadonlyArray<Candidate>, { phrases }: Question) =>
        Effect.map(shown(candidates), (textOf) =>
          candidates.filter((candidate) => {
            const text = textOf(candidate)
            const { language } = candidate
            return phrases.every((phrase) => {
              const sequence = sequenceOf(phrase, language)
              return [text?.title ?? "", text?.text ?? ""].some((each) => holdsPhrase(each, sequence, language))
            })
          })
        )

      return {
        // A row that was indexed and is not shown has changed in between; the index is brought up to date once more.
        find: (request) =>
          Effect.flatMap(find(request), (found) => (found.isMoved ? find(request) : Effect.succeed(found)))
      }
    })
  )
}

/** A candidate to show: a document stands for its entity where the caller sees that too. */
interface Folded {
  readonly candidate: Candidate
  readonly owner: Candidate | null
}

/** Each object once, with its best passage. */
const folded = (candidates: ReadonlyArray<Candidate>, spaces: ReadonlyArray<AskedSpace>): ReadonlyArray<Folded> => {
  const seen = new Set<string>()
  return candidates.flatMap((candidate) => {
    const { id, ownerId } = candidate.unit.object
    const owner = ownerId === null ? null : ownerOf(candidate, ownerId, spaces)
    const shownId = owner === null ? id : owner.unit.object.id
    if (seen.has(shownId)) return []
    seen.add(shownId)
    return [{ candidate, owner }]
  })
}

const ownerOf = (candidate: Candidate, ownerId: string, spaces: ReadonlyArray<AskedSpace>): Candidate | null => {
  for (const { slice, space } of spaces) {
    const number = slice.index.placesOf(ownerId).find((each) => slice.visible[each] === 1)
    const unit = number === undefined ? null : slice.index.passages[number]
    if (number !== undefined && unit) return { ...candidate, slice, number, unit, language: space.language }
  }
  return null
}

const itemOf = (
  { candidate, owner }: Folded,
  textOf: (candidate: Candidate) => Shown | undefined
): Found | undefined => {
  const text = textOf(candidate)
  const head = owner === null ? text : textOf(owner)
  if (text === undefined || head === undefined) return undefined
  const words = new Set(candidate.words.map(({ word }) => word))
  const there = new Set(analyse(`${text.title} ${text.text} ${text.roles.join(" ")}`, candidate.language))
  return {
    id: head.id,
    type: head.type,
    kind: head.kind,
    spaceId: head.spaceId,
    title: head.title,
    snippet: snippetOf(text.text, words, candidate.language),
    passage: text.text,
    score: candidate.score,
    documentId: owner === null ? null : text.id,
    matched: candidate.words.filter(({ word }) => there.has(word)).map(({ written }) => written),
    updatedAt: head.updatedAt
  }
}
