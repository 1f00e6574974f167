/** Real MCP clients on a running pod: a client sees and calls exactly the tools that its key may call. */
import { assert, describe, it } from "@effect/vitest"
import { LogLevel } from "effect"
import { afterAll, beforeAll } from "vitest"
import { aLog } from "../support/logs.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { assertNoSecrets } from "./edges.ts"
import { ask, legacyCall, type Message } from "./mcpFixture.ts"
import { mcpClients } from "./realMcpClients.ts"

const log = aLog(LogLevel.Debug)
let pod: TestPod
let entityId: string
beforeAll(async () => {
  pod = await aPod({ kind: "memory" }, {}, { logging: log.layer })
  const draft = { title: "kept", description: "x".repeat(1_000), profileSlug: "note" }
  entityId = (await pod.owner.send("POST", "/api/hub/entities", draft)).body.id
})
afterAll(() => pod.stop())

const secrets: Array<string> = []
const aKey = async (order?: Readonly<Record<string, unknown>>) => {
  const key = await pod.aKey(pod.owner, order)
  secrets.push(key.secret)
  return key
}

const clients = mcpClients(() => pod)

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing failed",
    (error: unknown) => String(error)
  )

it("a path below the MCP endpoint answers 404, also to a key that may call tools", async () => {
  const key = await aKey()
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
  const accept = { accept: "application/json, text/event-stream" }
  for (const path of ["/mcp/anything", "/mcp//", "/mcp/mcp"]) {
    assert.strictEqual((await key.send("POST", path, ping, accept)).status, 404, path)
  }
  for (const path of ["/mcp", "/mcp/"])
    assert.strictEqual((await key.send("POST", path, ping, accept)).status, 200, path)
})

describe.each(Object.entries(clients))("%s", (_name, connect) => {
  it("an MCP client cannot connect if it sends no credential, the token of a person's session, or an unknown key", async () => {
    for (const caller of [pod.stranger, pod.owner, pod.as({ authorization: "Bearer nonsense" })]) {
      assert.match(await failure(connect(caller)), /401|unauthori|credential|Send a key/iu)
    }
  })

  it("a key without an MCP scope sees no tool, and a call of a tool with this key is refused", async () => {
    const client = await connect(await aKey({ scope: ["hub-protocol.read", "hub-protocol.write"] }))
    assert.deepStrictEqual((await client.listTools()).tools, [])
    const { content, isError } = await client.callTool({ name: "svc_get_entities", arguments: {} })
    assert.isTrue(isError)
    assert.include(JSON.stringify(content), "mcp.read")
    await client.close()
  })

  it("a tool call with invalid arguments gives a result that is marked as an error and says which field is wrong", async () => {
    const client = await connect(await aKey())
    for (const args of [
      { limit: 0 },
      { limit: "ten" },
      { detail: "more" },
      { workspaceId: "x" },
      { profileSlug: "a\0" }
    ]) {
      const { content, isError } = await client.callTool({ name: "svc_get_entities", arguments: args })
      assert.isTrue(isError)
      assert.include(JSON.stringify(content), Object.keys(args)[0])
    }
    assert.include(await failure(client.callTool({ name: "svc_nothing", arguments: {} })), "not found")
    await client.close()
  })

  it("an MCP tool returns entities with shortened or full descriptions, depending on its argument `detail`", async () => {
    const client = await connect(await aKey())
    const { tools } = await client.listTools()
    assert.include(
      tools.map(({ name }) => name),
      "svc_get_entities"
    )
    for (const [detail, length] of [
      ["lean", 121],
      ["full", 1_000]
    ] as const) {
      const { structuredContent } = await client.callTool({ name: "svc_get_entities", arguments: { detail, limit: 5 } })
      const { entities } = structuredContent as { readonly entities: ReadonlyArray<Record<string, unknown>> }
      const found = entities.find(({ id }) => id === entityId)
      assert.lengthOf(found?.["description"] as string, length)
    }
    await client.close()
  })

  it("an MCP tool finds only the records that the grant of the key covers", async () => {
    const client = await connect(await aKey({ grant: { permissions: ["entity.task.read"] } }))
    const { structuredContent } = await client.callTool({ name: "svc_get_entities", arguments: {} })
    assert.deepStrictEqual(structuredContent, { entities: [] })
    await client.close()
  })

  it("an MCP client whose key is revoked during its session gets 401", async () => {
    const key = await aKey()
    const client = await connect(key)
    await client.listTools()
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    assert.match(
      await failure(client.callTool({ name: "svc_get_entities", arguments: {} })),
      /401|unauthori|not valid/iu
    )
    await client.close()
  })
})

describe("raw requests to MCP", () => {
  const url = () => `${pod.baseUrl}/mcp`

  it("in the 2025 MCP protocol, a batch of tool calls gets one answer for each call", async () => {
    const { secret } = await aKey()
    const body = [legacyCall("svc_get_entities", {}, 1), legacyCall("svc_get_entities", { limit: -1 }, 2)]
    const { messages, status } = await ask(url(), { key: secret, body })
    assert.strictEqual(status, 200)
    const refusals = new Map(messages.map(({ id, result }: Message) => [id, result?.isError === true]))
    assert.deepStrictEqual([refusals.get(1), refusals.get(2)], [false, true])
  })

  it("an MCP request with a foreign Origin or with a key in the URL is refused, even with a valid key", async () => {
    const { secret } = await aKey()
    const body = legacyCall("svc_get_entities")
    for (const origin of ["https://evil.example", "null"]) {
      assert.strictEqual((await ask(url(), { key: secret, headers: { origin }, body })).status, 403)
    }
    assert.strictEqual((await ask(url(), { key: secret, query: `?key=${secret}`, body })).status, 400)
  })

  it("an MCP request with a revoked key gets 401 and the WWW-Authenticate challenge, whatever body it has", async () => {
    const key = await aKey()
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    for (const body of [legacyCall("svc_get_entities"), { jsonrpc: "2.0", id: 1, method: "tools/list" }, [], "{bad"]) {
      const { headers, status } = await ask(url(), { key: key.secret, body })
      assert.strictEqual(status, 401)
      assert.include(headers.get("www-authenticate"), 'error="invalid_token"')
    }
  })
})

it("the debug log of MCP requests contains no credential", () => {
  const routes = new Set(log.lines.map(({ fields }) => fields["route"]))
  assert.isTrue(routes.has("/mcp/svc_get_entities"))
  assertNoSecrets(log, [...secrets, ...Object.values(pod.owner.headers)])
})
