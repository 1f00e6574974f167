/**
 * The search indexes of this process. There is one index for each space in which somebody searches. Before a search,
 * the index of each searched space reads the events that it has not read yet.
 */
import { Context, Data, Duration, Effect, Fiber, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { yieldToEventLoop } from "../../platform/EventLoop.ts"
import { readAtMost } from "../../platform/ResultSize.ts"
import { Embedder } from "./Embedder.ts"
import { indexReach } from "./IndexReach.ts"
import { noReaders, Readers } from "./Readers.ts"
import { PostingIndex } from "./postings/PostingIndex.ts"
import { type Head, SearchStore } from "./SearchStore.ts"
import { searchedTypes } from "./SearchBounds.ts"
import { toIndexedObject, type Source } from "./Source.ts"
import type { Language } from "./text/Language.ts"
import { QuestionVectors } from "./QuestionVectors.ts"
import { SpaceVectors } from "./vectors/SpaceVectors.ts"
import { Vectors } from "./Vectors.ts"
import { type KeptIndex, type ModelHead, type SpaceIndex, bytesOf, isUpToDate } from "./SpaceIndex.ts"

/**
 * The pod could not read the index of a space from the database in time. The pod continues to read the index, so that a
 * later search can use it.
 */
export class IndexLoading extends Data.TaggedError("IndexLoading")<{ readonly spaceId: string }> {}

export class SearchMemory extends Context.Tag("pod/SearchMemory")<
  SearchMemory,
  {
    /**
     * The maximum number of bytes of memory for all indexes together. If the indexes need more, the pod drops the least
     * recently used index. A later search reads the dropped index again.
     */
    readonly bytesMax: number
    /** How long a search waits while the pod reads an index. */
    readonly loadTimeout: Duration.Duration
  }
>() {}

// the maximum number of events or objects that one statement reads
const batch = 250
// the maximum number of documents in one statement; each can have a million characters
const batchOfDocuments = 50
// the maximum number of vectors that one statement reads; each takes about 2 kB
const batchOfVectors = 250
// after this many milliseconds, the indexing lets other tasks of the process run
const sliceMs = 8

export class SearchIndexes extends Context.Tag("pod/SearchIndexes")<
  SearchIndexes,
  {
    /**
     * Waits until the index of each of these spaces has read all events of its space. Then runs `work` on the indexes.
     * No index changes until `work` has ended.
     */
    readonly reading: <A, E, R>(
      heads: ReadonlyArray<Head>,
      work: (spaces: ReadonlyArray<SpaceIndex>) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | IndexLoading, R>
    /**
     * Returns the number of the last event that the index of a space has read. Returns undefined if this index is not
     * in memory.
     */
    readonly readUpTo: (spaceId: string) => Effect.Effect<number | undefined>
    /**
     * Drops all indexes, but first lets running searches finish. The next search in a space reads all texts of the
     * space again.
     */
    readonly drop: Effect.Effect<void>
    /** The number of spaces whose index is in memory, and about how many bytes these indexes take. */
    readonly size: Effect.Effect<{ readonly spaces: number; readonly bytes: number }>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const { bytesMax, loadTimeout } = yield* SearchMemory
      const store = yield* SearchStore
      const stored = yield* Vectors
      const questions = yield* QuestionVectors
      const { wake } = yield* Embedder
      const scope = yield* Effect.scope
      const indexesBySpace = new Map<string, KeptIndex>()
      const locks = new Map<string, Effect.Semaphore>()
      const lockOf = (spaceId: string) => {
        let lock = locks.get(spaceId)
        if (lock === undefined) locks.set(spaceId, (lock = Effect.unsafeMakeSemaphore(1)))
        return lock
      }

      /**
       * Puts these objects into the index. Pauses now and then, so that other tasks of the process can run. Changes the
       * index only while no search reads the index.
       */
      const putAll = (index: PostingIndex, sources: ReadonlyArray<Source>, language: Language, readers = noReaders) =>
        Effect.gen(function* () {
          let since = performance.now()
          for (const source of sources) {
            for (const change of index.putInSteps(toIndexedObject(source, language))) {
              if (change !== undefined) yield* readers.exclusively(change)
              if (performance.now() - since < sliceMs) continue
              yield* yieldToEventLoop
              since = performance.now()
            }
          }
        })

      /**
       * Reads a whole space into a new index. `seq` is the number of the last event before this read. If a row changes
       * during the read, the event of the change has a higher number than `seq`. So the index reads the row again when
       * it reads this event.
       */
      const load = ({ language, seq, spaceId }: Head) =>
        Effect.gen(function* () {
          const index = new PostingIndex(bytesMax)
          for (const type of searchedTypes) {
            const batchSize = type === "document" ? batchOfDocuments : batch
            let after: string | null = null
            for (;;) {
              const from: string | null = after
              const read = yield* readAtMost(batchSize, (most) => store.page(spaceId, type, from, most))
              const sources: ReadonlyArray<Source> = read.found
              yield* putAll(index, sources, language)
              if (sources.length < read.limit || index.isIncomplete) break
              after = sources[sources.length - 1].id
            }
          }
          if (index.isIncomplete)
            yield* Effect.logWarning(
              `The search index of space ${spaceId} has no room for all of it. Set POD_SEARCH_MEMORY to a larger size.`
            )
          else if (index.isFull)
            yield* Effect.logWarning(`The search index of space ${spaceId} has no room for further words.`)
          return {
            spaceId,
            language,
            index,
            vectors: null,
            noRoomFor: null,
            readers: new Readers(),
            seq,
            lastUsed: performance.now()
          }
        })

      /**
       * Updates the index of a space. Reads the events that the index has not read yet, up to the event number `until`.
       */
      const follow = (space: KeptIndex, until: number) =>
        Effect.gen(function* () {
          while (space.seq < until) {
            const laterEvents = yield* store.eventsAfter(space.spaceId, space.seq, batch)
            if (laterEvents.length === 0) return
            const ids = [...new Set(laterEvents.flatMap(({ subjectId }) => subjectId ?? []))]
            const sources = ids.length === 0 ? [] : yield* store.sources(space.spaceId, ids)
            const present = new Set(sources.map(({ id }) => id))
            yield* space.readers.exclusively(() => {
              for (const id of ids) if (!present.has(id)) space.index.remove(id)
            })
            yield* putAll(space.index, sources, space.language, space.readers)
            space.seq = laterEvents[laterEvents.length - 1].seq
          }
        })

      /**
       * Reads the vectors that are not in memory yet. If the vectors do not fit into memory, searches of this space do
       * not use vectors.
       */
      const followVectors = (space: KeptIndex, { head: { isComplete, revision }, model }: ModelHead) =>
        Effect.gen(function* () {
          if (!isComplete || space.noRoomFor === model) return
          const vectors = space.vectors?.model === model ? space.vectors : new SpaceVectors(model)
          while (vectors.last.revision < revision) {
            const rows = yield* stored.since(model, space.spaceId, vectors.last, batchOfVectors)
            if (rows.length === 0) break
            yield* space.readers.exclusively(() => vectors.put(rows))
            if (space.index.bytes + vectors.bytes > bytesMax) {
              yield* Effect.logWarning(`The vectors of space ${space.spaceId} have no room in memory.`)
              space.vectors = null
              space.noRoomFor = model
              return
            }
            yield* yieldToEventLoop
          }
          vectors.readTo(revision)
          space.vectors = vectors
        })

      /**
       * For each of these spaces, reads the number of the last event that the embedding model has read. If a space has
       * newer events, wakes the job that makes vectors. Returns an empty map if the pod has no embedding model.
       */
      const vectorHeadsOf = (heads: ReadonlyArray<Head>) =>
        Effect.flatMap(questions.model, (model) => {
          if (model === undefined || heads.length === 0) return Effect.succeed(new Map<string, ModelHead>())
          const spaces = heads.map(({ spaceId }) => spaceId)
          return stored.heads(model, spaces).pipe(
            Effect.map((found) => new Map(found.map((head) => [head.spaceId, { model, head }]))),
            Effect.tap((found) =>
              heads.every(({ seq, spaceId }) => (found.get(spaceId)?.head.seq ?? 0) >= seq) ? Effect.void : wake
            ),
            Effect.provideService(Reach, indexReach(spaces))
          )
        })

      const bring = (head: Head, vectorHead: ModelHead | undefined) =>
        Effect.gen(function* () {
          const known = indexesBySpace.get(head.spaceId)
          const isUsable = known !== undefined && known.language === head.language
          if (isUsable) yield* follow(known, head.seq)
          const space = isUsable && !known.index.isWorthReading ? known : yield* load(head)
          indexesBySpace.set(head.spaceId, space)
          if (vectorHead !== undefined) yield* followVectors(space, vectorHead)
          space.lastUsed = performance.now()
          return space
        }).pipe(
          lockOf(head.spaceId).withPermits(1),
          Effect.provideService(Reach, indexReach([head.spaceId])),
          Effect.withSpan("search.index", { attributes: { space: head.spaceId } })
        )

      const bytesOfAll = () => [...indexesBySpace.values()].reduce((sum, space) => sum + bytesOf(space), 0)

      /**
       * Drops indexes until the remaining indexes fit into memory. Begins with the least recently used index. Never
       * drops an index in `inUse`.
       */
      const makeRoom = (inUse: ReadonlyArray<Head>) =>
        Effect.sync(() => {
          let bytes = bytesOfAll()
          const used = new Set(inUse.map(({ spaceId }) => spaceId))
          for (const space of [...indexesBySpace.values()].toSorted((one, other) => one.lastUsed - other.lastUsed)) {
            if (bytes <= bytesMax) return
            if (used.has(space.spaceId)) continue
            indexesBySpace.delete(space.spaceId)
            bytes -= bytesOf(space)
          }
        })

      const upTo = (heads: ReadonlyArray<Head>) =>
        Effect.gen(function* () {
          const vectorHeads = yield* vectorHeadsOf(heads)
          return yield* Effect.forEach(
            heads,
            (head) => {
              const vectorHead = vectorHeads.get(head.spaceId)
              const known = indexesBySpace.get(head.spaceId)
              if (known !== undefined && isUpToDate(known, head, vectorHead)) {
                known.lastUsed = performance.now()
                return Effect.succeed(known)
              }
              // The pod reads the index in the scope of this service. So it reads the index to the end even if the
              // search stops waiting.
              return Effect.flatMap(Effect.forkIn(bring(head, vectorHead), scope), Fiber.join).pipe(
                Effect.timeoutFail({
                  duration: loadTimeout,
                  onTimeout: () => new IndexLoading({ spaceId: head.spaceId })
                })
              )
            },
            { concurrency: 4 }
          )
        }).pipe(Effect.zipLeft(makeRoom(heads)))

      return {
        reading: (heads, work) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(restore(upTo(heads)), (spaces) => {
              for (const { readers } of spaces) readers.begin()
              const leave = Effect.sync(() => {
                for (const { readers } of spaces) readers.end()
              })
              return Effect.ensuring(restore(work(spaces)), leave)
            })
          ),
        readUpTo: (spaceId) => Effect.sync(() => indexesBySpace.get(spaceId)?.seq),
        drop: Effect.sync(() => indexesBySpace.clear()),
        size: Effect.sync(() => ({ spaces: indexesBySpace.size, bytes: bytesOfAll() }))
      }
    })
  )
}
