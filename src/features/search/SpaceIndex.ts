/** The index of one space in memory, and the number of the last event that it has read. */
import { Readers } from "./Readers.ts"
import { PostingIndex } from "./postings/PostingIndex.ts"
import type { Head } from "./SearchStore.ts"
import type { Language } from "./text/Language.ts"
import { SpaceVectors } from "./vectors/SpaceVectors.ts"
import type { VectorHead } from "./Vectors.ts"

export interface SpaceIndex {
  readonly spaceId: string
  readonly language: Language
  readonly index: PostingIndex
  /**
   * The vectors of the space. Null if the pod has no embedding model, if no model has read the whole space yet, or if
   * the vectors do not fit into memory.
   */
  readonly vectors: SpaceVectors | null
}

export interface KeptIndex extends SpaceIndex {
  readonly readers: Readers
  vectors: SpaceVectors | null
  /**
   * The name of the model whose vectors did not fit into memory. The pod tries to read these vectors again only after
   * it has read the whole index again.
   */
  noRoomFor: string | null
  /** The number of the last event that the index has read. */
  seq: number
  lastUsed: number
}

export const bytesOf = ({ index, vectors }: SpaceIndex): number => index.bytes + (vectors?.bytes ?? 0)

/** The state of a model for one space: how much of the space the model has read. */
export interface ModelHead {
  readonly model: string
  readonly head: VectorHead
}

/**
 * Returns true if memory has all vectors that the model has written for the space. Also returns true if the pod has no
 * vectors to read: the model has not read the whole space yet, or its vectors do not fit into memory.
 */
const hasVectorsUpTo = ({ noRoomFor, vectors }: KeptIndex, { head, model }: ModelHead): boolean =>
  !head.isComplete || noRoomFor === model || (vectors?.model === model && vectors.last.revision >= head.revision)

/**
 * Returns true if the index has read the last event of its space and memory has the last vectors of the model. A search
 * then needs no more rows from the database.
 */
export const isUpToDate = (known: KeptIndex, head: Head, vectorHead: ModelHead | undefined): boolean =>
  known.language === head.language &&
  known.seq >= head.seq &&
  (vectorHead === undefined || hasVectorsUpTo(known, vectorHead))
