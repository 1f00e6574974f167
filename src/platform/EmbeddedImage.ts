/** A new embedded database, made from an image that the build has prepared. */
import { PGlite } from "@electric-sql/pglite"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** `empty`: as the engine's `initdb` leaves it. `schema`: also with the tables of this pod, so that a first start migrates nothing. */
export type EmbeddedContent = "empty" | "schema"

const imageOf = (content: EmbeddedContent) =>
  fileURLToPath(new URL(`../../dist/embedded/${content}.tar.gz`, import.meta.url))

/**
 * Makes a database in a new directory. To unpack an image costs a second of processor time, to run `initdb` five, and all
 * migrations one more (measured). `npm run build` makes the images; without them the database is made by `initdb`, empty.
 */
export const makeEmbedded = async (directory: string, content: EmbeddedContent): Promise<void> => {
  mkdirSync(directory, { mode: 0o700 }) // the engine would let other users read it
  const image = imageOf(content)
  const loadDataDir = existsSync(image) ? new Blob([readFileSync(image)], { type: "application/x-gzip" }) : undefined
  const lite = await PGlite.create({ dataDir: directory, ...(loadDataDir === undefined ? {} : { loadDataDir }) })
  await lite.close()
}
