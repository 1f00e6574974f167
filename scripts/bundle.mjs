/** Bundles sources into programs. To load one bundle takes a quarter of the time that its two thousand modules would take. */
import { readFileSync } from "node:fs"
import { relative, sep } from "node:path"
import { rolldown } from "rolldown"
import { root } from "./install.mjs"

const sources = `${root}src${sep}`

const builtPath = (source) => `./${relative(sources, source).replace(/\.ts$/, ".js")}`

/** The address that a source would have if it were built as a module, as an expression. */
const builtAddressOf = (source) => `new URL("${builtPath(source)}", import.meta.url).href`

/** Gives each source an address of its own, as an expression, so that it finds the files beside it. */
const ownAddresses = (addressOf) => ({
  name: "own addresses",
  transform: (code, id) =>
    id.startsWith(root) && !id.includes("node_modules") && code.includes("import.meta.url")
      ? { code: code.replaceAll("import.meta.url", addressOf(id)), map: null } // every line stays where it is
      : null
})

/** The dependencies that are bundled, because they have hundreds of modules and read no files. Node loads the others as packages. */
const ofSmallModules = /^(?:effect|find-my-way-ts|jose|@effect\/|@modelcontextprotocol\/)/
const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
const leftOut = Object.keys(dependencies).filter((name) => !ofSmallModules.test(name))

export const isPackage = (id) => /^[^./]/.test(id)
/** An install brings the dependencies of the package, and need not put theirs where a bundle would find them. */
const isLeftOut = (id) => leftOut.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * Writes a module for each entry into the folder, and what several of them share. The entries are paths by name. `addressOf` says what
 * a source gets for `import.meta.url`, as an expression; `external`, what is not bundled.
 */
export const bundleModules = async (input, folder, { addressOf = builtAddressOf, external = isLeftOut } = {}) => {
  const bundled = await rolldown({
    input,
    platform: "node",
    plugins: [ownAddresses(addressOf)],
    external,
    logLevel: "warn"
  })
  await bundled.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "part-[name]-[hash].js",
    comments: { jsdoc: false, annotation: false, legal: true },
    sourcemap: true // for `node --enable-source-maps`, and for whoever reads a profile
  })
  await bundled.close()
}

/** The server, and the commands that open its database while it does not run. The command line loads them when it needs them. */
const server = ["main", "LocalServer", "LocalData"]

const beside = {
  name: "the server beside the command line",
  resolveId: (from, importer) => {
    if (importer === undefined || !from.startsWith(".") || !importer.startsWith(sources)) return null
    const path = builtPath(new URL(from, `file://${importer}`).pathname)
    return server.some((name) => path === `./${name}.js`) ? { id: path, external: true } : null
  }
}

const bundleCommandLine = async (folder) => {
  const bundled = await rolldown({
    input: { pod: `${sources}cli/podProgram.ts` },
    platform: "node",
    plugins: [beside, ownAddresses(builtAddressOf)],
    logLevel: "warn"
  })
  await bundled.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "pod-[name]-[hash].mjs",
    minify: true
  })
  await bundled.close()
}

/** One file of its own, in the form that Node takes without a package: it is copied into the bundle for Claude Desktop. */
const bundleBridge = async (folder) => {
  const bridge = await rolldown({ input: `${sources}cli/mcpBridgeMain.ts`, platform: "node", logLevel: "warn" })
  await bridge.write({ file: `${folder}/pod-mcp-bridge.cjs`, format: "cjs" })
  await bridge.close()
}

/** Writes the programs of the pod into the folder of a build: `main.js`, `pod.mjs` and `pod-mcp-bridge.cjs`, with their parts. */
export const bundlePod = async (folder) => {
  await bundleModules(Object.fromEntries(server.map((name) => [name, `${sources}${name}.ts`])), folder)
  await bundleCommandLine(folder)
  await bundleBridge(folder)
}
