/**
 * Holds the files of a prepared PGlite data directory in memory. For each database, PGlite itself would unpack these
 * files with many calls, and this unpacking takes half of the processor time of opening a database. So this code puts
 * the files in place directly.
 */
import { MemoryFS } from "@electric-sql/pglite"

interface PreparedFile {
  readonly folder: string
  readonly name: string
  readonly mode: number
  readonly bytes: Uint8Array
}

export interface PreparedFiles {
  readonly folders: ReadonlyArray<{ readonly path: string; readonly mode: number }>
  readonly files: ReadonlyArray<PreparedFile>
}

const blockBytes = 512
const text = new TextDecoder()
const folderType = "5"
const regularFile = 0o100_000

/** Reads the entries of a tar archive that PGlite has written. The files share the bytes of the archive. */
export const filesOf = (archive: Uint8Array): PreparedFiles => {
  const folders: Array<PreparedFiles["folders"][number]> = []
  const files: Array<PreparedFile> = []
  let at = 0
  const field = (start: number, length: number): string =>
    text.decode(archive.subarray(at + start, at + start + length)).replace(/\0.*$/s, "")
  while (at < archive.length && archive[at] !== 0) {
    const path = field(0, 100)
    const mode = Number.parseInt(field(100, 8), 8)
    const sizeBytes = Number.parseInt(field(124, 12), 8)
    const start = at + blockBytes
    if (field(156, 1) === folderType) {
      folders.push({ path, mode })
    } else {
      const cut = path.lastIndexOf("/")
      files.push({
        folder: path.slice(0, cut),
        name: path.slice(cut + 1),
        mode,
        bytes: archive.subarray(start, start + sizeBytes)
      })
    }
    at = start + Math.ceil(sizeBytes / blockBytes) * blockBytes
  }
  return { folders, files }
}

/** The fields of a file or folder in Emscripten's file system that this code uses. */
interface Node {
  contents: Uint8Array
  usedBytes: number
  readonly node_ops: { readonly mknod: (parent: Node, name: string, mode: number, device: number) => Node }
}

interface FileSystem {
  readonly mkdirTree: (path: string, mode: number) => void
  readonly lookupPath: (path: string) => { readonly node: Node }
}

const dataDirectory = "/pglite/data"

/** The file system of one database in memory. At first it contains a copy of the prepared files. */
export class PreparedFileSystem extends MemoryFS {
  readonly #prepared: PreparedFiles
  constructor(prepared: PreparedFiles) {
    super()
    this.#prepared = prepared
  }
  override async initialSyncFs(): Promise<void> {
    const files: FileSystem = this.pg!.Module.FS
    files.mkdirTree(dataDirectory, 0o700)
    for (const { mode, path } of this.#prepared.folders) files.mkdirTree(dataDirectory + path, mode)
    let folder: string | undefined
    let parent: Node | undefined
    for (const file of this.#prepared.files) {
      if (parent === undefined || file.folder !== folder) {
        folder = file.folder
        parent = files.lookupPath(dataDirectory + folder).node
      }
      const node = parent.node_ops.mknod(parent, file.name, regularFile | file.mode, 0)
      node.contents = file.bytes.slice()
      node.usedBytes = file.bytes.length
    }
  }
}
