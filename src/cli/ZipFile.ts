/** Writes a zip file without compression (APPNOTE 6.3.10, method 0), for the bundle of Claude Desktop. */

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
export const crc32 = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff] ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const version = 20 // zip version 2.0, which supports folders
const utf8Names = 0x0800
const firstDay = 0x0021 // 1 January 1980 in the date format of zip; with a fixed date, the same entries give the same bytes

/** Writes the fields that both headers of an entry have, from the version to the length of the extra field. */
const commonFields = (name: Buffer, content: Buffer): Buffer => {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(version, 0)
  fields.writeUInt16LE(utf8Names, 2)
  fields.writeUInt16LE(0, 4) // method 0: the content is not compressed
  fields.writeUInt16LE(0, 6)
  fields.writeUInt16LE(firstDay, 8)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(content.length, 14)
  fields.writeUInt32LE(content.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export const zipOf = (entries: ReadonlyArray<ZipEntry>): Buffer => {
  const files: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { content: text, name: path } of entries) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)]
    const common = commonFields(name, content)
    const file = Buffer.concat([signature(0x04034b50), common, name, content])
    const rest = Buffer.alloc(14) // comment, disk and attributes: all zero
    rest.writeUInt32LE(offset, 10)
    directory.push(signature(0x02014b50), Buffer.from([version, 0]), common, rest, name)
    files.push(file)
    offset += file.length
  }
  const size = directory.reduce((all, part) => all + part.length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, ...directory, signature(0x06054b50), end])
}
