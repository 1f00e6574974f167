/**
 * The program inside the bundle for Claude Desktop. It runs the MCP bridge with settings from environment variables.
 */
import { runBridge } from "./McpBridge.ts"

const key = process.env["POD_API_KEY"] ?? ""
const url = (process.env["POD_URL"] ?? "http://localhost:8787").replace(/\/+$/, "")

const note = (text: string) => void process.stderr.write(`${text}\n`)

// If the client closes its end of a pipe, nobody reads the answers any more.
process.stdout.on("error", () => process.exit(0))
process.stderr.on("error", () => undefined)

if (key === "") {
  note("The key for the pod is missing. Set POD_API_KEY to a key.")
  process.exitCode = 3
} else {
  void runBridge({
    url,
    key,
    input: process.stdin,
    write: (line) => void process.stdout.write(`${line}\n`),
    note
  })
}
