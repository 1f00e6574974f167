/**
 * Runs the official MCP conformance suite and the MCP Inspector against the built pod. `npm run check` runs this
 * program too.
 */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "./build.mjs"
import { callerOf, minterOf, owner, startPod } from "./demoPod.mjs"
import { root } from "./install.mjs"

const folder = join(root, "test/conformance")
// Each suite must end within this many milliseconds. A suite normally takes a few seconds.
const limitMs = 120_000
const revisions = ["2025-11-25", "2026-07-28"]

/**
 * Makes a proxy that adds the key to each request, because the suites have no option for headers. The proxy does not
 * change the headers `Host` and `Origin`.
 */
const withKey = (base, headers) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base)
    const server = createServer((incoming, answer) => {
      const { method, url: path } = incoming
      const sent = request({ hostname, port, path, method, headers: { ...incoming.headers, ...headers } }, (got) => {
        answer.writeHead(got.statusCode, got.headers)
        got.pipe(answer)
      })
      sent.on("error", () => answer.destroy())
      answer.on("close", () => sent.destroy())
      incoming.pipe(sent)
    })
    server.listen(0, "127.0.0.1", () => resolve(server))
  })

/**
 * Runs a command with the version of Node that is installed in `folder`. Returns whether the command succeeded. The
 * call must not block this process, because the proxy runs in the same process.
 */
const run = (args) =>
  new Promise((resolve) => {
    const child = spawn(join(folder, "node_modules/node/bin/node"), args, { cwd: folder, stdio: "inherit" })
    const timer = setTimeout(() => child.kill(), limitMs)
    child.on("exit", (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })

const installed = () => {
  if (existsSync(join(folder, "node_modules/node/bin/node"))) return
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: "inherit"
  })
  if (status !== 0) process.exit(1)
}

installed()
if (!existsSync(join(root, "dist/main.js"))) await build()
const dataDir = mkdtempSync(join(tmpdir(), "pod-conformance-"))
const { base, stop } = await startPod(dataDir)
const call = callerOf(base)
const { token } = (await call("POST", "/auth/sign-in", {}, owner)).body
const mint = minterOf(call, { "x-session-token": token })
const { headers } = await mint({
  keyName: "Conformance",
  scope: ["mcp.read", "mcp.write"],
  grant: { permissions: ["*"] },
  expiresInDays: 1
})
const proxy = await withKey(base, headers)
const url = `http://127.0.0.1:${proxy.address().port}/mcp`
const suite = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
const failed = []
for (const revision of revisions) {
  const expected = join(folder, `expected-${revision}.yml`)
  const passed = await run([suite, "server", "--url", url, "--requirements", revision, "--expected-failures", expected])
  if (!passed) failed.push(`conformance with ${revision}`)
}
const inspector = join(folder, "node_modules/.bin/mcp-inspector")
for (const era of ["legacy", "modern"]) {
  for (const method of ["tools/list", "resources/list", "prompts/list"]) {
    const args = ["--cli", `${base}/mcp`, "--transport", "http", "--method", method, "--protocol-era", era]
    const strict = method === "tools/list" ? ["--strict"] : []
    const passed = await run([
      inspector,
      ...args,
      ...strict,
      "--format",
      "json",
      "--header",
      `Authorization: ${headers.authorization}`
    ])
    if (!passed) failed.push(`Inspector ${method}, ${era}`)
  }
}
proxy.closeAllConnections()
proxy.close()
await stop()
rmSync(dataDir, { recursive: true, force: true })
process.stdout.write(failed.length === 0 ? "\nMCP conforms.\n" : `\nFailed: ${failed.join(", ")}.\n`)
process.exit(failed.length === 0 ? 0 : 1)
