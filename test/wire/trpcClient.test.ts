/** Tests the tRPC protocol with the official client and its three request links. */
import { assert, describe, it } from "@effect/vitest"
import { TRPCClientError, createTRPCUntypedClient, httpBatchLink, httpBatchStreamLink, httpLink } from "@trpc/client"
import type { AnyRouter } from "@trpc/server"
import { aServer, anEvent, ok, router, type FixtureOptions, type Procedures } from "./trpcFixture.ts"

const links = { httpLink, httpBatchLink, httpBatchStreamLink }
type LinkName = keyof typeof links

const clientOf = (url: string, name: LinkName, headers: Record<string, string> = {}) => {
  const link = links[name]<AnyRouter>
  return createTRPCUntypedClient<AnyRouter>({ links: [link({ url, headers })] })
}

const errorOf = async (call: Promise<unknown>): Promise<TRPCClientError<AnyRouter>> => {
  const error = await call.then(
    () => undefined,
    (cause: unknown) => cause
  )
  if (error instanceof TRPCClientError) return error as TRPCClientError<AnyRouter>
  throw new Error("the call was expected to fail with a TRPCClientError", { cause: error })
}

for (const name of Object.keys(links) as ReadonlyArray<LinkName>) {
  describe(`the official client over ${name}`, () => {
    it("if a procedure is refused, the official tRPC client gets the pod's code, status, path and reason", async () => {
      await using server = await aServer()
      const error = await errorOf(clientOf(server.url, name).query("reason"))
      assert.strictEqual(error.message, "not through this door")
      const data = { reason: "GRANT_DOOR_UNSUPPORTED", code: "FORBIDDEN", httpStatus: 403, path: "reason" }
      assert.deepStrictEqual(error.data, data)
    })

    it("if a procedure fails unexpectedly, the official tRPC client gets no details", async () => {
      await using server = await aServer()
      const error = await errorOf(clientOf(server.url, name).query("crash"))
      assert.strictEqual(error.message, "Internal server error")
      assert.strictEqual(error.data?.["httpStatus"], 500)
    })

    it("if the pod refuses a whole tRPC request, every call in it gets a typed error from the official client", async () => {
      const refuse: NonNullable<FixtureOptions["refuse"]> = async () => ({
        ok: false,
        code: "TOO_MANY_REQUESTS",
        message: "Slow down",
        headers: { "retry-after": "7" }
      })
      await using server = await aServer({ refuse })
      const client = clientOf(server.url, name)
      const errors = await Promise.all([errorOf(client.query("hello")), errorOf(client.query("nul"))])
      for (const error of errors) {
        assert.strictEqual(error.data?.["code"], "TOO_MANY_REQUESTS")
        const response = error.meta?.["response"] as Response
        assert.strictEqual(response.status, 429)
        assert.strictEqual(response.headers.get("retry-after"), "7")
      }
    })

    it("the official tRPC client gets the results of queries and mutations unchanged, including `null` and `undefined`", async () => {
      await using server = await aServer()
      const client = clientOf(server.url, name, { authorization: "Bearer someone" })
      const created = client.mutation("apiKeys.create", { keyName: "x", scope: ["mcp.read"] })
      const results = await Promise.all([
        client.query("hello"),
        client.query("apiKeys.list", { limit: 1, offset: 0 }),
        client.query("nul"),
        client.query("nothing"),
        client.query("me")
      ])
      assert.deepStrictEqual(results, ["hi", { items: [{ id: "e1" }] }, null, undefined, { who: "Bearer someone" }])
      assert.deepStrictEqual(await created, { id: "k1", keyName: "x", createdAt: "2026-01-01T00:00:00.000Z" })
    })

    it("in a tRPC batch, each successful and each failing call gets its own result", async () => {
      await using server = await aServer()
      const client = clientOf(server.url, name)
      const settled = await Promise.allSettled([client.query("hello"), client.query("me"), client.query("nope")])
      const seen = settled.map((one) => (one.status === "fulfilled" ? one.value : one.reason.data.code))
      assert.deepStrictEqual(seen, ["hi", "UNAUTHORIZED", "NOT_FOUND"])
    })
  })
}

describe("batches of the official tRPC client", () => {
  it("a tRPC client with the option `maxItems: 5` sends seven calls in two requests, and the pod answers both", async () => {
    const requested: Array<string | undefined> = []
    await using server = await aServer({ before: (request) => requested.push(request.url) })
    const client = createTRPCUntypedClient<AnyRouter>({ links: [httpBatchLink({ url: server.url, maxItems: 5 })] })
    const results = await Promise.all(Array.from({ length: 7 }, (_, index) => client.query("echo", index)))
    assert.deepStrictEqual(
      results,
      Array.from({ length: 7 }, (_, index) => ({ input: index }))
    )
    assert.strictEqual(requested.length, 2)
  })

  it("if a tRPC batch has too many calls, every call in the batch fails with this reason", async () => {
    await using server = await aServer()
    const client = clientOf(server.url, "httpBatchLink")
    const errors = await Promise.all(Array.from({ length: 6 }, () => errorOf(client.query("hello"))))
    for (const error of errors) assert.strictEqual(error.message, "Batch call exceeds maximum size")
  })

  it("tRPC accepts a query by POST if the client uses the option `methodOverride`", async () => {
    await using server = await aServer()
    const link = httpBatchLink<AnyRouter>({ url: server.url, methodOverride: "POST" })
    const client = createTRPCUntypedClient<AnyRouter>({ links: [link] })
    assert.deepStrictEqual(await client.query("echo", { a: 1 }), { input: { a: 1 } })
  })

  it("in a streamed tRPC batch, the result of a fast call arrives while a slower call still runs", async () => {
    const gate = anEvent()
    const procedures: Procedures = {
      ...router,
      gated: { kind: "query", run: () => gate.happened.then(() => ok("late")) }
    }
    await using server = await aServer({ procedures })
    const client = clientOf(server.url, "httpBatchStreamLink")
    const late = client.query("gated")
    assert.strictEqual(await client.query("hello"), "hi")
    gate.happen()
    assert.strictEqual(await late, "late")
  })
})
