/**
 * The metrics of a pod in the text format of Prometheus. The pod serves them on a separate port, or on its own port if
 * the request has the metrics token. The metrics contain only numbers about calls and jobs, and nothing about persons
 * or records.
 */
import { Effect, Redacted, Runtime } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import { nameOfFailure } from "../doors/Failure.ts"
import type { DrainCount } from "../platform/DrainCount.ts"
import type { QueueState } from "../platform/jobs/JobQueue.ts"
import { endStatusOf, type Exchange } from "./Exchange.ts"
import { routeShown } from "./RouteShown.ts"
import { type Address, listenOn, type Mount, portOf } from "./Server.ts"

/** The sources of the metrics. The pod reads them whenever somebody asks for the metrics. */
export interface MetricSources {
  readonly version: string
  /** The base paths of tRPC and MCP. The metrics count all requests to one of these paths as one route. */
  readonly mounts: ReadonlyArray<string>
  /** Succeeds if the database answers. */
  readonly ping: Effect.Effect<void, unknown>
  readonly jobs: Effect.Effect<ReadonlyArray<QueueState>, unknown>
  /** The number of proposals that wait for a person. */
  readonly proposals: Effect.Effect<number, unknown>
  /**
   * Returns the number of writes that the governance gate has allowed, denied or turned into proposals since the start.
   */
  readonly verdicts: () => Readonly<Record<string, number>>
  /** Returns the number of webhook calls that have ended since the start, by result. */
  readonly webhookAttempts: () => Readonly<Record<string, number>>
  /** The pool of database connections, as the driver counts it. */
  readonly pool: { readonly totalCount: number; readonly idleCount: number }
  /** Returns the number of statements and transactions that wait for the database. */
  readonly waiting: () => number
  /** Returns how often and for how long revocations have waited for earlier transactions. */
  readonly drains: () => DrainCount
}

export interface Metrics {
  /** Counts a request that has ended. */
  readonly finished: (exchange: Exchange, durationMs: number) => void
  /** The text of all metrics at this moment. */
  readonly text: Effect.Effect<string>
}

const secondsOfRequests = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
// The pod waits at most this long for one source of the metrics. Prometheus gives up after ten seconds.
const askMax = "2 seconds"

