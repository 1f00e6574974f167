/** A tRPC client with a transformer such as superjson gets an error message that says to remove the transformer. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createTRPCUntypedClient, httpBatchLink, httpBatchStreamLink, httpLink, TRPCClientError } from "@trpc/client"
import type { AnyRouter } from "@trpc/server"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { aServer, ok, router, type Procedures } from "./trpcFixture.ts"

/**
 * Wraps an input as superjson does: `json` contains the value, and `meta` contains the types that JSON does not have.
 */
const transformer = {
  serialize: (value: unknown) =>
    value === undefined ? { json: null, meta: { values: ["undefined"] } } : { json: value },
  deserialize: (value: { readonly json?: unknown } | undefined) => value?.json
}

const links = { httpLink, httpBatchLink, httpBatchStreamLink }
type LinkName = keyof typeof links

const clientOf = (url: string, name: LinkName, headers: Readonly<Record<string, string>>) => {
  const link = links[name]<AnyRouter>
  // The client type for an untyped router does not declare the option `transformer`, although the client uses the
  // option at run time.
  return createTRPCUntypedClient<AnyRouter>({ links: [link({ url, headers, transformer })] })
}

const errorOf = async (call: Promise<unknown>): Promise<TRPCClientError<AnyRouter>> => {
  const error = await call.then(
    (value) => new Error(`answered ${JSON.stringify(value)}`),
    (cause: unknown) => cause
  )
  if (error instanceof TRPCClientError) return error as TRPCClientError<AnyRouter>
  throw new Error("the call was expected to fail with a TRPCClientError", { cause: error })
}

let pod: TestPod
let key: Caller
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  key = await pod.aKey(pod.owner)
})
afterAll(() => pod?.stop())

for (const name of Object.keys(links) as ReadonlyArray<LinkName>) {
  describe(`a client with a transformer over ${name}`, () => {
    it("a tRPC client with a transformer gets 400 and a message that the pod uses JSON without a transformer", async () => {
      const client = clientOf(`${pod.baseUrl}/api/hub/trpc`, name, key.headers)
      for (const call of [
        client.query("entities.getEntities", { limit: 1 }),
        client.query("entities.getEntities"),
        client.query("health.alive"),
        client.query("svc.me"),
        client.mutation("events.log", { type: "note.read" })
      ]) {
        const error = await errorOf(call)
        assert.match(error.message, /plain JSON.*remove the option/su)
        assert.strictEqual(error.data?.["code"], "BAD_REQUEST")
        assert.strictEqual(error.data?.["httpStatus"], 400)
      }
    })
  })
}

describe("inputs that a transformer wrapped", () => {
  it("if a transformer wrapped the input of a tRPC call, the pod refuses the call with an error in the plain form, without a transformer", async () => {
    for (const input of [
      { json: {} },
      { json: null, meta: { values: ["undefined"] } },
      { json: { limit: 1 }, meta: {} }
    ]) {
      const { body, status } = await key.query("entities.getEntities", input)
      assert.strictEqual(status, 400)
      assert.include(body.error.message, "plain JSON")
      assert.strictEqual(body.error.code, -32600)
      assert.strictEqual(body.error.data.path, "entities.getEntities")
    }
  })

  it("an input with a field `json` does not count as wrapped by a transformer if it has a field such as `limit`, or if the procedure takes a field `json`", async () => {
    const other = await key.query("entities.getEntities", { json: {}, limit: 1 })
    assert.notInclude(JSON.stringify(other.body), "plain JSON")
    const procedures: Procedures = { ...router, asJson: { kind: "query", run: (input) => ok(input) } }
    await using server = await aServer({ procedures, takesJson: (path) => path === "asJson" })
    const response = await fetch(`${server.url}/asJson?input=${encodeURIComponent(JSON.stringify({ json: 1 }))}`)
    assert.deepStrictEqual(await response.json(), { result: { data: { json: 1 } } })
  })

  it("if a tRPC batch has some inputs with a transformer and some without, each call gets its own answer", async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: { json: { limit: 1 } }, 1: { limit: 1 } }))
    const path = "/api/hub/trpc/entities.getEntities,entities.getEntities"
    const { body, status } = await key.send("GET", `${path}?batch=1&input=${input}`)
    assert.strictEqual(status, 207)
    assert.include(body[0].error.message, "plain JSON")
    assert.isDefined(body[1].result.data)
  })
})
