/** Attacks on the tRPC protocol: requests that no normal client sends, and clients that disconnect during a call. */
import { assert, describe, it } from "@effect/vitest"
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import type { TrpcClient } from "../../src/surfaces/TrpcCalls.ts"
import { aServer, anEvent, exchange, ok, router, type Procedures, type RawRequest } from "./trpcFixture.ts"

const json = { "content-type": "application/json" }
const post = (path: string, body: string | Buffer): RawRequest => ({ method: "POST", path, headers: json, body })
const get = (path: string): RawRequest => ({ method: "GET", path })

const messageOf = (body: string): string => JSON.parse(body).error.message

/** Makes a router that counts the calls that reached a procedure. */
const counted = () => {
  let calls = 0
  const procedures: Procedures = Object.fromEntries(
    Object.entries(router).map(([path, one]) => [
      path,
      one.kind === "subscription"
        ? one
        : {
            ...one,
            run: (...args: Parameters<typeof one.run>) => {
              calls++
              return one.run(...args)
            }
          }
    ])
  )
  return { procedures, count: () => calls }
}

describe("attack: a client sends too many calls or too many bytes", () => {
  it("a tRPC batch whose path has thousands of commas, plain or percent-encoded, is refused with one small answer", async () => {
    await using server = await aServer()
    for (const path of [",".repeat(10_000), "%2C".repeat(5_000)]) {
      const { status, body } = await exchange(server.port, get(`/trpc/${path}?batch=1`))
      assert.strictEqual(status, 400)
      assert.strictEqual(messageOf(body), "Batch call exceeds maximum size")
      assert.isBelow(body.length, 300)
    }
  })

  it("a tRPC batch of a thousand calls is refused before any of the calls runs", async () => {
    const { procedures, count } = counted()
    await using server = await aServer({ procedures })
    const path = `/trpc/${Array.from({ length: 1000 }, () => "hello").join(",")}?batch=1`
    assert.strictEqual((await exchange(server.port, get(path))).status, 400)
    assert.strictEqual((await exchange(server.port, post(path, "{}"))).status, 400)
    assert.strictEqual(count(), 0)
  })

  it("a tRPC batch with the greatest allowed number of calls is accepted, and a batch with one more call is refused", async () => {
    await using server = await aServer()
    const path = (count: number) => `/trpc/${Array.from({ length: count }, () => "hello").join(",")}?batch=1`
    assert.strictEqual((await exchange(server.port, get(path(5)))).status, 200)
    assert.strictEqual((await exchange(server.port, get(path(6)))).status, 400)
  })

  it("tRPC answers 414 to a URL that is longer than allowed, even if the server accepts larger headers", async () => {
    await using server = await aServer()
    const { status } = await exchange(server.port, get(`/trpc/${"a".repeat(20_000)}`))
    assert.strictEqual(status, 414)
  })

  it("tRPC refuses a request body over the size limit while the client is still sending it", async () => {
    const { procedures, count } = counted()
    await using server = await aServer({ procedures })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { host: "127.0.0.1", port: server.port, path: "/trpc/apiKeys.create", method: "POST" }
      const sent = httpRequest({ ...options, agent: false, headers: json }, (response) => {
        response.resume()
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.on("error", reject)
      sent.write("x".repeat(3000))
    })
    assert.strictEqual(status, 413)
    assert.strictEqual(count(), 0)
  })
})

describe("attack: a client calls a name that is not a procedure", () => {
  it("a name that every JavaScript object inherits, such as `constructor`, cannot be called as a procedure", async () => {
    await using server = await aServer()
    for (const name of [
      "__proto__",
      "constructor",
      "toString",
      "hasOwnProperty",
      "__proto__.constructor",
      "a/b",
      ".."
    ]) {
      const { status, body } = await exchange(server.port, get(`/trpc/${name}`))
      assert.strictEqual(status, 404)
      assert.strictEqual(JSON.parse(body).error.data.path, name)
    }
    const batch = await exchange(server.port, get("/trpc/__proto__,constructor?batch=1"))
    assert.strictEqual(batch.status, 404)
  })

  it("tRPC refuses a path outside its mount path and a path with invalid percent-encoding", async () => {
    await using server = await aServer()
    for (const path of ["/trpchello", "/trpc", "//trpc/hello", "/other/hello"]) {
      assert.strictEqual((await exchange(server.port, get(path))).status, 404)
    }
    assert.strictEqual((await exchange(server.port, get("/trpc/%E0%A4%A"))).status, 400)
  })
})

