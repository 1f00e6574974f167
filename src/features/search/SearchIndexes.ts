/** The indexes of this process, one for each space in use. They follow the log: an index is as new as the event it has read. */
import { Context, Data, Duration, Effect, Fiber, Layer } from "effect"
import { noClient } from "../../doors/Reach.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { PostingIndex } from "./postings/PostingIndex.ts"
import { type Head, searchedTypes, SearchStore } from "./SearchStore.ts"
import { indexed, type Source } from "./Source.ts"
import type { Language } from "./text/Language.ts"

/** The index of a space is still being read from the database. It goes on, and a later search finds it. */
export class IndexLoading extends Data.TaggedError("IndexLoading")<{ readonly spaceId: string }> {}

export interface SpaceIndex {
  readonly spaceId: string
  readonly language: Language
  readonly index: PostingIndex
}

interface Kept extends SpaceIndex {
  /** The number of the last event that it has read. */
  seq: number
  lastUsed: number
}

export class SearchMemory extends Context.Tag("pod/SearchMemory")<
  SearchMemory,
  {
    /** Memory for all indexes together. What was not searched for longest is dropped, and read again when needed. */
    readonly bytesMax: number
    /** How long a search waits for an index. */
    readonly patience: Duration.Duration
  }
>() {}

const batch = 250 // events or objects read at once
const batchOfDocuments = 50 // a document may hold a million characters
const sliceMs = 8 // of indexing, after which others have their turn

export class SearchIndexes extends Context.Tag("pod/SearchIndexes")<
  SearchIndexes,
  {
    /** The indexes of these spaces, each at least as new as its head. */
    readonly upTo: (heads: ReadonlyArray<Head>) => Effect.Effect<ReadonlyArray<SpaceIndex>, IndexLoading>
    /** How many spaces are in memory, and about how many bytes they take. */
    readonly size: Effect.Effect<{ readonly spaces: number; readonly bytes: number }>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const { bytesMax, patience } = yield* SearchMemory
      const store = yield* SearchStore
      const scope = yield* Effect.scope
      const kept = new Map<string, Kept>()
      const locks = new Map<string, Effect.Semaphore>()
      const lockOf = (spaceId: string) => {
        let lock = locks.get(spaceId)
        if (lock === undefined) locks.set(spaceId, (lock = Effect.unsafeMakeSemaphore(1)))
        return lock
      }

      /** Indexes the sources and lets others run in between. */
      const putAll = (index: PostingIndex, sources: ReadonlyArray<Source>, language: Language) =>
        Effect.gen(function* () {
          let since = performance.now()
          for (const source of sources) {
            index.put(indexed(source, language))
            if (performance.now() - since < sliceMs) continue
            yield* turn
            since = performance.now()
          }
        })

      /** Reads a space whole. The number is taken before the rows, so whatever is newer is read again. */
      const load = ({ language, seq, spaceId }: Head) =>
        Effect.gen(function* () {
          const index = new PostingIndex(bytesMax)
          for (const type of searchedTypes) {
            const most = type === "document" ? batchOfDocuments : batch
            let after: string | null = null
            for (;;) {
              const sources: ReadonlyArray<Source> = yield* store.page(spaceId, type, after, most)
              yield* putAll(index, sources, language)
              if (sources.length < most || index.isIncomplete) break
              after = sources[sources.length - 1].id
            }
          }
          if (index.isIncomplete)
            yield* Effect.logWarning(
              `The search index of space ${spaceId} has no room for all of it. Set POD_SEARCH_MEMORY to a larger size.`
            )
          else if (index.isFull)
            yield* Effect.logWarning(`The search index of space ${spaceId} has no room for further words.`)
          return { spaceId, language, index, seq, lastUsed: performance.now() }
        })

      /** Reads what has happened in a space since. */
      const follow = (space: Kept, until: number) =>
        Effect.gen(function* () {
          while (space.seq < until) {
            const moved = yield* store.moved(space.spaceId, space.seq, batch)
            if (moved.length === 0) return
            const ids = [...new Set(moved.flatMap(({ subjectId }) => subjectId ?? []))]
            const sources = ids.length === 0 ? [] : yield* store.sources(space.spaceId, ids)
            const present = new Set(sources.map(({ id }) => id))
            for (const id of ids) if (!present.has(id)) space.index.remove(id)
            yield* putAll(space.index, sources, space.language)
            space.seq = moved[moved.length - 1].seq
          }
        })

      const bring = (head: Head) =>
        Effect.gen(function* () {
          const known = kept.get(head.spaceId)
          if (known !== undefined && known.language === head.language) {
            yield* follow(known, head.seq)
            known.lastUsed = performance.now()
            if (!known.index.isWorthReading) return known
          }
          const loaded = yield* load(head)
          kept.set(head.spaceId, loaded)
          return loaded
        }).pipe(
          lockOf(head.spaceId).withPermits(1),
          Effect.provideService(Reach, indexReach(head.spaceId)),
          Effect.withSpan("search.index", { attributes: { space: head.spaceId } })
        )

      /** Drops what was not used for longest until the rest fits. */
      const makeRoom = (inUse: ReadonlyArray<Head>) =>
        Effect.sync(() => {
          let bytes = [...kept.values()].reduce((sum, { index }) => sum + index.bytes, 0)
          const used = new Set(inUse.map(({ spaceId }) => spaceId))
          for (const { index, spaceId } of [...kept.values()].toSorted((one, other) => one.lastUsed - other.lastUsed)) {
            if (bytes <= bytesMax) return
            if (used.has(spaceId)) continue
            kept.delete(spaceId)
            bytes -= index.bytes
          }
        })

      return {
        upTo: (heads) =>
          Effect.forEach(
            heads,
            (head) => {
              const known = kept.get(head.spaceId)
              if (known !== undefined && known.language === head.language && known.seq >= head.seq) {
                known.lastUsed = performance.now()
                return Effect.succeed(known)
              }
              // The reading goes on when the search that began it gives up.
              return Effect.flatMap(Effect.forkIn(bring(head), scope), Fiber.join).pipe(
                Effect.timeoutFail({
                  duration: patience,
                  onTimeout: () => new IndexLoading({ spaceId: head.spaceId })
                })
              )
            },
            { concurrency: 4 }
          ).pipe(Effect.zipLeft(makeRoom(heads))),
        size: Effect.sync(() => ({
          spaces: kept.size,
          bytes: [...kept.values()].reduce((sum, { index }) => sum + index.bytes, 0)
        }))
      }
    })
  )
}

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const nobodyId = "00000000-0000-0000-0000-000000000000"

/** Reading for the index is the pod's own work, in one space. What a caller is shown is asked for under the caller's reach. */
const indexReach = (spaceId: string) =>
  systemReach("the search index follows its space", nobodyId, [spaceId], {
    operation: "search.index",
    requestId: uuidv7(),
    client: noClient
  })
