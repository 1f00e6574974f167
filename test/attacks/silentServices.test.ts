/** A service that never answers, or whose answer is not valid HTTP, harms only the call that asks this service. */
import { once } from "node:events"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { guardedFetch } from "../../src/features/outbound/GuardedFetch.ts"
import { outboundCalls, type OutboundSettings } from "../../src/features/outbound/OutboundCall.ts"

describe("an outside service that breaks the rules of HTTP", () => {
  let server: Server
  let url: string
  let firstLine: string | undefined
  const sockets = new Set<Socket>()
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("data", () => {
        if (firstLine !== undefined) socket.write(`${firstLine}\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n`)
      })
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const settings: OutboundSettings = { allowed: ["127.0.0.1"], resolve: async () => [] }

  it("if an outside service does not answer, the pod ends the call at its time limit, even in a write that cannot be interrupted", async () => {
    firstLine = undefined
    const request = { url, method: "GET" as const, headers: {} }
    const answer = await Effect.runPromise(Effect.uninterruptible(outboundCalls(settings)(request, "50 millis")))
    assert.deepInclude(answer, { status: null, error: "The receiver did not answer in time." })
  })

  it("if an outside service answers with a status that HTTP does not have, or in another protocol, the call fails with an error", async () => {
    for (const line of ["HTTP/1.1 600 X", "HTTP/1.1 999 X", "HTTP/1.1 000 X", "HTTP/1.1 101 Switching Protocols"]) {
      firstLine = line
      const { signal } = new AbortController()
      const error = await guardedFetch(settings)(url, { method: "GET", headers: {}, signal }).catch((cause) => cause)
      assert.instanceOf(error, Error, line)
    }
  })
})
