/**
 * Writes and reads files as one stream in the `tar` format (POSIX ustar). Backups and the image of a new embedded
 * database have this format.
 */
import { Data } from "effect"

/**
 * `name`: the name of a file does not fit into the format. `content`: the bytes of the archive are not the bytes that
 * were written.
 */
export class TarFault extends Data.TaggedError("TarFault")<{
  readonly of: "name" | "content"
  readonly message: string
}> {}

const refuse = (of: TarFault["of"], message: string): never => {
  throw new TarFault({ of, message })
}

// the tar format consists of blocks of this many bytes
const block = 512
// the maximum number of bytes of a name; longer names would need the second name field of the format, but no file of
// the engine has such a name
const nameMax = 100

export interface TarEntry {
  readonly name: string
  readonly isFolder: boolean
  readonly size: number
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`

/** Returns the header block that comes before the content of a file or folder. */
export const tarHeader = ({ isFolder, name, size }: TarEntry): Uint8Array => {
  const path = isFolder ? `${name}/` : name
  if (Buffer.byteLength(path) > nameMax) refuse("name", `The name ${name} is too long for an archive.`)
  const header = Buffer.alloc(block)
  header.write(path, 0)
  header.write(octal(isFolder ? 0o700 : 0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(0, 12), 136)
  // while the checksum is computed, the field of the checksum contains spaces
  header.write(" ".repeat(8), 148)
  header.write(isFolder ? "5" : "0", 156)
  header.write("ustar\u000000", 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return header
}

/** Returns the zero bytes that fill the last block of a content of `size` bytes. */
export const tarPadding = (size: number): Uint8Array => Buffer.alloc((block - (size % block)) % block)

/** Two empty blocks end the stream. */
export const tarEnd: Uint8Array = Buffer.alloc(2 * block)

/** Reads the bytes of a stream in pieces of a chosen size. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #chunk: Buffer = Buffer.alloc(0)
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }
  /** Returns the next bytes, `max` or fewer. Returns undefined at the end of the stream. */
  async some(max: number): Promise<Buffer | undefined> {
    if (this.#chunk.length === 0) {
      const next = await this.#source.next()
      if (next.done === true) return undefined
      this.#chunk = next.value
    }
    const part = this.#chunk.subarray(0, max)
    this.#chunk = this.#chunk.subarray(part.length)
    return part
  }
  async exactly(size: number): Promise<Buffer> {
    const parts: Array<Buffer> = []
    let missing = size
    while (missing > 0) {
      const part = await this.some(missing)
      if (part === undefined) return refuse("content", "The archive is cut off.")
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }
}

const text = (header: Buffer, from: number, to: number): string =>
  header
    .subarray(from, to)
    .toString("latin1")
    .replace(/\0[\s\S]*$/, "")
    .trim()

const entryOf = (header: Buffer): TarEntry => {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  const size = Number.parseInt(text(header, 124, 136), 8)
  if (Number.parseInt(text(header, 148, 156), 8) !== sum || !Number.isSafeInteger(size)) {
    return refuse("content", "The archive is damaged: the beginning of a part cannot be read.")
  }
  const name = text(header, 0, nameMax)
  return { name: name.replace(/\/$/, ""), isFolder: text(header, 156, 157) === "5", size }
}

export interface ReadEntry extends TarEntry {
  /** The bytes of the file. Read them before you ask for the next entry. */
  readonly content: AsyncIterable<Buffer>
}

/** Returns the entries of a tar stream, one after another. Fails if the stream is cut off. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry> {
  const bytes = new Bytes(source)
  for (;;) {
    const header = await bytes.exactly(block)
    if (header.every((byte) => byte === 0)) {
      await bytes.exactly(block)
      // The stream is read to its end, because the end of the compressed stream has a checksum of all the data.
      if ((await bytes.some(1)) !== undefined) refuse("content", "The archive is damaged: something follows its end.")
      return
    }
    const entry = entryOf(header)
    let remaining = entry.size
    async function* content(): AsyncGenerator<Buffer> {
      while (remaining > 0) {
        const part = await bytes.some(remaining)
        if (part === undefined) return refuse("content", "The archive is cut off.")
        remaining -= part.length
        yield part
      }
    }
    yield { ...entry, content: content() }
    while (remaining > 0) remaining -= (await bytes.exactly(Math.min(remaining, 65_536))).length
    await bytes.exactly(tarPadding(entry.size).length)
  }
}
