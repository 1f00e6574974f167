/**
 * A pod that cannot start prints one sentence and gives an exit code. Every other pod accepts requests only when it is
 * ready, and loses no request when it stops.
 */
import { SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Option, Redacted } from "effect"
import { Agent, request } from "node:http"
import { connect, createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { startFailureOf } from "../../src/StartFailure.ts"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { aMoment } from "../support/aMoment.ts"
import {
  aFolder,
  type BuiltPod,
  type Folder,
  launchPod,
  ownerPassword,
  refusedStart,
  startPod
} from "../support/builtPod.ts"
import { ask, type RequestHeaders, createKey, signInOwner } from "../support/client.ts"
import { aFaultProxy, type FaultProxy } from "../support/faultProxy.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { refusedBuild } from "../support/refusedBuild.ts"
import { aSettings } from "../support/settings.ts"

const stopMs = 10_000 // A process supervisor allows this much time for a stop.

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const attemptAt = (port: number) =>
  new Promise<"refused" | "accepted">((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" })
    socket.once("connect", () => {
      socket.destroy()
      resolve("accepted")
    })
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED") resolve("refused")
      // The port accepted the connection, but the listener closed at the same moment.
      else if (code === "ECONNRESET") resolve("accepted")
      else reject(new Error(`the connection failed with ${code}`))
    })
  })

const sentences = (text: string) => text.trim().split("\n").length

describe("a pod that cannot start gives the reason in one sentence", () => {
  it("a pod with wrong settings does not start, and its message lists all wrong settings and shows none of their values", async () => {
    const folder = aFolder()
    const wrong = { POD_PORT: "99999", POD_DURABILITY: "perhaps", POD_KEY_PEPPER: "guessable-pepper" }
    const refused = await refusedStart({ dataDir: folder.path, environment: wrong })
    folder.remove()
    assert.strictEqual(refused.code, exitCodes.badSettings)
    for (const name of Object.keys(wrong)) assert.include(refused.errors, name)
    assert.notInclude(refused.errors, "guessable-pepper")
  })

  it("the message about a database host with several addresses contains the error for the last address, and no password", () => {
    const refused = new AggregateError([new Error("refused by ::1"), new Error("refused by 127.0.0.1")])
    const cause = Cause.fail(new SqlError.SqlError({ cause: refused, message: "Failed to connect" }))
    const url = Option.some(Redacted.make("postgres://someone:something-secret@localhost:5432/pod"))
    const { code, text } = startFailureOf(cause, aSettings({ databaseUrl: url }))
    assert.strictEqual(code, exitCodes.databaseUnreachable)
    assert.include(text, "localhost:5432/pod")
    assert.include(text, "refused by 127.0.0.1")
    assert.notInclude(text, "something-secret")
  })
})

