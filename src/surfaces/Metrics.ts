/**
 * The metrics of a pod in the text format of Prometheus, on a separate port. They need no credential, so they contain
 * only numbers of calls and jobs, and no person or record.
 */
import { Effect, Runtime } from "effect"
import { createServer, type Server as NodeServer } from "node:http"
import type { AddressInfo } from "node:net"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import type { QueueState } from "../platform/jobs/JobQueue.ts"
import type { Exchange } from "./Exchange.ts"
import { ListenRefused } from "./Server.ts"

/** What the pod asks when somebody reads its metrics. */
export interface MetricSources {
  readonly version: string
  /** The paths of surfaces whose requests are counted together. */
  readonly mounts: ReadonlyArray<string>
  /** Succeeds if the database answers. */
  readonly ping: Effect.Effect<void, unknown>
  readonly jobs: Effect.Effect<ReadonlyArray<QueueState>, unknown>
}

export interface Metrics {
  /** Counts a request that has ended. */
  readonly finished: (exchange: Exchange, durationMs: number) => void
  /** The text of all metrics now. */
  readonly text: Effect.Effect<string>
}

const secondsOfRequests = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const askMost = "2 seconds" // Prometheus gives up after ten

export const makeMetrics = ({ jobs, mounts, ping, version }: MetricSources): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: "pod_build_info", help: "The version of the pod.", labelNames: ["version"], registers }).set(
    { version },
    1
  )
  const requests = new Histogram({
    name: "pod_http_request_duration_seconds",
    help: "Requests by route and status, with their time.",
    labelNames: ["method", "route", "status"],
    buckets: secondsOfRequests,
    registers
  })
  const streams = new Counter({
    name: "pod_streams_total",
    help: "Streams of events that have ended.",
    registers
  })
  const isUp = new Gauge({ name: "pod_db_up", help: "1 if the database answers.", registers })
  const depth = new Gauge({
    name: "pod_jobs",
    help: "Jobs by queue and state.",
    labelNames: ["queue", "state"],
    registers
  })
  const age = new Gauge({
    name: "pod_jobs_oldest_seconds",
    help: "For how long the oldest waiting job of a queue could have started.",
    labelNames: ["queue"],
    registers
  })

  const ask = Effect.gen(function* () {
    isUp.set((yield* Effect.isSuccess(Effect.timeout(ping, askMost))) ? 1 : 0)
    depth.reset()
    age.reset()
    const queues = yield* Effect.timeout(jobs, askMost)
    for (const { oldestSeconds, queue, ...counts } of queues) {
      for (const [state, count] of Object.entries(counts)) depth.set({ queue, state }, count)
      age.set({ queue }, oldestSeconds ?? 0)
    }
  }).pipe(Effect.catchAllCause((cause) => Effect.logDebug("the jobs could not be counted", cause)))

  return {
    finished: ({ note, request, response }, durationMs) => {
      // A stream lasts as long as its reader likes, so its time would say nothing.
      if (note.stream !== undefined) return streams.inc()
      const { route } = note
      // A batch can hold any procedures, so their names would make labels without end.
      const shown = mounts.find((mount) => route.startsWith(mount)) ?? (route === "" ? "none" : route)
      requests.observe({ method: request.method ?? "", route: shown, status: response.statusCode }, durationMs / 1000)
    },
    text: Effect.zipRight(
      ask,
      Effect.promise(() => registry.metrics())
    )
  }
}

export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** Serves the metrics until the scope closes; returns the port. */
export const serveMetrics = ({ text }: Metrics, { host, port }: MetricsAddress) =>
  Effect.gen(function* () {
    const runFork = Runtime.runFork(yield* Effect.runtime())
    const server = yield* Effect.acquireRelease(
      Effect.async<NodeServer, ListenRefused>((resume) => {
        const made = createServer((request, response) => {
          if (request.url !== "/metrics") return response.writeHead(404).end()
          if (request.method !== "GET") return response.writeHead(405, { allow: "GET" }).end()
          runFork(
            Effect.map(text, (body) => {
              response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(body)
            })
          )
        })
        made.once("error", (cause: NodeJS.ErrnoException) =>
          resume(new ListenRefused({ host, port, reason: cause.code === "EADDRINUSE" ? "taken" : "refused" }))
        )
        made.listen(port, host, () => resume(Effect.succeed(made)))
      }),
      (made) =>
        Effect.async<void>((resume) => {
          made.close(() => resume(Effect.void))
          made.closeAllConnections()
        })
    )
    return (server.address() as AddressInfo).port
  })
