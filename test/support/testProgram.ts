/**
 * Bundles a test program into one file. To load its modules one by one would cost each process three seconds of
 * processor time.
 */
import { rmSync } from "node:fs"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import { bundleModules } from "../../scripts/bundle.mjs"
import { projectRoot, stateFolder } from "./migrations.ts"

const folder = `${stateFolder}programs/${process.pid}/`

/**
 * The `file:` URL of a source. In the bundle each source keeps this URL, so that it finds the files of the repository.
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
 * The path of the bundle of this source, such as `test/platform/lockHolder.ts`. Each process of a test run makes the
 * bundle once.
 */
export const testProgram = (source: string): Promise<string> => {
  const known = programs.get(source) ?? bundled(source)
  programs.set(source, known)
  return known
}
