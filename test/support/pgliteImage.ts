/** PGlite for suites: each opens its own copy of the image that the global setup prepared. */
import { PGlite } from "@electric-sql/pglite"
import type { PGliteOptions } from "@electric-sql/pglite"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { inject } from "vitest"

/** A file that is in memory already. The engine reads it whole and does not change it, so all openings share its bytes. */
class HeldFile extends Blob {
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

/** What all openings of a process have in common: the compiled engine, its files, and the prepared data directory. */
const loadParts = async (image: string) => {
  const engine = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"))
  return {
    pgliteWasmModule: await WebAssembly.compile(await bytesOf(join(engine, "pglite.wasm"))),
    fsBundle: new HeldFile(await bytesOf(join(engine, "pglite.data"))),
    loadDataDir: new HeldFile(await bytesOf(image))
  }
}

let parts: ReturnType<typeof loadParts> | undefined

/** A migrated PGlite for one suite, in memory unless `dataDir` names an empty directory. The suite closes it. */
export const anEmbedded = async (options: PGliteOptions = {}): Promise<PGlite> => {
  const image = inject("pgliteImage")
  if (image === null) throw new Error(`no PGlite image: ${inject("migrationFailure") ?? "unknown reason"}`)
  return PGlite.create({ ...options, ...(await (parts ??= loadParts(image))) })
}
