/** An MCP client tells its name in a message. The pod reads this name, and shortens a long name. */
import { assert, it } from "@effect/vitest"
import { clientNameIn } from "../../src/surfaces/McpClientName.ts"

const greeting = (clientInfo: unknown) => ({ jsonrpc: "2.0", id: 1, method: "initialize", params: { clientInfo } })

it("the pod finds no client name in an MCP message that has none, or whose client name is not a text", () => {
  for (const body of [
    {},
    { method: "initialize" },
    { method: "initialize", params: null },
    greeting("claude-code"),
    greeting({ name: 7, version: "1" }),
    greeting({ name: "  ", version: "1" }),
    { method: "tools/call", params: { clientInfo: { name: "not a greeting" } } },
    [null, 1, "text"]
  ]) {
    assert.isUndefined(clientNameIn(body), JSON.stringify(body))
  }
})

it("the pod reads the name of an MCP client from an `initialize` message, from the metadata of a 2026 message, and from a batch", () => {
  assert.strictEqual(clientNameIn(greeting({ name: "claude-code", version: "2.1.4" })), "claude-code/2.1.4")
  assert.strictEqual(clientNameIn(greeting({ name: "claude-code" })), "claude-code")
  const meta = { "io.modelcontextprotocol/clientInfo": { name: "cursor", version: "3" } }
  assert.strictEqual(clientNameIn({ method: "tools/call", params: { _meta: meta } }), "cursor/3")
  assert.strictEqual(clientNameIn([{ method: "ping" }, greeting({ name: "n8n", version: "1" })]), "n8n/1")
})

it("the pod shortens a long name and version of an MCP client, and removes characters that the database cannot store", () => {
  const long = clientNameIn(greeting({ name: "n".repeat(10_000), version: "v".repeat(10_000) })) ?? ""
  assert.isAtMost(long.length, 125)
  assert.notInclude(clientNameIn(greeting({ name: "a\u0000b", version: "\ud800" })) ?? "\u0000", "\u0000")
})
