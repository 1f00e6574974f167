/**
 * Writes a zip file without compression (APPNOTE 6.3.10, method 0), for the bundle of Claude Desktop. Works in Node and
 * in a browser.
 */

export interface ZipEntry {
  readonly name: string
  readonly content: string
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** Computes the checksum of an entry in a zip file: CRC-32 of ISO 3309. */
const crc32 = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** The size of a field in bytes, and the number that the field contains. Numbers in a zip file are little-endian. */
type NumberField = readonly [size: 2 | 4, value: number]

const numbersOf = (...fields: ReadonlyArray<NumberField>): Uint8Array =>
  Uint8Array.from(
    fields.flatMap(([size, value]) => Array.from({ length: size }, (_, place) => (value >>> (8 * place)) & 0xff))
  )

const joinBytes = (parts: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

// zip version 2.0, which supports folders
const version = 20
const utf8Names = 0x0800
// 1 January 1980 in the date format of zip; with a fixed date, the same entries give the same bytes
const firstDay = 0x0021

/** Writes the fields that both headers of an entry have, from the version to the length of the extra field. */
const commonFields = (name: Uint8Array, content: Uint8Array): Uint8Array =>
  numbersOf(
    [2, version],
    [2, utf8Names],
    // method 0: the content is not compressed
    [2, 0],
    [2, 0],
    [2, firstDay],
    [4, crc32(content)],
    [4, content.length],
    [4, content.length],
    [2, name.length],
    [2, 0]
  )

export const zipOf = (entries: ReadonlyArray<ZipEntry>): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder()
  const files: Array<Uint8Array> = []
  const directory: Array<Uint8Array> = []
  let offset = 0
  for (const { content: text, name: path } of entries) {
    const [name, content] = [encoder.encode(path), encoder.encode(text)]
    const common = commonFields(name, content)
    const file = joinBytes([numbersOf([4, 0x04034b50]), common, name, content])
    // the comment, the disk number and the attributes are zero
    const rest = numbersOf([2, 0], [4, 0], [4, 0], [4, offset])
    directory.push(numbersOf([4, 0x02014b50], [2, version]), common, rest, name)
    files.push(file)
    offset += file.length
  }
  const size = directory.reduce((all, part) => all + part.length, 0)
  const count = entries.length
  const end = numbersOf([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0])
  return joinBytes([...files, ...directory, end])
}
