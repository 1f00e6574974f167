/**
 * The pod answers ordinary MCP tool calls with its own fast code instead of the MCP SDK. The tests check that both give
 * the same answer, and that every unusual request goes to the SDK.
 */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { plainCallOf } from "../../src/surfaces/McpPlainCall.ts"
import { type Ask, ask, aServer, legacyCall, modernCall, revoked, type Server } from "./mcpFixture.ts"

let server: Server
beforeEach(async () => {
  server = await aServer()
})
afterEach(() => server.close())

interface Call {
  readonly headers: Record<string, string>
  readonly body: ReturnType<typeof legacyCall>
}

const both = "application/json, text/event-stream"
const old = (tool: string, args?: unknown, id: unknown = 1): Call => ({
  headers: { accept: both },
  body: legacyCall(tool, args, id)
})
const recent = (tool: string, args?: unknown, id: unknown = 1): Call => {
  const { body, headers } = modernCall(tool, args)
  return { headers: { accept: both, ...headers }, body: { ...body, id } }
}
const eras = [old, recent]

const withParams = ({ body, headers }: Call, more: object): Call => ({
  headers,
  body: { ...body, params: { ...(body.params as object), ...more } }
})

/**
 * Adds an unknown parameter to the call. Because of this parameter, the pod does not use its fast path, and the SDK
 * answers. The SDK itself ignores the parameter.
 */
const forSdk = (call: Call): Call => withParams(call, { unknown: true })

const isPlain = ({ body, headers }: Call): boolean => plainCallOf(headers, body) !== undefined

/** Headers that depend on the time or the connection. Only the fast path sends `content-length`. */
const own = new Set(["date", "content-length", "transfer-encoding", "connection", "keep-alive"])

/**
 * Returns the parts of an answer that must be the same from the fast code and from the SDK. Ids are replaced, because
 * every failure has a new error id.
 */
const seen = ({ headers, status, text }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  headers: [...headers].filter(([name]) => !own.has(name)),
  text: text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, "<id>")
})

const assertAlike = async (call: Call, more: Ask = {}, name = JSON.stringify(call.body)) => {
  assert.isTrue(isPlain(call), name)
  assert.isFalse(isPlain(forSdk(call)), name)
  const short = await ask(server.url, { ...more, ...call })
  const long = await ask(server.url, { ...more, ...forSdk(call) })
  assert.deepStrictEqual(seen(short), seen(long), name)
  return short
}

describe("a plain MCP call", () => {
  it("the fast path for MCP tool calls answers like the SDK in both protocol versions for a result, a refusal, an unknown tool and bad arguments", async () => {
    for (const of of eras) {
      const answered = await assertAlike(of("read_notes", { limit: 3 }))
      assert.deepStrictEqual(answered.first?.result?.structuredContent, { items: [{ id: "n1" }] })
      const refused = await assertAlike(of("write_note"))
      assert.strictEqual(refused.first?.result?.isError, true)
      const unknown = await assertAlike(of("nope".repeat(50)))
      assert.strictEqual(unknown.first?.error?.code, -32_602)
      const bad = await assertAlike(of("read_notes", { limit: 101 }))
      assert.strictEqual(bad.first?.result?.isError, true)
    }
  })

  it("the fast path for MCP tool calls answers like the SDK if the tool fails or the key is revoked during the call, in both protocol versions", async () => {
    for (const of of eras) {
      assert.strictEqual((await assertAlike(of("explode"))).first?.result?.isError, true)
      assert.strictEqual((await assertAlike(of("circle"))).first?.result?.isError, true)
      assert.strictEqual((await assertAlike(of("die"))).status, 401)
      assert.strictEqual((await assertAlike(of("read_notes"), { key: "nope" })).status, 401)
      assert.strictEqual((await assertAlike(of("read_notes"), { key: "busy" })).status, 429)
    }
  })

  it("the fast path for MCP tool calls answers like the SDK for text that cannot be stored, text beyond ASCII, and any form of id", async () => {
    for (const of of eras) {
      assert.strictEqual((await assertAlike(of("read_notes", { q: "a\0b" }))).first?.result?.isError, true)
      await assertAlike(of("read_notes", { q: { __proto: ["ä", "😀"] } }))
      for (const id of [0, -7, "", 'a"\u2028<é', "1"]) await assertAlike(of("read_notes", {}, id))
    }
    assert.deepStrictEqual(server.recorded.called.at(-1)?.args, {})
  })

  it("the fast path for MCP tool calls answers like the SDK for a call without arguments, with metadata that the pod ignores, or of a protocol revision before 2026", async () => {
    const { body, headers } = old("read_notes")
    await assertAlike({ headers, body: { ...body, params: { name: "read_notes" } } })
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]) {
      await assertAlike({ headers: { ...headers, "mcp-protocol-version": version, "mcp-name": "other" }, body })
    }
    await assertAlike(withParams({ headers, body }, { _meta: { "client/note": 1 } }))
  })

  it("if the key is revoked during a long MCP tool call, the fast path sends the same keepalive comments and the same refusal as the SDK", async () => {
    await server.close()
    const readWait = async (call: Call) => {
      server = await aServer({ keepAliveMs: 5 })
      const headers = { ...call.headers, authorization: "Bearer reader", "content-type": "application/json" }
      const response = await fetch(server.url, { method: "POST", headers, body: JSON.stringify(call.body) })
      const reader = response.body!.getReader()
      const decoder = new TextDecoder()
      let text = decoder.decode((await reader.read()).value)
      server.recorded.finishWait({ kind: "callerRefused", refusal: revoked })
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value)
      await server.close()
      const kept = [...response.headers].filter(([name]) => !own.has(name))
      return {
        status: response.status,
        headers: kept,
        text: text.replaceAll(/(?:: keepalive\n\n)+/gu, ": keepalive\n\n")
      }
    }
    const short = await readWait(old("wait"))
    assert.match(short.text, /^: keepalive\n\nevent: message\ndata: .*the key was revoked/u)
    assert.deepStrictEqual(short, await readWait(forSdk(old("wait"))))
    server = await aServer()
  })

  it("if the MCP endpoint closes during a tool call, the fast path for MCP tool calls answers like the SDK", async () => {
    for (const of of eras) {
      const seenAtClose = async (call: Call) => {
        await server.close()
        server = await aServer()
        const answering = ask(server.url, call)
        await server.recorded.waiting
        await server.endpoint.close()
        return seen(await answering)
      }
      assert.deepStrictEqual(await seenAtClose(of("wait")), await seenAtClose(forSdk(of("wait"))))
    }
  })
})

