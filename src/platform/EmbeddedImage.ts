/** A new embedded database, made from the image that the build has prepared. */
import { PGlite } from "@electric-sql/pglite"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** An empty database as the engine's `initdb` leaves it, without the tables of the pod. `npm run build` makes it. */
const image = fileURLToPath(new URL("../../dist/embedded/empty.tar.gz", import.meta.url))

/**
 * Makes an empty database in a new directory. To unpack the image costs a second of processor time, to run `initdb`
 * five (measured), so `initdb` runs only if the pod was not built.
 */
export const makeEmbedded = async (directory: string): Promise<void> => {
  const loadDataDir = existsSync(image) ? new Blob([readFileSync(image)], { type: "application/x-gzip" }) : undefined
  const lite = await PGlite.create({ dataDir: directory, ...(loadDataDir === undefined ? {} : { loadDataDir }) })
  await lite.close()
}
