/** A backup as one file: its parts, and after them a list of the parts with their hashes. */
import { Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, readdir, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createGunzip } from "node:zlib"
import { makeFolder } from "../platform/MakeFolder.ts"
import { readTar, tarEnd, tarHeader, tarPadding } from "../platform/Tar.ts"
import { writeNewFile } from "../transfer/NewFile.ts"
import { noProgress, type Progress, refuse } from "../transfer/TransferRefused.ts"

export const backupFormat = "pod-backup"
export const backupVersion = 1
const manifestName = "manifest.json"

export const BackupManifest = Schema.Struct({
  format: Schema.Literal(backupFormat),
  version: Schema.Int,
  created: Schema.String,
  podVersion: Schema.String,
  /**
   * `embedded`: the backup has the files of the database, in the folder `pg`. `postgres`: the backup has the rows of
   * the database, in the file `rows.ndjson`.
   */
  engine: Schema.Literal("embedded", "postgres"),
  /** The names of the secrets from the data directory that the backup contains. */
  secrets: Schema.Array(Schema.String),
  schema: Schema.Array(Schema.Struct({ name: Schema.String, digest: Schema.String })),
  folders: Schema.Array(Schema.String),
  parts: Schema.Array(Schema.Struct({ name: Schema.String, size: Schema.Int, sha256: Schema.String }))
})
export type BackupManifest = typeof BackupManifest.Type

const decodeManifest = Schema.decodeUnknownOption(Schema.parseJson(BackupManifest))
const decodeVersion = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ format: Schema.Literal(backupFormat), version: Schema.Int }))
)

type Description = Omit<BackupManifest, "format" | "version" | "folders" | "parts">

/** Lists every file and folder below `root`, with its path relative to `root`, sorted by path. */
const listBelow = async (
  root: string
): Promise<ReadonlyArray<{ readonly name: string; readonly isFolder: boolean }>> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({
      name: join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
      isFolder: entry.isDirectory()
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

async function* packFolder(root: string, description: Description, progress: Progress): AsyncGenerator<Uint8Array> {
  const entries = await listBelow(root)
  const parts: Array<{ name: string; size: number; sha256: string }> = []
  const folders: Array<string> = []
  for (const [at, { isFolder, name }] of entries.entries()) {
    progress({ what: "pack the backup", done: at + 1, total: entries.length, unit: "parts" })
    if (isFolder) {
      folders.push(name)
      yield tarHeader({ name, isFolder, size: 0 })
      continue
    }
    const { size } = await stat(join(root, name))
    yield tarHeader({ name, isFolder, size })
    const hash = createHash("sha256")
    if (size > 0) {
      const chunks: AsyncIterable<Buffer> = createReadStream(join(root, name), { end: size - 1 })
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    }
    yield tarPadding(size)
    parts.push({ name, size, sha256: hash.digest("hex") })
  }
  const manifest: BackupManifest = { format: backupFormat, version: backupVersion, ...description, folders, parts }
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  yield tarHeader({ name: manifestName, isFolder: false, size: text.length })
  yield text
  yield tarPadding(text.length)
  yield tarEnd
}

/** Packs a folder into a file. The file gets its final name only after its whole content is on the disk. */
export const packBackup = (path: string, root: string, description: Description, progress: Progress = noProgress) =>
  writeNewFile(path, packFolder(root, description, progress), { compressed: true })

const manifestOf = (path: string, text: string): BackupManifest => {
  const version = decodeVersion(text)
  if (Option.isNone(version)) return refuse("file", `${path} is damaged: its list of parts cannot be read.`)
  if (version.value.version > backupVersion) {
    return refuse(
      "file",
      `${path} has version ${version.value.version} of the format, and this pod reads up to ${backupVersion}. Use the newer version of the pod that wrote the file.`
    )
  }
  const manifest = decodeManifest(text)
  return Option.isSome(manifest)
    ? manifest.value
    : refuse("file", `${path} is damaged: its list of parts cannot be read.`)
}

async function* decompress(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path)
  const unzip = createGunzip()
  file.on("error", (cause) => unzip.destroy(cause))
  try {
    const chunks: AsyncIterable<Buffer> = file.pipe(unzip)
    for await (const chunk of chunks) yield chunk
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    if (code.startsWith("Z_"))
      refuse("file", `${path} is not a backup, or is damaged or cut off: it cannot be decompressed.`)
    throw cause
  } finally {
    file.destroy()
    unzip.destroy()
  }
}

/**
 * Reads the database engine of a backup from its first part. Does not check the hashes, because `unpackBackup` checks
 * them.
 */
export const engineOfBackup = async (path: string): Promise<BackupManifest["engine"]> => {
  for await (const { name } of readTar(decompress(path))) return name === "pg" ? "embedded" : "postgres"
  return refuse("file", `${path} is empty.`)
}

/**
 * Returns true if this name is allowed for a part of a backup. Any other name could point outside the target folder.
 */
const isOwnName = (name: string): boolean =>
  /^(?:manifest\.json|rows\.ndjson|pg|secrets|(?:pg|secrets)\/[\w.@/-]+)$/.test(name) && !name.split("/").includes("..")

/** Unpacks a backup into an empty folder and compares each part with its hash. */
export const unpackBackup = async (
  path: string,
  folder: string,
  progress: Progress = noProgress
): Promise<BackupManifest> => {
  const found = new Map<string, { readonly size: number; readonly sha256: string }>()
  const folders: Array<string> = []
  let manifest: BackupManifest | undefined
  makeFolder(folder, 0o700)
  for await (const { content, isFolder, name, size } of readTar(decompress(path))) {
    if (!isOwnName(name) || manifest !== undefined)
      return refuse("file", `${path} is damaged: it contains an unknown part.`)
    const target = join(folder, name)
    if (isFolder) {
      makeFolder(target, 0o700)
      folders.push(name)
      continue
    }
    makeFolder(dirname(target), 0o700)
    const hash = createHash("sha256")
    const file = await open(target, "wx", 0o600)
    try {
      for await (const chunk of content) {
        hash.update(chunk)
        await file.writeFile(chunk)
      }
    } finally {
      await file.close()
    }
    if (name === manifestName) manifest = manifestOf(path, await readFile(target, "utf8"))
    else found.set(name, { size, sha256: hash.digest("hex") })
    progress({ what: "unpack the backup", done: found.size, total: 0, unit: "parts" })
  }
  if (manifest === undefined) return refuse("file", `${path} is cut off: its list of parts is missing.`)
  const isSame =
    manifest.parts.length === found.size &&
    manifest.parts.every(
      ({ name, sha256, size }) => found.get(name)?.sha256 === sha256 && found.get(name)?.size === size
    ) &&
    manifest.folders.join() === folders.join()
  if (!isSame)
    return refuse(
      "file",
      `${path} is damaged: the content of a part was changed after it was written (its hash differs).`
    )
  return manifest
}
