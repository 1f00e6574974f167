/** PGlite for test suites. Each suite opens its own copy of an image that the global setup prepared. */
import { PGlite } from "@electric-sql/pglite"
import type { PGliteOptions } from "@electric-sql/pglite"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { inject } from "vitest"
import { filesOf, PreparedFileSystem } from "./preparedFiles.ts"

declare global {
  // Node has this function, but the TypeScript types of Node do not declare it.
  namespace WebAssembly {
    function compile(bytes: ArrayBuffer): Promise<Module>
  }
}

/** A file in memory. PGlite only reads the whole file and never changes it, so all databases share the same bytes. */
class FileInMemory extends Blob {
  readonly #bytes: ArrayBuffer
  constructor(bytes: ArrayBuffer) {
    super([])
    this.#bytes = bytes
  }
  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#bytes)
  }
}

const bytesOf = async (path: string): Promise<ArrayBuffer> => {
  const bytes = new Uint8Array(await readFile(path))
  return bytes.buffer
}

const engineFolder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"))

/** Loads the compiled engine and its files once for all databases of a process. */
const loadEngine = async () => ({
  pgliteWasmModule: await WebAssembly.compile(await bytesOf(join(engineFolder, "pglite.wasm"))),
  fsBundle: new FileInMemory(await bytesOf(join(engineFolder, "pglite.data")))
})

const loadImage = async (path: string) => {
  const archive = await bytesOf(path)
  return { archive: new FileInMemory(archive), files: filesOf(new Uint8Array(archive)) }
}

let engine: ReturnType<typeof loadEngine> | undefined
let loaded: ReturnType<typeof loadImage> | undefined

/**
 * Opens a PGlite database with all migrations, for one suite. It is in memory unless `dataDir` names an empty
 * directory. The suite must close it.
 */
export const anEmbedded = async (options: PGliteOptions = {}): Promise<PGlite> => {
  const image = inject("pgliteImage")
  if (image === null) throw new Error(`no PGlite image: ${inject("migrationFailure") ?? "unknown reason"}`)
  const { archive, files } = await (loaded ??= loadImage(image))
  return PGlite.create({
    ...options,
    ...(await (engine ??= loadEngine())),
    ...(options.dataDir === undefined ? { fs: new PreparedFileSystem(files) } : { loadDataDir: archive })
  })
}

const emptyImage = new URL("../../dist/embedded/empty.tar.gz", import.meta.url)

/** Opens a PGlite database in memory without any table, for the tests of migrations. The suite must close it. */
export const anEmpty = async (): Promise<PGlite> =>
  PGlite.create({
    ...(await (engine ??= loadEngine())),
    loadDataDir: new Blob([await readFile(emptyImage)], { type: "application/x-gzip" })
  })
