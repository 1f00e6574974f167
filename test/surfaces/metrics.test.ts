/** The metrics of a pod: how much is done, and never by whom. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope } from "effect"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { JobsUnavailable } from "../../src/platform/jobs/JobQueue.ts"
import { makeMetrics, serveMetrics } from "../../src/surfaces/Metrics.ts"
import { exchange } from "../support/exchange.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** The values by name and labels, such as `pod_jobs{queue="a",state="waiting"}`. */
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

describe("the metrics of a running pod", () => {
  let pod: TestPod
  let url: string
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    pod = await aPod({ kind: "memory" }, { metricsPort: Option.some(port) })
  })
  afterAll(() => pod?.stop())

  it("the public port has no metrics, and the port of the metrics answers nothing else", async () => {
    assert.strictEqual((await pod.stranger.send("GET", "/metrics")).status, 404)
    assert.strictEqual((await pod.owner.send("GET", "/metrics")).status, 404)
    for (const path of ["/", "/api/hub/users/me", "/metrics/", "/metrics?name=a"]) {
      assert.strictEqual((await exchange(url + path, "GET", {})).status, 404, path)
    }
    assert.strictEqual((await exchange(`${url}/metrics`, "POST", {})).status, 405)
  })

  it("requests are counted by route and status, and a label never holds what a client chose", async () => {
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
    for (const hidden of [secret, pod.ownerId, "owner@example.com"]) assert.notInclude(text, hidden)
  })
})

describe("the metrics of jobs and of the database", () => {
  const textOf = (...[ping, jobs]: [Effect.Effect<void, string>, Effect.Effect<any, JobsUnavailable>]) =>
    Effect.runPromise(Effect.map(makeMetrics({ version: "1", mounts: [], ping, jobs }).text, valuesOf))
  const queue = {
    queue: "webhooks.deliver",
    waiting: 3,
    running: 1,
    completed: 5,
    cancelled: 0,
    failed: 2,
    oldestSeconds: 7.5
  }

  it("each queue tells its depth by state, and the age of its oldest job", async () => {
    const values = await textOf(Effect.void, Effect.succeed([queue]))
    assert.strictEqual(values.get('pod_jobs{queue="webhooks.deliver",state="waiting"}'), 3)
    assert.strictEqual(values.get('pod_jobs{queue="webhooks.deliver",state="failed"}'), 2)
    assert.strictEqual(values.get('pod_jobs_oldest_seconds{queue="webhooks.deliver"}'), 7.5)
  })

  it("if the database does not answer, the metrics say so and are still there", async () => {
    const down = await textOf(Effect.fail("down"), Effect.fail(new JobsUnavailable({ message: "down" })))
    assert.strictEqual(down.get("pod_db_up"), 0)
    assert.isFalse([...down.keys()].some((name) => name.startsWith("pod_jobs{")))
    assert.isAbove(down.get("process_resident_memory_bytes") ?? 0, 0)
  })

  it("a port that another program uses is refused with its number", async () => {
    const scope = Effect.runSync(Scope.make())
    const metrics = makeMetrics({ version: "1", mounts: [], ping: Effect.void, jobs: Effect.succeed([]) })
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