describe("attack: a client sends an input that breaks parsers", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

  it("tRPC refuses an input with deep nesting, NUL or a lone surrogate before any procedure runs", async () => {
    const { procedures, count } = counted()
    await using server = await aServer({ procedures, settings: { maxBodyBytes: 4_000_000 } })
    const bodies = [
      nested(65),
      nested(1_000_000),
      `{"a":`.repeat(200_000) + "1" + "}".repeat(200_000),
      `{"a":"x\\u0000"}`,
      `{"x\\u0000":1}`,
      `["\\ud800"]`,
      `{"\\udfff":1}`,
      Buffer.from([0x22, 0xff, 0xfe, 0x22])
    ]
    for (const body of bodies) {
      const answer = await exchange(server.port, post("/trpc/echo", body))
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(JSON.parse(answer.body).error.data.code, "BAD_REQUEST")
    }
    assert.strictEqual(count(), 0)
  })

  it("tRPC accepts an input with nesting exactly at the allowed depth, with brackets inside a text, or with paired surrogates", async () => {
    await using server = await aServer()
    for (const body of [nested(64), JSON.stringify(`\\"${nested(99)}`), `"\\ud83d\\ude00"`, `"ü"`]) {
      const answer = await exchange(server.port, post("/trpc/echo", body))
      assert.deepStrictEqual(JSON.parse(answer.body), { result: { data: { input: JSON.parse(body) } } })
    }
  })

  it("a tRPC call reads its input only from own properties of the batch object, and not from inherited properties such as `__proto__`", async () => {
    await using server = await aServer()
    const answer = await exchange(server.port, post("/trpc/echo?batch=1", `{"__proto__":{"0":"injected"}}`))
    assert.deepStrictEqual(JSON.parse(answer.body), [{ result: { data: {} } }])
  })
})

describe("attack: a client leaves during its call", () => {
  for (const [shape, headers] of [
    ["a plain batch", {}],
    ["a stream", { "trpc-accept": "application/jsonl" }]
  ] as const) {
    it(`when a client disconnects, its tRPC call in ${shape} is aborted, and the server still answers other clients`, async () => {
      const started = anEvent<TrpcClient>()
      const gate = anEvent()
      const served = anEvent<string>()
      const procedures: Procedures = {
        ...router,
        gated: {
          kind: "query",
          run: async (_input, _caller, client) => {
            started.happen(client)
            await gate.happened
            return ok("late")
          }
        }
      }
      await using server = await aServer({ procedures, after: served.happen })
      const options = { host: "127.0.0.1", port: server.port, path: "/trpc/gated,hello?batch=1", agent: false, headers }
      const sent = httpRequest(options).on("error", () => {})
      sent.on("response", (response: IncomingMessage) => response.on("error", () => {}).resume())
      sent.end()
      const client = await started.happened
      const hasLeft = new Promise<void>(client.onLeave)
      sent.destroy()
      await hasLeft
      assert.isTrue(client.hasLeft)
      gate.happen()
      assert.strictEqual(await served.happened, "resolved")
      assert.strictEqual((await exchange(server.port, get("/trpc/hello"))).status, 200)
    })
  }

  it("all calls of a tRPC batch share one listener for the disconnect of the client", async () => {
    const listeners: Array<number> = []
    let answer: ServerResponse | undefined
    const procedures: Procedures = {
      ...router,
      watching: {
        kind: "query",
        run: (_input, _caller, client) => {
          client.onLeave(() => {})
          listeners.push(answer?.listenerCount("close") ?? 0)
          return ok("here")
        }
      }
    }
    await using server = await aServer({ procedures, before: (_, response) => void (answer = response) })
    const batch = Array.from({ length: 5 }, () => "watching").join(",")
    assert.strictEqual((await exchange(server.port, get(`/trpc/${batch}?batch=1`))).status, 200)
    assert.lengthOf(listeners, 5)
    assert.lengthOf(new Set(listeners), 1)
  })

  it("if a client disconnects while its credential is checked, its tRPC call does not run", async () => {
    const { procedures, count } = counted()
    const checking = anEvent()
    const gone = anEvent()
    const served = anEvent<string>()
    await using server = await aServer({
      procedures,
      after: served.happen,
      before: (_, response) => response.once("close", () => gone.happen()),
      refuse: async () => {
        checking.happen()
        await gone.happened
        return undefined
      }
    })
    const sent = httpRequest({ host: "127.0.0.1", port: server.port, path: "/trpc/hello", agent: false })
    sent.on("error", () => {}).end()
    await checking.happened
    sent.destroy()
    assert.strictEqual(await served.happened, "resolved")
    assert.strictEqual(count(), 0)
  })

  it("if the upload of a request body breaks off, the tRPC call does not run", async () => {
    const { procedures, count } = counted()
    const served = anEvent<string>()
    const reading = anEvent()
    await using server = await aServer({
      procedures,
      after: served.happen,
      before: (request) => request.once("data", () => reading.happen())
    })
    const options = { host: "127.0.0.1", port: server.port, path: "/trpc/apiKeys.create", method: "POST", agent: false }
    const sent = httpRequest({ ...options, headers: json }).on("error", () => {})
    sent.write(`{"keyName":"x",`)
    await reading.happened
    sent.destroy()
    assert.strictEqual(await served.happened, "resolved")
    assert.strictEqual(count(), 0)
  })
})
