/** The configurations of MCP clients: their format, where they contain the key, and that no link contains the key. */
import { assert, describe, it } from "vitest"
import { clientConfigs } from "../../src/shared/clientConfigs.ts"
import { clientName, lightOf, type KeyCall, withCall } from "../../src/console/screens/connect/firstCall.ts"

const url = "https://pod.example/base"
const key = "svc_user_secret'quoted"
const configs = clientConfigs({ url, key })
const textOf = (id: string, file: string, all = configs) =>
  all.find((config) => config.id === id)?.texts.find((text) => text.file === file)?.text ?? ""

describe("the configurations of clients", () => {
  it("the configurations for Claude Code, Cursor, VS Code and Codex in the console have the address of the pod, and a variable instead of the key", () => {
    const bearer = (name: string) => ({ Authorization: `Bearer ${name}` })
    assert.deepStrictEqual(JSON.parse(textOf("claude-code", ".mcp.json")), {
      mcpServers: { pod: { type: "http", url: `${url}/mcp`, headers: bearer("${POD_API_KEY}") } }
    })
    assert.deepStrictEqual(JSON.parse(textOf("cursor", "~/.cursor/mcp.json")), {
      mcpServers: { pod: { url: `${url}/mcp`, headers: bearer("${env:POD_API_KEY}") } }
    })
    const { inputs, servers } = JSON.parse(textOf("vscode", ".vscode/mcp.json"))
    assert.deepStrictEqual(servers, {
      pod: { type: "http", url: `${url}/mcp`, headers: bearer("${input:pod_key}") }
    })
    assert.deepInclude(inputs[0], { id: "pod_key", password: true })
    assert.strictEqual(
      textOf("codex", "~/.codex/config.toml"),
      `[mcp_servers.pod]\nurl = "${url}/mcp"\nbearer_token_env_var = "POD_API_KEY"`
    )
  })

  it("a client configuration that contains the key is marked as secret, and no link contains the key", () => {
    for (const { link, texts } of configs) {
      assert.isFalse(link !== undefined && decodeURIComponent(link.href).includes(key))
      for (const { isSecret, text } of texts) assert.strictEqual(isSecret, text.includes("svc_user_secret"), text)
    }
    const cursor = configs.find(({ id }) => id === "cursor")?.link?.href ?? ""
    const config = JSON.parse(atob(new URL(cursor).searchParams.get("config") ?? ""))
    assert.deepStrictEqual(config, { url: `${url}/mcp`, headers: { Authorization: "Bearer ${env:POD_API_KEY}" } })
  })

  it("without a key, no client configuration contains a secret, and the shell command reads the key from a variable", () => {
    const without = clientConfigs({ url })
    assert.isFalse(without.some(({ texts }) => texts.some(({ isSecret }) => isSecret)))
    const [claude] = without
    assert.strictEqual(
      claude?.texts[0]?.text,
      `claude mcp add --transport http pod ${url}/mcp --header "Authorization: Bearer $POD_API_KEY"`
    )
  })

  it("an address with characters that a shell evaluates is quoted in the shell commands of a client configuration", () => {
    const commands = clientConfigs({ url: "https://pod.example/$(touch x)" })
      .flatMap(({ texts }) => texts)
      .filter(({ text }) => text.startsWith("curl ") || text.startsWith("claude "))
    assert.isAtLeast(commands.length, 3)
    for (const { text } of commands) assert.match(text, /'https:\/\/pod\.example\/\$\(touch x\)\/[a-z/]+'/)
  })

  it("a quotation mark in a shell command of a client configuration is escaped", () => {
    assert.include(configs[0]?.texts[0]?.text ?? "", String.raw`'Authorization: Bearer svc_user_secret'\''quoted'`)
  })
})

describe("the connection light for the first call of a key", () => {
  const aCall = (call: Partial<KeyCall> = {}): KeyCall => ({
    id: "1",
    at: "2026-01-31T10:00:00.000Z",
    surface: "mcp",
    operation: null,
    status: 200,
    code: null,
    reason: null,
    address: null,
    userAgent: "claude-code/2.1 (cli)",
    clientName: null,
    proposalId: null,
    ...call
  })

  it("the connection light waits for the first call of a key, says “Connected” if the call succeeds, and shows the reason if it fails", () => {
    const refused = aCall({ id: "2", status: 401, code: "expired", reason: "The key has expired." })
    assert.strictEqual(lightOf([]).state, "waiting")
    assert.deepInclude(lightOf([aCall()]), {
      state: "connected",
      sentence: "Connected: Claude Code 2.1 via /mcp."
    })
    assert.deepInclude(lightOf([refused]), {
      state: "refused",
      sentence: "The first call was refused: Claude Code 2.1 via /mcp, expired.",
      advice: "The key has expired. Rotate the key, or create another key, and give the client the new key."
    })
    assert.match(lightOf([refused, aCall()]).sentence, /^Connected, but the last call was refused/)
  })

  it("the connection light shows the name that the client states over MCP, and not the User-Agent of the client", () => {
    const greeting = aCall({ userAgent: "node", clientName: "claude-code/2.1.4" })
    const later = aCall({ id: "2", userAgent: "node", operation: "svc_orient" })
    assert.strictEqual(
      lightOf([later, greeting], 8).sentence,
      "Connected: Claude Code 2.1.4 via /mcp, 8 tools visible."
    )
    const hostile = aCall({ clientName: `\u202e${"x".repeat(200)}` })
    assert.strictEqual(lightOf([hostile]).sentence, `Connected: \\u202e${"x".repeat(59)} via /mcp.`)
  })

  it("the connection light still says “Connected” if an MCP client gets 405 for a stream that the pod does not offer", () => {
    assert.strictEqual(lightOf([aCall({ id: "2", status: 405 }), aCall()]).state, "connected")
    assert.strictEqual(lightOf([aCall({ surface: "rest", status: 405 })]).state, "refused")
  })

  it("the connection light shows the newest call, even if an older call arrives later", () => {
    const [first, second] = [aCall({ at: "2026-01-31T10:00:01.000Z" }), aCall({ id: "2", status: 401 })]
    assert.deepStrictEqual(withCall(withCall([], first), second), [first, second])
    assert.deepStrictEqual(withCall(withCall([], second), first), [first, second])
  })

  it("if the console does not know a client, the screen Connect shows the name that the client sends", () => {
    assert.deepStrictEqual(["curl/8.5.0", "my-agent/1", null].map(clientName), [
      "curl 8.5.0",
      "my-agent/1",
      "unnamed client"
    ])
  })
})
