/** Runs the demo in a separate process. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const demo = fileURLToPath(new URL("../../scripts/demo.mjs", import.meta.url))

/** Runs the demo with these arguments. Returns its exit code and everything that it printed. */
export const runDemo = async (...args: ReadonlyArray<string>) => {
  const { POD_BENCH_COLLECTION: _collection, ...env } = process.env
  const child = spawn(process.execPath, [demo, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.on("data", (part) => (output += part))
  child.stderr.on("data", (part) => (output += part))
  const code = await new Promise((resolve) => child.once("close", resolve))
  return { code, output }
}
