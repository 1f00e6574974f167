/**
 * Bundles sources into programs. Node loads a bundle in a quarter of the time that the two thousand modules in the
 * bundle would take.
 */
import { readFileSync } from "node:fs"
import { relative, sep } from "node:path"
import { rolldown } from "rolldown"
import { root } from "./install.mjs"

const sources = `${root}src${sep}`

const builtPath = (source) => `./${relative(sources, source).replace(/\.ts$/, ".js")}`

/** Returns a JavaScript expression for the URL that a source would have if it were built as a separate module. */
const builtAddressOf = (source) => `new URL("${builtPath(source)}", import.meta.url).href`

/**
 * Replaces `import.meta.url` in each source by an expression for the URL of this source. So a source in a bundle still
 * finds the files next to it.
 */
const ownAddresses = (addressOf) => ({
  name: "own addresses",
  transform: (code, id) =>
    id.startsWith(root) && !id.includes("node_modules") && code.includes("import.meta.url")
      ? // The number of lines stays the same, so no source map is needed.
        { code: code.replaceAll("import.meta.url", addressOf(id)), map: null }
      : null
})

/**
 * Matches the dependencies that are bundled, because they have hundreds of modules and read no files. Node loads all
 * other dependencies as packages.
 */
const ofSmallModules = /^(?:effect|find-my-way-ts|jose|@effect\/|@modelcontextprotocol\/)/
const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
const leftOut = Object.keys(dependencies).filter((name) => !ofSmallModules.test(name))

export const isPackage = (id) => /^[^./]/.test(id)
/**
 * True for a dependency that stays outside the bundle. npm installs this dependency together with the pod. A bundle
 * could not find the packages that the dependency itself needs, because they can be in another folder.
 */
const isLeftOut = (id) => leftOut.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * Bundles each entry into a module in the folder. Code that several entries use goes into shared modules. `input` maps
 * names to paths. `addressOf` returns the expression that replaces `import.meta.url` in a source. `external` decides
 * which modules are not bundled.
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
    // `node --enable-source-maps` needs the map, and so does a person who reads a profile.
    sourcemap: true
  })
  await bundled.close()
}

/**
 * The entries of the server, of the commands that open the database of a stopped pod, and of the check by `npm start`.
 * The command line loads each of them only when it needs it.
 */
const server = ["main", "LocalServer", "LocalData", "PortCheck"]

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

/**
 * Bundles the MCP bridge into one CommonJS file, which runs in Node without any package. The bundle for Claude Desktop
 * contains a copy of this file.
 */
const bundleBridge = async (folder) => {
  const bridge = await rolldown({ input: `${sources}cli/mcpBridgeMain.ts`, platform: "node", logLevel: "warn" })
  await bridge.write({ file: `${folder}/pod-mcp-bridge.cjs`, format: "cjs", comments: false })
  await bridge.close()
}

/**
 * Writes the programs of the pod and their parts into the folder of a build: `main.js`, `pod.mjs` and
 * `pod-mcp-bridge.cjs`.
 */
export const bundlePod = async (folder) => {
  await bundleModules(Object.fromEntries(server.map((name) => [name, `${sources}${name}.ts`])), folder)
  await bundleCommandLine(folder)
  await bundleBridge(folder)
}
