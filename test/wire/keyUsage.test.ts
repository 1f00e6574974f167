/** The pod records each call of a key, on every surface. The person who owns the key can read these records. */
import { assert, afterAll, beforeAll, describe, it } from "vitest"
import { Effect } from "effect"
import { KeyUsage } from "../../src/features/usage/KeyUsage.ts"
import { type Caller, aPod, everyScope, type TestPod } from "../support/pod.ts"

describe("the use of a key", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  interface SeenCall {
    readonly surface: string
    readonly operation: string | null
    readonly status: number
    readonly code: string | null
    readonly userAgent: string | null
    readonly proposalId: string | null
  }

  const usageOf = async (keyId: string, reader: Caller = pod.owner) => {
    await pod.run(Effect.flatMap(KeyUsage, ({ flush }) => flush))
    const { body, status } = await reader.query("apiKeys.usage", { keyId })
    assert.strictEqual(status, 200)
    return body.result.data as {
      readonly days: ReadonlyArray<{ readonly calls: number; readonly refusals: number }>
      readonly calls: ReadonlyArray<SeenCall>
    }
  }
  const shown = ({ code, operation, status, surface }: SeenCall) => [surface, operation, status, code].join(" ")

  it("the person who owns a key sees the surface, the operation and the status of each call of the key, and why a call was refused", async () => {
    const key = await pod.aKey(pod.owner, { scope: everyScope, grant: { permissions: ["entity.note.read"] } })
    await key.send("GET", "/api/hub/entities?limit=1", undefined, { "user-agent": "a client" })
    await key.send("POST", "/api/hub/entities", { profileSlug: "note", title: "no" })
    await key.query("svc.me", {})
    const mcp = { accept: "application/json, text/event-stream" }
    const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params })
    const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a client", version: "1" } }
    await key.send("POST", "/mcp", rpc("initialize", client), mcp)
    await key.send("POST", "/mcp", rpc("tools/call", { name: "svc_get_entities", arguments: {} }), mcp)
    await key.send("GET", "/api/hub/no-such-route")
    const { calls, days } = await usageOf(key.id)
    assert.deepStrictEqual(calls.map(shown).toReversed(), [
      "rest GET /api/hub/entities 200 ",
      "rest POST /api/hub/entities 403 GRANT_DENIED",
      "procedure svc.me 200 ",
      "mcp  200 ",
      "mcp svc_get_entities 200 ",
      "rest GET 404 NOT_FOUND"
    ])
    assert.strictEqual(calls.at(-1)?.userAgent, "a client")
    assert.deepStrictEqual(
      days.map((day) => [day.calls, day.refusals]),
      [[6, 1]]
    )
  })

  it("in the usage of a key, exactly the calls that became a proposal have the id of their proposal, over REST and MCP", async () => {
    const agent = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const key = await pod.aKey(pod.owner, { agentId: agent.body.result.data.id })
    const note = { profileSlug: "note", title: "Proposed" }
    const mcp = { accept: "application/json, text/event-stream" }
    const tool = { name: "svc_create_entity", arguments: note }
    await key.send("POST", "/api/hub/entities", note)
    await key.send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool }, mcp)
    await key.send("GET", "/api/hub/entities?limit=1")
    await key.send("POST", "/api/hub/entities", { profileSlug: "no-such-kind", title: "no" })
    const proposals = (await pod.owner.send("GET", "/api/hub/proposals")).body.proposals as ReadonlyArray<{
      id: string
    }>
    const { calls } = await usageOf(key.id)
    const [rest, mcpCall, ...others] = calls.map(({ proposalId }) => proposalId).toReversed()
    assert.sameMembers(
      [rest, mcpCall],
      proposals.map(({ id }) => id)
    )
    assert.deepStrictEqual(others, [null, null])
  })

  it("a call with a revoked key over REST, tRPC or MCP appears in the usage of this key", async () => {
    const key = await pod.aKey(pod.owner)
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    await key.send("GET", "/api/hub/entities")
    await key.query("entities.list", {})
    await key.send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" })
    const { calls } = await usageOf(key.id)
    assert.deepStrictEqual(calls.map(({ code, status, surface }) => [surface, status, code].join(" ")).toSorted(), [
      "mcp 401 key_revoked",
      "procedure 401 key_revoked",
      "rest 401 key_revoked"
    ])
  })

  it("only the person who owns a key can read its usage, and only with a session", async () => {
    const key = await pod.aKey(pod.owner)
    await key.send("GET", "/api/hub/entities")
    await usageOf(key.id)
    const other = await pod.aPerson()
    assert.strictEqual((await other.query("apiKeys.usage", { keyId: key.id })).status, 404)
    assert.deepStrictEqual((await other.query("apiKeys.usageByDay", {})).body.result.data, [])
    assert.strictEqual((await key.query("apiKeys.usage", { keyId: key.id })).status, 403)
    await usageOf(key.id)
    assert.deepStrictEqual((await other.query("apiKeys.lastCalls", {})).body.result.data, [])
    assert.strictEqual((await key.query("apiKeys.lastCalls", {})).status, 403)
    await usageOf(key.id)
    const last = (await pod.owner.query("apiKeys.lastCalls", {})).body.result.data.find(
      ({ keyId }: { readonly keyId: string }) => keyId === key.id
    )
    assert.deepInclude(last.call, { surface: "procedure", operation: "apiKeys.lastCalls", status: 403 })
    const { body } = await pod.owner.query("apiKeys.usageByDay", { days: 7 })
    const days = body.result.data as ReadonlyArray<{ readonly keyId: string; readonly calls: number }>
    assert.deepStrictEqual(
      days.filter(({ keyId }) => keyId === key.id).map(({ calls }) => calls),
      [3]
    )
  })
})
