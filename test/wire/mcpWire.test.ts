/**
 * Tests the protocol of /mcp with raw requests in both versions (2025 and 2026): calls, batches, clients that
 * disconnect, and a server that closes.
 */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { toolCalls } from "../../src/surfaces/McpCalls.ts"
import { ask, aServer, legacy, legacyCall, modern, modernCall, type Server } from "./mcpFixture.ts"

let server: Server
beforeEach(async () => {
  server = await aServer()
})
afterEach(() => server.close())

const list = legacy("tools/list")

describe("the MCP protocol of 2026-07-28", () => {
  it("MCP answers in JSON to `server/discover`, `tools/list` and `tools/call` of the 2026-07-28 protocol", async () => {
    const discover = await ask(server.url, modern("server/discover"))
    assert.deepStrictEqual([discover.status, discover.type], [200, "application/json"])
    assert.deepInclude(discover.first?.result, {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      instructions: "Read before you write.",
      cacheScope: "private"
    })
    const listed = await ask(server.url, modern("tools/list"))
    assert.strictEqual(listed.first?.result?.["cacheScope"], "private")
    const called = await ask(server.url, modernCall("read_notes"))
    assert.deepStrictEqual(called.first?.result?.structuredContent, { items: [{ id: "n1" }] })
    assert.deepStrictEqual(called.first?.result?.content, [{ type: "text", text: '{"items":[{"id":"n1"}]}' }])
  })

  it("MCP answers a request of the 2026-07-28 protocol whose Accept header allows only JSON", async () => {
    const { body, headers } = modern("tools/list")
    assert.strictEqual(
      (await ask(server.url, { body, headers: { ...headers, accept: "application/json" } })).status,
      200
    )
  })

  it("MCP has separate error codes for a wrong protocol version, for a header that contradicts the body, and for an unknown method", async () => {
    const listing = modern("tools/list")
    const call = modernCall("read_notes")
    const rows = [
      ["version", modern("tools/list", {}, "2099-01-01"), 400, -32_022],
      [
        "header version",
        { ...listing, headers: { ...listing.headers, "mcp-protocol-version": "2025-11-25" } },
        400,
        -32_020
      ],
      ["header method", { ...listing, headers: { ...listing.headers, "mcp-method": "tools/call" } }, 400, -32_020],
      ["header name", { ...call, headers: { ...call.headers, "mcp-name": "write_note" } }, 400, -32_020],
      ["no method header", { ...listing, headers: { "mcp-protocol-version": "2026-07-28" } }, 400, -32_020],
      ["no name header", { ...call, headers: modern("tools/call").headers }, 400, -32_020],
      ["no _meta", { ...listing, body: legacy("tools/list", {}) }, 400, -32_602],
      ["initialize", modern("initialize"), 404, -32_601],
      ["ping", modern("ping"), 404, -32_601],
      ["unknown method", modern("no/such"), 404, -32_601],
      ["resources", modern("resources/list"), 404, -32_601],
      ["unknown tool", modernCall("nope"), 200, -32_602],
      ["invented cursor", modern("tools/list", { cursor: "x" }), 200, -32_602]
    ] as const
    for (const [name, request, status, code] of rows) {
      const answer = await ask(server.url, request)
      assert.deepStrictEqual([answer.status, answer.first?.error?.code, answer.first?.id], [status, code, 1], name)
    }
  })

  it("an MCP notification of the protocol revision 2026-07-28 is accepted with 202 and an empty answer", async () => {
    const { body, headers } = modern("notifications/cancelled", { requestId: 1 })
    const { id: _id, ...notification } = body
    const { status, text } = await ask(server.url, { headers, body: notification })
    assert.deepStrictEqual([status, text], [202, ""])
  })

  it("a long MCP call of the 2026-07-28 protocol reports progress to a client that asked for it", async () => {
    await server.close()
    server = await aServer({ progressEveryMs: 5 })
    const { body, headers } = modernCall("wait")
    const params = body.params as { readonly _meta: object }
    const asking = { ...body, params: { ...params, _meta: { ...params._meta, progressToken: "p1" } } }
    const response = await fetch(server.url, {
      method: "POST",
      headers: { ...headers, authorization: "Bearer reader", "content-type": "application/json" },
      body: JSON.stringify(asking)
    })
    const reader = response.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    assert.include(first, "notifications/progress")
    assert.include(first, '"progressToken":"p1"')
    server.recorded.finishWait({ kind: "answer", structured: { done: true } })
    await reader?.cancel()
  })

  it("the pod acknowledges only those notifications of an MCP subscription that the pod can send, and ends the subscription when the endpoint closes", async () => {
    const asked = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
    const { body, headers } = modern("subscriptions/listen", { notifications: asked })
    const response = await fetch(server.url, {
      method: "POST",
      headers: { ...headers, authorization: "Bearer reader", "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const reader = response.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    assert.include(first, "notifications/subscriptions/acknowledged")
    assert.notInclude(first, "ListChanged")
    await server.endpoint.close()
    let last = await reader?.read()
    while (last?.done === false) last = await reader?.read()
    assert.strictEqual(last?.done, true)
  })
})

describe("the MCP protocol of 2025", () => {
  it("MCP answers `initialize` and `tools/list` of the 2025 protocol without an MCP session", async () => {
    const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "old", version: "1" } }
    const first = await ask(server.url, { body: legacy("initialize", params) })
    assert.deepStrictEqual([first.status, first.headers.get("mcp-session-id")], [200, null])
    assert.deepInclude(first.first?.result, {
      protocolVersion: "2024-11-05",
      capabilities: { tools: {} },
      serverInfo: { name: "pod", version: "1.2.3" }
    })
    const listed = await ask(server.url, { body: list, headers: { "mcp-session-id": "someone-elses" } })
    assert.deepStrictEqual([listed.status, listed.type], [200, "text/event-stream"])
    assert.strictEqual(listed.first?.result?.tools?.[0]?.name, "read_notes")
  })

  it("in the 2025 MCP protocol, an unknown method or tool gets a 200 answer that contains an error", async () => {
    const unknown = await ask(server.url, { body: legacy("resources/list") })
    assert.deepStrictEqual([unknown.status, unknown.first?.error?.code], [200, -32_601])
    const tool = await ask(server.url, { body: legacyCall("nope") })
    assert.deepStrictEqual([tool.status, tool.first?.error?.code], [200, -32_602])
  })

  it("an MCP notification of the protocol revision of 2025 is accepted with 202 and an empty answer", async () => {
    const { status, text } = await ask(server.url, { body: { jsonrpc: "2.0", method: "notifications/initialized" } })
    assert.deepStrictEqual([status, text], [202, ""])
  })

  it("MCP authorizes each call of a batch separately, and checks the key again for each call", async () => {
    const body = [legacyCall("read_notes", {}, 1), legacyCall("write_note", {}, 2), legacyCall("nope", {}, 3)]
    const { messages, status } = await ask(server.url, { body })
    assert.strictEqual(status, 200)
    const byId = new Map(messages.map((message) => [message.id, message]))
    assert.deepStrictEqual(byId.get(1)?.result?.structuredContent, { items: [{ id: "n1" }] })
    assert.strictEqual(byId.get(2)?.result?.isError, true)
    assert.strictEqual(byId.get(3)?.error?.code, -32_602)
    assert.strictEqual(server.recorded.identified, 3)
  })

  for (const place of ["before", "after"] as const) {
    it(`an MCP server answers every request of a batch, even if a message that cancels the request comes ${place} the request itself`, async () => {
      for (const asked of [
        { jsonrpc: "2.0", id: 1, method: "ping" },
        { jsonrpc: "2.0", id: 1, method: "tools/list" },
        legacyCall("read_notes", {}, 1)
      ]) {
        const cancellation = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
        const body = place === "before" ? [cancellation, asked] : [asked, cancellation]
        const { messages, status } = await ask(server.url, { body, signal: AbortSignal.timeout(5_000) })
        assert.deepStrictEqual(
          [status, messages.map(({ id, result }) => [id, result !== undefined])],
          [200, [[1, true]]]
        )
      }
    })
  }

  it("an MCP message that only cancels requests is accepted with 202", async () => {
    const cancellation = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
    for (const body of [cancellation, [cancellation], [cancellation, cancellation]]) {
      assert.strictEqual((await ask(server.url, { body })).status, 202)
    }
  })

  it("if a key is revoked during an MCP batch, the later calls of the batch do not run", async () => {
    const answering = ask(server.url, { body: [legacyCall("wait", {}, 1), legacyCall("read_notes", {}, 2)] })
    await server.recorded.waiting
    server.recorded.isRevoked = true
    server.recorded.finishWait({ kind: "answer", structured: { done: true } })
    const { messages } = await answering
    assert.deepStrictEqual(
      messages.map(({ id, result }) => [id, result?.isError === true]),
      [
        [1, false],
        [2, true]
      ]
    )
    assert.deepStrictEqual(
      server.recorded.called.map(({ tool }) => tool),
      ["wait"]
    )
  })
})

describe("tool calls over MCP", () => {
  it("the result of a refused tool call is marked as an error, contains the data of the refusal as text, and has no structured content", async () => {
    for (const request of [{ body: legacyCall("write_note") }, modernCall("write_note")]) {
      const { first, status } = await ask(server.url, request)
      assert.deepStrictEqual([status, first?.result?.isError], [200, true])
      assert.deepStrictEqual(
        first?.result?.content?.map(({ text }) => text),
        ["This key needs notes.write.", '{"required":["notes.write"]}']
      )
      assert.isUndefined(first?.result?.structuredContent)
    }
  })

  it("if an MCP tool fails or its answer cannot be written as JSON, the client gets only an error id", async () => {
    for (const request of [{ body: legacyCall("explode") }, modernCall("explode"), { body: legacyCall("circle") }]) {
      const { first, status, text } = await ask(server.url, request)
      assert.deepStrictEqual([status, first?.result?.isError], [200, true])
      assert.notMatch(text, /secret_table|circular|stack|\.ts/iu)
      assert.include(text, String(server.recorded.failures.at(-1)?.errorId))
    }
  })

  it("when a client disconnects, its MCP call is aborted in both versions of the protocol, and the log shows no failure", async () => {
    for (const request of [{ body: legacyCall("wait") }, modernCall("wait")]) {
      const own = await aServer()
      const leaving = new AbortController()
      const asking = ask(own.url, { ...request, signal: leaving.signal }).catch(() => "gone")
      const signal = await own.recorded.waiting
      const aborted = new Promise((resolve) => {
        signal.addEventListener("abort", resolve)
      })
      leaving.abort()
      await aborted
      assert.strictEqual(await asking, "gone")
      assert.deepStrictEqual(own.recorded.failures, [])
      await own.close()
    }
  })

  it("if a client disconnects while the pod verifies its credential again, the next call of its MCP batch does not run", async () => {
    const leaving = new AbortController()
    const called: Array<string> = []
    const failures: Array<unknown> = []
    const callTool = toolCalls<string>(
      {
        call: async (_, tool) => {
          called.push(tool)
          return { kind: "answer", structured: {} }
        }
      },
      (cause) => String(failures.push(cause))
    )
    const answer = await callTool(
      {
        admit: async () => {
          leaving.abort()
          return { ok: true, caller: "reader" }
        },
        signal: leaving.signal,
        argumentsOf: () => ({}),
        isCounted: true,
        turn: Promise.resolve(),
        hasAnswered: true,
        callerRefused: undefined
      },
      "read_notes",
      {}
    )
    assert.isTrue(answer?.result.isError)
    assert.deepStrictEqual([called, failures], [[], []])
  })

  it("when an MCP endpoint closes, it ends its running calls and answers new requests with 503", async () => {
    const answering = ask(server.url, modernCall("wait"))
    await server.recorded.waiting
    await server.endpoint.close()
    assert.strictEqual((await answering).status, 503)
    const { headers, status } = await ask(server.url, { body: list })
    assert.deepStrictEqual([status, headers.get("retry-after")], [503, "1"])
  })
})
