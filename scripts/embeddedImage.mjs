/** Writes the images in dist/embedded. A pod copies an image to create its embedded database. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { root } from "./install.mjs"

export const folder = `${root}dist/embedded`

const write = async (lite, name) => {
  // After a checkpoint, opening a copy of the database does not replay the write-ahead log.
  await lite.exec("CHECKPOINT")
  const image = await lite.dumpDataDir("gzip")
  writeFileSync(`${folder}/${name}.partial`, new Uint8Array(await image.arrayBuffer()))
  renameSync(`${folder}/${name}.partial`, `${folder}/${name}.tar.gz`)
}

/**
 * Builds two images: `empty` is the result of `initdb`; `schema` also has the tables that the pod's migrations create.
 */
export const buildImages = async () => {
  // Imported here, because a first start installs these packages before it builds the images.
  const { PGlite } = await import("@electric-sql/pglite")
  const { Effect } = await import("effect")
  const { load } = await import("./sources.mjs")
  const [{ ownerOf }, { migrate }] = await load("platform/Embedded.ts", "platform/Migrations.ts")
  mkdirSync(folder, { recursive: true })
  const lite = await PGlite.create()
  // These two templates are two thirds of the files. They are needed only to create further databases, so they are left
  // out and the pod need not unpack them.
  await lite.exec("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')")
  for (const name of ["template0", "template1"]) await lite.exec(`DROP DATABASE ${name}`)
  await write(lite, "empty")
  await Effect.runPromise(migrate(ownerOf(lite)))
  await write(lite, "schema")
  await lite.close()
}
