/** Writes dist/embedded/empty.tar.gz: the empty database from which a pod makes its embedded database. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { root } from "./install.mjs"

export const folder = `${root}dist/embedded`

export const buildImage = async () => {
  const { PGlite } = await import("@electric-sql/pglite") // a first start installs it before it builds
  mkdirSync(folder, { recursive: true })
  const lite = await PGlite.create()
  // After a checkpoint, opening a copy replays no log.
  await lite.exec("CHECKPOINT")
  const image = await lite.dumpDataDir("gzip")
  await lite.close()
  writeFileSync(`${folder}/empty.partial`, new Uint8Array(await image.arrayBuffer()))
  renameSync(`${folder}/empty.partial`, `${folder}/empty.tar.gz`)
}
