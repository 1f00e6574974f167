/**
 * The two forms of a stored vector. The packed form has one byte for each number. The search in memory compares packed
 * vectors. The other form has 32-bit numbers, and only some tables store it.
 */

/** A vector in bytes. The numbers of the vector are divided by `scale`, so that the largest byte is 127. */
export interface Packed {
  readonly scale: number
  readonly bytes: Int8Array
}

export interface PackedVector extends Packed {
  readonly floats: Float32Array
}

export type VectorOf = Packed & { readonly id: string }

/**
 * Makes both stored forms of a vector. Returns null if the vector is missing or has only zeros. A vector of zeros has
 * no direction and cannot be compared.
 */
export const packVector = (numbers: ArrayLike<number> | undefined): PackedVector | null => {
  if (numbers === undefined) return null
  const floats = Float32Array.from(numbers)
  const largest = floats.reduce((max, each) => Math.max(max, Math.abs(each)), 0)
  if (largest === 0) return null
  const scale = largest / 127
  return { floats, scale, bytes: Int8Array.from(floats, (each) => Math.round(each / scale)) }
}

/** Converts the packed form to bytes. The scale is first, then one byte for each number. */
export const bytesOfPacked = ({ bytes, scale }: Packed): Buffer => {
  const buffer = Buffer.alloc(8 + bytes.length)
  buffer.writeDoubleLE(scale)
  buffer.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), 8)
  return buffer
}

export const packedVectorFrom = (buffer: Buffer): Packed => ({
  scale: buffer.readDoubleLE(),
  bytes: Int8Array.from(new Int8Array(buffer.buffer, buffer.byteOffset + 8, buffer.length - 8))
})

export const bytesOfFloats = (floats: Float32Array): Buffer => {
  const buffer = Buffer.alloc(4 * floats.length)
  floats.forEach((each, at) => buffer.writeFloatLE(each, 4 * at))
  return buffer
}

export const floatsOf = (buffer: Buffer): Float32Array =>
  Float32Array.from({ length: buffer.length / 4 }, (_, at) => buffer.readFloatLE(4 * at))

/** Returns the cosine of the angle between two vectors. Returns 0 if one vector has only zeros. */
export const cosine = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let product = 0
  let oneSquare = 0
  let otherSquare = 0
  for (let at = 0; at < one.length; at++) {
    const a = one[at]
    const b = other[at]
    product += a * b
    oneSquare += a * a
    otherSquare += b * b
  }
  const length = Math.sqrt(oneSquare) * Math.sqrt(otherSquare)
  return length === 0 ? 0 : product / length
}
