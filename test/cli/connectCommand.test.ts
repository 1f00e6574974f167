/** Tests `pod connect`, which prints the settings of a client or writes them into a file of the client. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const home = aFolder()
const environment: Record<string, string> = {}
const pod = aCommandInProcess(home.path, { environment })
let server: TestPod
let port: string

beforeAll(async () => {
  server = await aPod({ kind: "memory" }, {}, { hasSocket: true })
  environment["POD_DATA_DIR"] = server.dataDir!
  port = new URL(server.baseUrl).port
})
afterAll(async () => {
  await server?.stop()
  home.remove()
})

describe("connecting MCP clients to a pod", () => {
  it("`pod connect --write` keeps all other content of a client's configuration file, and writes no key into it", async () => {
    writeFileSync(join(home.path, ".mcp.json"), JSON.stringify({ mcpServers: { other: { command: "x" } }, more: 1 }))
    const run = await pod(["connect", "claude-code", "--write", "--yes", "--new-key"])
    assert.strictEqual(run.code, 0, run.stderr)
    assert.match(run.stdout, /^svc_user_\S+\n$/)
    const text = readFileSync(join(home.path, ".mcp.json"), "utf8")
    assert.deepStrictEqual(JSON.parse(text), {
      mcpServers: {
        other: { command: "x" },
        pod: {
          type: "http",
          url: `http://localhost:${port}/mcp`,
          headers: { Authorization: "Bearer ${POD_API_KEY}" }
        }
      },
      more: 1
    })
  })

  it("`pod connect --write` does not change a client's configuration file that has comments", async () => {
    mkdirSync(join(home.path, ".vscode"), { recursive: true })
    const before = '{\n  // mine\n  "servers": {}\n}\n'
    writeFileSync(join(home.path, ".vscode/mcp.json"), before)
    const run = await pod(["connect", "vscode", "--write", "--yes"])
    assert.strictEqual(run.code, 7)
    assert.strictEqual(readFileSync(join(home.path, ".vscode/mcp.json"), "utf8"), before)
  })

  it("`pod connect codex --write` adds the pod to the configuration file of Codex, and a second call ends with a conflict", async () => {
    assert.strictEqual((await pod(["connect", "codex", "--write", "--yes"])).code, 0)
    assert.include(readFileSync(join(home.path, ".codex/config.toml"), "utf8"), 'bearer_token_env_var = "POD_API_KEY"')
    assert.strictEqual((await pod(["connect", "codex", "--write", "--yes"])).code, 7)
  })

  it("`pod connect` prints a configuration for every supported client, and no configuration contains a key", async () => {
    for (const client of ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "n8n"]) {
      const { code, stdout } = await pod(["connect", client])
      assert.strictEqual(code, 0)
      assert.include(stdout, `http://localhost:${port}`.slice(0, client === "cursor" ? 4 : undefined))
      assert.notInclude(stdout, "svc_user_")
    }
    assert.strictEqual((await pod(["connect", "emacs"])).code, 2)
  })
})
