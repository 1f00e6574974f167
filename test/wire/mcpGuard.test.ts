/**
 * Checks /mcp with raw requests: which Host, Origin, credential, method and body it refuses, and in which order it
 * checks them.
 */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { connect } from "node:net"
import { ask, aServer, legacy, legacyCall, modernCall, revoked, type Server, statusWithHost } from "./mcpFixture.ts"

let server: Server
beforeEach(async () => {
  server = await aServer()
})
afterEach(() => server.close())

const list = legacy("tools/list")

describe("checks of Host, Origin and URL on MCP", () => {
  it("MCP answers 403 if the Host header of a request contains another host, in any spelling", async () => {
    for (const host of [
      "evil.example",
      "evil@localhost",
      "localhost.evil.example",
      "localhost/x",
      "127.0.0.1.nip.io"
    ]) {
      assert.strictEqual(await statusWithHost(server.port, host), 403, host)
    }
  })

  it("an MCP request without a Host header is refused with 403", async () => {
    const status = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, "127.0.0.1", () => socket.write("POST /mcp HTTP/1.0\r\n\r\n"))
      socket.once("data", (data) => resolve(data.toString().slice(9, 12)))
      socket.once("error", reject)
    })
    assert.strictEqual(status, "403")
  })

  it("an MCP request with the configured host or a loopback name is accepted, with any port", async () => {
    for (const host of ["pod.example", "POD.example:8443", "localhost:1", "127.0.0.1", "[::1]:9"]) {
      assert.strictEqual(await statusWithHost(server.port, host), 406, host) // 406 means that the request passed the Host check, because 406 is the answer to the missing Accept header
    }
  })

  it("an MCP request with a foreign Origin, or with the Origin `null`, is refused before the key is checked", async () => {
    for (const origin of ["https://evil.example", "null", "http://pod.example", "https://pod.example:444", "x"]) {
      const { first, status } = await ask(server.url, { headers: { origin }, body: list })
      assert.strictEqual(status, 403, origin)
      assert.strictEqual(first?.error?.code, -32_000)
    }
    assert.strictEqual(server.recorded.identified, 0)
  })

  it("MCP refuses a loopback Origin if the Host is public, and always refuses the Origin `null` and other opaque origins", async () => {
    assert.strictEqual(await statusWithHost(server.port, "pod.example", { origin: "http://localhost:6274" }), 403)
    const lax = await aServer({ allowedOrigins: ["app://pod", "null"] })
    for (const origin of ["app://evil", "null"]) {
      assert.strictEqual((await ask(lax.url, { headers: { origin }, body: list })).status, 403, origin)
    }
    await lax.close()
  })

  it("an MCP request with the configured Origin, a loopback Origin or no Origin is served", async () => {
    for (const headers of [{ origin: "https://pod.example" }, { origin: "http://localhost:6274" }, {}]) {
      assert.strictEqual((await ask(server.url, { headers, body: list })).status, 200)
    }
  })

  it("an MCP request with a secret in the URL is refused, even if the header has a valid key", async () => {
    for (const query of ["?key=reader", "?access_token=reader", "?a=1&API-Key=reader", "?apiKey="]) {
      const { status, text } = await ask(server.url, { query, body: list })
      assert.strictEqual(status, 400, query)
      assert.notInclude(text, "reader")
    }
    assert.strictEqual((await ask(server.url, { query: "?client=x", body: list })).status, 200)
  })
})

