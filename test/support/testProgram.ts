/** Bundles a program of the tests into one file: to load its modules one by one costs three seconds of processor time for each process. */
import { build, type Plugin } from "esbuild"
import { mkdirSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import { onlyOfSmallModules } from "./build.ts"
import { projectRoot, stateFolder } from "./migrations.ts"

/** Each source keeps its own address, so that it finds the files of the repository. */
const ownAddresses: Plugin = {
  name: "own addresses",
  setup: (building) => {
    building.onLoad({ filter: /\/(?:src|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      return { loader: "ts", contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)) }
    })
  }
}

const bundled = async (source: string): Promise<string> => {
  const folder = `${stateFolder}programs/${process.pid}/`
  mkdirSync(folder, { recursive: true })
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const outfile = `${folder}${basename(source, ".ts")}.mjs`
  await build({
    entryPoints: [projectRoot + source],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    plugins: [ownAddresses, onlyOfSmallModules],
    logLevel: "warning"
  })
  return outfile
}

const programs = new Map<string, Promise<string>>()

/** The path of the bundle of this source, such as `test/platform/lockHolder.ts`. It is made once for each process of a run. */
export const testProgram = (source: string): Promise<string> => {
  const known = programs.get(source) ?? bundled(source)
  programs.set(source, known)
  return known
}