describe("starts and stops of a pod on PGlite", () => {
  let folder: Folder
  let pod: BuiltPod
  let session: RequestHeaders
  beforeAll(async () => {
    folder = await aPreparedFolder()
    pod = await startPod({ dataDir: folder.path })
    session = await signInOwner(pod.baseUrl)
  })
  afterAll(async () => {
    await pod.kill()
    folder.remove()
  })

  it("a second pod process on the same data directory does not start, and its message contains the process id of the first process", async () => {
    const refused = await refusedStart({ dataDir: folder.path })
    assert.strictEqual(refused.code, exitCodes.directoryLocked)
    assert.strictEqual(sentences(refused.errors), 1)
    assert.include(refused.errors, folder.path)
    assert.include(refused.errors, String(pod.pid))
    assert.strictEqual((await ask(pod.baseUrl, "GET", "/api/hub/users/me", session)).status, 200)
  })

  it("while a pod starts again after a kill, it refuses connections, and its first answer shows the data from before the kill", async () => {
    await pod.kill()
    const port = await freePort()
    const { ready } = await launchPod({ dataDir: folder.path, environment: { POD_PORT: String(port) } })
    let refusals = 0
    while ((await attemptAt(port)) === "refused") {
      refusals += 1
      await aMoment()
    }
    assert.isAbove(refusals, 0)
    const baseUrl = `http://127.0.0.1:${port}`
    for (const path of ["/readyz", "/startupz"]) assert.strictEqual((await ask(baseUrl, "GET", path)).status, 200)
    assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/users/me", session)).status, 200)
    pod = await ready
  })

  it("the pod's output contains no key, token or password of a request", async () => {
    const key = await createKey(pod.baseUrl, session)
    const headers = { ...key.headers, "x-request-id": key.secret }
    await ask(pod.baseUrl, "GET", "/api/hub/users/me", headers)
    await ask(pod.baseUrl, "GET", `/api/hub/entities?access_token=${key.secret}`, headers)
    await ask(pod.baseUrl, "GET", `/api/hub/${key.secret}`, headers)
    await ask(pod.baseUrl, "POST", "/api/hub/entities", headers, `{"title": "${key.secret}", `)
    await ask(
      pod.baseUrl,
      "POST",
      "/api/hub/entities",
      { ...headers, "idempotency-key": key.secret },
      { title: key.secret }
    )
    await ask(pod.baseUrl, "POST", "/auth/sign-in", {}, { email: "nobody@example.com", password: "not the password" })
    await ask(pod.baseUrl, "GET", "/trpc/apiKeys.list", { "x-session-token": key.secret })
    const log = pod.output()
    for (const secret of [key.secret, session["x-session-token"], ownerPassword, "not the password"]) {
      assert.notInclude(log, secret)
    }
    assert.notMatch(log, /svc_(?:user|hub_live|hub_test)_\w/)
  })

  it("idle connections of clients do not delay the stop of the pod", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    const kept = () =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${pod.baseUrl}/livez`, { agent }, (response) => {
          response.resume().once("end", () => resolve(response.statusCode))
        })
          .once("error", reject)
          .end()
      })
    assert.deepStrictEqual(await Promise.all([kept(), kept(), kept()]), [200, 200, 200])
    const began = performance.now()
    assert.deepStrictEqual(await pod.terminate(), { code: exitCodes.stopped, signal: null })
    assert.isBelow(performance.now() - began, stopMs)
    agent.destroy()
  })

  it("if the stop of a pod takes long, a second signal ends the pod at once", async () => {
    const busyPod = await startPod({ dataDir: folder.path })
    // The body of this request never ends, so the stop of the pod waits for this request.
    const socket = connect({ port: busyPod.port, host: "127.0.0.1" }).on("error", () => undefined)
    const head = "host: localhost\r\ncontent-type: application/json\r\ncontent-length: 10"
    socket.write(`POST /auth/sign-in HTTP/1.1\r\n${head}\r\n\r\n{`)
    // A later request on its own connection is answered, so the pod has already received the unfinished request.
    await ask(busyPod.baseUrl, "GET", "/livez")
    void busyPod.terminate()
    while ((await attemptAt(busyPod.port)) === "accepted") await aMoment()
    assert.deepStrictEqual(await busyPod.terminate(), { code: exitCodes.interrupted, signal: null })
    socket.destroy()
  })
})

describePostgres("starts and stops of a pod on PostgreSQL", (server) => {
  let database: TestDatabase
  let folder: Folder
  let proxy: FaultProxy
  /** The pod that waited for its database. It uses the database through the proxy. */
  let waitedPod: BuiltPod | undefined
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    folder = aFolder()
    proxy = await aFaultProxy(database.url)
  })
  afterAll(async () => {
    await waitedPod?.kill()
    await proxy.close()
    folder.remove()
    await database.drop()
  })
  const environment = (url: string) => ({ POD_DATABASE_URL: url })

  it("if the database refuses the login of the pod, the pod ends at once, and its message does not show the password", async () => {
    const url = new URL(database.url)
    url.password = "not-the-password"
    const began = performance.now()
    const refused = await refusedStart({ dataDir: folder.path, environment: environment(url.href) })
    // For a server that does not answer, the pod waits one minute. A start that ends within half a minute has not
    // waited.
    assert.isBelow(performance.now() - began, 30_000)
    assert.strictEqual(refused.code, exitCodes.databaseUnreachable)
    assert.strictEqual(sentences(refused.errors), 1)
    assert.include(refused.errors, `${url.hostname}:${url.port}`)
    assert.notInclude(refused.message, "not-the-password")
  })

  it("if the database of the pod does not exist, the pod ends at once, and its message contains the name of the database", async () => {
    const url = new URL(database.url)
    url.pathname = "/no_such_database"
    const refused = await refusedBuild({ POD_DATA_DIR: folder.path, ...environment(url.href) })
    assert.strictEqual(refused.code, exitCodes.databaseUnreachable)
    assert.include(refused.errors, "no_such_database")
    assert.notInclude(refused.errors, new URL(database.url).password || "no password in this run")
  })

  it("a pod waits during its start for a database server that does not run yet, and can be stopped while it waits", async () => {
    await proxy.refuse()
    const stopped = await launchPod({ dataDir: folder.path, environment: environment(proxy.through(database.url)) })
    const waited = await launchPod({ dataDir: folder.path, environment: environment(proxy.through(database.url)) })
    const waits = (output: () => string) => output().includes("does not answer yet")
    while (!waits(stopped.output) || !waits(waited.output)) await aMoment()
    stopped.signal("SIGTERM")
    assert.deepStrictEqual(await stopped.ended, { code: exitCodes.stopped, signal: null })
    await proxy.heal()
    waitedPod = await waited.ready
    assert.strictEqual((await ask(waitedPod.baseUrl, "GET", "/readyz")).status, 200)
  })

  it("while a pod stops, it answers the requests that it already received, and accepts no new requests", async () => {
    const pod =
      waitedPod ?? (await startPod({ dataDir: folder.path, environment: environment(proxy.through(database.url)) }))
    const session = await signInOwner(pod.baseUrl)
    const { headers } = await createKey(pod.baseUrl, session)
    await ask(pod.baseUrl, "GET", "/api/hub/users/me", headers)
    proxy.delay(500)
    const draft = { title: "under way", profileSlug: "note" }
    const underWay = [1, 2, 3].map(() => ask(pod.baseUrl, "POST", "/api/hub/entities", headers, draft))
    // A later request on its own connection is answered, so the pod has already accepted the earlier requests.
    await ask(pod.baseUrl, "GET", "/livez")
    const began = performance.now()
    const ended = pod.terminate()
    assert.deepStrictEqual(
      (await Promise.all(underWay)).map(({ status }) => status),
      [200, 200, 200]
    )
    assert.deepStrictEqual(await ended, { code: exitCodes.stopped, signal: null })
    assert.isBelow(performance.now() - began, stopMs)
    assert.strictEqual(await ask(pod.baseUrl, "GET", "/livez").catch(() => "refused"), "refused")
  })
})
