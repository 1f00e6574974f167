/** The endpoints with which the pod describes itself: its health, its readiness and its operations. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query } from "../../doors/DeclareProcedure.ts"
import { open } from "../../doors/DeclareRest.ts"
import { everybody, fullGrant, self, signedIn } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"

const AliveAnswer = Schema.Struct({
  status: Schema.Literal("alive"),
  timestamp: Timestamp
})
const StartedAnswer = Schema.Struct({
  status: Schema.Literal("started"),
  timestamp: Timestamp
})
const ReadyAnswer = Schema.Struct({
  status: Schema.Literal("ready"),
  timestamp: Timestamp,
  checks: described(
    "Result of each check.",
    Schema.Struct({
      database: described("Whether the database answers and accepts writes.", Schema.Literal("healthy"))
    })
  )
})

const ManifestDoor = Schema.Struct({
  surface: described("Surface: REST, tRPC or MCP.", Schema.Literal("rest", "procedure", "tool")),
  name: Schema.String,
  method: described("HTTP method, such as GET or POST.", Schema.optional(Schema.String)),
  path: described("Path or name of the operation.", Schema.optional(Schema.String)),
  kind: Schema.Literal("query", "mutation"),
  door: described("What a caller needs to call the operation.", Schema.String),
  permissions: described(
    "Permissions that the grant must have, such as `entity.note.create`; `*` means every permission.",
    Schema.Array(Schema.String)
  ),
  summary: Schema.String
}).annotations({ identifier: "ManifestDoor" })

export const SystemApi = HttpApiGroup.make("system")
  .annotate(OpenApi.Description, "What this pod is, and which operations it has.")
  .add(
    open("system.health", {
      path: "/health",
      success: Schema.Struct({
        status: Schema.String,
        service: described("Name of this server.", Schema.String),
        schemaHash: described("Hash of the database schema; each migration changes it.", Schema.String)
      }).annotations({ examples: [{ status: "ok", service: "hub-protocol", schemaHash: "9f86d081884c7d65" }] }),
      door: everybody("clients use this call to recognize a pod"),
      ignoresQuery: true,
      summary: "Check that the pod answers, and read the hash of its database schema."
    })
  )
  .add(
    open("system.manifest", {
      path: "/manifest",
      success: Schema.Struct({
        version: described("Version of the format of this answer.", Schema.String),
        description: Schema.String,
        discoveryEndpoints: described(
          "Links to more information, by topic.",
          Schema.Record({ key: Schema.String, value: Schema.String })
        ),
        viewTypes: described(
          "Types of views that the pod stores.",
          Schema.Array(
            Schema.Struct({
              type: Schema.String,
              implemented: described("Whether a view can have this type.", Schema.Boolean),
              when: described("What the type is for.", Schema.String),
              configKeys: described("Fields of `config` that the view type uses.", Schema.Array(Schema.String))
            })
          )
        ),
        bentoBlockKinds: described("Kinds of widgets that a page can have.", Schema.Array(Schema.String)),
        browserNativeCells: described("Always empty.", Schema.Array(Schema.String)),
        rules: described("Rules for clients, in words.", Schema.Array(Schema.String)),
        doors: described("All operations, each with what a caller needs for it.", Schema.Array(ManifestDoor))
      }).annotations({
        examples: [
          {
            version: "1",
            description: "The operations of this pod, and what a caller needs for each.",
            discoveryEndpoints: { openapi: "/openapi.json describes all REST operations." },
            viewTypes: [{ type: "kanban", implemented: true, when: "Tasks.", configKeys: ["groupBy"] }],
            bentoBlockKinds: ["table"],
            browserNativeCells: [],
            rules: ["A write without workspaceId goes into the personal space."],
            doors: [
              {
                surface: "procedure",
                name: "apiKeys.list",
                kind: "query",
                door: "sign-in session",
                permissions: [],
                summary: "List your keys."
              }
            ]
          }
        ]
      }),
      door: everybody("the answer shows no stored data"),
      ignoresQuery: true,
      summary: "List every operation of the pod and what a caller needs for each."
    })
  )

/** The endpoints with which the operator checks the pod. Their paths do not begin with `/api/hub`. */
export const ProbeApi = HttpApiGroup.make("probes")
  .annotate(OpenApi.Description, "Probes for the operator: whether the process runs, and whether the pod can serve.")
  .add(
    open("probes.live", {
      path: "/livez",
      success: AliveAnswer,
      door: everybody("the answer shows no stored data"),
      ignoresQuery: true,
      summary: "Read whether the process answers. The pod does not ask the database."
    })
  )
  .add(
    open("probes.started", {
      path: "/startupz",
      success: StartedAnswer,
      door: everybody("the answer shows no stored data"),
      ignoresQuery: true,
      summary: "Read whether the start has finished. If not, the answer is 503."
    })
  )
  .add(
    open("probes.ready", {
      path: "/readyz",
      success: ReadyAnswer,
      door: everybody("the answer shows no stored data"),
      ignoresQuery: true,
      summary:
        "Read whether the pod can serve: its database accepts writes, its migrations are applied, and the pod is not stopping. If not, the answer is 503."
    })
  )

