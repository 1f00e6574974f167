/**
 * Attacks on the admin socket. Only a request over this socket acts as the local operator. Only the system user of the
 * pod may connect. An old socket file does not prevent the start of a pod.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { aFolder, type BuiltPod, ownerEmail, ownerPassword, startPod } from "../support/builtPod.ts"

const folder = aFolder()
const dataDir = join(folder.path, "data")
const socketPath = join(dataDir, "admin.sock")
let pod: BuiltPod

interface Sent {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends a request over the socket, or over TCP if there is a port. */
const send = (
  to: { readonly socketPath: string } | { readonly port: number },
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const sent = request(
      {
        ...to,
        host: "127.0.0.1",
        method,
        path,
        headers: { ...(text === undefined ? {} : { "content-type": "application/json" }), ...headers }
      },
      (answer) => {
        let received = ""
        answer.on("data", (chunk: Buffer) => (received += chunk.toString()))
        answer.once("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: received === "" ? {} : (JSON.parse(received) as Record<string, unknown>)
          })
        )
      }
    )
    sent.once("error", reject)
    sent.end(text)
  })

const overSocket = { socketPath }
const overTcp = () => ({ port: pod.port })

beforeAll(async () => {
  mkdirSync(dataDir)
  pod = await startPod({ dataDir })
})
afterAll(async () => {
  await pod.kill()
  folder.remove()
})

