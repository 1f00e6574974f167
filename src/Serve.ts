/** Serves the surfaces of a pod (REST, MCP and others) on one port, each at its path. */
import { Effect, Layer, Option } from "effect"
import { describeApi, describeCatalog } from "./Description.ts"
import { Catalog } from "./doors/Catalog.ts"
import { Dispatch } from "./doors/Dispatch.ts"
import { Streams } from "./doors/Streams.ts"
import { GovernanceGate } from "./features/gate/GovernanceGate.ts"
import { ProposalCount } from "./features/proposals/ProposalCount.ts"
import { KeyUsage } from "./features/usage/KeyUsage.ts"
import { People } from "./features/people/People.ts"
import { WebhookAttempts } from "./features/webhooks/WebhookAttempts.ts"
import {
  bridgeMount,
  externalMount,
  hubMount,
  hubMountAlias,
  n8nMount,
  openAiMount,
  sessionMount
} from "./doors/Mounts.ts"
import { Database } from "./platform/Database.ts"
import { Jobs } from "./platform/jobs/Jobs.ts"
import { podAddress, podHosts } from "./platform/settings/PodAddress.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { accessLog } from "./surfaces/AccessLog.ts"
import { type RequestSpans, requestSpans } from "./surfaces/RequestSpans.ts"
import { keyUses } from "./surfaces/KeyUse.ts"
import { makeMetrics, type Metrics } from "./surfaces/Metrics.ts"
import { metricsMount, serveMetrics } from "./surfaces/MetricsServer.ts"
import { mount as mcpMount, serveTools } from "./surfaces/Mcp.ts"
import type { RequestTimes } from "./surfaces/Connections.ts"
import { BodyMemory } from "./surfaces/BodyMemory.ts"
import { standardTimes, type StreamTimes } from "./surfaces/EventStream.ts"
import { originGuard } from "./surfaces/Origins.ts"
import { serveConsole } from "./surfaces/Console.ts"
import { serveGuides } from "./surfaces/Guides.ts"
import { servePages } from "./surfaces/Pages.ts"
import { serveUnknownPath, serveRest } from "./surfaces/Rest.ts"
import { Server } from "./surfaces/Server.ts"
import { serveProcedures } from "./surfaces/Trpc.ts"
import { version } from "./Version.ts"

const restMounts = [hubMount, externalMount, n8nMount, openAiMount]
const bridgeAlias = `${hubMountAlias}/trpc`
const procedureMounts = [sessionMount, bridgeMount, bridgeAlias, mcpMount]

/**
 * Builds the metrics of the pod, and serves them on their own port if the settings name one. Returns undefined if the
 * settings let nobody read the metrics.
 */
const metricsOf = Effect.fnUntraced(function* ({ metricsHost, metricsPort, metricsToken }: SettingsShape) {
  if (Option.isNone(metricsPort) && Option.isNone(metricsToken)) return undefined
  const { drains, ping, pool, waiting } = yield* Database
  const { states } = yield* Jobs
  const { verdicts } = yield* GovernanceGate
  const { counts: webhookAttempts } = yield* WebhookAttempts
  const { waiting: proposals } = yield* ProposalCount
  const metrics = makeMetrics({
    jobs: states,
    mounts: procedureMounts,
    ping,
    version,
    proposals,
    verdicts,
    webhookAttempts,
    pool,
    waiting,
    drains
  })
  if (Option.isSome(metricsPort)) {
    const port = yield* serveMetrics(metrics, { host: metricsHost, port: metricsPort.value })
    yield* Effect.logInfo(`Metrics at http://${metricsHost}:${port}/metrics`)
  }
  return metrics
})

/** Logs, measures and counts a request that has ended, and records that its key was used. */
const finishRequest = Effect.fnUntraced(function* (metrics: Metrics | undefined, spans: RequestSpans | undefined) {
  const writeLine = yield* accessLog
  const usage = yield* KeyUsage
  const useOf = keyUses({ procedures: [sessionMount, bridgeMount, bridgeAlias], mcp: mcpMount })
  return (...ended: Parameters<typeof writeLine>) => {
    const [exchange] = ended
    writeLine(...ended)
    spans?.end(exchange)
    metrics?.finished(...ended)
    const use = useOf(exchange)
    if (use !== undefined) usage.note(use)
  }
})

