/**
 * The bundle (`.mcpb`, manifest 0.3) with which Claude Desktop calls a pod. A bundle is needed because the connectors
 * of Claude Desktop accept neither localhost nor a key. The console and the command line make the same bundle.
 */
import { zipOf } from "./ZipFile.ts"

export const bundleName = "pod.mcpb"

export interface BundledPod {
  /** The address of the pod, without a slash at its end. */
  readonly url: string
  readonly version: string
  /** The code of the MCP bridge, which the bundle runs. */
  readonly bridge: string
}

const manifest = ({ url, version }: Pick<BundledPod, "url" | "version">) => ({
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
export const claudeBundle = ({ bridge, ...pod }: BundledPod): Uint8Array<ArrayBuffer> =>
  zipOf([
    { name: "manifest.json", content: `${JSON.stringify(manifest(pod), null, 2)}\n` },
    { name: "server/index.js", content: bridge }
  ])
