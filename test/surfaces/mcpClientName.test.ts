/** The name that an MCP client states about itself is read from its greeting or its messages, within limits. */
import { assert, it } from "@effect/vitest"
import { clientNameIn } from "../../src/surfaces/McpClientName.ts"

const greeting = (clientInfo: unknown) => ({ jsonrpc: "2.0", id: 1, method: "initialize", params: { clientInfo } })

it("a message that states no name, or a name that is not a text, gives no name", () => {
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

it("the name is read from a greeting, from the envelope of a message of 2026, and from a batch", () => {
  assert.strictEqual(clientNameIn(greeting({ name: "claude-code", version: "2.1.4" })), "claude-code/2.1.4")
  assert.strictEqual(clientNameIn(greeting({ name: "claude-code" })), "claude-code")
  const meta = { "io.modelcontextprotocol/clientInfo": { name: "cursor", version: "3" } }
  assert.strictEqual(clientNameIn({ method: "tools/call", params: { _meta: meta } }), "cursor/3")
  assert.strictEqual(clientNameIn([{ method: "ping" }, greeting({ name: "n8n", version: "1" })]), "n8n/1")
})

it("a name and a version are cut, and text that the database cannot store is changed", () => {
  const long = clientNameIn(greeting({ name: "n".repeat(10_000), version: "v".repeat(10_000) })) ?? ""
  assert.isAtMost(long.length, 125)
  assert.notInclude(clientNameIn(greeting({ name: "a\u0000b", version: "\ud800" })) ?? "\u0000", "\u0000")
})