describe("attack on the admin socket", () => {
  it("only the system user that runs the pod may connect to its admin socket", () => {
    assert.strictEqual(statSync(socketPath).mode & 0o777, 0o600)
    assert.isTrue(statSync(socketPath).isSocket())
  })

  it("a request over TCP never acts as the local operator, whatever its headers say", async () => {
    const pretences: ReadonlyArray<Record<string, string>> = [
      {},
      { "x-pod-address": "http://localhost" },
      { "x-session-token": "local-operator" },
      { authorization: "Bearer local-operator" },
      { authorization: "Operator local-operator" },
      { "x-local-operator": "1", "x-forwarded-for": "unix", forwarded: "for=unix" },
      { cookie: "operator=local-operator" },
      { host: "admin.sock" }
    ]
    for (const headers of pretences) {
      for (const [method, path, body] of [
        ["GET", "/api/hub/users/me", undefined],
        ["POST", "/trpc/apiKeys.create", { keyName: "x", scope: ["hub-protocol.read"], grant: { permissions: ["*"] } }],
        ["POST", "/api/hub/setup/magic-link", {}],
        ["POST", "/api/hub/setup/owner-password", { newPassword: "another long password" }]
      ] as const) {
        const { status } = await send(overTcp(), method, path, headers, body)
        assert.strictEqual(status, 401, `${method} ${path} with ${JSON.stringify(headers)}`)
      }
    }
  })

  it("a request over the admin socket with a wrong credential gets 401 and does not act as the local operator", async () => {
    for (const headers of [
      { authorization: "Bearer svc_user_wrong" },
      { authorization: "" },
      { authorization: "Basic b3duZXI6eA==" },
      { "x-session-token": "wrong" },
      { "x-session-token": "" }
    ]) {
      const { status } = await send(overSocket, "GET", "/api/hub/users/me", headers)
      assert.strictEqual(status, 401, JSON.stringify(headers))
    }
  })

  it("the local operator cannot use MCP or the tRPC endpoint for keys over the admin socket, because these two accept only keys", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" }
    assert.strictEqual(
      (await send(overSocket, "POST", "/mcp", { accept: "application/json, text/event-stream" }, call)).status,
      401
    )
    assert.strictEqual((await send(overSocket, "POST", "/api/hub/trpc/apiKeys.list", {}, {})).status, 401)
  })

  it("a session of the owner cannot reset the owner's password without the current password, not even over the admin socket", async () => {
    const signedIn = await send(overTcp(), "POST", "/auth/sign-in", {}, { email: ownerEmail, password: ownerPassword })
    const headers = { "x-session-token": String(signedIn.body["token"]) }
    const body = { newPassword: "another long password" }
    for (const to of [overTcp(), overSocket]) {
      const reset = await send(to, "POST", "/api/hub/setup/owner-password", headers, body)
      assert.strictEqual(reset.status, 403)
      assert.strictEqual(reset.body["code"], "OPERATOR_ONLY")
    }
  })

  it("the governance gate also decides on a write over the admin socket, and the event of the write has the local operator as its origin", async () => {
    const made = await send(
      overSocket,
      "POST",
      "/api/hub/entities",
      {},
      { title: "by the operator", profileSlug: "note" }
    )
    assert.strictEqual(made.status, 200)
    const events = await send(overSocket, "GET", "/api/hub/events?type=entity.note.create")
    const [event] = events.body as unknown as ReadonlyArray<Record<string, unknown>>
    assert.deepInclude(event?.["metadata"], { origin: "local-operator" })
    assert.deepInclude(event?.["decision"], { verdict: "allow" })
    const unknown = await send(overSocket, "POST", "/api/hub/entities", {}, { titel: "misspelt" })
    assert.strictEqual(unknown.status, 400)
  })

  it("a client cannot log an event that has the local operator as its origin", async () => {
    const signedIn = await send(overTcp(), "POST", "/auth/sign-in", {}, { email: ownerEmail, password: ownerPassword })
    const headers = { "x-session-token": String(signedIn.body["token"]) }
    const forged = { type: "note.seen", data: {}, metadata: { origin: "local-operator" } }
    assert.strictEqual((await send(overTcp(), "POST", "/trpc/events.log", headers, forged)).status, 400)
  })

  it("on a pod without an owner, the local operator can only make a setup link and create the owner over the admin socket", async () => {
    const other = aFolder()
    const data = join(other.path, "data")
    mkdirSync(data)
    writeFileSync(join(data, "admin.sock"), "a file that is no socket is replaced")
    const unclaimed = await startPod({ dataDir: data, environment: { POD_OWNER_EMAIL: "", POD_OWNER_PASSWORD: "" } })
    const to = { socketPath: join(data, "admin.sock") }
    assert.strictEqual((await send(to, "GET", "/api/hub/users/me")).status, 401)
    assert.strictEqual((await send(to, "GET", "/api/hub/entities")).status, 401)
    const key = { keyName: "x", scope: ["hub-protocol.read"], grant: { permissions: ["*"] } }
    assert.strictEqual((await send(to, "POST", "/trpc/apiKeys.create", {}, key)).status, 401)
    assert.strictEqual((await send({ port: unclaimed.port }, "POST", "/api/hub/setup/magic-link", {}, {})).status, 401)
    assert.strictEqual((await send(to, "POST", "/api/hub/setup/magic-link", {}, {})).status, 200)
    const owner = { email: "first@example.com", password: "a long enough password" }
    assert.strictEqual(
      (await send({ port: unclaimed.port }, "POST", "/api/hub/setup/first-admin", {}, owner)).status,
      401
    )
    assert.strictEqual((await send(to, "POST", "/api/hub/setup/first-admin", {}, owner)).status, 200)
    assert.strictEqual((await send(to, "POST", "/api/hub/setup/first-admin", {}, owner)).status, 409)
    assert.strictEqual((await send(to, "GET", "/api/hub/users/me")).status, 200)
    await unclaimed.terminate()
    other.remove()
  })

  it("if the path of the data directory is too long for a socket, the pod starts without an admin socket, and a line in the log says this", async () => {
    const other = aFolder()
    const data = join(other.path, "d".repeat(120))
    mkdirSync(data)
    const long = await startPod({ dataDir: data, workDir: other.path })
    assert.include(long.output(), "no admin socket")
    assert.isFalse(existsSync(join(data, "admin.sock")))
    await long.terminate()
    other.remove()
  })

  it("the admin socket still answers after it has got bytes that are not HTTP", async () => {
    await new Promise<void>((resolve) => {
      const socket = connect({ path: socketPath }, () => socket.write("\u0000\u0001 no http\r\n\r\n"))
      socket.once("close", () => resolve())
      socket.on("error", () => undefined)
      socket.resume()
    })
    assert.strictEqual((await send(overSocket, "GET", "/livez")).status, 200)
  })

  it("a pod replaces a socket file that a killed pod left behind, and removes the file of its admin socket when it stops", async () => {
    await pod.kill()
    assert.isTrue(existsSync(socketPath))
    pod = await startPod({ dataDir })
    assert.strictEqual((await send(overSocket, "GET", "/api/hub/users/me")).status, 200)
    await pod.terminate()
    assert.isFalse(existsSync(socketPath))
  })
})