describe("checks of the key on MCP", () => {
  it("an MCP request with a missing or unknown key gets the WWW-Authenticate challenge without a link to OAuth", async () => {
    for (const key of [null, "nope"]) {
      const { first, headers, status } = await ask(server.url, { key, body: list })
      assert.strictEqual(status, 401)
      assert.strictEqual(
        headers.get("www-authenticate"),
        `Bearer realm="pod", error="invalid_token", error_description="no 'such' key"`
      )
      assert.isNull(first?.id)
      assert.strictEqual(first?.error?.code, -32_600)
      assert.strictEqual(headers.get("x-request-id"), "r-1")
    }
  })

  it("MCP checks the key before the method, the media type, the size and the JSON of a request", async () => {
    const bodies = ["{oops", "x".repeat(2 << 20)]
    for (const body of bodies) {
      const headers = { "content-type": "text/plain" }
      assert.strictEqual((await ask(server.url, { key: null, headers, body })).status, 401)
    }
    for (const method of ["GET", "DELETE", "PUT"]) {
      assert.strictEqual((await ask(server.url, { key: null, method })).status, 401)
    }
  })

  it("if a request exceeds the rate limit or the pod has an outage, MCP answers with the status, headers and data of the pod's refusal", async () => {
    const busy = await ask(server.url, { key: "busy", body: list })
    assert.deepStrictEqual([busy.status, busy.headers.get("retry-after")], [429, "7"])
    assert.isNull(busy.headers.get("www-authenticate"))
    const own = await ask(server.url, { key: "own", body: list })
    assert.deepStrictEqual([own.status, own.first?.error?.data], [503, { error: "unavailable", mine: true }])
  })

  it("if the key check of MCP fails unexpectedly, the answer is 500 with an error id and no details", async () => {
    const { first, status, text } = await ask(server.url, { key: "broken", body: list })
    assert.strictEqual(status, 500)
    assert.notInclude(text, "password")
    assert.strictEqual(first?.error?.data?.["errorId"], server.recorded.failures[0]?.errorId)
  })

  it("if a key is revoked between two MCP requests, the second request is refused", async () => {
    assert.strictEqual((await ask(server.url, { body: list })).status, 200)
    server.recorded.isRevoked = true
    assert.strictEqual((await ask(server.url, { body: list })).status, 401)
  })

  it("a tool call whose key is revoked during the call gets 401, in both versions of the MCP protocol", async () => {
    for (const request of [{ body: legacyCall("die") }, modernCall("die"), { body: [legacyCall("die")] }]) {
      const { headers, status, type } = await ask(server.url, request)
      assert.strictEqual(status, 401)
      assert.strictEqual(type, "application/json")
      assert.include(String(headers.get("www-authenticate")), 'error_description="the key was revoked"')
    }
  })

  it("in the 2025 MCP protocol, a long call whose key is revoked during the call gets 401, because the server sends the status only with the result", async () => {
    const answering = ask(server.url, { body: legacyCall("wait") })
    await server.recorded.waiting
    // While the call waits, this second request gives the server time. If the server sent the status of the call too
    // early, the status would arrive now.
    await ask(server.url, { body: list })
    server.recorded.finishWait({ kind: "callerRefused", refusal: revoked })
    assert.strictEqual((await answering).status, 401)
  })

  it("if a key is revoked during an MCP batch, the client still gets the answers of the calls before the revocation", async () => {
    const { messages, status } = await ask(server.url, { body: [legacyCall("read_notes"), legacyCall("die", {}, 2)] })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      messages.map(({ id, result }) => [id, result?.isError === true]),
      [
        [1, false],
        [2, true]
      ]
    )
  })
})

