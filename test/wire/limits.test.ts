/**
 * Tests the headers that tell the rate limit, the request id, the expiry of the key, and whether the answer is a stored
 * answer. Also tests which requests count against the rate limit.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, afterEach, beforeAll } from "vitest"
import { aStoredKey } from "../doors/callers.ts"
import { type Answer, aPod, type Caller, type TestPod } from "../support/pod.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { ask, legacyCall, modernCall } from "./mcpFixture.ts"

/** The pod of one test. */
let pod: TestPod
const started: Array<TestPod> = []
afterEach(() => started.pop()?.stop())

const anOwnPod = async (settings: Parameters<typeof aPod>[1] = {}) => {
  const made = await aPod({ kind: "memory" }, settings)
  started.push(made)
  return made
}

const perMinute = 5

/**
 * If the current minute is nearly over, waits for the next minute. Otherwise the minute could end while a test counts
 * requests.
 */
const timeToCount = async () => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 5_000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}

/** Starts a pod with a low rate limit. */
const aScarcePod = async () => {
  await timeToCount()
  pod = await anOwnPod({ rateLimitPerMinute: perMinute })
  return pod
}

const remaining = (headers: Headers) => Number(headers.get("ratelimit-remaining"))

describe("the rate limit", () => {
  it("the headers of an answer show exactly how many requests are left, and a request beyond the rate limit gets 429 with Retry-After", async () => {
    const key = await (await aScarcePod()).aKey(pod.owner)
    for (let left = perMinute - 1; left >= 0; left--) {
      const { headers, status } = await key.send("GET", "/api/hub/users/me")
      assert.deepStrictEqual([status, remaining(headers)], [200, left])
      assert.strictEqual(headers.get("ratelimit-limit"), String(perMinute))
      assert.strictEqual(headers.get("ratelimit-policy"), `${perMinute};w=60`)
      assert.isTrue(Number(headers.get("ratelimit-reset")) >= 1 && Number(headers.get("ratelimit-reset")) <= 60)
      assert.isNull(headers.get("retry-after"))
    }
    for (const path of ["/api/hub/users/me", "/api/hub/entities?limit=0", "/api/hub/entities/x"]) {
      const { body, headers, status } = await key.send("GET", path)
      assert.deepStrictEqual([status, remaining(headers)], [429, 0])
      assert.isString(body.error)
      assert.strictEqual(headers.get("retry-after"), headers.get("ratelimit-reset"))
    }
  })

  it("each key has its own rate limit, whatever address or header its requests have", async () => {
    await aScarcePod()
    const [spent, fresh] = [await pod.aKey(pod.owner), await pod.aKey(pod.owner)]
    for (let times = 0; times < perMinute; times++) await spent.send("GET", "/api/hub/users/me")
    for (const headers of [
      { "x-forwarded-for": "203.0.113.7" },
      { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1", forwarded: "for=127.0.0.1" },
      { "x-test-user-id": "someone" },
      { "x-session-token": pod.owner.headers["x-session-token"] }
    ]) {
      const { status } = await spent.send("GET", "/api/hub/users/me", undefined, headers)
      assert.strictEqual(status, 429)
    }
    const { headers, status } = await fresh.send("GET", "/api/hub/users/me")
    assert.deepStrictEqual([status, remaining(headers)], [200, perMinute - 1])
  })

  const mcpHeaders = { accept: "application/json, text/event-stream" }
  const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params })
  const clientInfo = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } }

  /** Requests that reach no operation. The test sends each once with a key. */
  const unanswered: Readonly<Record<string, (caller: Caller) => Promise<Answer>>> = {
    "an unknown route": (key) => key.send("GET", "/api/hub/nothing/here"),
    "a method that a route does not have": (key) => key.send("DELETE", "/api/hub/users/me"),
    "an unknown procedure": (key) => key.query("nothing.here"),
    "a procedure that is called with the wrong method": (key) => key.send("GET", "/api/hub/trpc/events.log"),
    "a procedure whose input is not JSON": (key) => key.send("POST", "/api/hub/trpc/events.log", "{oops"),
    "the method HEAD for a procedure": (key) => key.send("HEAD", "/api/hub/trpc/svc.me"),
    "an unknown form of MCP schemas": (key) => key.send("POST", "/mcp?schemas=loose", message("ping"), mcpHeaders),
    "MCP tools/list": (key) => key.send("POST", "/mcp", message("tools/list"), mcpHeaders),
    "MCP initialize": (key) => key.send("POST", "/mcp", message("initialize", clientInfo), mcpHeaders),
    "MCP ping": (key) => key.send("POST", "/mcp", message("ping"), mcpHeaders),
    "MCP prompts/list": (key) => key.send("POST", "/mcp", message("prompts/list"), mcpHeaders),
    "an unknown tool": (key) =>
      key.send("POST", "/mcp", message("tools/call", { name: "nothing", arguments: {} }), mcpHeaders),
    "tool arguments that cannot be stored": (key) =>
      key.send("POST", "/mcp", message("tools/call", { name: "x", arguments: { a: "\0" } }), mcpHeaders),
    "a tool call without a name": (key) => key.send("POST", "/mcp", message("tools/call"), mcpHeaders),
    "a tool call whose arguments are a list": (key) =>
      key.send("POST", "/mcp", message("tools/call", { name: "svc_orient", arguments: [] }), mcpHeaders),
    "a tool call without an id": (key) =>
      key.send("POST", "/mcp", { jsonrpc: "2.0", method: "tools/call", params: { name: "svc_orient" } }, mcpHeaders),
    "a batch with a tool call without a name": (key) => key.send("POST", "/mcp", [message("tools/call")], mcpHeaders),
    "a tool call that accepts no stream": (key) =>
      key.send("POST", "/mcp", message("tools/call", { name: "svc_orient" }), { accept: "application/json" }),
    "a tool call whose header names another tool": (key) => {
      const { body, headers } = modernCall("svc_orient")
      return key.send("POST", "/mcp", body, { ...headers, "mcp-name": "svc_get_entities" })
    },
    "an MCP body that is not a message": (key) => key.send("POST", "/mcp", "{oops", mcpHeaders)
  }
  describe("requests that reach no operation", () => {
    // The limit of each test is the limit of its own key, so the tests share one pod.
    let shared: TestPod
    beforeAll(async () => {
      shared = await aPod({ kind: "memory" }, { rateLimitPerMinute: perMinute })
    })
    afterAll(() => shared?.stop())
    for (const [what, ask] of Object.entries(unanswered)) {
      it(`a request with ${what} counts against the rate limit of the key`, async () => {
        const { secret } = await aStoredKey(shared, shared.ownerId)
        const key = shared.as({ authorization: `Bearer ${secret}` })
        await timeToCount()
        for (let times = 1; times <= perMinute; times++) {
          const { headers, status } = await ask(key)
          assert.notStrictEqual(status, 429)
          // The headers show what is left, as for every other call.
          assert.strictEqual(remaining(headers), perMinute - times)
        }
        const { headers, status } = await ask(key)
        assert.strictEqual(status, 429)
        assert.isTrue(Number(headers.get("retry-after")) >= 1)
        assert.strictEqual((await key.send("GET", "/api/hub/users/me")).status, 429)
      })
    }
  })

  it("an MCP batch with more messages than the rate limit allows gets 429", async () => {
    const key = await (await aScarcePod()).aKey(pod.owner)
    const batch = Array.from({ length: perMinute + 1 }, (_, id) => ({ ...message("ping"), id }))
    assert.strictEqual((await key.send("POST", "/mcp", batch, mcpHeaders)).status, 429)
  })

  it("every message of an MCP batch counts once against the rate limit, even a call of an unknown tool or a message that gets no answer", async () => {
    const key = await (await aScarcePod()).aKey(pod.owner)
    // The list of resources is then one call of a tool.
    await pod.owner.send("POST", "/api/hub/entities", { title: "Listed", profileSlug: "note" })
    const batch = [
      legacyCall("svc_orient", {}, 1),
      legacyCall("nothing", {}, 2),
      { ...message("resources/list"), id: 3 },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
    ]
    const { headers, status } = await key.send("POST", "/mcp", batch, mcpHeaders)
    assert.deepStrictEqual([status, remaining(headers)], [200, perMinute - batch.length])
    assert.strictEqual(remaining((await key.send("GET", "/api/hub/users/me")).headers), perMinute - batch.length - 1)
  })

  it("the pod limits how many unknown routes an address can request without a credential, and an address over this limit can still call existing routes", async () => {
    await aScarcePod()
    const paths = ["/api/hub/nothing", "/nothing", "/assets/nothing", "/docs/nothing", "/trpc/nothing.here"]
    for (const path of paths) {
      assert.include([401, 404], (await pod.stranger.send("GET", path)).status, path)
    }
    for (const path of paths) assert.strictEqual((await pod.stranger.send("GET", path)).status, 429, path)
    assert.strictEqual((await pod.stranger.send("GET", "/livez")).status, 200)
    assert.strictEqual((await pod.stranger.send("GET", "/api/hub/users/me")).status, 401)
    assert.strictEqual((await pod.owner.send("GET", "/api/hub/users/me")).status, 200)
  })

  it("every call of a tRPC batch counts against the rate limit of the key, and calls over tRPC and MCP share this limit", async () => {
    const key = await (await aScarcePod()).aKey(pod.owner)
    const batch = (count: number) => {
      const paths = Array.from({ length: count }, () => "svc.me").join(",")
      return key.send("GET", `/api/hub/trpc/${paths}?batch=1`)
    }
    const first = await batch(3)
    assert.deepStrictEqual([first.status, remaining(first.headers)], [200, perMinute - 3])
    const tool = await ask(`${pod.baseUrl}/mcp`, { key: key.secret, body: legacyCall("svc_get_entities") })
    assert.deepStrictEqual([tool.status, remaining(tool.headers)], [200, 1])
    const mixed = await batch(3)
    assert.deepStrictEqual([mixed.status, remaining(mixed.headers)], [207, 0])
    const codes = mixed.body.map(
      (one: { readonly error?: { readonly data: { readonly code: string } } }) => one.error?.data.code ?? "ok"
    )
    assert.deepStrictEqual(codes, ["ok", "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS"])
    assert.isAtLeast(Number(mixed.headers.get("retry-after")), 1)
    const last = await key.query("svc.me")
    assert.strictEqual(last.status, 429)
    assert.strictEqual(last.headers.get("retry-after"), last.headers.get("ratelimit-reset"))
  })

  it("MCP answers a request beyond the rate limit with the status 429, so that clients try again later", async () => {
    const key = await (await aScarcePod()).aKey(pod.owner)
    const call = () => ask(`${pod.baseUrl}/mcp`, { key: key.secret, body: legacyCall("svc_get_entities") })
    for (let times = 0; times < perMinute; times++) assert.strictEqual((await call()).status, 200)
    const { first, headers, status } = await call()
    assert.strictEqual(status, 429)
    assert.strictEqual(first?.error?.code, -32_000)
    assert.isAtLeast(Number(headers.get("retry-after")), 1)
    assert.isNull(headers.get("www-authenticate"))
  })
})

