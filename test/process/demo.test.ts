/** Runs `npm run demo` as a stranger would: what the demo expects must be what it gets. */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const demo = fileURLToPath(new URL("../../scripts/demo.mjs", import.meta.url))

it("a key with a narrow grant sees exactly what the demo expects, on every surface", { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [demo, "--documents=60"], { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.on("data", (part) => (output += part))
  child.stderr.on("data", (part) => (output += part))
  const code = await new Promise((resolve) => child.once("exit", resolve))
  assert.strictEqual(code, 0, output)
  assert.match(output, /(\d+) of \1 as expected/)
})
