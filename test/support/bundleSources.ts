/** Bundles TypeScript sources for processes of the tests: to load their modules one by one takes most of a start. */
import { build, type Plugin } from "esbuild"
import { readFile } from "node:fs/promises"

/** Gives each source in a bundle an address of its own, as an expression, so that it finds the files beside it. */
const withAddresses = (addressOf: (path: string) => string): Plugin => ({
  name: "own addresses",
  setup: (building) => {
    building.onLoad({ filter: /\/(?:src|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      return { loader: "ts", contents: text.replaceAll("import.meta.url", addressOf(path)) }
    })
  }
})

/** The packages that are bundled, because they have hundreds of modules and read no files. Node loads all other packages as in a pod. */
const ofSmallModules = /^(?:effect|fast-check|pure-rand|zod|jose|@effect\/[^/]+|@modelcontextprotocol\/[^/]+)(?:\/|$)/

const onlyOfSmallModules: Plugin = {
  name: "only packages of small modules",
  setup: (building) => {
    building.onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === "entry-point" || ofSmallModules.test(path) ? undefined : { path, external: true }
    )
  }
}

/** Writes one file for each entry into the folder. `addressOf`: what a source gets for `import.meta.url`, as an expression. */
export const bundleSources = async (
  entryPoints: Array<string>,
  outdir: string,
  addressOf: (path: string) => string
): Promise<void> => {
  await build({
    entryPoints,
    outdir,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minifyWhitespace: true, // less to read at each start; the names stay
    plugins: [withAddresses(addressOf), onlyOfSmallModules],
    logLevel: "warning"
  })
}