describe("the request id", () => {
  const idOf = async (headers: Readonly<Record<string, string>>) => {
    const answer = await pod.owner.send("GET", "/api/hub/users/me", undefined, headers)
    assert.strictEqual(answer.status, 200)
    return answer.headers.get("x-request-id") ?? ""
  }
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/

  it("the answer has the request id of the client if this id is valid, and otherwise a new request id", async () => {
    pod = await anOwnPod()
    for (const id of ["my-request.1", "A:b_c", "x".repeat(128)])
      assert.strictEqual(await idOf({ "x-request-id": id }), id)
    const garbage = ["", "a b", "x".repeat(129), "<script>", "a,b", "é", "svc_user_0123456789abcdef", '"', "a\tb"]
    for (const id of garbage) assert.match(await idOf({ "x-request-id": id }), uuid, id)
    assert.notStrictEqual(await idOf({}), await idOf({}))
    assert.match((await pod.stranger.send("GET", "/api/hub/users/me")).headers.get("x-request-id") ?? "", uuid)
  })

  it("the trace id of a request becomes the correlation id of the events that the request causes", async () => {
    pod = await anOwnPod()
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    const asUuid = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736"
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`
    const logged = await pod.owner.mutate("events.log", { type: "traced" }, { traceparent })
    assert.strictEqual(logged.headers.get("x-request-id"), asUuid)
    assert.strictEqual(logged.body.result.data.correlationId, asUuid)
    for (const broken of [`00-${"0".repeat(32)}-00f067aa0ba902b7-01`, `01-${trace}-x-01`, trace, "00-xyz-1-01"]) {
      assert.match(await idOf({ traceparent: broken }), uuid, broken)
    }
  })
})

describe("the expiry of a key", () => {
  it("over REST, tRPC and MCP, the answers have a header with the expiry of the key only if the key expires soon", async () => {
    pod = await anOwnPod()
    const soon = await pod.aKey(pod.owner, { expiresInDays: 5 })
    const answers = [
      await soon.send("GET", "/api/hub/users/me"),
      await soon.send("GET", "/api/hub/entities?limit=0"),
      await soon.query("svc.me"),
      await ask(`${pod.baseUrl}/mcp`, { key: soon.secret, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } })
    ]
    for (const { headers } of answers) {
      assert.strictEqual(headers.get("x-key-expires-soon"), "true")
      const days = (Date.parse(headers.get("x-key-expires-at") ?? "") - Date.now()) / 86_400_000
      assert.isTrue(days > 4.9 && days <= 5)
    }
    const later = await pod.aKey(pod.owner, { expiresInDays: 60 })
    for (const caller of [later, pod.owner, pod.stranger]) {
      assert.isNull((await caller.send("GET", "/api/hub/users/me")).headers.get("x-key-expires-soon"))
    }
  })
})

describe("a repeated request", () => {
  it("on REST and tRPC, the answer to a repeated request has the header `x-idempotent-replay`, and the first answer does not have it", async () => {
    pod = await anOwnPod()
    const again = { "idempotency-key": "again-and-again" }
    for (const send of [
      () => pod.owner.send("POST", "/api/hub/entities", { title: "once" }, again),
      () => pod.owner.mutate("events.log", { type: "once" }, again)
    ]) {
      const [first, second] = [await send(), await send()]
      assert.deepStrictEqual([first.status, first.headers.get("x-idempotent-replay")], [200, null])
      assert.deepStrictEqual([second.status, second.headers.get("x-idempotent-replay")], [200, "true"])
      assert.deepStrictEqual(second.body, first.body)
    }
  })

  it("a request with the same idempotency key but another focus session id in its header is not a repetition", async () => {
    pod = await anOwnPod()
    const send = (session: string) =>
      pod.owner.send(
        "POST",
        "/api/hub/entities",
        { title: "once" },
        { "idempotency-key": "again-and-again", "x-session-id": session }
      )
    const [one, other] = [uuidv7(), uuidv7()]
    const replays = []
    for (const session of [one, other, one]) {
      const { headers, status } = await send(session)
      assert.strictEqual(status, 200)
      replays.push(headers.get("x-idempotent-replay"))
    }
    assert.deepStrictEqual(replays, [null, null, "true"])
  })
})
