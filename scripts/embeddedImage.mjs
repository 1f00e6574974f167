/**
 * Writes the database images in dist/embedded. A new pod copies an image instead of creating its embedded database from
 * nothing.
 */
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { root } from "./install.mjs"

export const folder = `${root}dist/embedded`

const write = async (lite, name) => {
  // After a checkpoint, a copy of the database opens without a replay of the write-ahead log.
  await lite.exec("CHECKPOINT")
  const image = await lite.dumpDataDir("gzip")
  writeFileSync(`${folder}/${name}.partial`, new Uint8Array(await image.arrayBuffer()))
  renameSync(`${folder}/${name}.partial`, `${folder}/${name}.tar.gz`)
}

/**
 * Builds two images. `empty` is the result of `initdb`. `schema` also has the tables that the pod's migrations create.
 */
export const buildImages = async () => {
  // The import is not at the top of the file, because a first start installs these packages after it has loaded this
  // file.
  const { PGlite } = await import("@electric-sql/pglite")
  const { Effect } = await import("effect")
  const { load } = await import("./sources.mjs")
  const [{ ownerOf }, { migrate }] = await load("platform/Embedded.ts", "platform/Migrations.ts")
  mkdirSync(folder, { recursive: true })
  const lite = await PGlite.create()
  // These two template databases are two thirds of the files, and only `CREATE DATABASE` would need them. The image
  // leaves them out, so the pod need not unpack them.
  await lite.exec("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')")
  for (const name of ["template0", "template1"]) await lite.exec(`DROP DATABASE ${name}`)
  await write(lite, "empty")
  await Effect.runPromise(migrate(ownerOf(lite)))
  await write(lite, "schema")
  await lite.close()
}
