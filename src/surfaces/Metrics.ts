/**
 * The metrics of a pod in the text format of Prometheus. They contain only numbers about calls and jobs, and nothing
 * about persons or records.
 */
import { Effect } from "effect"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import { nameOfFailure } from "../doors/Failure.ts"
import type { DrainCount } from "../platform/DrainCount.ts"
import type { QueueState } from "../platform/jobs/JobQueue.ts"
import { endStatusOf, type Exchange } from "./Exchange.ts"
import { routeShown } from "./RouteShown.ts"

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

/** Adds the metrics of requests. Returns the function that counts a request that has ended. */
const addRequestMetrics = (registry: Registry, mounts: ReadonlyArray<string>): Metrics["finished"] => {
  const registers = [registry]
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
  return (exchange, durationMs) => {
    const { note, request } = exchange
    // A stream lasts as long as the client reads, so its duration is not measured.
    if (note.stream !== undefined) return streams.inc()
    const { failure, route } = note
    if (failure !== undefined) failures.inc({ kind: nameOfFailure(failure) })
    requests.observe(
      { method: request.method ?? "", route: routeShown(route, mounts), status: endStatusOf(exchange) },
      durationMs / 1000
    )
  }
}

/** Makes a counter of numbers that other code counts, by the value of a label. */
const counterOf = (name: string, help: string, label: string, counts: () => Readonly<Record<string, number>>) =>
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [],
    collect() {
      this.reset()
      for (const [value, count] of Object.entries(counts())) this.inc({ [label]: value }, count)
    }
  })

/** Makes a counter of one number that other code counts. */
const totalOf = (name: string, help: string, total: () => number) =>
  new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset()
      this.inc(total())
    }
  })

/** Adds the numbers that other code counts. The pod reads them only when somebody asks for the metrics. */
const addCountedMetrics = (
  registry: Registry,
  { drains, pool, verdicts, waiting, webhookAttempts }: MetricSources
): void => {
  const counted = [
    counterOf(
      "pod_gate_decisions_total",
      "Writes by the verdict of the gate: allow, deny or propose.",
      "verdict",
      verdicts
    ),
    counterOf(
      "pod_webhook_attempts_total",
      "Calls to webhooks by result: success, retried (failed, and a call follows) or failed (no call follows).",
      "result",
      webhookAttempts
    ),
    new Gauge({
      name: "pod_db_pool_connections",
      help: "Connections of the pool, in use and idle. Connections that several statements share (lanes) are not counted.",
      labelNames: ["state"],
      registers: [],
      collect() {
        this.set({ state: "in_use" }, pool.totalCount - pool.idleCount)
        this.set({ state: "idle" }, pool.idleCount)
      }
    }),
    new Gauge({
      name: "pod_db_pool_waiting",
      help: "Statements and transactions that wait for a connection, for the turn of their credential, or behind another statement on a shared connection.",
      registers: [],
      collect() {
        this.set(waiting())
      }
    }),
    totalOf(
      "pod_drain_waits_total",
      "How often a revocation waited for the end of earlier transactions.",
      () => drains().count
    ),
    totalOf(
      "pod_drain_wait_seconds_total",
      "Seconds for which revocations waited for the end of earlier transactions.",
      () => drains().totalMs / 1000
    ),
    totalOf(
      "pod_drain_failures_total",
      "How often a revocation was answered with 503, because the wait for earlier transactions failed.",
      () => drains().failed
    )
  ]
  for (const metric of counted) registry.registerMetric(metric)
}

/** Adds the numbers for which the pod asks its database. Returns the effect that asks, which never fails. */
const addAskedMetrics = (registry: Registry, { jobs, ping, proposals }: MetricSources): Effect.Effect<void> => {
  const registers = [registry]
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
  return Effect.gen(function* () {
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
}

export const makeMetrics = (sources: MetricSources): Metrics => {
  const { mounts, version } = sources
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: "pod_build_info",
    help: "The version of the pod.",
    labelNames: ["version"],
    registers: [registry]
  }).set({ version }, 1)
  const finished = addRequestMetrics(registry, mounts)
  addCountedMetrics(registry, sources)
  const ask = addAskedMetrics(registry, sources)
  return {
    finished,
    text: Effect.zipRight(
      ask,
      Effect.promise(() => registry.metrics())
    )
  }
}
