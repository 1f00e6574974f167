/**
 * Bundles a test program into one file. Without the bundle, each process would need three seconds of processor time to
 * load the modules one by one.
 */
import { rmSync } from "node:fs"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import { bundleModules } from "../../scripts/bundle.mjs"
import { projectRoot, stateFolder } from "./migrations.ts"

const folder = `${stateFolder}programs/${process.pid}/`

/**
 * Returns the `file:` URL of a source. The bundle keeps this URL for each source, so that the source finds the files of
 * the repository.
 */
const ownAddressOf = (path: string) => JSON.stringify(pathToFileURL(path).href)

const bundled = async (source: string): Promise<string> => {
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const name = basename(source, ".ts")
  await bundleModules({ [name]: projectRoot + source }, folder, { addressOf: ownAddressOf })
  return `${folder}${name}.js`
}

const programs = new Map<string, Promise<string>>()

/**
 * Returns the path of the bundle of a source. `source` is a path such as `test/platform/lockHolder.ts`. Each process of
 * a test run makes the bundle only once.
 */
export const testProgram = (source: string): Promise<string> => {
  const known = programs.get(source) ?? bundled(source)
  programs.set(source, known)
  return known
}