const count = (of: string) => described(of, Schema.Number)

const Metrics = Schema.Struct({
  timestamp: described("Time of the count.", Timestamp),
  uptime: described("Seconds since the start of the process; only if you own the pod.", Schema.optional(Schema.Number)),
  memory: described(
    "Memory of the process in megabytes; only if you own the pod.",
    Schema.optional(
      Schema.Struct({
        used: count("Size of the used part of the heap."),
        total: count("Size of the heap."),
        rss: count("Size of the memory of the whole process.")
      })
    )
  ),
  totalEntities: count("Number of entities that the caller may read."),
  events24h: count(
    "Number of events of the last 24 hours that the caller caused or that concern the caller's records."
  ),
  jobs: described(
    "Queues with jobs, by name; empty unless you own the pod. The queue `dead-letter` has the jobs that failed and are not tried again.",
    Schema.Array(
      Schema.Struct({
        queue: Schema.String,
        waiting: count("Number of jobs that wait for their start time or for a free worker."),
        running: count("Number of jobs that a pod runs now."),
        completed: count("Number of jobs that ended without an error within about the last 12 hours."),
        cancelled: count("Number of jobs that were cancelled within about the last 12 hours."),
        failed: count("Number of jobs whose last attempt failed within about the last 12 hours."),
        oldestSeconds: described(
          "For how many seconds the oldest waiting job has been due; null if no job is due.",
          Schema.NullOr(Schema.Number)
        )
      })
    )
  )
})

const aboutCaller = self("hub-protocol.read")

const McpServer = Schema.Struct({
  id: described("`pod` for the pod itself.", Schema.String),
  name: Schema.String,
  url: described("Address of the endpoint.", Schema.String),
  transport: described("Transport of MCP.", Schema.Literal("streamable-http")),
  auth: described(
    "How a client sends its key.",
    Schema.Struct({
      type: described("The header `Authorization: Bearer <key>`.", Schema.Literal("bearer")),
      scopes: described("Scopes for the endpoint; a key needs one of them.", Schema.Array(Schema.String))
    })
  ),
  toolCount: count("Number of tools of the endpoint. A key can use only the tools that its scopes and its grant allow.")
}).annotations({ identifier: "McpServer" })

const ShownSetting = Schema.Struct({
  name: described("Name of the setting, such as `POD_PORT`.", Schema.String),
  area: described("Area of the setting, such as `Server` or `Storage`.", Schema.String),
  doc: described("What the setting is for.", Schema.String),
  value: described(
    "Value of the setting; `set` for a secret, null if the setting has no value.",
    Schema.NullOr(Schema.String)
  ),
  source: described("Where the value came from, such as `environment`, `.env line 4` or `default`.", Schema.String)
}).annotations({ identifier: "ShownSetting" })

const SecretReport = Schema.Struct({
  name: described("Name of the setting, such as `POD_KEY_PEPPER`.", Schema.String),
  values: count("Number of values of the setting: the present value and the former values."),
  older: described(
    "Records that only a former value of the secret opens. Without that value, these records are useless.",
    Schema.Array(
      Schema.Struct({
        of: described("Kind of the records, such as `keys`.", Schema.String),
        count: count("Number of records of this kind.")
      })
    )
  )
}).annotations({ identifier: "SecretReport" })

export const SystemProcedures = RpcGroup.make(
  query("system.getSettings", {
    input: NoInput,
    success: Schema.Array(ShownSetting),
    door: signedIn,
    summary:
      "List the settings of the pod with their values and where each value comes from, without secrets. Only for the owner of the pod."
  }),
  query("health.secrets", {
    input: NoInput,
    success: Schema.Array(SecretReport),
    door: signedIn,
    summary:
      "Count the records that still need a former value of a secret setting, such as keys made with a former `POD_KEY_PEPPER`. Only for the owner of the pod."
  }),
  query("setup.status", {
    input: NoInput,
    success: Schema.Struct({
      initialized: described("Whether the pod has an owner.", Schema.Boolean),
      version: described("Version of the pod.", Schema.String)
    }),
    door: fullGrant("hub-protocol.read"),
    summary: "Read whether the pod is set up, and the version of the pod."
  }),
  query("mcpServers.list", {
    input: NoInput,
    success: Schema.Array(McpServer),
    door: fullGrant("hub-protocol.read"),
    summary: "List the MCP servers that you can use. The list has only the pod's own endpoint."
  }),
  query("health.alive", {
    input: NoInput,
    success: AliveAnswer,
    door: aboutCaller,
    summary: "Read whether the pod answers."
  }),
  query("health.ready", {
    input: NoInput,
    success: ReadyAnswer,
    door: aboutCaller,
    summary:
      "Read whether the pod can serve: its database accepts writes, its migrations are applied, and the pod is not stopping."
  }),
  query("health.metrics", {
    input: NoInput,
    success: Metrics,
    door: fullGrant("hub-protocol.read"),
    summary:
      "Read how many jobs wait, how many run and how many failed, how long the oldest job has waited, and the memory of the process."
  })
)
