/** The pod's information about itself: health, readiness, operations. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, open, query } from "../../doors/Declare.ts"
import { everybody, fullGrant, self } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"

const Alive = Schema.Struct({ status: Schema.Literal("alive"), timestamp: described("When it happened.", Timestamp) })
const Ready = Schema.Struct({
  status: Schema.Literal("ready"),
  timestamp: described("When it happened.", Timestamp),
  checks: described(
    "The checks and their results.",
    Schema.Struct({ database: described("Whether the database answers.", Schema.Literal("healthy")) })
  )
})

const ManifestDoor = Schema.Struct({
  surface: described("REST, tRPC or MCP.", Schema.Literal("rest", "procedure", "tool")),
  name: Schema.String,
  method: described("GET, POST …", Schema.optional(Schema.String)),
  path: described("Where it is called.", Schema.optional(Schema.String)),
  kind: Schema.Literal("query", "mutation"),
  door: described("What a caller needs to be let in.", Schema.String),
  permissions: described(
    "What the door asks of a grant, such as `entity.note.create`; `*` is everything.",
    Schema.Array(Schema.String)
  ),
  summary: Schema.String
}).annotations({ identifier: "ManifestDoor" })

export const SystemApi = HttpApiGroup.make("system")
  .annotate(OpenApi.Description, "What this pod is, and all its operations.")
  .add(
    open("system.health", {
      path: "/health",
      success: Schema.Struct({
        status: Schema.String,
        service: described("What this is.", Schema.String),
        schemaHash: described("Changes with the shapes of the API.", Schema.String)
      }),
      door: everybody("clients check whether this is a pod, and which schema it has"),
      summary: "Whether the pod answers, and the hash that names its schema."
    })
  )
  .add(
    open("system.manifest", {
      path: "/manifest",
      success: Schema.Struct({
        version: described("The number of writes, starting at 1.", Schema.String),
        description: Schema.String,
        discoveryEndpoints: described(
          "Where to learn more.",
          Schema.Record({ key: Schema.String, value: Schema.String })
        ),
        doors: described("All operations.", Schema.Array(ManifestDoor))
      }),
      door: everybody("it lists the operations of the pod and shows no data"),
      summary: "List every operation of the pod and what a caller needs for each."
    })
  )

/** Probes for the operator of the pod. Served at the root. */
export const ProbeApi = HttpApiGroup.make("probes")
  .annotate(OpenApi.Description, "For the operator of the pod: is the process alive, can it serve requests?")
  .add(
    open("probes.live", {
      path: "/livez",
      success: Alive,
      door: everybody("a supervisor has no key; the answer says nothing else"),
      summary: "Whether the process answers. Never asks the database."
    })
  )
  .add(
    open("probes.ready", {
      path: "/readyz",
      success: Ready,
      door: everybody("a load balancer has no key; the answer says nothing else"),
      summary: "Whether the pod can serve: database, migrations, not draining. 503 when not."
    })
  )

const count = (of: string) => described(of, Schema.Number)

const Metrics = Schema.Struct({
  timestamp: described("When it was counted.", Timestamp),
  jobs: described(
    "The queues that hold jobs, by name. Jobs that nobody could do are in `dead-letter`.",
    Schema.Array(
      Schema.Struct({
        queue: Schema.String,
        waiting: count("Jobs that wait for their time or for a free place."),
        running: count("Jobs that some pod works on."),
        completed: count("Jobs that were done within the last hours."),
        cancelled: count("Jobs that were called off within the last hours."),
        failed: count("Jobs whose last attempt failed within the last hours."),
        oldestSeconds: described(
          "For how many seconds the oldest waiting job could have been done already; null: none waits past its time.",
          Schema.NullOr(Schema.Number)
        )
      })
    )
  )
})

const aboutCaller = self("hub-protocol.read")

export const SystemProcedures = RpcGroup.make(
  query("health.alive", { input: NoInput, success: Alive, door: aboutCaller, summary: "Whether the pod answers." }),
  query("health.ready", { input: NoInput, success: Ready, door: aboutCaller, summary: "Whether the pod can serve." }),
  query("health.metrics", {
    input: NoInput,
    success: Metrics,
    door: fullGrant("hub-protocol.read"),
    summary: "How many jobs wait, run and failed, and for how long the oldest has waited."
  })
)
