/**
 * Tests the MCP bridge over stdio with the client of the MCP SDK. The tests start the bridge as `pod mcp`, and also
 * from its bundle, as Claude Desktop does.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Readable } from "node:stream"
import { runBridge } from "../../src/cli/McpBridge.ts"
import { aCommandLine, builtProgram, environmentOf } from "../support/builtCli.ts"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { unpackBundle } from "../support/unpackedBundle.ts"

const home = aFolder()
const environment: Record<string, string> = {}
const pod = aCommandInProcess(home.path, { environment })
/** The built program, which has the bundle of the bridge beside it. */
const program = aCommandLine(home.path, { environment })
/** A pod in this process. The command line reaches it by its address and by the socket in its data directory. */
let server: TestPod
let port: string
let key: string

beforeAll(async () => {
  server = await aPod({ kind: "memory" }, {}, { hasSocket: true })
  environment["POD_DATA_DIR"] = server.dataDir!
  port = new URL(server.baseUrl).port
  await pod(["create", "note", "The spare key"])
  key = (await pod(["keys", "create", "--name", "mcp", "--scope", "mcp.read", "--quiet"])).stdout.trim()
})
afterAll(async () => {
  await server?.stop()
  home.remove()
})

const connected = async (args: ReadonlyArray<string>, environment: Record<string, string>) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      env: { ...environmentOf(home.path), ...environment },
      stderr: "ignore"
    })
  )
  return client
}

const textOf = (result: Awaited<ReturnType<Client["callTool"]>>) => JSON.stringify(result.content)

