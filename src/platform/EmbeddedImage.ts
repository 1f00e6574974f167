/** Makes a new embedded database from an image that the build has prepared. */
import { PGlite } from "@electric-sql/pglite"
import { createReadStream, existsSync, mkdirSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { createGunzip } from "node:zlib"
import { readTar } from "./Tar.ts"

/**
 * The content of a new database. `empty`: the database as `initdb` of the engine makes it. `schema`: a database that
 * also has the tables of this pod, so that a first start applies no migrations.
 */
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
 * Makes a database in a new directory. The function unpacks an image that `npm run build` has made. Unpacking takes a
 * fifth of a second of processor time. Without an image, `initdb` makes an empty database. That takes five seconds, and
 * the migrations take another second.
 */
export const makeEmbedded = async (directory: string, content: EmbeddedContent): Promise<void> => {
  // without this mode the engine would let other users read the directory
  mkdirSync(directory, { mode: 0o700 })
  const image = imageOf(content)
  if (existsSync(image)) return unpack(image, directory)
  const lite = await PGlite.create({ dataDir: directory })
  await lite.close()
}
