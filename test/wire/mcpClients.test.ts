/**
 * Three real MCP clients call the MCP endpoint: SDK v1, SDK v2 with its defaults, and SDK v2 that negotiates the newest
 * protocol revision.
 */
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { aServer, type Server } from "./mcpFixture.ts"

let server: Server
beforeEach(async () => {
  server = await aServer()
})
afterEach(() => server.close())

const identity = { name: "test", version: "1" }
const withKey = (key: string | undefined) =>
  key === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${key}` } } }

const clients = {
  "SDK v1": async (url: string, key: string | undefined) => {
    const client = new ClientV1(identity)
    await client.connect(new TransportV1(new URL(url), withKey(key)))
    return client
  },
  "SDK v2": async (url: string, key: string | undefined) => {
    const client = new ClientV2(identity)
    await client.connect(new TransportV2(new URL(url), withKey(key)))
    return client
  },
  "SDK v2 with the newest protocol": async (url: string, key: string | undefined) => {
    const client = new ClientV2(identity, { versionNegotiation: { mode: "auto" } })
    await client.connect(new TransportV2(new URL(url), withKey(key)))
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    return client
  }
}

interface ProgressOptions {
  readonly onprogress: (report: { readonly progress: number }) => void
}

/**
 * Calls a tool with either SDK. SDK v1 expects the schema of the result as the parameter before the options. SDK v2 has
 * no parameter for this schema.
 */
const callWith = (
  client: ClientV1 | ClientV2,
  request: Parameters<ClientV1["callTool"]>[0],
  options: ProgressOptions
) => (client instanceof ClientV1 ? client.callTool(request, undefined, options) : client.callTool(request, options))

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing failed",
    (error: unknown) => String(error)
  )

describe.each(Object.entries(clients))("%s", (_name, connect) => {
  it("an MCP client without a key cannot connect", async () => {
    assert.match(await failure(connect(server.url, undefined)), /401|unauthori|invalid_token|no 'such' key/iu)
  })

  it("an MCP client whose key is revoked during its session gets an authorization error", async () => {
    const client = await connect(server.url, "reader")
    server.recorded.isRevoked = true
    assert.match(await failure(client.callTool({ name: "read_notes", arguments: {} })), /401|unauthori|such/iu)
    assert.deepStrictEqual(server.recorded.called, [])
    await client.close()
  })

  it("a call of an unknown MCP tool gives an error, and a refused call of a tool gives a result that is marked as an error", async () => {
    const client = await connect(server.url, "reader")
    assert.include(await failure(client.callTool({ name: "nope", arguments: {} })), "Tool nope not found")
    for (const request of [
      { name: "write_note", arguments: {} },
      { name: "read_notes", arguments: { limit: 1_000 } }
    ]) {
      assert.strictEqual((await client.callTool(request)).isError, true)
    }
    await client.close()
  })

  it("an MCP client that asks for the progress of a long call gets reports with rising numbers, and then the result", async () => {
    await server.close()
    server = await aServer({ progressEveryMs: 5 })
    const client = await connect(server.url, "reader")
    const reports: Array<number> = []
    const onprogress = ({ progress }: { readonly progress: number }) => {
      if (reports.push(progress) === 3) server.recorded.finishWait({ kind: "answer", structured: { done: true } })
    }
    const { structuredContent } = await callWith(client, { name: "wait", arguments: {} }, { onprogress })
    assert.deepStrictEqual(structuredContent, { done: true })
    assert.deepStrictEqual(reports.slice(0, 3), [1, 2, 3])
    await client.close()
  })

  it("an MCP client sees only the tools that its key may call", async () => {
    for (const [key, names] of [
      ["reader", ["read_notes"]],
      ["writer", ["read_notes", "write_note"]]
    ] as const) {
      const client = await connect(server.url, key)
      const { tools } = await client.listTools()
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        [...names]
      )
      assert.strictEqual(tools[0]?.annotations?.readOnlyHint, true)
      assert.strictEqual(client.getInstructions(), "Read before you write.")
      await client.close()
    }
  })

  it("the answer to an MCP tool call fits the output schema of the tool", async () => {
    const client = await connect(server.url, "reader")
    await client.listTools() // From now on, the client checks the answer of each tool against the output schema.
    const { content, structuredContent } = await client.callTool({ name: "read_notes", arguments: { limit: 3 } })
    assert.deepStrictEqual(structuredContent, { items: [{ id: "n1" }] })
    assert.deepStrictEqual(content, [{ type: "text", text: JSON.stringify(structuredContent) }])
    assert.deepStrictEqual(server.recorded.called, [{ person: "reader", tool: "read_notes", args: { limit: 3 } }])
    await client.close()
  })
})
