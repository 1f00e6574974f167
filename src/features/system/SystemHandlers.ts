/** The handlers of the endpoints that report the health of the pod, its operations and the time. */
import { DateTime, Effect, Layer } from "effect"
import { Catalog, type CatalogShape } from "../../doors/Catalog.ts"
import { describeDoor, permissionsOf } from "../../doors/DoorRequirements.ts"
import { Unavailable } from "../../doors/Failure.ts"
import { implement, implementProcedures, plainHandler } from "../../doors/Implement.ts"
import type { Operation } from "../../doors/Operation.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { schemaHash } from "../../platform/Migrations.ts"
import { PodFacts } from "../adoption/PodFacts.ts"
import { PodFigures } from "../figures/PodFigures.ts"
import { People } from "../people/People.ts"
import { figureForOwner, podOwnerOnly } from "../people/PodOwner.ts"
import { viewTypes } from "../views/ViewTypes.ts"
import { widgetDefinitions } from "../views/WidgetDefinition.ts"
import { PodSettings } from "./PodSettings.ts"
import { Readiness } from "./Readiness.ts"
import { SecretUse } from "./SecretUse.ts"
import { ProbeApi, SystemApi, SystemProcedures } from "./SystemApi.ts"

const entry = (surface: "rest" | "procedure" | "tool", operation: Operation) => ({
  surface,
  name: operation.name,
  kind: operation.kind,
  door: describeDoor(operation.door),
  permissions: permissionsOf(operation.door),
  summary: operation.summary
})

/** Lists all operations from the catalog of declared operations, each with its door. */
export const doorsOf = ({ rest, procedures, tools }: CatalogShape) => [
  ...rest.map((operation) => ({ ...entry("rest", operation), method: operation.method, path: operation.path })),
  ...[...procedures.values()].map((operation) => entry("procedure", operation)),
  ...[...tools.values()].map((operation) => entry("tool", operation))
]

const mcpScopes = ["mcp.read", "mcp.write"]

const answerAlive = plainHandler(() => ({ status: "alive" as const, timestamp: DateTime.unsafeNow() }))

const clientRules = [
  "A write without workspaceId goes into the personal space of the caller.",
  "A write of an agent can answer 200 with `status: proposed`: a person must approve it first.",
  "The pod refuses fields that it does not know, unless the request has `Prefer: handling=lenient`.",
  "A repeated request with the same Idempotency-Key gets the first answer for a day."
]

const hub = implement(
  SystemApi,
  Effect.map(Catalog, (catalog) => ({
    "system.health": () => Effect.succeed({ status: "ok", service: "hub-protocol", schemaHash }),
    "system.manifest": () =>
      Effect.map(catalog.compiled, (compiled) => ({
        version: "1",
        description: "The operations of this pod, and what a caller needs for each operation.",
        discoveryEndpoints: {
          openapi: "/openapi.json describes all REST operations.",
          docs: "/docs shows all operations to people. With Accept: text/markdown, the answer is Markdown.",
          llms: "/llms.txt lists the pages of the documentation, as text for programs.",
          mcp: "/mcp is the MCP endpoint. It lists the tools that a key may call.",
          realtime:
            "GET /api/hub/events/stream and the tRPC subscription events.stream send events as server-sent events; " +
            "there is no Socket.IO."
        },
        viewTypes,
        bentoBlockKinds: widgetDefinitions.map(({ kind }) => kind),
        browserNativeCells: [],
        rules: clientRules,
        doors: doorsOf(compiled)
      }))
  }))
)

const ready = Effect.map(Readiness, ({ check }) =>
  Effect.zipRight(
    check,
    Effect.map(DateTime.now, (timestamp) => ({
      status: "ready" as const,
      timestamp,
      checks: { database: "healthy" as const }
    }))
  )
)

const probes = implement(
  ProbeApi,
  Effect.map(Effect.all([ready, Readiness]), ([check, { started }]) => ({
    "probes.live": answerAlive,
    "probes.started": () =>
      Effect.zipRight(
        started,
        Effect.map(DateTime.now, (timestamp) => ({ status: "started" as const, timestamp }))
      ),
    "probes.ready": () => check
  }))
)

const megabyte = 1024 * 1024
const megabytes = (bytes: number) => Math.round(bytes / megabyte)

/** Measures the uptime and the memory of this process, in the units of `health.metrics`. */
const processFigures = () => {
  const { heapTotal, heapUsed, rss } = process.memoryUsage()
  return {
    uptime: Math.floor(process.uptime()),
    memory: { used: megabytes(heapUsed), total: megabytes(heapTotal), rss: megabytes(rss) }
  }
}

const procedures = implementProcedures(
  SystemProcedures,
  Effect.gen(function* () {
    const check = yield* ready
    const people = yield* People
    const { states } = yield* Jobs
    const shownStates = Effect.flatten(figureForOwner(states, Effect.succeed([])))
    const shownProcess = Effect.flatten(figureForOwner(Effect.sync(processFigures), Effect.succeed({})))
    const { sizes } = yield* PodFigures
    const metrics = Effect.all({ timestamp: DateTime.now, sizes, jobs: shownStates, process: shownProcess }).pipe(
      Effect.map(({ process: figures, sizes: counts, ...rest }) => ({ ...rest, ...counts, ...figures })),
      Effect.catchTag(
        "JobsUnavailable",
        () => new Unavailable({ why: "The pod cannot read its jobs right now. Try again later.", retryAfterSeconds: 1 })
      )
    )
    const { baseUrl, version } = yield* PodFacts
    const { shown } = yield* PodSettings
    const catalog = yield* Catalog
    const secretUse = yield* SecretUse

    const mcpServers = Effect.map(catalog.compiled, ({ tools }) => [
      {
        id: "pod",
        name: "This pod",
        url: `${baseUrl.replace(/\/$/, "")}/mcp`,
        transport: "streamable-http" as const,
        auth: { type: "bearer" as const, scopes: mcpScopes },
        toolCount: tools.size
      }
    ])

    // All these operations need a valid credential. So they call `people.me`, which fails if the credential was revoked
    // or has expired.
    return {
      "system.getSettings": () =>
        Effect.zipRight(people.me, Effect.as(podOwnerOnly("can see the settings of the pod"), shown)),
      "health.secrets": () => Effect.zipRight(people.me, secretUse.report),
      "health.alive": () => Effect.zipRight(people.me, answerAlive()),
      "health.ready": () => Effect.zipRight(people.me, check),
      "setup.status": () =>
        Effect.zipRight(
          people.me,
          Effect.map(people.hasOwner, (initialized) => ({ initialized, version }))
        ),
      "mcpServers.list": () => mcpServers,
      "health.metrics": () => Effect.zipRight(people.me, metrics)
    }
  })
)

export const layer = Layer.mergeAll(hub, probes, procedures)
