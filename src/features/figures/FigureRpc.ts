/**
 * The procedures of figures: what the pod can do, in which state the pod is, and how many records the caller may see.
 */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant, signedIn } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"
import { HealthReport } from "../health/HealthReport.ts"
import { Buckets, DashboardMetrics, DataPodStats } from "./Figures.ts"

const door = fullGrant("hub-protocol.read")

const BackupState = Schema.Struct({
  last: described(
    "The last backup in the backup folder; null if there is none.",
    Schema.NullOr(
      Schema.Struct({ madeAt: Timestamp, sizeBytes: described("Size of the backup file in bytes.", Schema.Number) })
    )
  ),
  everySeconds: described(
    "Seconds between two backups that the pod makes by itself; 0 means that it makes none.",
    Schema.Number
  )
}).annotations({ identifier: "BackupState" })

const number = (of: string) => described(of, Schema.Number)

const Capabilities = Schema.Struct({
  version: described("Version of the pod.", Schema.String),
  features: described("Parts of the pod that have operations.", Schema.Array(Schema.String)),
  surfaces: Schema.Struct({
    rest: number("Number of REST operations."),
    procedures: number("Number of tRPC procedures."),
    tools: number("MCP tools.")
  }).annotations({ description: "Number of operations by surface." }),
  models: Schema.Struct({
    chat: described("Whether the pod has a language model.", Schema.Boolean),
    embeddings: described("Whether the pod has an embedding model.", Schema.Boolean)
  }).annotations({ description: "Models that the settings configure." }),
  callsPerMinute: number("Number of calls that a credential may make in a minute.")
}).annotations({ identifier: "SystemCapabilities" })

const Migrations = Schema.Struct({
  total: number("Migrations of the database."),
  migrations: described(
    "Migrations, in the order in which they were applied.",
    Schema.Array(
      Schema.Struct({
        version: described("Number of the migration.", Schema.String),
        appliedAt: described("When the migration was applied to the database.", Timestamp),
        description: Schema.String
      }).annotations({ identifier: "AppliedMigration" })
    )
  ),
  note: described("What the list of migrations means.", Schema.String),
  engine: described(
    "Engine of the database: embedded in the process of the pod, a PostgreSQL server, or memory only.",
    Schema.Literal("embedded", "postgres", "memory")
  ),
  durability: described(
    "What a confirmed write of the embedded database survives. `process`: a killed process; `wal-sync`: also a power loss. Null for a PostgreSQL server and in memory.",
    Schema.NullOr(Schema.Literal("process", "wal-sync"))
  ),
  sizeBytes: described(
    "Size of the database on its disk in bytes; null in memory, and if the caller is not the owner of the pod.",
    Schema.NullOr(Schema.Number)
  )
}).annotations({ identifier: "AppliedMigrations" })

export const FigureProcedures = RpcGroup.make(
  query("system.getCapabilities", {
    input: NoInput,
    success: Capabilities,
    door,
    summary: "Read what the pod can do: its parts, surfaces, models and limits."
  }),
  query("system.getDashboardMetrics", {
    input: NoInput,
    success: DashboardMetrics,
    door,
    summary: "Read your latest events, and how many of them report a refusal or a failure."
  }),
  query("system.getServiceHealth", {
    input: NoInput,
    success: HealthReport,
    door,
    summary: "Check the services that the pod depends on."
  }),
  query("system.getDataPodStats", {
    input: NoInput,
    success: DataPodStats,
    door,
    summary: "Count the records that you may read."
  }),
  query("files.listBuckets", {
    input: NoInput,
    success: Buckets,
    door,
    summary: "List the kinds of stored files, and when the first file of each kind was stored."
  }),
  query("health.migrations", {
    input: NoInput,
    success: Migrations,
    door,
    summary: "Read the engine and the size of the database, and its migrations with the time of each."
  }),
  query("system.getBackups", {
    input: NoInput,
    success: BackupState,
    door: signedIn,
    summary: "Read when the last backup was made, and how often the pod makes one. Only for the owner of the pod."
  })
)
