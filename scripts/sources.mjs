/** Loads modules of src/ into a script: Node 20 cannot read TypeScript. */
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { bundleModules, isPackage } from "./bundle.mjs"
import { root } from "./install.mjs"

/** The modules at these paths below src/, such as `HubApi.ts`. They share what they import. */
export const load = async (...paths) => {
  // The folder is inside the project, so that the modules find the packages.
  const folder = mkdtempSync(`${root}node_modules/.sources-`)
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const entries = paths.map((path, at) => [`module${at}`, `${root}src/${path}`])
  await bundleModules(Object.fromEntries(entries), folder, {
    addressOf: (source) => JSON.stringify(`file://${source}`),
    external: isPackage // the script imports the same packages, and some of their values must be the same
  })
  return Promise.all(entries.map(([name]) => import(join(folder, `${name}.js`))))
}
