/** A new embedded database, made from an image that the build has prepared. */
import { PGlite } from "@electric-sql/pglite"
import { createReadStream, existsSync, mkdirSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { createGunzip } from "node:zlib"
import { readTar } from "./Tar.ts"

/** `empty`: as the engine's `initdb` leaves it. `schema`: also with the tables of this pod, so that a first start migrates nothing. */
export type EmbeddedContent = "empty" | "schema"

const imageOf = (content: EmbeddedContent) =>
  fileURLToPath(new URL(`../../dist/embedded/${content}.tar.gz`, import.meta.url))

const unpack = (image: string, directory: string): Promise<void> =>
  pipeline(createReadStream(image), createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
    for await (const { content, isFolder, name } of readTar(bytes)) {
      const path = join(directory, name)
      if (isFolder) await mkdir(path, { recursive: true, mode: 0o700 })
      else await writeFile(path, content, { mode: 0o600 })
    }
  })

/**
 * Makes a database in a new directory. To unpack an image costs a fifth of a second of processor time, to run `initdb` five,
 * and all migrations one more (measured). `npm run build` makes the images; without them the database is made by `initdb`, empty.
 */
export const makeEmbedded = async (directory: string, content: EmbeddedContent): Promise<void> => {
  mkdirSync(directory, { mode: 0o700 }) // the engine would let other users read it
  const image = imageOf(content)
  if (existsSync(image)) return unpack(image, directory)
  const lite = await PGlite.create({ dataDir: directory })
  await lite.close()
}