describe("checks of methods and bodies on MCP", () => {
  it("MCP answers 405 to GET for an event stream, to DELETE and to PUT", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const { first, headers, status } = await ask(server.url, { method })
      assert.deepStrictEqual([status, headers.get("allow"), first?.error?.code], [405, "POST", -32_000])
    }
  })

  it("a GET for the public manifest with a key that the pod does not accept gets 401, so nobody takes the key for a valid one", async () => {
    for (const authorization of ["Bearer nobody", "nonsense"]) {
      const { headers, status, text } = await ask(server.url, {
        method: "GET",
        key: null,
        headers: { accept: "*/*", authorization }
      })
      assert.strictEqual(status, 401, authorization)
      assert.include(headers.get("www-authenticate"), "invalid_token")
      assert.notInclude(text, "Keeps notes.")
    }
    const busy = await ask(server.url, { method: "GET", key: "busy", headers: { accept: "*/*" } })
    assert.strictEqual(busy.status, 429)
  })

  it("a GET on the MCP path that does not ask for an event stream gets the public manifest, with a valid key or without a key", async () => {
    const keyed = await ask(server.url, { method: "GET", headers: { accept: "*/*" } })
    const { status, text } = await ask(server.url, { method: "GET", key: null, headers: { accept: "*/*" } })
    assert.deepStrictEqual([status, keyed.status], [200, 200])
    assert.strictEqual(keyed.text, text)
    assert.deepStrictEqual(JSON.parse(text), {
      name: "pod",
      version: "1.2.3",
      description: "Keeps notes.",
      capabilities: ["tools"],
      auth: { type: "bearer" },
      toolCount: 2
    })
  })

  it("MCP refuses a request body that is not a JSON-RPC message, with a status that depends on the fault", async () => {
    const batch = (size: number) => Array.from({ length: size }, (_, id) => legacy("ping", undefined, id))
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`
    const rows: ReadonlyArray<readonly [string, unknown, number, number, Record<string, string>?]> = [
      ["invalid JSON", "{oops", 400, -32_700],
      ["an empty body", "", 400, -32_700],
      ["null", "null", 400, -32_600],
      ["a number", "7", 400, -32_600],
      ["an object that is not JSON-RPC", { hello: 1 }, 400, -32_600],
      ["an empty batch", [], 400, -32_600],
      ["a batch over the cap", batch(21), 400, -32_600],
      ["a huge batch", batch(1_000), 400, -32_600],
      ["the same id twice", [legacyCall("write_note"), legacyCall("write_note")], 400, -32_600],
      ["a batch of nonsense", [null, 1], 400, -32_600],
      ["deep nesting", deep, 400, -32_600],
      ["a body over the limit", "x".repeat(5 << 20), 413, -32_000],
      ["plain text", "{}", 415, -32_000, { "content-type": "text/plain" }],
      ["compressed JSON", "{}", 415, -32_000, { "content-encoding": "gzip" }],
      ["legacy without SSE in Accept", list, 406, -32_000, { accept: "application/json" }]
    ]
    for (const [name, body, status, code, headers = {}] of rows) {
      const answer = await ask(server.url, { body, headers })
      assert.deepStrictEqual([answer.status, answer.first?.error?.code], [status, code], name)
      assert.strictEqual(answer.headers.get("x-request-id"), "r-1", name)
    }
    assert.deepStrictEqual(server.recorded.called, [])
  })

  it("if an MCP request body has no content-length, the pod stops reading the body at the size limit", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1 << 16))
    })
    const headers = { authorization: "Bearer reader", "content-type": "application/json" }
    // The cast is needed, because the type lacks the option `duplex`, which streaming needs.
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit
    const status = await fetch(server.url, init).then(
      (response) => response.status,
      () => "cut" // The server can close the connection while the client still uploads.
    )
    assert.include([413, "cut"], status)
    assert.strictEqual((await ask(server.url, { body: list })).status, 200)
  })

  it("if the arguments of an MCP call contain text that the database cannot store, the call is refused and the tool does not run", async () => {
    for (const text of ['"a\\u0000b"', '"\\ud800"', '{"x":["\\udc00"]}', '{"\\u0000":1}']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_notes","arguments":{"q":${text}}}}`
      const { first, status } = await ask(server.url, { body })
      assert.deepStrictEqual([status, first?.result?.isError], [200, true], text)
      assert.include(String(first?.result?.content?.[0]?.text), "arguments.q")
    }
    assert.deepStrictEqual(server.recorded.called, [])
    assert.strictEqual((await ask(server.url, { body: legacyCall("read_notes", { q: "😀" }) })).status, 200)
    assert.strictEqual(server.recorded.called.length, 1)
  })

  it("MCP refuses an argument with the name `__proto__` and runs no tool, whether the call is alone, in a batch or asks for progress", async () => {
    const before = server.recorded.called.length
    const raw = (more = "") =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_notes","arguments":{"__proto__":{"limit":1}}${more}}}`
    for (const text of [raw(), `[${raw()}]`, raw(`,"_meta":{"progressToken":1}`)]) {
      const { first, status } = await ask(server.url, { body: text })
      assert.deepStrictEqual([status, first?.result?.isError], [200, true], text)
      assert.include(String(first?.result?.content?.[0]?.text), "arguments.__proto__")
    }
    assert.strictEqual(server.recorded.called.length, before)
  })

  it("MCP never answers a tool call with 500, even if its arguments contain `__proto__` or are not an object, or if the call has no name", async () => {
    const raw = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
    for (const params of [
      '{"name":"read_notes","arguments":{"__proto__":{"limit":1}}}',
      '{"name":"x","arguments":[1]}'
    ]) {
      assert.strictEqual((await ask(server.url, { body: raw(params) })).status, 200)
    }
    const { first } = await ask(server.url, { body: raw("{}") })
    assert.strictEqual(first?.error?.code, -32_602)
  })
})
