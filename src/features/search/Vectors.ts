/**
 * The store of the vectors of passages. An embedding model makes the vectors from the rows of the pod, so the pod can
 * make them again at any time.
 */
import { Context, type DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { memoryTable, MemoryDatabase, type Rows } from "../../platform/MemoryDatabase.ts"
import { headTable, memoryStatements } from "../events/EventTable.ts"
import type { Packed } from "./vectors/PackedVector.ts"

/**
 * Makes the name under which the pod stores vectors of memory facts for a model. It differs from the name of the model,
 * because facts have a separate log with its own event numbers.
 */
export const factModel = (model: string): string => `${model} of facts`

/**
 * The state of an embedding model for one space. It names the last event that was read for the model in the log of the
 * space.
 */
export interface VectorHead {
  readonly spaceId: string
  /** The number of the last event that was read for the model. */
  readonly seq: number
  /** Increases by one with each write of vectors. */
  readonly revision: number
  /**
   * True if the model has reached the end of the log at least once. Then searches use the vectors, even if newer events
   * follow.
   */
  readonly isComplete: boolean
}

/**
 * Identifies a passage by the id of its object and by `start`. `start` is the place of the first character of the
 * passage in the text of the object.
 */
export interface PassagePlace {
  readonly objectId: string
  readonly start: number
  /**
   * A hash of the text from which the vector was made. If the hash of the current text differs, the text has changed.
   */
  readonly fingerprint: number
}

export interface PassageVector extends PassagePlace {
  readonly vector: Packed
}

export interface VectorRow extends PassageVector {
  readonly revision: number
}

/** The place of a vector in the list of all vectors. The list is sorted by the time of writing. */
export type VectorPlace = Pick<VectorRow, "revision" | "objectId" | "start">

/** The place before the first vector. */
export const firstPlace: VectorPlace = { revision: 0, objectId: "00000000-0000-0000-0000-000000000000", start: -1 }

export interface VectorWrite {
  readonly spaceId: string
  readonly model: string
  /**
   * The objects whose texts the model has read for this write. If a stored vector of these objects belongs to no
   * passage in `places`, the write deletes the vector.
   */
  readonly objectIds: ReadonlyArray<string>
  readonly places: ReadonlyArray<PassagePlace>
  /** The new vectors. Each vector belongs to a passage in `places`. */
  readonly vectors: ReadonlyArray<PassageVector>
  /**
   * The number of the last event that was read for the model. The store keeps the higher of this number and the stored
   * number.
   */
  readonly seq: number
  /** Whether the model has reached the end of the log with this write. */
  readonly isComplete: boolean
}

export class Vectors extends Context.Tag("pod/Vectors")<
  Vectors,
  {
    /**
     * Reads the heads of these spaces. A head says which event of the space the model has read last. If the model has
     * not begun to read a space, the space has no head.
     */
    readonly heads: (
      model: string,
      spaces: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<VectorHead>, never, Reach>
    /** Reads which passages of these objects already have a vector of this model. */
    readonly placesOf: (
      model: string,
      spaceId: string,
      objectIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PassagePlace>, never, Reach>
    /**
     * Reads at most `limit` vectors that were written after the vector at `after`, in the order in which they were
     * written.
     */
    readonly since: (
      model: string,
      spaceId: string,
      after: VectorPlace,
      limit: number
    ) => Effect.Effect<ReadonlyArray<VectorRow>, never, Reach>
    /** Writes, in one statement, the vectors of a space and the last event that was read for the model there. */
    readonly keep: (write: VectorWrite) => Effect.Effect<void, never, Reach>
    /**
     * Finds at most `limit` spaces with events that the model has not read. Spaces that the model has not begun to read
     * are first. Then come the spaces whose vectors were written least recently.
     */
    readonly spacesWithUnread: (model: string, limit: number) => Effect.Effect<ReadonlyArray<string>>
    /** Reads the share of all events that was read for the model, as a number from 0 to 1. */
    readonly progress: (model: string) => Effect.Effect<number>
    /** Deletes the vectors of models that `model` replaced more than a day ago. */
    readonly forgetReplaced: (model: string) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      const { rows: current } = yield* MemoryDatabase
      return {
        heads: (model, spaces) =>
          read(({ reach, rows }) => {
            const reached = new Set(reach.bounds("entity", "read").spaces)
            return Effect.succeed(
              spaces
                .filter((spaceId) => reached.has(spaceId))
                .flatMap((spaceId) => rows.find(vectorHeadTable, headKey({ spaceId, model })) ?? [])
            )
          }),
        placesOf: (model, spaceId, objectIds) =>
          read(({ reach, rows }) => {
            if (!reach.bounds("entity", "read").spaces.includes(spaceId)) return Effect.succeed([])
            const requestedIds = new Set(objectIds)
            return Effect.succeed(
              rows
                .all(vectorTable)
                .filter((row) => row.model === model && row.spaceId === spaceId && requestedIds.has(row.objectId))
            )
          }),
        since: (model, spaceId, after, limit) =>
          read(({ reach, rows }) => {
            if (!reach.bounds("entity", "read").spaces.includes(spaceId)) return Effect.succeed([])
            return Effect.succeed(
              rows
                .all(vectorTable)
                .filter((row) => row.model === model && row.spaceId === spaceId && inOrder(row, after) > 0)
                .toSorted(inOrder)
                .slice(0, limit)
            )
          }),
        keep: ({ isComplete, model, objectIds, places, seq, spaceId, vectors }) =>
          write(({ now, reach, rows }) => {
            if (!reach.bounds("entity", "read").spaces.includes(spaceId)) return Effect.void
            const former = rows.find(vectorHeadTable, headKey({ spaceId, model }))
            const revision = (former?.revision ?? 0) + 1
            const isSeen = new Set(places.map(({ objectId, start }) => `${objectId} ${start}`))
            const read = new Set(objectIds)
            for (const row of rows.all(vectorTable)) {
              const isOf = row.model === model && row.spaceId === spaceId && read.has(row.objectId)
              if (isOf && !isSeen.has(`${row.objectId} ${row.start}`)) rows.remove(vectorTable, vectorKey(row))
            }
            rows.put(vectorTable, ...vectors.map((each) => ({ ...each, model, spaceId, revision })))
            rows.put(vectorHeadTable, {
              spaceId,
              model,
              seq: Math.max(seq, former?.seq ?? 0),
              revision,
              isComplete: isComplete || former?.isComplete === true,
              updatedAt: now
            })
            return Effect.void
          }),
        spacesWithUnread: (model, limit) =>
          Effect.map(current, (rows) => unreadSpaces(rows, rows.all(headTable), model, limit)),
        progress: (model) =>
          Effect.map(current, (rows) => {
            const heads = rows.all(headTable)
            const doneIn = ({ seq, spaceId }: { readonly seq: number; readonly spaceId: string }) =>
              Math.min(seq, rows.find(vectorHeadTable, headKey({ spaceId, model }))?.seq ?? 0)
            const all = heads.reduce((sum, { seq }) => sum + seq, 0)
            return all === 0 ? 1 : heads.reduce((sum, head) => sum + doneIn(head), 0) / all
          }),
        // The store in memory deletes nothing, because a pod without a database does not run long enough to need this
        // memory again.
        forgetReplaced: () => Effect.void
      }
    })
  )
}