describe("the command `pod mcp`, the bridge for MCP clients", () => {
  it("`pod mcp` lists the tools of the pod, and answers five calls at the same time of a tool that its key may call", async () => {
    const client = await connected([await builtProgram(), "mcp", "--url", server.baseUrl], { POD_API_KEY: key })
    const { tools } = await client.listTools()
    assert.isTrue(tools.some(({ name }) => name === "svc_get_entities"))
    const calls = await Promise.all(
      Array.from({ length: 5 }, () => client.callTool({ name: "svc_get_entities", arguments: { profileSlug: "note" } }))
    )
    for (const result of calls) assert.include(textOf(result), "The spare key")
    await client.close()
  })

  it("`pod mcp --strict-schemas` lists tools with strict schemas and calls them with arguments that fit these schemas", async () => {
    const client = await connected([await builtProgram(), "mcp", "--url", server.baseUrl, "--strict-schemas"], {
      POD_API_KEY: key
    })
    const listed = (await client.listTools()).tools.find(({ name }) => name === "svc_resolve_identity")
    const names = Object.keys(listed?.inputSchema.properties ?? {})
    assert.sameMembers(listed?.inputSchema.required ?? [], names)
    const nothing = Object.fromEntries(names.map((name) => [name, null]))
    const found = await client.callTool({
      name: "svc_resolve_identity",
      arguments: { ...nothing, kindSlug: "person", title: "Ann", signals: '{"email":"ann@example.com"}' }
    })
    assert.isUndefined(found.isError, textOf(found))
    await client.close()
  })

  it("if the key is revoked or the pod does not answer, `pod mcp` answers a call with an error that has the id of the call", async () => {
    const made = (await pod(["keys", "create", "--name", "short", "--scope", "mcp.read", "--quiet"])).stdout.trim()
    const client = await connected([await builtProgram(), "mcp", "--url", server.baseUrl], { POD_API_KEY: made })
    await pod(["keys", "revoke", "short", "--yes"])
    const failure = await client.listTools().then(
      () => "",
      (cause: unknown) => String(cause)
    )
    assert.include(failure, "key")
    await client.close()
    const gone = await connected([await builtProgram(), "mcp", "--url", "http://127.0.0.1:1"], {
      POD_API_KEY: key
    }).then(
      () => "",
      (cause: unknown) => String(cause)
    )
    assert.include(gone, "cannot be reached")
  })

  it("if `pod mcp` reads a line that is not an MCP message, it answers with an error, and then answers further calls", async () => {
    const child = spawn(process.execPath, [await builtProgram(), "mcp", "--url", server.baseUrl], {
      env: { ...environmentOf(home.path), POD_API_KEY: key }
    })
    let stdout = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stdin.end('no json\n[]\n\n{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n')
    await new Promise((resolve) => child.once("close", resolve))
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number }; result?: unknown })
    assert.deepStrictEqual(
      answers.slice(0, 2).map(({ error, id }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32600]
      ]
    )
    assert.strictEqual(answers[2]?.id, 7)
  })

  /** Sends these lines through the bridge, and returns what the bridge writes for each, in the order of the answers. */
  const through = async (url: string, lines: string | Buffer, key: string): Promise<ReadonlyArray<any>> => {
    const written: Array<string> = []
    await runBridge({
      url,
      key,
      input: Readable.from([Buffer.from(lines)]),
      write: (line) => void written.push(line),
      note: () => {}
    })
    return written.map((line) => JSON.parse(line))
  }
  const overHttp = (body: string, key: string) =>
    server
      .as({ authorization: `Bearer ${key}` })
      .send("POST", "/mcp", body, { accept: "application/json, text/event-stream" })

  it("`pod mcp` refuses a message with the same code and the same data as the pod over HTTP, and with the id of the message", async () => {
    const nobody = "svc_user_0000000000000000000000000000000000000000000000000"
    for (const [body, by] of [
      ['{"jsonrpc":"2.0","id":"a","method":"tools/list"}', nobody],
      ['{"jsonrpc":"2.0","id":5,"method":7}', key],
      ['{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', key],
      ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', key],
      ["[]", key],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]', key]
    ] as const) {
      const direct = await overHttp(body, by)
      assert.isAtLeast(direct.status, 400, body)
      const answers = await through(server.baseUrl, body, by)
      assert.isAtLeast(answers.length, 1, body)
      for (const answer of answers) {
        assert.deepStrictEqual(answer.error, direct.body.error, body)
        const { id } = Array.isArray(JSON.parse(body)) ? { id: answer.id } : JSON.parse(body)
        assert.strictEqual(answer.id, id)
      }
    }
  })

  it("`pod mcp` sends a batch and a number that is too large as the client wrote them, and refuses a line that is not UTF-8", async () => {
    const call = (id: number, args: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"svc_get_entities","arguments":${args}}}`
    const batch = await through(server.baseUrl, `[${call(1, '{"limit":1}')},${call(2, '{"limit":1}')}]\n`, key)
    assert.sameMembers(
      batch.map(({ id }) => id),
      [1, 2]
    )
    const [large] = await through(server.baseUrl, call(3, '{"limit":1e400}'), key)
    assert.isTrue(large.result.isError)
    assert.include(large.result.content[0].text, "too large")
    const broken = Buffer.from(call(4, '{"profileSlug":"X"}').replace("X", "\u00ff"), "latin1")
    assert.deepStrictEqual(
      (await through(server.baseUrl, broken, key)).map(({ error, id }) => [id, error.code]),
      [[null, -32700]]
    )
  })

  it("`pod mcp` writes a message of the pod at once, and answers a call with an error if the answer of the pod ends too early", async () => {
    let finish = () => {}
    const fake = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write('data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n')
      finish = () => response.end()
    }).listen(0, "127.0.0.1")
    await once(fake, "listening")
    const { port } = fake.address() as AddressInfo
    const written: Array<any> = []
    await runBridge({
      url: `http://127.0.0.1:${port}`,
      key,
      input: Readable.from([Buffer.from('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"x"}}\n')]),
      // The answer ends only after its first message has arrived.
      write: (line) => (written.push(JSON.parse(line)) === 1 ? finish() : undefined),
      note: () => {}
    })
    assert.strictEqual(written[0].method, "notifications/progress")
    assert.deepStrictEqual([written[1].id, typeof written[1].error.message], [9, "string"])
    fake.close()
  })

  it("`pod mcp` writes names that a header cannot have in Base64, so that the pod and not the bridge answers such a message", async () => {
    const names: Array<unknown> = []
    const fake = createServer((request, response) => {
      names.push([request.headers["mcp-method"], request.headers["mcp-name"]])
      response.end('{"jsonrpc":"2.0","id":1,"result":{}}')
    }).listen(0, "127.0.0.1")
    await once(fake, "listening")
    const { port } = fake.address() as AddressInfo
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
    for (const name of ["svc_ask", "日本", "a\r\nevil: 1", " x", "=?base64?eA==?="]) {
      const line = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, _meta } })
      const [answer] = await through(`http://127.0.0.1:${port}`, line, key)
      assert.isUndefined(answer.error, JSON.stringify(answer))
    }
    fake.close()
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`
    assert.deepStrictEqual(names, [
      ["tools/call", "svc_ask"],
      ...["日本", "a\r\nevil: 1", " x", "=?base64?eA==?="].map((name) => ["tools/call", encoded(name)])
    ])
    const unknown = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "日本", _meta } })
    const [answer] = await through(server.baseUrl, unknown, key)
    assert.notInclude(JSON.stringify(answer), "cannot be reached")
  })

  it("the bridge in the bundle for Claude Desktop ends without an error if its client closes the pipe of the answers", async () => {
    const bridge = join(await builtProgram(), "../pod-mcp-bridge.cjs")
    const child = spawn(process.execPath, [bridge], {
      env: { ...environmentOf(home.path), POD_API_KEY: key, POD_URL: server.baseUrl }
    })
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdin.on("error", () => undefined)
    child.stdout.destroy()
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const [code] = (await once(child, "close")) as [number | null]
    assert.deepStrictEqual([code, stderr], [0, ""])
  })

  it("`pod mcp` ends with exit code 3 if it has no key", async () => {
    assert.strictEqual((await pod(["mcp", "--url", server.baseUrl])).code, 3)
  })

  it("the bundle for Claude Desktop is a complete zip file without a key, and the program in the bundle calls a tool of the pod", async () => {
    const written = await program(["connect", "claude-desktop", "--write", "--yes", "--json"])
    assert.strictEqual(written.code, 0, written.stderr)
    const path = join(home.path, "pod.mcpb")
    const unpacked = join(home.path, "unpacked")
    assert.deepStrictEqual(unpackBundle(path, unpacked), ["manifest.json", "server/index.js"])
    const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8")) as {
      manifest_version: string
      user_config: { api_key: { sensitive: boolean }; url: { default: string } }
    }
    assert.strictEqual(manifest.manifest_version, "0.3")
    assert.isTrue(manifest.user_config.api_key.sensitive)
    assert.strictEqual(manifest.user_config.url.default, `http://localhost:${port}`)
    assert.notInclude(readFileSync(path, "latin1"), "svc_user_")
    assert.isBelow(statSync(join(unpacked, "server/index.js")).size, 8000)
    const client = await connected([join(unpacked, "server/index.js")], { POD_API_KEY: key, POD_URL: server.baseUrl })
    assert.include(
      textOf(await client.callTool({ name: "svc_get_entities", arguments: { profileSlug: "note" } })),
      "The spare key"
    )
    await client.close()
  })
})
