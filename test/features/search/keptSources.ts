/**
 * A search over sources in memory. A test can change the sources, and each change is an event that the search index
 * reads.
 */
import { Duration, Effect, Layer, ManagedRuntime } from "effect"
import { Reach, type ReachShape } from "../../../src/doors/Reach.ts"
import { Search, type SearchResult, type SearchRequest } from "../../../src/features/search/Search.ts"
import { SearchIndexes, SearchMemory } from "../../../src/features/search/SearchIndexes.ts"
import { type IndexedEvent, SearchStore, shownOf } from "../../../src/features/search/SearchStore.ts"
import { boundsFor, searchedSpaces } from "../../../src/features/search/SearchBounds.ts"
import { Embedder } from "../../../src/features/search/Embedder.ts"
import { ReadableIds } from "../../../src/features/search/ReadableIds.ts"
import { QuestionVectors } from "../../../src/features/search/QuestionVectors.ts"
import { passagesToEmbed, type Source } from "../../../src/features/search/Source.ts"
import { packVector } from "../../../src/features/search/vectors/PackedVector.ts"
import { Vectors } from "../../../src/features/search/Vectors.ts"
import { questionOf } from "../../../src/features/search/text/Question.ts"
import { aReach } from "../../support/reach.ts"

export const spaceId = "01900000-0000-7000-8000-000000000001"

/** The id of the caller. The filter `by:me` selects the records of this caller. */
export const callerId = "01900000-0000-7000-8000-00000000000a"

export interface KeptSources {
  readonly put: (source: Source) => void
  readonly remove: (id: string) => void
  readonly find: (query: string, more?: Partial<SearchRequest>) => Promise<SearchResult>
  /** Returns how many parts of texts the search has read from the store. */
  readonly placesShown: () => number
  /** Returns how many times the search has read vectors from the store. */
  readonly vectorReads: () => number
}

/**
 * Returns the access rights of a caller who may read all records of the only space. The caller may also read the names
 * of facets if `readsFacets` is true.
 */
const readerOf = (readsFacets: boolean): ReachShape => {
  const bounds = { spaces: [spaceId], kinds: null, objects: null, projects: null }
  return {
    ...aReach(),
    bounds: (subject) => (subject === "facet" && !readsFacets ? { ...bounds, spaces: [] } : bounds)
  }
}

/**
 * Returns the store of the vectors that `vectorOf` makes from the sources. Without `vectorOf` there is no embedding
 * model.
 */
const vectorsOf = (
  kept: ReadonlyMap<string, Source>,
  revisions: ReadonlyMap<string, number>,
  vectorOf: ((text: string) => ReadonlyArray<number>) | undefined,
  read: () => void
) => {
  const rows = () =>
    [...kept.values()].flatMap((source) =>
      passagesToEmbed(source).flatMap(({ text, ...place }) => {
        const vector = packVector(vectorOf?.(text))
        return vector === null ? [] : [{ ...place, vector, revision: revisions.get(source.id) ?? 0 }]
      })
    )
  const store: typeof Vectors.Service = {
    heads: (_, spaces) =>
      Effect.succeed(
        spaces.map((each) => ({
          spaceId: each,
          seq: 0,
          revision: Math.max(0, ...revisions.values()),
          isComplete: true
        }))
      ),
    placesOf: () => Effect.succeed([]),
    since: (_, __, after, most) =>
      Effect.sync(() => {
        read()
        return rows()
          .filter(({ revision }) => revision > after.revision)
          .toSorted((one, other) => one.revision - other.revision || one.start - other.start)
          .slice(0, most)
      }),
    keep: () => Effect.void,
    spacesWithUnread: () => Effect.succeed([]),
    progress: () => Effect.succeed(1),
    forgetReplaced: () => Effect.void
  }
  const model = "model"
  const questions: typeof QuestionVectors.Service = {
    usedModel: Effect.as(Effect.void, undefined),
    model: Effect.succeed(vectorOf === undefined ? undefined : model),
    share: 0.2,
    of: (question) =>
      Effect.succeed(vectorOf === undefined ? undefined : { model, vector: Float32Array.from(vectorOf(question)) })
  }
  const embedder = { progress: Effect.succeedNone, wake: Effect.void }
  return Layer.mergeAll(
    Layer.succeed(Vectors, store),
    Layer.succeed(QuestionVectors, questions),
    Layer.succeed(Embedder, embedder)
  )
}

