/** Loads modules of src/ into a script. The script first bundles them, because Node 20 cannot read TypeScript. */
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { bundleModules, isPackage } from "./bundle.mjs"
import { root } from "./install.mjs"

/**
 * Loads the modules at these paths below src/, such as `HubApi.ts`. A module that several of them import is loaded only
 * once.
 */
export const load = async (...paths) => {
  // The temporary folder is inside `node_modules`, so the modules find their packages.
  const folder = mkdtempSync(`${root}node_modules/.sources-`)
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const entries = paths.map((path, at) => [`module${at}`, `${root}src/${path}`])
  await bundleModules(Object.fromEntries(entries), folder, {
    addressOf: (source) => JSON.stringify(`file://${source}`),
    // Packages are not bundled, because the script and the modules must share the same instance of a package.
    external: isPackage
  })
  return Promise.all(entries.map(([name]) => import(join(folder, `${name}.js`))))
}
