/**
 * The vectors of the passages of one space, in memory. The word index of the same space says which passages are
 * visible.
 */
import type { Steps } from "../../../platform/InSlices.ts"
import type { PostingIndex } from "../postings/PostingIndex.ts"
import type { IndexedPassage } from "../postings/IndexedObject.ts"
import type { Slice } from "../postings/Visible.ts"
import type { QuestionVector } from "../QuestionVectors.ts"
import { firstPlace, type VectorPlace, type VectorRow } from "../Vectors.ts"
import { VectorIndex } from "./VectorIndex.ts"

/**
 * A passage with a vector. `passage` is the passage in the word index, and `number` is the number of the passage there.
 * Each look-up of the passage updates both fields.
 */
interface Place {
  readonly objectId: string
  readonly start: number
  readonly fingerprint: number
  number: number
  passage: IndexedPassage | null
}

export interface NearPassage {
  readonly number: number
  readonly passage: IndexedPassage
  /** The cosine of the angle between the question and the passage. */
  readonly score: number
}

export class SpaceVectors {
  private vectors: VectorIndex | undefined
  private readonly places: Array<Place> = []
  private readonly byId = new Map<string, number>()
  private reached = firstPlace

  /** The name of the model that made the vectors. */
  readonly model: string

  constructor(model: string) {
    this.model = model
  }

  /** The place of the last added vector in the list of all vectors, which is sorted by the time of writing. */
  get last(): VectorPlace {
    return this.reached
  }

  /** About how many bytes of memory the vectors take. */
  get bytes(): number {
    return (this.vectors?.bytes ?? 0) + this.places.length * bytesOfPlace
  }

  /**
   * Returns true if the vectors of the space can be compared with the given vector: both have the same length and are
   * from the same model.
   */
  holds({ model, vector }: QuestionVector): boolean {
    return model === this.model && (this.vectors === undefined || this.vectors.dimensions === vector.length)
  }

  /**
   * Adds vectors in the order in which they were written. Leaves out a vector if its length differs from the length of
   * the first vector.
   */
  put(rows: ReadonlyArray<VectorRow>): void {
    for (const { fingerprint, objectId, revision, start, vector } of rows) {
      this.reached = { revision, objectId, start }
      this.vectors ??= new VectorIndex(vector.bytes.length)
      if (vector.bytes.length !== this.vectors.dimensions) continue
      const id = `${objectId} ${start}`
      const row = this.vectors.put({ id, ...vector })
      this.byId.set(id, row)
      this.places[row] = { objectId, start, fingerprint, number: -1, passage: null }
    }
  }

  /**
   * Records that the pod has read the vectors of all writes up to the write with this number (`revision`). The pod
   * cannot see this from the vectors, because a write can contain no vectors.
   */
  readTo(revision: number): void {
    if (this.reached.revision < revision) this.reached = { revision, objectId: lastId, start: 0 }
  }

  /**
   * Finds about `limit` visible passages whose vectors are nearest to the question. Ignores a vector if the text of its
   * passage has changed since the vector was made. Returns nothing if the length of the question's vector differs from
   * the length of the stored vectors.
   */
  *nearest(question: Float32Array, limit: number, { index, visible }: Slice): Steps<ReadonlyArray<NearPassage>> {
    const { places, vectors } = this
    if (vectors === undefined) return []
    const isVisible = (_: string, row: number) => {
      const place = places[row]
      const passage = unitOf(place, index)
      return passage !== null && visible[place.number] === 1 && passage.fingerprint === place.fingerprint
    }
    const nearest = yield* vectors.nearestInSteps(question, limit, isVisible)
    return nearest.flatMap(({ id, score }) => {
      const place = this.places[this.byId.get(id) ?? -1]
      return place.passage === null ? [] : [{ number: place.number, passage: place.passage, score }]
    })
  }
}

/**
 * Finds the passage of a vector in the word index. Returns null if the index does not have the passage. If the passage
 * got a new number when the index was compacted, the function finds the passage by its object and its start.
 */
const unitOf = (place: Place, index: PostingIndex): IndexedPassage | null => {
  if (place.passage !== null && index.passages[place.number] === place.passage) return place.passage
  const found = index.placesOf(place.objectId).find((number) => index.passages[number]?.start === place.start)
  place.number = found ?? -1
  place.passage = found === undefined ? null : index.passages[found]
  return place.passage
}

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"
const bytesOfPlace = 200
