/**
 * The bundle (`.mcpb`, manifest 0.3) with which Claude Desktop calls a pod. A bundle is needed because the connectors
 * of Claude Desktop accept neither localhost nor a key.
 */
import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { version } from "../Version.ts"
import { zipOf } from "./ZipFile.ts"

/** Reads the code that the bundle runs: the MCP bridge. The build puts the file with this code beside the program. */
const bridge = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.readFileString(fileURLToPath(new URL("../pod-mcp-bridge.cjs", import.meta.url)))
)

const manifest = (url: string) => ({
  manifest_version: "0.3",
  name: "pod",
  display_name: "Pod",
  version,
  description: "What your team knows: read it, search it, and write what you allow.",
  author: { name: "Pod" },
  server: {
    type: "node",
    entry_point: "server/index.js",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/server/index.js"],
      env: { POD_API_KEY: "${user_config.api_key}", POD_URL: "${user_config.url}" }
    }
  },
  user_config: {
    api_key: {
      type: "string",
      title: "Key",
      description: "A key of your pod, as pod keys create prints it.",
      sensitive: true,
      required: true
    },
    url: {
      type: "string",
      title: "Address of the pod",
      description: "The address of the pod, such as http://localhost:8787.",
      default: url,
      required: true
    }
  },
  compatibility: { runtimes: { node: ">=18" } }
})

/**
 * Makes the bytes of the bundle. The bundle holds no key, because Claude Desktop asks the person for the key and stores
 * it.
 */
export const claudeBundle = (url: string): Effect.Effect<Buffer, PlatformError, FileSystem.FileSystem> =>
  Effect.map(bridge, (code) =>
    zipOf([
      { name: "manifest.json", content: `${JSON.stringify(manifest(url), null, 2)}\n` },
      { name: "server/index.js", content: code }
    ])
  )
