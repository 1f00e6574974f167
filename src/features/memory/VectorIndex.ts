/** The vectors of one person's facts in memory: a byte a dimension, and one bit each for its sign. */
import { dimensions } from "./MemoryFact.ts"
import { type Packed, packed, type VectorOf } from "./PackedVector.ts"
import { type Scored, TopScores } from "./TopScores.ts"

const wordsOfBits = dimensions / 32
// Up to here every vector is compared by its bytes; above, the signs choose first. Measured: 1.6 ms for 1,000 vectors.
const byteMost = 2000
const bySignsLeast = 200
const byBytesLeast = 20
const bytesOfId = 150 // of a fact besides its numbers

const bitsOf = ({ bytes }: Packed): Int32Array => {
  const bits = new Int32Array(wordsOfBits)
  for (let at = 0; at < dimensions; at++) if (bytes[at] > 0) bits[at >> 5] |= 1 << (at & 31)
  return bits
}

const bitsIn = (word: number): number => {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const lengthOf = (bytes: Int8Array) => {
  let sum = 0
  for (let at = 0; at < dimensions; at++) sum += bytes[at] * bytes[at]
  return Math.sqrt(sum)
}

export class VectorIndex {
  private readonly ids: Array<string> = []
  private readonly numbers = new Map<string, number>()
  private bytes = new Int8Array(0)
  private bits = new Int32Array(0)
  private readonly lengths: Array<number> = []

  get size(): number {
    return this.ids.length
  }

  /** About how much memory it takes. */
  get bytesTaken(): number {
    return this.bytes.byteLength + this.bits.byteLength + this.ids.length * bytesOfId
  }

  put({ bytes, id, scale }: VectorOf): void {
    const number = this.numbers.get(id) ?? this.ids.length
    this.numbers.set(id, number)
    this.ids[number] = id
    if ((number + 1) * dimensions > this.bytes.length) this.grow()
    this.bytes.set(bytes, number * dimensions)
    this.bits.set(bitsOf({ bytes, scale }), number * wordsOfBits)
    this.lengths[number] = lengthOf(bytes)
  }

  private grow() {
    const rows = Math.max(16, Math.ceil(this.ids.length * 1.5))
    const [bytes, bits] = [new Int8Array(rows * dimensions), new Int32Array(rows * wordsOfBits)]
    bytes.set(this.bytes)
    bits.set(this.bits)
    this.bytes = bytes
    this.bits = bits
  }

  /**
   * The nearest vectors by cosine, for a caller that compares their full numbers afterwards. It answers a few more than
   * asked for. The score of a vector depends on that vector alone, so vectors that `isWanted` excludes change nothing.
   */
  nearest(question: ReadonlyArray<number>, most: number, isWanted: (id: string) => boolean): ReadonlyArray<Scored> {
    const asked = packed(question)
    if (asked === null) return []
    const wanted = this.ids.flatMap((id, number) => (isWanted(id) ? [number] : []))
    const chosen = wanted.length <= byteMost ? wanted : this.bySigns(asked, Math.max(bySignsLeast, 10 * most), wanted)
    const top = new TopScores(Math.max(byBytesLeast, 2 * most))
    const length = lengthOf(asked.bytes)
    for (const number of chosen) {
      const row = number * dimensions
      let product = 0
      for (let at = 0; at < dimensions; at++) product += this.bytes[row + at] * asked.bytes[at]
      const score = product / (length * this.lengths[number])
      if (top.takes(score)) top.add({ id: this.ids[number], score })
    }
    return top.best
  }

  private bySigns(asked: Packed, most: number, wanted: ReadonlyArray<number>): ReadonlyArray<number> {
    const bits = bitsOf(asked)
    const top = new TopScores(most)
    for (const number of wanted) {
      const row = number * wordsOfBits
      let other = 0
      for (let at = 0; at < wordsOfBits; at++) other += bitsIn(this.bits[row + at] ^ bits[at])
      if (top.takes(-other)) top.add({ id: this.ids[number], score: -other })
    }
    return top.best.flatMap(({ id }) => this.numbers.get(id) ?? [])
  }
}