/**
 * Finds at most `limit` of these spaces whose log the model has not read to the end. Spaces that the model has not
 * begun to read are first. The other spaces follow, sorted by the time of their last write of vectors, earliest first.
 */
export const unreadSpaces = (
  rows: Rows,
  logs: ReadonlyArray<{ readonly spaceId: string; readonly seq: number }>,
  model: string,
  limit: number
): ReadonlyArray<string> =>
  logs
    .map(({ seq, spaceId }) => ({ seq, spaceId, done: rows.find(vectorHeadTable, headKey({ spaceId, model })) }))
    .filter(({ done, seq }) => done === undefined || done.seq < seq || !done.isComplete)
    .toSorted((one, other) => sinceMs(one.done) - sinceMs(other.done) || (one.spaceId < other.spaceId ? -1 : 1))
    .map(({ spaceId }) => spaceId)
    .slice(0, limit)

// a space without stored vectors gets -1, which is earlier than every stored time
const sinceMs = (done: StoredHead | undefined) => done?.updatedAt.epochMillis ?? -1

interface StoredHead extends VectorHead {
  readonly model: string
  readonly updatedAt: DateTime.Utc
}

interface StoredVector extends VectorRow {
  readonly spaceId: string
  readonly model: string
}

const headKey = ({ model, spaceId }: Pick<StoredHead, "model" | "spaceId">) => `${spaceId} ${model}`
const vectorKey = ({ model, objectId, spaceId, start }: StoredVector) => `${spaceId} ${objectId} ${start} ${model}`

const vectorHeadTable = memoryTable<StoredHead>("search_vector_heads", headKey)
const vectorTable = memoryTable<StoredVector>("search_vectors", vectorKey)

const inOrder = (one: VectorPlace, other: VectorPlace): number =>
  one.revision - other.revision ||
  (one.objectId < other.objectId ? -1 : one.objectId > other.objectId ? 1 : one.start - other.start)
