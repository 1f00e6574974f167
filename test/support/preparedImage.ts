/** Makes the prepared PGlite data directories for each state of the migrations. Runs in the global setup. */
import { PGlite } from "@electric-sql/pglite"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { fingerprint, prepare, stateFolder } from "./migrations.ts"

const staleMs = 3_600_000 // no run still uses an image that was unused for an hour

export interface Images {
  /** For a data directory: everything that the pod looks for when it starts on one. */
  readonly whole: string
  /** For a database in memory: without the templates of further databases, which no suite makes. */
  readonly small: string
}

const dropStale = ({ small, whole }: Images): void => {
  for (const name of readdirSync(stateFolder)) {
    const path = stateFolder + name
    if (!name.startsWith("pglite-") || path === whole || path === small) continue
    // Another run may remove the same file between the listing and here.
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > staleMs) rmSync(path, { force: true })
  }
}

/** Writes the image without the log since the start, which each opening would replay. */
const write = async (lite: PGlite, path: string): Promise<void> => {
  await lite.exec("CHECKPOINT")
  const image = await lite.dumpDataDir("none")
  // Runs may overlap in one tree: the name appears only when the content is complete.
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, new Uint8Array(await image.arrayBuffer()))
  renameSync(partial, path)
}

const make = async (lite: PGlite, { small, whole }: Images): Promise<void> => {
  await prepare({
    exec: (text) => lite.exec(text),
    query: (text) => lite.query<Record<string, unknown>>(text).then((result) => result.rows)
  })
  // The usual 128 MB would be filled with zeros at each opening.
  await lite.exec("ALTER SYSTEM SET shared_buffers = '16MB'")
  await write(lite, whole)
  await lite.exec("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')")
  for (const name of ["template0", "template1"]) await lite.exec(`DROP DATABASE ${name}`)
  await write(lite, small)
}

/**
 * The paths of the images for the present migrations; makes the images if no earlier run did.
 * Not compressed, so that a suite opens the small one in 0.2 s of the processor; a fresh database takes 5 s.
 */
export const preparedImages = async (): Promise<Images> => {
  const path = `${stateFolder}pglite-${fingerprint()}`
  const images = { whole: `${path}.tar`, small: `${path}-small.tar` }
  mkdirSync(stateFolder, { recursive: true })
  // The small one is written last.
  if (existsSync(images.small)) {
    for (const image of Object.values(images)) utimesSync(image, new Date(), new Date())
  } else {
    const lite = await PGlite.create()
    await make(lite, images).finally(() => lite.close())
  }
  dropStale(images)
  return images
}
