/** The metrics of a pod. They count what the pod does, and never show who did it. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Redacted, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { Database } from "../../src/platform/Database.ts"
import { JobsUnavailable } from "../../src/platform/jobs/JobQueue.ts"
import type { Exchange } from "../../src/surfaces/Exchange.ts"
import { makeMetrics } from "../../src/surfaces/Metrics.ts"
import { serveMetrics } from "../../src/surfaces/MetricsServer.ts"
import { exchange } from "../support/exchange.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aMoment } from "../support/aMoment.ts"
import { aPod, type Storage, type TestPod } from "../support/pod.ts"
import { aReceiver, quickWebhooks } from "../support/receiver.ts"

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Returns the values by metric name with labels, such as `pod_jobs{queue="a",state="waiting"}`. */
const valuesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const at = line.lastIndexOf(" ")
        return [line.slice(0, at), Number(line.slice(at + 1))]
      })
  )

const token = "0123456789abcdef-of-the-metrics"
const storages: ReadonlyArray<Storage> = [{ kind: "memory" }, { kind: "pglite", open: anEmbedded }]

describe.each(storages)("the metrics of a running pod on $kind", (storage) => {
  let pod: TestPod
  let url: string
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    // The metrics have two addresses: a separate port, and the port of the pod with a token. In memory this test opens
    // only the separate port, and on PGlite it opens both.
    const metricsToken = storage.kind === "memory" ? Option.none() : Option.some(Redacted.make(token))
    pod = await aPod(storage, { metricsPort: Option.some(port), metricsToken }, { webhooks: quickWebhooks() })
  })
  afterAll(() => pod?.stop())

  it("on the pod's own port, `/metrics` needs the metrics token, and the separate metrics port serves only `/metrics`", async () => {
    const key = await pod.aKey(pod.owner)
    const wrong: ReadonlyArray<Record<string, string>> = [
      {},
      pod.owner.headers,
      key.headers,
      { authorization: token },
      { authorization: `Bearer ${token.slice(1)}` },
      { authorization: `Bearer ${token} x` },
      { "x-session-token": token }
    ]
    const refused = storage.kind === "memory" ? 404 : 401
    for (const headers of wrong) {
      const { body, status } = await pod.as(headers).send("GET", "/metrics")
      assert.strictEqual(status, refused, JSON.stringify(headers))
      assert.notInclude(JSON.stringify(body), "pod_")
    }
    const known = pod.as({ authorization: `Bearer ${token}` })
    if (storage.kind !== "memory") {
      assert.include((await known.send("GET", "/metrics")).body as string, "pod_http_request_duration_seconds_count")
      assert.strictEqual((await known.send("POST", "/metrics", {})).status, 405)
    }
    for (const path of ["/metrics/", "/metrics/x"]) assert.strictEqual((await known.send("GET", path)).status, 404)
    assert.strictEqual((await known.send("GET", "/api/hub/users/me")).status, 401)
    for (const path of ["/", "/api/hub/users/me", "/metrics/", "/metrics?name=a"]) {
      assert.strictEqual((await exchange(url + path, "GET", {})).status, 404, path)
    }
    assert.strictEqual((await exchange(`${url}/metrics`, "POST", {})).status, 405)
  })

  it("the metrics count requests by route and status, and no label contains a text that a client chose", async () => {
    const secret = "0190a0a0-0000-7000-8000-00000000beef"
    await pod.owner.send("GET", `/api/hub/entities/${secret}`)
    await pod.owner.query(`events.list,${secret}`)
    await pod.owner.send("GET", `/api/hub/${secret}`)
    const { headers, status, text } = await exchange(`${url}/metrics`, "GET", {})
    assert.strictEqual(status, 200)
    assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
    const values = valuesOf(text)
    const count = (route: string, code: number) =>
      values.get(`pod_http_request_duration_seconds_count{method="GET",route="${route}",status="${code}"}`)
    assert.strictEqual(count("/api/hub/entities/:id", 404), 1)
    assert.isAbove(count("/trpc", 404) ?? count("/trpc", 207) ?? 0, 0)
    assert.isAbove(count("none", 404) ?? 0, 0)
    assert.strictEqual(values.get("pod_db_up"), 1)
    assert.isAbove(values.get("process_resident_memory_bytes") ?? 0, 0)
    for (const hidden of [secret, pod.ownerId, "owner@example.com", token]) assert.notInclude(text, hidden)
  })

  it("the metrics count decisions of the governance gate, waiting proposals, failures, database connections, and revocations that waited for writes", async () => {
    const now = async () => valuesOf((await exchange(`${url}/metrics`, "GET", {})).text)
    const before = await now()
    const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
    const agentId = body.result.data.id as string
    const proposing = await pod.aKey(pod.owner, { agentId, grant: { permissions: ["entity.note"] } })
    const reading = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
    const note = { title: "a note", profileSlug: "note" }
    assert.strictEqual((await proposing.send("POST", "/api/hub/entities", note)).body.status, "proposed")
    const probe = await pod.aKey(pod.owner, {
      grant: { permissions: ["entity.note.create"], entityIds: [pod.ownerId] }
    })
    assert.strictEqual((await probe.send("POST", "/api/hub/entities", note)).status, 403)
    assert.strictEqual((await reading.send("POST", "/api/hub/entities", note)).status, 403)
    await pod.owner.mutate("apiKeys.revoke", { keyId: reading.id })
    const after = await now()
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    assert.strictEqual(grown('pod_gate_decisions_total{verdict="propose"}'), 1)
    // The pod refused a second request before the gate could decide, so the count grows by only one.
    assert.strictEqual(grown('pod_gate_decisions_total{verdict="deny"}'), 1)
    assert.isAtLeast(grown('pod_gate_decisions_total{verdict="allow"}'), 5)
    assert.strictEqual(grown("pod_proposals_waiting"), 1)
    assert.strictEqual(grown('pod_failures_total{kind="GRANT_DENIED"}'), 2)
    assert.strictEqual(grown("pod_drain_waits_total"), 1)
    assert.strictEqual(after.get("pod_drain_failures_total"), 0)
    assert.isAtLeast(after.get("pod_drain_wait_seconds_total") ?? -1, 0)
    // A job of the pod itself might wait for a connection at this moment. When the job has a connection, the number
    // falls to 0.
    while ((await now()).get("pod_db_pool_waiting") !== 0) await aMoment()
    for (const state of ["in_use", "idle"]) assert.isTrue(after.has(`pod_db_pool_connections{state="${state}"}`), state)
    assert.isTrue(after.has("nodejs_eventloop_lag_p99_seconds"))
  })

  it.skipIf(storage.kind === "memory")(
    "while the embedded database serves another transaction, the metrics count all 64 writes that wait for the database",
    async () => {
      const { pool } = await pod.run(Database)
      const key = await pod.aKey(pod.owner)
      // The pod knows the key after this read. Otherwise the writes would wait together for one look-up of the key.
      await key.send("GET", "/api/hub/entities?limit=1")
      const holder = await pool.connect()
      const written = Promise.all(
        Array.from({ length: 64 }, (_, at) => key.send("POST", "/api/hub/entities", { title: `Note ${at}` }))
      )
      // The metrics wait for the database too, and give up after some seconds. By then all writes have arrived.
      const { text } = await exchange(`${url}/metrics`, "GET", {})
      holder.release()
      assert.isAtLeast(valuesOf(text).get("pod_db_pool_waiting") ?? 0, 64)
      for (const { body, status } of await written) assert.strictEqual(status, 200, JSON.stringify(body))
    }
  )

  it("the metrics count a successful call to a webhook as `success`, a failed call that the pod will repeat as `retried`, and any other failed call as `failed`", async () => {
    const attempts = async () => {
      const values = valuesOf((await exchange(`${url}/metrics`, "GET", {})).text)
      return ["success", "retried", "failed"].map((result) =>
        values.get(`pod_webhook_attempts_total{result="${result}"}`)
      )
    }
    assert.deepStrictEqual(await attempts(), [0, 0, 0])
    const statuses = [204, 503, 204, 410]
    const receiver = await aReceiver((response) => void response.writeHead(statuses.shift() ?? 500).end())
    const draft = { name: "Counted", url: receiver.url, eventTypes: ["test.counted"] }
    assert.strictEqual((await pod.owner.mutate("webhooks.create", draft)).status, 200)
    for (const expected of [
      [1, 0, 0],
      [2, 1, 0],
      [2, 1, 1]
    ]) {
      await pod.owner.mutate("events.log", { type: "test.counted", data: {} })
      while (JSON.stringify(await attempts()) !== JSON.stringify(expected)) await aMoment()
    }
    await receiver.stop()
  })
})

