/** Replays the recorded tRPC exchanges, and tests the rules of the protocol that the recordings do not contain. */
import { assert, describe, it } from "@effect/vitest"
import { trpcCodes } from "../../src/surfaces/TrpcError.ts"
import { aServer, exchange, ok, refused, router, type FixtureOptions } from "./trpcFixture.ts"
import { notReplayed, ownMessage, parsedBody, recordedExchanges, titleOf, toCase, wireCases } from "./transcripts.ts"

/**
 * Replaces each message text by its type, because the texts can differ from the recording. All other parts must be
 * equal.
 */
const withoutMessages = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutMessages)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === "message" ? typeof item : withoutMessages(item)])
  )
}

/**
 * For errors of the whole request, the recorded server sends JSON with the type text/plain. The pod sends
 * application/json.
 */
const contentTypeOf = (recorded: string | undefined): string | undefined =>
  recorded?.startsWith("text/plain") === true ? "application/json" : recorded

const input = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const json = { "content-type": "application/json" }

describe("recorded exchanges with a tRPC server", () => {
  for (const one of wireCases()) {
    it(`the pod gives the same answer as the recorded tRPC server in the exchange “${titleOf(one)}”`, async () => {
      await using server = await aServer()
      const answer = await exchange(server.port, {
        method: one.method,
        path: one.path,
        headers: one.headers,
        ...(one.sends === undefined ? {} : { body: one.sends })
      })
      assert.strictEqual(answer.status, one.status)
      assert.strictEqual(answer.headers["content-type"], contentTypeOf(one.contentType))
      assert.strictEqual(answer.headers.vary, one.vary)
      assert.strictEqual(answer.headers.allow, one.allow)
      assert.strictEqual(answer.headers["cache-control"], one.cacheControl ?? "no-store")
      const normalise = titleOf(one) in ownMessage ? withoutMessages : (body: unknown) => body
      assert.deepStrictEqual(normalise(parsedBody(one.group, answer.body)), normalise(one.body))
    })
  }

  it.skipIf(recordedExchanges() === undefined)(
    "the fixture file contains every recorded tRPC exchange, except the exchanges that are listed with a reason (needs the recording)",
    () => {
      const recorded = recordedExchanges() ?? []
      const titles = new Set(recorded.map(titleOf))
      for (const listed of [...Object.keys(notReplayed), ...Object.keys(ownMessage)]) assert.isTrue(titles.has(listed))
      const replayed = recorded.filter((one) => !(titleOf(one) in notReplayed))
      assert.deepStrictEqual(
        wireCases(),
        replayed.map((one) => toCase(one))
      )
    }
  )

  it("the recorded tRPC exchanges contain exactly the error codes of the pod", () => {
    const recorded = wireCases().filter((one) => one.group === "error-code")
    assert.sameMembers(
      recorded.map((one) => one.name),
      Object.keys(trpcCodes)
    )
  })
})

describe("refused procedure calls", () => {
  const deny: FixtureOptions = { refuse: async () => ({ ok: false, code: "UNAUTHORIZED", message: "Sign in first" }) }

  it("without a credential, a tRPC caller gets the same refusal for a known procedure, an unknown procedure and an invalid input", async () => {
    await using server = await aServer(deny)
    for (const path of ["apiKeys.list", "nope", "apiKeys.list?input=%7Bbad", "apiKeys.create"]) {
      const { status, body } = await exchange(server.port, { method: "GET", path: `/trpc/${path}` })
      assert.strictEqual(status, 401)
      assert.strictEqual(JSON.parse(body).error.message, "Sign in first")
    }
    const post = await exchange(server.port, { method: "POST", path: "/trpc/apiKeys.create", body: "{bad" })
    assert.strictEqual(post.status, 401)
  })

  it("a refused tRPC batch gets one refusal for each call, but a refused batch that is streamed or too large gets only one refusal", async () => {
    await using server = await aServer(deny)
    const batch = await exchange(server.port, { method: "GET", path: "/trpc/hello,nope?batch=1" })
    assert.strictEqual(batch.status, 401)
    assert.deepStrictEqual(
      JSON.parse(batch.body).map((one: { error: { data: { path: string } } }) => one.error.data.path),
      ["hello", "nope"]
    )
    const headers = { "trpc-accept": "application/jsonl" }
    const stream = await exchange(server.port, { method: "GET", path: "/trpc/hello,nope?batch=1", headers })
    const flood = await exchange(server.port, { method: "GET", path: `/trpc/${",".repeat(50)}?batch=1` })
    for (const answer of [stream, flood]) {
      assert.strictEqual(answer.status, 401)
      assert.deepStrictEqual(JSON.parse(answer.body).error.data, { code: "UNAUTHORIZED", httpStatus: 401 })
    }
  })

  it("if the check of a credential throws an error, the tRPC answer shows no detail of the error", async () => {
    await using server = await aServer({ refuse: () => Promise.reject(new Error("hunter2")) })
    const { status, body } = await exchange(server.port, { method: "GET", path: "/trpc/hello" })
    assert.strictEqual(status, 500)
    assert.notInclude(body, "hunter2")
  })

  it("tRPC refuses a request that has the query parameter `input` or `batch` twice", async () => {
    await using server = await aServer()
    for (const query of ["input=1&input=2", "batch=1&batch=1", "batch=0&batch=1"]) {
      const { status } = await exchange(server.port, { method: "GET", path: `/trpc/hello?${query}` })
      assert.strictEqual(status, 400)
    }
  })

  it("tRPC refuses an unsupported media type or content encoding, and also a media type that only begins like JSON", async () => {
    await using server = await aServer()
    const path = "/trpc/apiKeys.create"
    const wrong = [{ "content-type": "application/jsonp" }, { ...json, "content-encoding": "gzip" }]
    for (const headers of wrong) {
      const { status } = await exchange(server.port, { method: "POST", path, headers, body: "{}" })
      assert.strictEqual(status, 415)
    }
  })

  it("if the result of a tRPC call cannot be written as JSON, only this call fails, and the other calls of its batch succeed", async () => {
    const procedures = { ...router, big: { kind: "query" as const, run: () => ok({ amount: 1n }) } }
    await using server = await aServer({ procedures })
    const { status, body } = await exchange(server.port, { method: "GET", path: "/trpc/big,hello?batch=1" })
    assert.strictEqual(status, 207)
    const [big, hello] = JSON.parse(body)
    assert.strictEqual(big.error.message, "Internal server error")
    assert.deepStrictEqual(hello, { result: { data: "hi" } })
  })
})

