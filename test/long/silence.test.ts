/**
 * These tests take long by design, because a connection is silent, a client never ends its request, or a server cannot
 * be reached.
 */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { connect } from "node:net"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { aFolder, refusedStart, startPod } from "../support/builtPod.ts"
import { ask, createKey, signInOwner } from "../support/client.ts"
import { aPreparedFolder, describePodPair } from "../support/podPair.ts"

const silentMs = 25_000 // In ms. The pod gives up a statement without an answer after 17 s, and the rest is for a slow machine.
const stopMs = 11_000 // In ms. A supervisor waits 10 s for the pod to stop, and the rest is for the end of the process.

describePodPair("a pod whose connection to PostgreSQL is silent", (pair) => {
  it("a pod whose database does not answer sends 503 with Retry-After within a limited time, and recovers when the database answers again", async () => {
    const { baseUrl } = pair.second
    const { headers } = await createKey(baseUrl, pair.session)
    const draft = { title: "into silence", profileSlug: "note" }
    const requests = () =>
      Promise.all([
        ask(baseUrl, "GET", "/api/hub/entities", headers),
        ask(baseUrl, "POST", "/api/hub/entities", headers, draft),
        ask(baseUrl, "POST", "/api/hub/entities", { ...headers, "idempotency-key": "into-silence-1" }, draft)
      ])
    assert.deepStrictEqual(
      (await requests()).map(({ status }) => status),
      [200, 200, 200]
    )
    pair.proxy.silence()
    const began = performance.now()
    const asked = requests()
    assert.strictEqual((await ask(baseUrl, "GET", "/livez")).status, 200)
    assert.strictEqual((await ask(baseUrl, "GET", "/readyz")).status, 503)
    const replies = await asked
    assert.isBelow(performance.now() - began, silentMs)
    // The third request repeats an answered request, and the pod still has to ask the database for the stored answer.
    assert.deepStrictEqual(
      replies.map((reply) => [reply.status, reply.headers.has("retry-after")]),
      replies.map(() => [503, true])
    )
    await pair.proxy.heal()
    assert.deepStrictEqual(
      (await requests()).map(({ status }) => status),
      [200, 200, 200]
    )
    assert.strictEqual((await ask(baseUrl, "GET", "/readyz")).status, 200)
  })

  it("a pod stops within ten seconds even if its database does not answer", async () => {
    pair.proxy.silence()
    const asked = [1, 2, 3].map(() =>
      ask(pair.second.baseUrl, "GET", "/api/hub/users/me", pair.session).catch(() => undefined)
    )
    assert.strictEqual((await ask(pair.second.baseUrl, "GET", "/livez")).status, 200)
    const began = performance.now()
    assert.deepStrictEqual(await pair.second.terminate(), { code: exitCodes.stopped, signal: null })
    assert.isBelow(performance.now() - began, stopMs)
    await Promise.all(asked)
  })
})

describe("a pod whose client never ends its request", () => {
  it("a pod stops within ten seconds while a client is still sending a request", async () => {
    const folder = await aPreparedFolder()
    const pod = await startPod({ dataDir: folder.path })
    const session = await signInOwner(pod.baseUrl)
    const socket = connect({ port: pod.port, host: "127.0.0.1" })
    socket.on("error", () => undefined)
    socket.write(
      `POST /api/hub/entities HTTP/1.1\r\nHost: localhost\r\nX-Session-Token: ${session["x-session-token"]}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n`
    )
    await once(socket, "data") // When the pod asks for the body, it has accepted the request.
    socket.write(`{"title": "never`)
    const began = performance.now()
    assert.deepStrictEqual(await pod.terminate(), { code: exitCodes.stopped, signal: null })
    assert.isBelow(performance.now() - began, stopMs)
    folder.remove()
  })
})

describe("a pod whose PostgreSQL server never answers", () => {
  it("if the PostgreSQL server never answers while a pod starts, the pod ends within 90 seconds with the exit code for an unreachable database", async () => {
    const folder = aFolder()
    const environment = { POD_DATABASE_URL: "postgres://pod:a-secret-password@127.0.0.1:9/pod" }
    const began = performance.now()
    const refused = await refusedStart({ dataDir: folder.path, environment })
    folder.remove()
    assert.isBelow(performance.now() - began, 90_000)
    assert.strictEqual(refused.code, exitCodes.databaseUnreachable)
    assert.include(refused.errors, "127.0.0.1:9/pod")
    assert.notInclude(refused.message, "a-secret-password")
  })
})
