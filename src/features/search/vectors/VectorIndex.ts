/**
 * An index in memory of vectors of equal length. It stores each number of a vector as one byte, and the sign of the
 * number also as one bit.
 */
import { runWithoutPause, type Steps } from "../../../platform/InSlices.ts"
import { type Packed, packVector, type VectorOf } from "./PackedVector.ts"
import { type Scored, TopScores } from "./TopScores.ts"

// A search compares the bytes of all vectors if the index has at most this many vectors (measured: 1.6 ms for 1,000
// vectors). In a larger index, a search first compares the signs. Then it compares the bytes of the best vectors only.
const byteMax = 2000
// the number of vectors whose signs a search compares between two pauses; this takes about a millisecond
const rowsPerStep = 4096
const bySignsCandidatesMin = 200
const byBytesCandidatesMin = 20

const bitsOf = ({ bytes }: Packed): Int32Array => {
  const bits = new Int32Array(Math.ceil(bytes.length / 32))
  for (let at = 0; at < bytes.length; at++) if (bytes[at] > 0) bits[at >> 5] |= 1 << (at & 31)
  return bits
}

const bitsIn = (word: number): number => {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const lengthOf = (bytes: Int8Array) => {
  let sum = 0
  for (let at = 0; at < bytes.length; at++) sum += bytes[at] * bytes[at]
  return Math.sqrt(sum)
}

export class VectorIndex {
  readonly dimensions: number
  private readonly wordsOfBits: number
  private readonly ids: Array<string> = []
  private readonly numbers = new Map<string, number>()
  private vectorBytes = new Int8Array(0)
  private bits = new Int32Array(0)
  private readonly lengths: Array<number> = []

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.wordsOfBits = Math.ceil(dimensions / 32)
  }

  get size(): number {
    return this.ids.length
  }

  /** About how many bytes of memory the index takes. */
  get bytes(): number {
    return this.vectorBytes.length + this.bits.length * 4 + this.ids.length * bytesOfId
  }

  /**
   * Adds a vector, or replaces the vector with the same id. Returns the number of its row. The row of an id never
   * changes.
   */
  put({ bytes, id, scale }: VectorOf): number {
    if (bytes.length !== this.dimensions) throw new Error(`a vector here has ${this.dimensions} numbers`)
    const row = this.numbers.get(id) ?? this.ids.length
    this.numbers.set(id, row)
    this.ids[row] = id
    if ((row + 1) * this.dimensions > this.vectorBytes.length) this.grow()
    this.vectorBytes.set(bytes, row * this.dimensions)
    this.bits.set(bitsOf({ bytes, scale }), row * this.wordsOfBits)
    this.lengths[row] = lengthOf(bytes)
    return row
  }

  private grow() {
    const rows = Math.max(16, Math.ceil(this.ids.length * 1.5))
    const [bytes, bits] = [new Int8Array(rows * this.dimensions), new Int32Array(rows * this.wordsOfBits)]
    bytes.set(this.vectorBytes)
    bits.set(this.bits)
    this.vectorBytes = bytes
    this.bits = bits
  }

  /**
   * Finds the vectors that are nearest to the question by cosine. The result can have a few more vectors than `limit`.
   * Each score depends only on one vector and the question. So the vectors that `isWanted` rejects do not change the
   * scores of other vectors. Returns nothing if the vector of the question has only zeros, or if its length differs
   * from the length of the stored vectors.
   */
  nearest(
    question: ArrayLike<number>,
    limit: number,
    isWanted: (id: string, row: number) => boolean
  ): ReadonlyArray<Scored> {
    return runWithoutPause(this.nearestInSteps(question, limit, isWanted))
  }

  /** Does the same as `nearest` in steps. The index must not change until the last step. */
  *nearestInSteps(
    question: ArrayLike<number>,
    limit: number,
    isWanted: (id: string, row: number) => boolean
  ): Steps<ReadonlyArray<Scored>> {
    const packedQuestion = question.length === this.dimensions ? packVector(question) : null
    if (packedQuestion === null) return []
    const rows: Array<number> = []
    for (let row = 0; row < this.ids.length; row++) {
      if (isWanted(this.ids[row], row)) rows.push(row)
      if (row % rowsPerStep === 0) yield
    }
    const chosen =
      rows.length <= byteMax
        ? rows
        : yield* this.bySigns(packedQuestion, Math.max(bySignsCandidatesMin, 10 * limit), rows)
    const top = new TopScores(Math.max(byBytesCandidatesMin, 2 * limit))
    const length = lengthOf(packedQuestion.bytes)
    const { dimensions, vectorBytes } = this
    for (const row of chosen) {
      const start = row * dimensions
      let product = 0
      for (let at = 0; at < dimensions; at++) product += vectorBytes[start + at] * packedQuestion.bytes[at]
      const score = product / (length * this.lengths[row])
      if (top.takes(score)) top.add({ id: this.ids[row], score })
    }
    return top.best
  }

  private *bySigns(packedQuestion: Packed, limit: number, rows: ReadonlyArray<number>): Steps<ReadonlyArray<number>> {
    const question = bitsOf(packedQuestion)
    const { bits, wordsOfBits } = this
    const top = new TopScores(limit)
    for (let place = 0; place < rows.length; place++) {
      if (place % rowsPerStep === 0) yield
      const row = rows[place]
      const start = row * wordsOfBits
      let other = 0
      for (let at = 0; at < wordsOfBits; at++) other += bitsIn(bits[start + at] ^ question[at])
      if (top.takes(-other)) top.add({ id: this.ids[row], score: -other })
    }
    return top.best.flatMap(({ id }) => this.numbers.get(id) ?? [])
  }
}

// the bytes of memory that an id takes in the list and in the map together
const bytesOfId = 150