describe("inputs of procedure calls", () => {
  it("each call of a tRPC batch gets its own input, and a call without an input gets `undefined`", async () => {
    await using server = await aServer()
    const path = `/trpc/echo,echo,echo?batch=1&input=${input({ 0: "a", 2: null })}`
    const { body } = await exchange(server.port, { method: "GET", path })
    assert.deepStrictEqual(JSON.parse(body), [
      { result: { data: { input: "a" } } },
      { result: { data: {} } },
      { result: { data: { input: null } } }
    ])
  })

  it("if one input of a tRPC batch is invalid, only the call with this input fails", async () => {
    await using server = await aServer()
    const path = `/trpc/echo,echo?batch=1&input=${input({ 0: "a\0b", 1: "fine" })}`
    const { status, body } = await exchange(server.port, { method: "GET", path })
    assert.strictEqual(status, 207)
    const [first, second] = JSON.parse(body)
    assert.deepStrictEqual(first.error.data, { code: "BAD_REQUEST", httpStatus: 400, path: "echo" })
    assert.deepStrictEqual(second, { result: { data: { input: "fine" } } })
  })

  it("a percent-encoded tRPC path calls the same procedure as the plain path", async () => {
    await using server = await aServer()
    const { body } = await exchange(server.port, { method: "GET", path: "/trpc/hell%6F%2Cnul?batch=1" })
    assert.deepStrictEqual(JSON.parse(body), [{ result: { data: "hi" } }, { result: { data: null } }])
  })
})

describe("headers of procedure answers", () => {
  it("a tRPC answer keeps the headers that were set earlier, and adds its own values to the Vary header", async () => {
    await using server = await aServer({
      before: (_, response) => response.setHeader("x-request-id", "r1").setHeader("vary", "Origin")
    })
    for (const path of ["hello", "nope", "hello,hello?batch=1"]) {
      const { headers } = await exchange(server.port, { method: "GET", path: `/trpc/${path}` })
      assert.strictEqual(headers["x-request-id"], "r1")
      assert.strictEqual(headers.vary, "Origin, trpc-accept, accept")
      assert.strictEqual(headers["cache-control"], "no-store")
    }
  })

  it("the answer to a tRPC batch has the longest Retry-After of all its calls", async () => {
    const wait = (seconds: string) => ({
      kind: "query" as const,
      run: () => refused("TOO_MANY_REQUESTS", "Slow down", { headers: { "Retry-After": seconds } })
    })
    await using server = await aServer({ procedures: { ...router, a: wait("9"), b: wait("30"), c: wait("4") } })
    const { status, headers } = await exchange(server.port, { method: "GET", path: "/trpc/a,b,c?batch=1" })
    assert.strictEqual(status, 429)
    assert.strictEqual(headers["retry-after"], "30")
  })

  it("a tRPC error contains its HTTP status as `httpStatus`, and further data of the error cannot replace its code", async () => {
    const gone = { kind: "query" as const, run: () => refused("NOT_FOUND", "Gone", { httpStatus: 410 }) }
    await using server = await aServer({ procedures: { ...router, gone } })
    const answer = await exchange(server.port, { method: "GET", path: "/trpc/gone" })
    assert.strictEqual(answer.status, 410)
    assert.strictEqual(JSON.parse(answer.body).error.data.httpStatus, 410)
    const reason = await exchange(server.port, { method: "GET", path: "/trpc/reason" })
    const { data } = JSON.parse(reason.body).error
    assert.deepStrictEqual(data, {
      reason: "GRANT_DOOR_UNSUPPORTED",
      code: "FORBIDDEN",
      httpStatus: 403,
      path: "reason"
    })
  })
})
