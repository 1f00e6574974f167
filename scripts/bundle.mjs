/** Bundles the command line into dist/pod.mjs, so that it starts in a fraction of the time of its modules. */
import { relative, sep } from "node:path"
import { rolldown } from "rolldown"
import { root } from "./install.mjs"

const sources = `${root}src${sep}`

/** The server and what starts it are not bundled: they are built as modules, and loaded only by the commands that need them. */
const leftOut = new Set(["main.ts", "LocalServer.ts", "LocalData.ts"])

/** Gives each source the address that it has in a build without a bundle, so that it finds the files beside it. */
const ownAddresses = {
  name: "own addresses",
  resolveId: (from, importer) => {
    if (importer === undefined || !from.startsWith(".") || !importer.startsWith(sources)) return null
    const path = relative(sources, new URL(from, `file://${importer}`).pathname)
    return leftOut.has(path) ? { id: `./${path.replace(/\.ts$/, ".js")}`, external: true } : null
  },
  transform: (code, id) =>
    id.startsWith(sources) && code.includes("import.meta.url")
      ? code.replaceAll(
          "import.meta.url",
          `new URL("./${relative(sources, id).replace(/\.ts$/, ".js")}", import.meta.url).href`
        )
      : null
}

/** Writes pod.mjs with its parts, and the bridge of MCP, into the folder of a build. */
export const bundle = async (folder) => {
  // One file of its own, in the form that Node takes without a package: it is copied into the bundle for Claude Desktop.
  const bridge = await rolldown({ input: `${sources}cli/mcpBridgeMain.ts`, platform: "node", logLevel: "warn" })
  await bridge.write({ file: `${folder}/pod-mcp-bridge.cjs`, format: "cjs" })
  await bridge.close()
  const bundled = await rolldown({
    input: { pod: `${sources}cli/podProgram.ts` },
    platform: "node",
    plugins: [ownAddresses],
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
