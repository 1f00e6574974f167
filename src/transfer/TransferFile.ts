/**
 * The format of an export file: a header, one line for each row, and a trailer. `docs/operate/backup.md` describes it.
 */
import { Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"
import { noProgress, type Progress, refuse } from "./TransferRefused.ts"
import { addLines } from "./StateHash.ts"

export const transferFormat = "pod-export"
/** The version of the file format. The import refuses a file with a higher version. */
export const transferVersion = 1

const TableCount = Schema.Struct({
  name: Schema.String,
  columns: Schema.Array(Schema.String),
  rows: Schema.Int
})

export const TransferHeader = Schema.Struct({
  format: Schema.Literal(transferFormat),
  version: Schema.Int,
  created: Schema.String,
  /**
   * The id of the person who owns the exported pod. Null if the pod had no owner. `podVersion` is the version of the
   * pod's program.
   */
  pod: Schema.NullOr(Schema.String),
  podVersion: Schema.String,
  engine: Schema.Literal("embedded", "postgres"),
  /** `pod` if the file has a whole pod. Otherwise the id of the only workspace in the file. */
  scope: Schema.String,
  /** True if the file contains keys, passwords, sessions, webhooks and the vault. */
  secrets: Schema.Boolean,
  schema: Schema.Array(Schema.Struct({ name: Schema.String, digest: Schema.String })),
  tables: Schema.Array(TableCount)
})
export type TransferHeader = typeof TransferHeader.Type

export const TransferTrailer = Schema.Struct({
  end: Schema.Literal(true),
  rows: Schema.Int,
  /** SHA-256 of the lines of all rows. It is also the state hash of a database that contains exactly these rows. */
  hash: Schema.String,
  /** SHA-256 of the header line. */
  header: Schema.String
})
export type TransferTrailer = typeof TransferTrailer.Type

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const decodeHeader = Schema.decodeUnknownOption(Schema.parseJson(TransferHeader))
const decodeTrailer = Schema.decodeUnknownOption(Schema.parseJson(TransferTrailer))
const decodeVersion = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ format: Schema.Literal(transferFormat), version: Schema.Int }))
)

const isCompressed = (path: string): boolean => path.endsWith(".gz")

/**
 * Reads the lines of a file, a few at a time. The function does not change the text of the lines. The last line must
 * also end with a newline.
 */
export async function* linesOfFile(path: string): AsyncGenerator<ReadonlyArray<string>> {
  const file = createReadStream(path)
  const unzip = isCompressed(path) ? createGunzip() : undefined
  // If the file cannot be read, the code that reads the decompressed bytes must get this error.
  if (unzip !== undefined) file.on("error", (cause) => unzip.destroy(cause))
  const source: AsyncIterable<Buffer> = unzip === undefined ? file : file.pipe(unzip)
  let rest: Array<Buffer> = []
  try {
    for await (const chunk of source) {
      const end = chunk.lastIndexOf(10)
      if (end === -1) {
        rest.push(chunk)
        continue
      }
      const whole = Buffer.concat([...rest, chunk.subarray(0, end)]).toString("utf8")
      rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
      yield whole.split("\n")
    }
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    if (code.startsWith("Z_")) refuse("file", `${path} is damaged: it cannot be decompressed.`)
    throw cause
  } finally {
    file.destroy()
  }
  if (rest.length > 0) refuse("file", `${path} is cut off in the middle of a line.`)
}

const rowForm = /^\{"t":"([a-z_.]+)","r":(\{.*\})\}$/s

/**
 * Reads the line of a row: the name of its table, and the JSON text of its values. Returns undefined if the line is not
 * a row.
 */
export const rowOf = (line: string): { readonly table: string; readonly values: string } | undefined => {
  const match = rowForm.exec(line)
  return match?.[1] === undefined || match[2] === undefined ? undefined : { table: match[1], values: match[2] }
}

const headerOf = (path: string, line: string): TransferHeader => {
  const version = decodeVersion(line)
  if (Option.isNone(version))
    return refuse("file", `${path} is not an export of a pod: its first line is not a header.`)
  if (version.value.version > transferVersion) {
    return refuse(
      "file",
      `${path} has version ${version.value.version} of the format, and this pod reads up to ${transferVersion}. Import it with the newer version of the pod that wrote it.`
    )
  }
  const header = decodeHeader(line)
  return Option.isSome(header) ? header.value : refuse("file", `${path} is damaged: its header cannot be read.`)
}

export interface CheckedFile {
  readonly header: TransferHeader
  readonly trailer: TransferTrailer
}

/**
 * Reads the whole file, and checks its rows against the counts and the hashes that the file contains. The import uses
 * no row of the file before this check succeeds.
 */
export const checkFile = async (path: string, progress: Progress = noProgress): Promise<CheckedFile> => {
  const hash = createHash("sha256")
  let header: TransferHeader | undefined
  let headerHash = ""
  let trailer: TransferTrailer | undefined
  let rows = 0
  const counts = new Map<string, number>()
  for await (const lines of linesOfFile(path)) {
    for (const line of lines) {
      if (trailer !== undefined) return refuse("file", `${path} is damaged: lines follow its end.`)
      if (header === undefined) {
        header = headerOf(path, line)
        headerHash = sha256(line)
        continue
      }
      const row = rowOf(line)
      if (row === undefined) {
        trailer = Option.getOrUndefined(decodeTrailer(line))
        if (trailer === undefined) return refuse("file", `${path} is damaged: line ${rows + 2} is not a row.`)
        continue
      }
      addLines(hash, [line])
      counts.set(row.table, (counts.get(row.table) ?? 0) + 1)
      rows += 1
    }
    progress({ what: "read the file", done: rows, total: 0, unit: "rows" })
  }
  if (header === undefined) return refuse("file", `${path} is empty.`)
  if (trailer === undefined) return refuse("file", `${path} is cut off: its end is missing after ${rows} rows.`)
  const isCounted = header.tables.every((table) => (counts.get(table.name) ?? 0) === table.rows)
  if (
    trailer.hash !== hash.digest("hex") ||
    trailer.header !== headerHash ||
    trailer.rows !== rows ||
    !isCounted ||
    [...counts.keys()].some((name) => header.tables.every((table) => table.name !== name))
  ) {
    return refuse("file", `${path} is damaged: its content was changed after it was written (the hash differs).`)
  }
  return { header, trailer }
}
