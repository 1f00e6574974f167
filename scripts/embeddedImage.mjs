/** Writes the images in dist/embedded from which a pod makes its embedded database. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { root } from "./install.mjs"

export const folder = `${root}dist/embedded`

const write = async (lite, name) => {
  // After a checkpoint, opening a copy replays no log.
  await lite.exec("CHECKPOINT")
  const image = await lite.dumpDataDir("gzip")
  writeFileSync(`${folder}/${name}.partial`, new Uint8Array(await image.arrayBuffer()))
  renameSync(`${folder}/${name}.partial`, `${folder}/${name}.tar.gz`)
}

/** `empty` is as `initdb` leaves it; `schema` also has the tables of the pod, as its migrations make them. */
export const buildImages = async () => {
  // A first start installs these before it makes the images.
  const { PGlite } = await import("@electric-sql/pglite")
  const { Effect } = await import("effect")
  const { load } = await import("./sources.mjs")
  const [{ ownerOf }, { migrate }] = await load("platform/Embedded.ts", "platform/Migrations.ts")
  mkdirSync(folder, { recursive: true })
  const lite = await PGlite.create()
  // No further database is made, so two thirds of the files, the templates for one, need not be unpacked.
  await lite.exec("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')")
  for (const name of ["template0", "template1"]) await lite.exec(`DROP DATABASE ${name}`)
  await write(lite, "empty")
  await Effect.runPromise(migrate(ownerOf(lite)))
  await write(lite, "schema")
  await lite.close()
}
