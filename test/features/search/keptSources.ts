/** A search over sources in memory that can be changed like those of a pod, with a log that the index follows. */
import { Duration, Effect, Layer, ManagedRuntime } from "effect"
import { Reach, type ReachShape } from "../../../src/doors/Reach.ts"
import { Search, type Searched, type SearchRequest } from "../../../src/features/search/Search.ts"
import { SearchIndexes, SearchMemory } from "../../../src/features/search/SearchIndexes.ts"
import {
  boundsFor,
  type Moved,
  SearchStore,
  searchedSpaces,
  shownOf
} from "../../../src/features/search/SearchStore.ts"
import type { Source } from "../../../src/features/search/Source.ts"
import { questionOf } from "../../../src/features/search/text/Question.ts"
import { aReach } from "../../support/reach.ts"

export const spaceId = "01900000-0000-7000-8000-000000000001"

/** Whom `by:me` means. */
export const callerId = "01900000-0000-7000-8000-00000000000a"

export interface KeptSources {
  readonly put: (source: Source) => void
  readonly remove: (id: string) => void
  readonly find: (query: string, more?: Partial<SearchRequest>) => Promise<Searched>
}

/** Reads everything in the one space, without the names of roles unless it is told otherwise. */
const readerOf = (readsRoles: boolean): ReachShape => {
  const bounds = { spaces: [spaceId], kinds: null, objects: null, projects: null }
  return { ...aReach(), bounds: (subject) => (subject === "facet" && !readsRoles ? { ...bounds, spaces: [] } : bounds) }
}

/** `isVisible`: which sources the caller reads; absent: all of them. */
export const keptSources = ({
  isVisible,
  readsRoles = true
}: {
  readonly isVisible?: (id: string) => boolean
  readonly readsRoles?: boolean
}): KeptSources => {
  const kept = new Map<string, Source>()
  const log: Array<Moved> = []
  const isSeen = (id: string) => isVisible?.(id) ?? true
  const all = () => [...kept.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const store: typeof SearchStore.Service = {
    heads: (spaces) =>
      Effect.map(Reach, (reach) =>
        searchedSpaces(reach, spaces).map((each) => ({ spaceId: each, seq: log.length, language: "english" as const }))
      ),
    readable: (type) =>
      Effect.succeed(
        all()
          .filter((source) => source.type === type && isSeen(source.id))
          .map(({ id }) => id)
      ),
    moved: (_, after, most) => Effect.succeed(log.slice(after, after + most)),
    sources: (_, ids) => Effect.succeed(all().filter(({ id }) => ids.includes(id))),
    page: (_, type, after, most) =>
      Effect.succeed(
        all()
          .filter((source) => source.type === type && (after === null || source.id > after))
          .slice(0, most)
      ),
    show: (type, places) =>
      Effect.map(Reach, (reach) =>
        places.flatMap(({ id, length, start }) => {
          const source = kept.get(id)
          const isThere = source?.type === type && isSeen(id) && boundsFor(reach, type).spaces.length > 0
          return isThere ? [shownOf(source, start, length)] : []
        })
      )
  }
  const reader = readerOf(readsRoles)
  // Objects in the bounds make search ask for the ids that the caller reads.
  const reach: ReachShape = {
    ...reader,
    bounds: (subject, action) => ({
      ...reader.bounds(subject, action),
      ...(isVisible === undefined || subject === "facet" ? {} : { objects: [] })
    })
  }
  const memory = Layer.succeed(SearchMemory, { bytesMax: 2 ** 30, patience: Duration.infinity })
  const runtime = ManagedRuntime.make(
    Search.layer.pipe(
      Layer.provide(SearchIndexes.layer),
      Layer.provide(Layer.mergeAll(memory, Layer.succeed(SearchStore, store)))
    )
  )
  return {
    put: (source) => {
      kept.set(source.id, source)
      log.push({ seq: log.length + 1, subjectId: source.id })
    },
    remove: (id) => {
      kept.delete(id)
      log.push({ seq: log.length + 1, subjectId: id })
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
