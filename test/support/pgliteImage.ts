/** PGlite for suites: each opens its own copy of the image that the global setup prepared. */
import { PGlite } from "@electric-sql/pglite"
import type { PGliteOptions } from "@electric-sql/pglite"
import { readFile } from "node:fs/promises"
import { inject } from "vitest"

/** A migrated PGlite for one suite, in memory unless `dataDir` names an empty directory. The suite closes it. */
export const anEmbedded = async (options: PGliteOptions = {}): Promise<PGlite> => {
  const image = inject("pgliteImage")
  if (image === null) throw new Error(`no PGlite image: ${inject("migrationFailure") ?? "unknown reason"}`)
  return PGlite.create({ ...options, loadDataDir: new Blob([new Uint8Array(await readFile(image))]) })
}
