/** Makes one prepared PGlite data directory for each state of the migrations. The global setup calls this. */
import { PGlite } from "@electric-sql/pglite"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { fingerprint, prepare, stateFolder } from "./migrations.ts"

const staleMs = 3_600_000 // An image that was not used for an hour is removed, because no test run uses it any more.

const dropStale = (image: string): void => {
  for (const name of readdirSync(stateFolder)) {
    const path = stateFolder + name
    if (!name.startsWith("pglite-") || path === image) continue
    // Another test run might have removed the file after this test run listed the folder.
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > staleMs) rmSync(path, { force: true })
  }
}

/** Writes an image after a checkpoint, so that opening it does not replay the write-ahead log. */
const write = async (lite: PGlite, path: string): Promise<void> => {
  await lite.exec("CHECKPOINT")
  const image = await lite.dumpDataDir("none")
  // Another test run might use the same folder, so the file gets its name only when its content is complete.
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, new Uint8Array(await image.arrayBuffer()))
  renameSync(partial, path)
}

const make = async (lite: PGlite, path: string): Promise<void> => {
  await prepare({
    exec: (text) => lite.exec(text),
    query: (text) => lite.query<Record<string, unknown>>(text).then((result) => result.rows)
  })
  // With the usual value of 128 MB, PGlite would fill 128 MB with zeros each time it opens the database.
  await lite.exec("ALTER SYSTEM SET shared_buffers = '16MB'")
  // The template databases are two thirds of the files in an image. PostgreSQL needs them only to create further
  // databases, and neither a suite nor a pod creates a database in an image.
  await lite.exec("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')")
  for (const name of ["template0", "template1"]) await lite.exec(`DROP DATABASE ${name}`)
  await write(lite, path)
}

/**
 * Returns the path of the image for the current migrations. Makes the image if no earlier run has made it. The image is
 * not compressed, so opening it takes only 0.2 s of processor time. Creating a new database would take 5 s.
 */
export const preparedImage = async (): Promise<string> => {
  const path = `${stateFolder}pglite-${fingerprint()}.tar`
  mkdirSync(stateFolder, { recursive: true })
  if (existsSync(path)) {
    utimesSync(path, new Date(), new Date())
  } else {
    const lite = await PGlite.create()
    await make(lite, path).finally(() => lite.close())
  }
  dropStale(path)
  return path
}
