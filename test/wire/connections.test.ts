/**
 * Tests that one connection cannot take too many resources of a running pod. The client sends requests slowly, does not
 * read the answers, or sends bytes that are not HTTP.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import type { Server } from "node:http"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { EntityStore } from "../../src/features/entities/EntityStore.ts"
import { requestTimeoutsMs, unreadAnswerTimeoutMs, waitingMax } from "../../src/surfaces/Connections.ts"
import { aPod, type TestPod } from "../support/pod.ts"

let pod: TestPod
let listed = 0
beforeAll(async () => {
  const counting = Layer.effect(
    EntityStore,
    Effect.map(EntityStore, (store) => ({
      ...store,
      list: (...args: Parameters<typeof store.list>) => Effect.suspend(() => ((listed += 1), store.list(...args)))
    }))
  )
  pod = await aPod({ kind: "memory" }, {}, { adapters: counting })
})
afterAll(() => pod.stop())

/** Opens a plain TCP connection, and collects the text that arrives on it. */
const aSocket = async (baseUrl = pod.baseUrl) => {
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1")
  await once(socket, "connect")
  let text = ""
  socket.on("data", (part) => (text += part.toString("latin1")))
  socket.on("error", () => {})
  return { socket, text: () => text, closed: once(socket, "close") }
}

const requestOf = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

interface Started {
  readonly server: Server & Record<keyof typeof requestTimeoutsMs, number>
  readonly socket: Socket
}

/**
 * Waits for the next message with which `node:http` reports a new request. The message contains the server object and
 * the socket of the request.
 */
const nextRequest = () =>
  new Promise<Started>((resolve) => {
    const heard = (message: unknown) => {
      unsubscribe("http.server.request.start", heard)
      resolve(message as Started)
    }
    subscribe("http.server.request.start", heard)
  })

describe("repeated headers", () => {
  it("the pod refuses a request with two keys, two hosts or two content types, because a proxy could read the other value", async () => {
    const key = await pod.aKey(pod.owner)
    const own = `authorization: Bearer ${key.secret}\r\n`
    const once = async (lines: string) => {
      const { closed, socket, text } = await aSocket()
      socket.write(`GET /api/hub/users/me HTTP/1.1\r\n${lines}connection: close\r\n\r\n`)
      await closed
      return text()
    }
    assert.match(await once(`host: localhost\r\n${own}`), /^HTTP\/1\.1 200 /)
    for (const lines of [
      `host: localhost\r\n${own}Authorization: Bearer other\r\n`,
      `host: localhost\r\nAUTHORIZATION: Bearer other\r\n${own}`,
      `host: localhost\r\nhost: elsewhere.example\r\n${own}`,
      `host: localhost\r\n${own}content-type: application/json\r\ncontent-type: text/plain\r\n`
    ]) {
      const answer = await once(lines)
      assert.match(answer, /^HTTP\/1\.1 400 /, lines.replaceAll(key.secret, "…"))
      assert.include(answer, "more than once")
    }
  })
})

describe("slow and malformed requests", () => {
  it("the server has a time limit of 20 s for the headers of a request, of 60 s for a whole request, and of 65 s for an idle connection", async () => {
    const started = nextRequest()
    await fetch(`${pod.baseUrl}/livez`)
    const { server } = await started
    assert.deepInclude(server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 })
    assert.isAtMost(requestTimeoutsMs.connectionsCheckingInterval, 5_000)
  })

  it("on every API of the pod, a client that sends its body slowly gets an error when the time for the whole request is over", async () => {
    const impatient = await aPod(
      { kind: "memory" },
      {},
      {
        requestTimes: {
          ...requestTimeoutsMs,
          headersTimeout: 200,
          requestTimeout: 200,
          connectionsCheckingInterval: 20
        }
      }
    )
    const key = await impatient.aKey(impatient.owner)
    for (const [path, body] of [
      ["/api/hub/entities", "content-length: 1000000"],
      ["/api/hub/entities", "transfer-encoding: chunked"],
      ["/api/hub/trpc/entities.create", "content-length: 1000000"],
      ["/mcp", "content-length: 1000000"],
      ["/v1/chat/completions", "transfer-encoding: chunked"],
      ["/auth/sign-in", "content-length: 1000000"],
      ["/no/such/path", "content-length: 1000000"]
    ] as const) {
      const { closed, socket, text } = await aSocket(impatient.baseUrl)
      const head = { ...key.headers, "content-type": "application/json", accept: "application/json, text/event-stream" }
      socket.write(requestOf(path, head).replace(/^GET/, "POST").replace(/\r\n$/, `${body}\r\n\r\n`))
      const byte = body.startsWith("transfer") ? "1\r\n \r\n" : " "
      // A byte arrives every 20 ms, so the connection is never idle. Only the limit for the whole request can end it.
      const drip = setInterval(() => socket.write(byte), 20)
      await closed
      clearInterval(drip)
      assert.match(text(), /^HTTP\/1\.1 (?:408|4\d\d) /, path)
      if (path.startsWith("/api/hub/entities")) assert.match(text(), /^HTTP\/1\.1 408 /, path)
    }
    await impatient.stop()
  })

  it("if a client sends bytes that are not HTTP, it gets a JSON error, and only its connection is closed", async () => {
    for (const [noise, status] of [
      ["\x16\x03\x01\x02\x00\x01\x00\x01", 400],
      ["GET / HTTP/9.9\r\n\r\n", 400],
      ["FETCH /livez HTTP/1.1\r\nhost: x\r\n\r\n", 400],
      ["GET /livez HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n", 400],
      [
        "POST /auth/sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        400
      ],
      [
        "POST /auth/sign-in HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        400
      ],
      [requestOf(`/${"x".repeat(20_000)}`), 431],
      [requestOf("/livez", { cookie: "x".repeat(20_000) }), 431]
    ] as const) {
      const { closed, socket, text } = await aSocket()
      socket.write(noise, "latin1")
      await closed
      assert.match(text(), new RegExp(`^HTTP/1.1 ${status} `), noise.slice(0, 60))
      const body = JSON.parse(text().slice(text().indexOf("\r\n\r\n") + 4))
      assert.isString(body.error)
    }
    assert.strictEqual((await fetch(`${pod.baseUrl}/livez`)).status, 200)
  })

  it("if a client sends invalid bytes after a request, these bytes do not change the answer to the request", async () => {
    const { closed, socket, text } = await aSocket()
    socket.write(`${requestOf("/livez")}NOISE\r\n\r\n`)
    await closed
    assert.isAtMost(text().split("HTTP/1.1 ").length - 1, 2)
    for (const answer of text().split("HTTP/1.1 ").slice(1)) assert.match(answer, /^(?:200|400) /)
  })
})