describe("which MCP requests the fast path for tool calls leaves to the SDK", () => {
  const meta = (call: Call) => (call.body.params as { readonly _meta?: object })._meta

  it("the fast path for MCP takes only single tool calls with an id and known parameters, and leaves all other requests to the MCP SDK", () => {
    for (const of of eras) {
      const call = of("read_notes")
      const { headers } = call
      const rows: ReadonlyArray<readonly [string, object]> = [
        ["a batch", [call.body]],
        ["a notification", { ...call.body, id: undefined }],
        ["another method", { ...call.body, method: "tools/list" }],
        ["a fraction as id", { ...call.body, id: 1.5 }],
        ["null as id", { ...call.body, id: null }],
        ["an unknown field", { ...call.body, more: 1 }],
        ["another version of JSON-RPC", { ...call.body, jsonrpc: "1.0" }],
        ["no params", { ...call.body, params: undefined }],
        ["an array as params", { ...call.body, params: [] }],
        ["no name", withParams(call, { name: undefined }).body],
        ["an array as arguments", withParams(call, { arguments: [1] }).body],
        ["null as arguments", withParams(call, { arguments: null }).body],
        ["a task", withParams(call, { task: {} }).body],
        ["an answer to a question", withParams(call, { inputResponses: {} }).body],
        ["text as metadata", withParams(call, { _meta: "x" }).body],
        ["a request for progress", withParams(call, { _meta: { ...meta(call), progressToken: 1 } }).body]
      ]
      for (const [name, body] of rows) {
        const sent = JSON.parse(JSON.stringify(body)) as Call["body"]
        assert.isFalse(isPlain({ headers, body: sent }), name)
      }
    }
  })

  it("a tool call does not take the fast path if its headers contradict its body, or if its Accept header excludes the format of the answer", () => {
    const older = old("read_notes")
    const newer = recent("read_notes")
    const key = "io.modelcontextprotocol/"
    const rows: ReadonlyArray<readonly [string, Call]> = [
      ["no accept", { ...older, headers: {} }],
      ["only JSON accepted", { ...older, headers: { accept: "application/json" } }],
      ["an unknown revision", { ...older, headers: { ...older.headers, "mcp-protocol-version": "2099-01-01" } }],
      ["a new revision without envelope", { ...older, headers: newer.headers }],
      ["an old revision with envelope", { ...newer, headers: older.headers }],
      ["another tool", { ...newer, headers: { ...newer.headers, "mcp-name": "write_note" } }],
      ["another method", { ...newer, headers: { ...newer.headers, "mcp-method": "tools/list" } }],
      ["another revision", { ...newer, headers: { ...newer.headers, "mcp-protocol-version": "2025-11-25" } }],
      [
        "another revision in the body",
        withParams(newer, { _meta: { ...meta(newer), [`${key}protocolVersion`]: "2099-01-01" } })
      ],
      ["faulty capabilities", withParams(newer, { _meta: { ...meta(newer), [`${key}clientCapabilities`]: 1 } })],
      ["a faulty client", withParams(newer, { _meta: { ...meta(newer), [`${key}clientInfo`]: { name: 1 } } })],
      ["a level for the log", withParams(newer, { _meta: { ...meta(newer), [`${key}logLevel`]: "debug" } })]
    ]
    for (const [name, call] of rows) assert.isFalse(isPlain(call), name)
  })
})
