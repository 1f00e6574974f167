/**
 * Where the vectors of passages are stored. They are the pod's own work: an embedding model makes them of rows, and they
 * can be made again at any time.
 */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { memoryTable, MemoryDatabase, type Rows } from "../../platform/MemoryDatabase.ts"
import { headTable, memoryStatements } from "../events/EventTable.ts"
import type { Packed } from "./vectors/PackedVector.ts"

/** How far a model has read the log of a space. */
export interface VectorHead {
  readonly spaceId: string
  /** The number of the last event that was read. */
  readonly seq: number
  /** Goes up with each write of vectors. */
  readonly revision: number
  /** Whether every passage had its vector at some time. A search uses the vectors from then on. */
  readonly isComplete: boolean
}

/** A passage, by the place where it begins in the text of its object, in characters. */
export interface PassagePlace {
  readonly objectId: string
  readonly start: number
  /** Tells whether a vector is of the present text. */
  readonly fingerprint: number
}

export interface PassageVector extends PassagePlace {
  readonly vector: Packed
}

export interface VectorRow extends PassageVector {
  readonly revision: number
}

/** A place in the order in which vectors were written. */
export type VectorPlace = Pick<VectorRow, "revision" | "objectId" | "start">

export interface VectorWrite {
  readonly spaceId: string
  readonly model: string
  /** The objects that were read. Their vectors of other passages than `places` are deleted. */
  readonly objectIds: ReadonlyArray<string>
  readonly places: ReadonlyArray<PassagePlace>
  /** The new vectors, all of them of `places`. */
  readonly vectors: ReadonlyArray<PassageVector>
  /** The number of the last event that was read. A number that is lower than the stored one changes nothing. */
  readonly seq: number
  /** Whether this was the end of the log. */
  readonly isComplete: boolean
}

export class Vectors extends Context.Tag("pod/Vectors")<
  Vectors,
  {
    /** The heads of these spaces. A space that the model has not begun to read has none. */
    readonly heads: (
      model: string,
      spaces: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<VectorHead>, never, Reach>
    /** The passages of these objects that have a vector. */
    readonly placesOf: (
      model: string,
      spaceId: string,
      objectIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PassagePlace>, never, Reach>
    /** The vectors that were written after this place, in the order of their writing. */
    readonly since: (
      model: string,
      spaceId: string,
      after: VectorPlace,
      most: number
    ) => Effect.Effect<ReadonlyArray<VectorRow>, never, Reach>
    /** Writes the vectors and the head of the space together. */
    readonly keep: (write: VectorWrite) => Effect.Effect<void, never, Reach>
    /** Spaces with events that the model has not read, those that have waited longest first. */
    readonly behind: (model: string, most: number) => Effect.Effect<ReadonlyArray<string>>
    /** The share of all events that the model has read, from 0 to 1. */
    readonly progress: (model: string) => Effect.Effect<number>
    /** Deletes the vectors of models that another model replaced more than a day ago. */
    readonly forgetReplaced: Effect.Effect<void>
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
            const asked = new Set(objectIds)
            return Effect.succeed(
              rows
                .all(vectorTable)
                .filter((kept) => kept.model === model && kept.spaceId === spaceId && asked.has(kept.objectId))
            )
          }),
        since: (model, spaceId, after, most) =>
          read(({ reach, rows }) => {
            if (!reach.bounds("entity", "read").spaces.includes(spaceId)) return Effect.succeed([])
            return Effect.succeed(
              rows
                .all(vectorTable)
                .filter((kept) => kept.model === model && kept.spaceId === spaceId && inOrder(kept, after) > 0)
                .toSorted(inOrder)
                .slice(0, most)
            )
          }),
        keep: ({ isComplete, model, objectIds, places, seq, spaceId, vectors }) =>
          write(({ reach, rows }) => {
            if (!reach.bounds("entity", "read").spaces.includes(spaceId)) return Effect.void
            const former = rows.find(vectorHeadTable, headKey({ spaceId, model }))
            const revision = (former?.revision ?? 0) + 1
            const isSeen = new Set(places.map(({ objectId, start }) => `${objectId} ${start}`))
            const read = new Set(objectIds)
            for (const kept of rows.all(vectorTable)) {
              const isOf = kept.model === model && kept.spaceId === spaceId && read.has(kept.objectId)
              if (isOf && !isSeen.has(`${kept.objectId} ${kept.start}`)) rows.remove(vectorTable, vectorKey(kept))
            }
            rows.put(vectorTable, ...vectors.map((each) => ({ ...each, model, spaceId, revision })))
            rows.put(vectorHeadTable, {
              spaceId,
              model,
              seq: Math.max(seq, former?.seq ?? 0),
              revision,
              isComplete: isComplete || former?.isComplete === true
            })
            return Effect.void
          }),
        behind: (model, most) => Effect.map(current, (rows) => spacesBehind(rows, rows.all(headTable), model, most)),
        progress: (model) =>
          Effect.map(current, (rows) => {
            const heads = rows.all(headTable)
            const doneIn = ({ seq, spaceId }: { readonly seq: number; readonly spaceId: string }) =>
              Math.min(seq, rows.find(vectorHeadTable, headKey({ spaceId, model }))?.seq ?? 0)
            const all = heads.reduce((sum, { seq }) => sum + seq, 0)
            return all === 0 ? 1 : heads.reduce((sum, head) => sum + doneIn(head), 0) / all
          }),
        // A pod in memory has one model for all its life.
        forgetReplaced: Effect.void
      }
    })
  )
}

/** The spaces of these logs that a model has not read to their end, at most `most`. */
export const spacesBehind = (
  rows: Rows,
  logs: ReadonlyArray<{ readonly spaceId: string; readonly seq: number }>,
  model: string,
  most: number
): ReadonlyArray<string> =>
  logs
    .filter(({ seq, spaceId }) => {
      const done = rows.find(vectorHeadTable, headKey({ spaceId, model }))
      return done === undefined || done.seq < seq || !done.isComplete
    })
    .map(({ spaceId }) => spaceId)
    .slice(0, most)

interface StoredHead extends VectorHead {
  readonly model: string
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