describe("requests that a client sends before it reads the earlier answers", () => {
  it("if a client sends several requests before it reads the answers, the server answers them in the same order", async () => {
    const { closed, socket, text } = await aSocket()
    socket.write(requestOf("/livez", { "x-request-id": "first" }))
    socket.write(
      requestOf("/api/hub/users/me", { "x-request-id": "second" }) + requestOf("/nothing", { "x-request-id": "third" })
    )
    socket.write(requestOf("/livez", { "x-request-id": "fourth", connection: "close" }))
    await closed
    const answers = [...text().matchAll(/HTTP\/1\.1 (\d+)[^]*?x-request-id: (\w+)/g)].map(
      ([, status, id]) => `${id} ${status}`
    )
    assert.deepStrictEqual(answers, ["first 200", "second 401", "third 404", "fourth 200"])
  })

  it("if a client sends a thousand requests without waiting for answers, the pod answers some of them and closes the connection without a reset", async () => {
    const { closed, socket, text } = await aSocket()
    const faults: Array<Error> = []
    socket.on("error", (fault) => faults.push(fault))
    let hasEnded = false
    socket.on("end", () => (hasEnded = true))
    for (let count = 0; count < 1_000; count++) socket.write(requestOf("/livez", { "x-request-id": `n-${count}` }))
    await closed
    const ids = [...text().matchAll(/HTTP\/1\.1 200 [^]*?x-request-id: n-(\d+)/g)].map(([, id]) => Number(id))
    assert.isAtLeast(ids.length, waitingMax + 1)
    assert.deepStrictEqual(
      ids,
      ids.map((_, at) => at)
    )
    const last = text().slice(text().lastIndexOf("HTTP/1.1 "))
    assert.match(last, /^connection: close\r$/im)
    assert.match(last, /"status":"alive"[^]*\}$/)
    assert.isTrue(hasEnded)
    assert.deepStrictEqual(faults, [])
    assert.strictEqual((await fetch(`${pod.baseUrl}/livez`)).status, 200)
  })

  it("for a client that does not read its answers, the server runs one request at a time and has a time limit for the connection", async () => {
    const description = "x".repeat(1_000_000)
    for (let count = 0; count < 20; count++) {
      assert.strictEqual(
        (await pod.owner.send("POST", "/api/hub/entities", { title: "long", description })).status,
        200
      )
    }
    const { socket, text } = await aSocket()
    socket.pause()
    listed = 0
    const started = nextRequest()
    socket.write(requestOf("/api/hub/entities?limit=20", pod.owner.headers).repeat(20))
    const { socket: theirs } = await started
    // Fifty other requests give the server more time than it would need to begin a second answer.
    for (let count = 0; count < 50; count++) await fetch(`${pod.baseUrl}/livez`)
    assert.strictEqual(listed, 1)
    assert.strictEqual(theirs.timeout, unreadAnswerTimeoutMs)
    socket.resume()
    while (!text().includes("HTTP/1.1 200", 20_000_000)) await once(socket, "data")
    assert.isAtLeast(listed, 2)
    socket.destroy()
  })
})