/**
 * Makes the search. `bytesMax` limits the memory of its indexes. `isVisible` selects the sources that the caller may
 * read (default: all). `vectorOf` is the embedding model (default: none).
 */
export const keptSources = ({
  bytesMax = 2 ** 30,
  isVisible,
  readsFacets = true,
  vectorOf
}: {
  readonly bytesMax?: number
  readonly isVisible?: (id: string) => boolean
  readonly readsFacets?: boolean
  readonly vectorOf?: (text: string) => ReadonlyArray<number>
}): KeptSources => {
  const kept = new Map<string, Source>()
  const revisions = new Map<string, number>()
  const log: Array<IndexedEvent> = []
  let vectorReads = 0
  let placesShown = 0
  const isSeen = (id: string) => isVisible?.(id) ?? true
  const all = () => [...kept.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const store: typeof SearchStore.Service = {
    heads: (spaces) =>
      Effect.map(Reach, (reach) =>
        searchedSpaces(reach, spaces).map((each) => ({ spaceId: each, seq: log.length, language: "english" as const }))
      ),
    readable: (type, _filing, among) =>
      Effect.succeed(
        all()
          .filter((source) => source.type === type && isSeen(source.id) && (among?.includes(source.id) ?? true))
          .map(({ id }) => id)
      ),
    documentsOf: (_, entityIds) =>
      Effect.succeed(all().flatMap(({ id, ownerId }) => (entityIds.includes(ownerId ?? "") ? [id] : []))),
    eventsAfter: (_, after, most) => Effect.succeed(log.slice(after, after + most)),
    sources: (_, ids) => Effect.succeed(all().filter(({ id }) => ids.includes(id))),
    page: (_, type, after, most) =>
      Effect.succeed(
        all()
          .filter((source) => source.type === type && (after === null || source.id > after))
          .slice(0, most)
      ),
    show: (type, places) =>
      Effect.map(Reach, (reach) => {
        placesShown += places.length
        return places.flatMap(({ id, length, start }) => {
          const source = kept.get(id)
          const isThere = source?.type === type && isSeen(id) && boundsFor(reach, type).spaces.length > 0
          return isThere ? [shownOf(source, start, length)] : []
        })
      })
  }
  const reader = readerOf(readsFacets)
  // If the access of the caller is limited to a list of objects, the search first reads the ids that the caller may
  // read. It does this even if the list is empty.
  const reach: ReachShape = {
    ...reader,
    bounds: (subject, action) => ({
      ...reader.bounds(subject, action),
      ...(isVisible === undefined || subject === "facet" ? {} : { objects: [] })
    })
  }
  const memory = Layer.succeed(SearchMemory, { bytesMax, loadTimeout: Duration.infinity })
  const vectors = vectorsOf(kept, revisions, vectorOf, () => void vectorReads++)
  const runtime = ManagedRuntime.make(
    Search.layer.pipe(
      Layer.provide(ReadableIds.layer),
      Layer.provide(SearchIndexes.layer),
      Layer.provide(Layer.mergeAll(memory, Layer.succeed(SearchStore, store), vectors))
    )
  )
  return {
    put: (source) => {
      kept.set(source.id, source)
      log.push(movedAt(log.length + 1, source.id))
      revisions.set(source.id, log.length)
    },
    placesShown: () => placesShown,
    vectorReads: () => vectorReads,
    remove: (id) => {
      kept.delete(id)
      log.push(movedAt(log.length + 1, id))
    },
    find: (query, more = {}) =>
      runtime.runPromise(
        Effect.flatMap(Search, (search) =>
          search.find({
            question: questionOf(query, callerId),
            types: ["entity", "document"],
            spaces: null,
            projects: null,
            limit: 20,
            ...more
          })
        ).pipe(Effect.provideService(Reach, reach))
      )
  }
}

const movedAt = (seq: number, subjectId: string): IndexedEvent => ({
  seq,
  type: "entity.update",
  subjectId,
  sourceEntityId: null
})