export const makeMetrics = (sources: MetricSources): Metrics => {
  const { drains, jobs, mounts, ping, pool, proposals, verdicts, version, waiting, webhookAttempts } = sources
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: "pod_build_info", help: "The version of the pod.", labelNames: ["version"], registers }).set(
    { version },
    1
  )
  const requests = new Histogram({
    name: "pod_http_request_duration_seconds",
    help: "Duration of requests, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: secondsOfRequests,
    registers
  })
  const streams = new Counter({
    name: "pod_streams_total",
    help: "Streams of events that have ended.",
    registers
  })
  const failures = new Counter({
    name: "pod_failures_total",
    help: "Requests that were answered with a failure, by its code or class.",
    labelNames: ["kind"],
    registers
  })
  // Other code counts these numbers. The pod reads them only when somebody asks for the metrics.
  const decisions = new Counter({
    name: "pod_gate_decisions_total",
    help: "Writes by the verdict of the gate: allow, deny or propose.",
    labelNames: ["verdict"],
    registers: [],
    collect() {
      this.reset()
      for (const [verdict, count] of Object.entries(verdicts())) this.inc({ verdict }, count)
    }
  })
  const attempts = new Counter({
    name: "pod_webhook_attempts_total",
    help: "Calls to webhooks by result: success, retried (failed, and a call follows) or failed (no call follows).",
    labelNames: ["result"],
    registers: [],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(webhookAttempts())) this.inc({ result }, count)
    }
  })
  const connections = new Gauge({
    name: "pod_db_pool_connections",
    help: "Connections of the pool, in use and idle. Connections that several statements share (lanes) are not counted.",
    labelNames: ["state"],
    registers: [],
    collect() {
      this.set({ state: "in_use" }, pool.totalCount - pool.idleCount)
      this.set({ state: "idle" }, pool.idleCount)
    }
  })
  const queued = new Gauge({
    name: "pod_db_pool_waiting",
    help: "Statements and transactions that wait for a connection, for the turn of their credential, or behind another statement on a shared connection.",
    registers: [],
    collect() {
      this.set(waiting())
    }
  })
  const drained = {
    pod_drain_waits_total: ["How often a revocation waited for the end of earlier transactions.", () => drains().count],
    pod_drain_wait_seconds_total: [
      "Seconds for which revocations waited for the end of earlier transactions.",
      () => drains().totalMs / 1000
    ],
    pod_drain_failures_total: [
      "How often a revocation was answered with 503, because the wait for earlier transactions failed.",
      () => drains().failed
    ]
  } as const
  const drainCounters = Object.entries(drained).map(
    ([name, [help, value]]) =>
      new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset()
          this.inc(value())
        }
      })
  )
  registry.registerMetric(decisions)
  registry.registerMetric(attempts)
  registry.registerMetric(connections)
  registry.registerMetric(queued)
  for (const each of drainCounters) registry.registerMetric(each)
  const undecided = new Gauge({ name: "pod_proposals_waiting", help: "Proposals that wait for a person.", registers })
  const isUp = new Gauge({ name: "pod_db_up", help: "1 if the database answers.", registers })
  const depth = new Gauge({
    name: "pod_jobs",
    help: "Jobs by queue and state.",
    labelNames: ["queue", "state"],
    registers
  })
  const age = new Gauge({
    name: "pod_jobs_oldest_seconds",
    help: "For how many seconds the oldest waiting job of a queue has been due.",
    labelNames: ["queue"],
    registers
  })

  const ask = Effect.gen(function* () {
    isUp.set((yield* Effect.isSuccess(Effect.timeout(ping, askMax))) ? 1 : 0)
    depth.reset()
    age.reset()
    // The number of waiting proposals is unknown until the database answers.
    undecided.set(Number.NaN)
    const queues = yield* Effect.timeout(jobs, askMax)
    for (const { oldestSeconds, queue, ...counts } of queues) {
      for (const [state, count] of Object.entries(counts)) depth.set({ queue, state }, count)
      age.set({ queue }, oldestSeconds ?? 0)
    }
    undecided.set(yield* Effect.timeout(proposals, askMax))
  }).pipe(Effect.catchAllCause((cause) => Effect.logDebug("the jobs and the proposals could not be counted", cause)))

  return {
    finished: (exchange, durationMs) => {
      const { note, request } = exchange
      // A stream lasts as long as the client reads, so its duration is not measured.
      if (note.stream !== undefined) return streams.inc()
      const { failure, route } = note
      if (failure !== undefined) failures.inc({ kind: nameOfFailure(failure) })
      requests.observe(
        { method: request.method ?? "", route: routeShown(route, mounts), status: endStatusOf(exchange) },
        durationMs / 1000
      )
    },
    text: Effect.zipRight(
      ask,
      Effect.promise(() => registry.metrics())
    )
  }
}

const path = "/metrics"
const sendMetrics = (response: ServerResponse, text: string): void => {
  if (response.destroyed) return
  response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
}

const digest = (text: string) => createHash("sha256").update(text).digest()

/**
 * Serves the metrics on the port of the pod to requests with the metrics token. Only the exact path of the metrics
 * exists. A path below it gets the same answer as an unknown path.
 */
export const metricsMount = (
  { text }: Metrics,
  token: Redacted.Redacted,
  absent: (exchange: Exchange) => void
): Effect.Effect<Mount> =>
  Effect.map(Effect.runtime(), (runtime) => {
    const runFork = Runtime.runFork(runtime)
    const known = digest(`Bearer ${Redacted.value(token)}`)
    return {
      at: path,
      handle: (exchange) => {
        const { request, response } = exchange
        if (exchange.path !== path) return absent(exchange)
        if (!timingSafeEqual(known, digest(request.headers.authorization ?? ""))) {
          return void response.writeHead(401, { "www-authenticate": 'Bearer realm="metrics"' }).end()
        }
        if (request.method !== "GET") return void response.writeHead(405, { allow: "GET" }).end()
        runFork(Effect.map(text, (body) => sendMetrics(response, body)))
      }
    }
  })

/** Serves the metrics on a separate port until the scope closes. Returns the port number. */
export const serveMetrics = Effect.fnUntraced(function* ({ text }: Metrics, address: Address) {
  const runFork = Runtime.runFork(yield* Effect.runtime())
  const server = yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const newServer = createServer((request, response) => {
        if (request.url !== path) return response.writeHead(404).end()
        if (request.method !== "GET") return response.writeHead(405, { allow: "GET" }).end()
        runFork(
          Effect.map(text, (body) => {
            sendMetrics(response, body)
          })
        )
      })
      return listenOn(newServer, address)
    }),
    (newServer) =>
      Effect.async<void>((resume) => {
        newServer.close(() => resume(Effect.void))
        newServer.closeAllConnections()
      })
  )
  return portOf(server)
})
