/**
 * Bundles sources into programs. Loading one bundle takes a quarter of the time of loading its two thousand modules.
 */
import { readFileSync } from "node:fs"
import { relative, sep } from "node:path"
import { rolldown } from "rolldown"
import { root } from "./install.mjs"

const sources = `${root}src${sep}`

const builtPath = (source) => `./${relative(sources, source).replace(/\.ts$/, ".js")}`

/** A JavaScript expression for the URL that a source would have if it were built as a separate module. */
const builtAddressOf = (source) => `new URL("${builtPath(source)}", import.meta.url).href`

/**
 * In each source, replaces `import.meta.url` by an expression for the source's own URL. So a bundled source still finds
 * the files next to it.
 */
const ownAddresses = (addressOf) => ({
  name: "own addresses",
  transform: (code, id) =>
    id.startsWith(root) && !id.includes("node_modules") && code.includes("import.meta.url")
      ? { code: code.replaceAll("import.meta.url", addressOf(id)), map: null } // the lines stay the same, so no source map is needed
      : null
})

/**
 * The dependencies that are bundled, because they have hundreds of modules and read no files. Node loads all other
 * dependencies as packages.
 */
const ofSmallModules = /^(?:effect|find-my-way-ts|jose|@effect\/|@modelcontextprotocol\/)/
const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
const leftOut = Object.keys(dependencies).filter((name) => !ofSmallModules.test(name))

export const isPackage = (id) => /^[^./]/.test(id)
/**
 * True for dependencies that are not bundled. npm installs them with the package. Their own dependencies may be in a
 * folder where a bundle could not find them.
 */
const isLeftOut = (id) => leftOut.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * Bundles each entry into a module in the folder. Code that several entries use goes into further modules. `input` maps
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
    sourcemap: true // used by `node --enable-source-maps` and by people who read a profile
  })
  await bundled.close()
}

/**
 * The server, and the commands that open the database of a stopped pod. The command line loads them only when it needs
 * them.
 */
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

/**
 * Bundles the bridge into one CommonJS file, which runs in Node without a package. It is copied into the bundle for
 * Claude Desktop.
 */
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