/** The places where the pod listens besides the address in its settings, or instead of this address. */
export interface ListenOptions {
  /** The path of the socket for the operator of the data directory (default: none). */
  readonly adminSocket?: string
  /** True if the pod listens only on the socket. */
  readonly isSocketOnly?: boolean
  /** The longest time in which a request must arrive completely. Tests set shorter times. */
  readonly requestTimes?: RequestTimes
}

/** Makes the pod listen as soon as all its parts are ready. This file lists all routes that have no declaration. */
export const layer = (settings: SettingsShape, times: StreamTimes = standardTimes, listening: ListenOptions = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const dispatch = yield* Dispatch
      const streams = yield* Streams
      const people = yield* People
      const catalog = yield* Effect.flatMap(Catalog, ({ compiled }) => compiled)
      const runtime = yield* Effect.runtime()
      const { bodyLimitBytes, batchLimit, corsOrigins } = settings
      const publicUrl = Option.getOrUndefined(settings.publicUrl)
      const memory = new BodyMemory()
      const origins = { publicUrl, corsOrigins }
      const isOriginAllowed = originGuard(origins)
      const tools = serveTools(
        catalog,
        dispatch,
        {
          version,
          allowedHosts: podHosts(settings),
          allowedOrigins: [...corsOrigins, ...(publicUrl === undefined ? [] : [publicUrl])],
          bodyLimitBytes,
          memory,
          ownerName: ({ personId }) =>
            people.accessOf(personId).pipe(
              Effect.map(({ name }) => name),
              Effect.sandbox,
              Effect.orElseSucceed(() => undefined)
            )
        },
        runtime
      )
      yield* Effect.addFinalizer(() => Effect.promise(() => tools.close()))
      const procedures = (surface: "bridge" | "session", basePath: string) => ({
        at: basePath,
        handle: serveProcedures(
          catalog,
          dispatch,
          streams,
          { surface, basePath, batchLimit, bodyLimitBytes, memory, times },
          runtime
        )
      })
      const rest = serveRest(
        catalog.rest,
        dispatch,
        streams,
        {
          bodyLimitBytes,
          memory,
          alias: { from: hubMountAlias, to: hubMount },
          mounts: restMounts,
          isOriginAllowed,
          times
        },
        runtime
      )
      const unknownPath = serveUnknownPath(dispatch)
      const spans = yield* requestSpans(procedureMounts)
      const metrics = yield* metricsOf(settings)
      return Server.layer({
        ...origins,
        host: settings.host,
        port: listening.isSocketOnly === true ? null : settings.port,
        addressOf: (port) => podAddress(settings, port === 0 ? settings.port : port),
        adminSocket: listening.adminSocket,
        requestTimes: listening.requestTimes,
        trustProxy: settings.trustProxy,
        // on the socket, a stop needs no grace time, because only the operator uses the socket
        stopGraceMs: listening.isSocketOnly === true ? 0 : settings.stopGraceSeconds * 1000,
        mounts: [
          { at: mcpMount, isSinglePath: true as const, handle: tools.handle },
          procedures("session", sessionMount),
          procedures("bridge", bridgeMount),
          procedures("bridge", bridgeAlias),
          ...(metrics === undefined || Option.isNone(settings.metricsToken)
            ? []
            : [yield* metricsMount(metrics, settings.metricsToken.value, unknownPath)]),
          yield* serveConsole({ at: settings.adminPath, absent: unknownPath }),
          ...serveGuides(unknownPath),
          ...(yield* servePages({
            adminPath: settings.adminPath,
            document: () => describeApi(publicUrl),
            catalog: describeCatalog,
            apiMount: hubMount,
            rest,
            absent: unknownPath
          }))
        ],
        rest,
        unknownPath,
        memory,
        finished: yield* finishRequest(metrics, spans),
        beginSpan: spans?.begin
      })
    })
  )