const quiet = {
  version: "1",
  mounts: [],
  proposals: Effect.succeed(0),
  verdicts: () => ({}),
  webhookAttempts: () => ({}),
  pool: { totalCount: 3, idleCount: 1 },
  waiting: () => 2,
  drains: () => ({ count: 2, failed: 1, totalMs: 1500 })
}

describe("the metrics of jobs and of the database", () => {
  const textOf = (...[ping, jobs]: [Effect.Effect<void, string>, Effect.Effect<any, JobsUnavailable>]) =>
    Effect.runPromise(Effect.map(makeMetrics({ ...quiet, ping, jobs }).text, valuesOf))
  const queue = {
    queue: "webhooks.deliver",
    waiting: 3,
    running: 1,
    completed: 5,
    cancelled: 0,
    failed: 2,
    oldestSeconds: 7.5
  }

  it("the metrics of each queue show the number of jobs in each state, and the age of its oldest job", async () => {
    const values = await textOf(Effect.void, Effect.succeed([queue]))
    assert.strictEqual(values.get('pod_db_pool_connections{state="in_use"}'), 2)
    assert.strictEqual(values.get("pod_db_pool_waiting"), 2)
    assert.strictEqual(values.get("pod_drain_wait_seconds_total"), 1.5)
    assert.strictEqual(values.get('pod_jobs{queue="webhooks.deliver",state="waiting"}'), 3)
    assert.strictEqual(values.get('pod_jobs{queue="webhooks.deliver",state="failed"}'), 2)
    assert.strictEqual(values.get('pod_jobs_oldest_seconds{queue="webhooks.deliver"}'), 7.5)
  })

  it("if the database does not answer, the metrics are still served and say that the database is down", async () => {
    const down = await textOf(Effect.fail("down"), Effect.fail(new JobsUnavailable({ message: "down" })))
    assert.strictEqual(down.get("pod_db_up"), 0)
    assert.isFalse([...down.keys()].some((name) => name.startsWith("pod_jobs{")))
    assert.isAbove(down.get("process_resident_memory_bytes") ?? 0, 0)
  })

  it("if a client disconnects before the pod answers, the metrics count the request with the status 499, and not as a success", async () => {
    const metrics = makeMetrics({ ...quiet, ping: Effect.void, jobs: Effect.succeed([]) })
    const ended = (headersSent: boolean): Exchange => ({
      request: { method: "GET" } as IncomingMessage,
      response: { statusCode: 200, headersSent } as ServerResponse,
      path: "/left",
      search: "",
      requestId: "r",
      presented: { kind: "none" },
      client: { address: "", userAgent: undefined },
      stopping: new AbortController().signal,
      note: { route: "/left", credentialId: undefined }
    })
    metrics.finished(ended(false), 5)
    metrics.finished(ended(true), 5)
    const values = valuesOf(await Effect.runPromise(metrics.text))
    const count = (code: number) =>
      values.get(`pod_http_request_duration_seconds_count{method="GET",route="/left",status="${code}"}`)
    assert.deepStrictEqual([count(499), count(200)], [1, 1])
  })

  it("if another program uses the port for the metrics, the error contains the port number", async () => {
    const scope = Effect.runSync(Scope.make())
    const metrics = makeMetrics({ ...quiet, ping: Effect.void, jobs: Effect.succeed([]) })
    const serve = (port: number) =>
      Scope.extend(serveMetrics(metrics, { host: "127.0.0.1", port }), scope).pipe(Effect.either, Effect.runPromise)
    const first = await serve(0)
    assert(first._tag === "Right")
    const second = await serve(first.right)
    assert(second._tag === "Left")
    assert.deepInclude(second.left, { port: first.right, reason: "taken" })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})
