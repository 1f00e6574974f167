/**
 * The figures about the records that a caller may see: the number of records, the latest events, and the kinds of
 * stored files.
 */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const recentMinutes = 5
export const latestMax = 20 // the maximum number of events that the dashboard shows

const count = (of: string) => described(of, Schema.Number)

export const DataPodStats = Schema.Struct({
  timestamp: described("Time of the count.", Timestamp),
  entities: count("Number of entities that you may read."),
  entitiesByProfile: described(
    "Entities by kind (profile slug).",
    Schema.Record({ key: Schema.String, value: Schema.Number })
  ),
  documents: count("Number of documents that you may read."),
  projects: count("Number of projects that you may read."),
  views: count("Number of views that you may read."),
  tracks: count("Number of tracks that you may read."),
  channels: count("Number of channels that you may read."),
  threads: count("Number of threads that you may read."),
  knowledgeEntries: count("Number of knowledge entries that you may read, without archived entries."),
  memoryFacts: count("Number of facts about you that are valid now."),
  attachments: count("Number of files of entities that you may read. The pod stops counting at 10,000."),
  attachmentBytes: count("Size in bytes of the newest 10,000 files of entities that you may read."),
  workspaces: count("Number of workspaces that you belong to."),
  events24h: count("Number of your events of the last 24 hours. The pod stops counting at 10,000.")
}).annotations({ identifier: "DataPodStats" })

const LatestEvent = Schema.Struct({
  id: Id,
  type: Schema.String,
  userId: described("Your id: the answer has only your own events.", Id),
  timestamp: Timestamp,
  isError: described("Whether the event reports a refusal or a failure.", Schema.Boolean)
}).annotations({ identifier: "LatestEvent" })

export const DashboardMetrics = Schema.Struct({
  timestamp: described("Time of the count.", Timestamp),
  health: Schema.Struct({
    status: described(
      "`critical`: more than 10 % errors; `degraded`: more than 5 % errors, or more than 100 events a second.",
      Schema.Literal("healthy", "degraded", "critical")
    ),
    errorRate: described(
      "Share of refusals and failures in your events of the last five minutes, from 0 to 1.",
      Schema.Number
    )
  }).annotations({ description: "How many of your latest events report a refusal or a failure." }),
  throughput: Schema.Struct({
    eventsPerSecond: count("Number of your events in a second, on average over the last five minutes."),
    totalEventsLast5Min: count("Number of your events of the last five minutes. The pod stops counting at 10,000.")
  }).annotations({ description: "How many events you caused." }),
  connections: Schema.Struct({
    activeSSEClients: count("Number of streams of events or of calls that you have open in this process of the pod."),
    activeHandlers: count("Number of your calls that this process of the pod runs now, including this call.")
  }).annotations({ description: "Your open streams and running calls." }),
  tools: Schema.Struct({
    totalTools: count("Number of MCP tools of the pod."),
    totalExecutions: described(
      "Always null, because the pod does not count the calls of tools for each person.",
      Schema.Null
    )
  }).annotations({ description: "MCP tools." }),
  latestEvents: described("Your latest events, newest first, at most 20.", Schema.Array(LatestEvent))
}).annotations({ identifier: "DashboardMetrics" })
export type DashboardMetrics = typeof DashboardMetrics.Type

export const Buckets = Schema.Struct({
  buckets: described(
    "Kinds of stored files.",
    Schema.Array(
      Schema.Struct({
        name: described("Kind of the files.", Schema.Literal("attachments", "documents")),
        createdAt: described(
          "When the first file of this kind that you may read was stored; null if there is none.",
          Schema.NullOr(Timestamp)
        )
      }).annotations({ identifier: "Bucket" })
    )
  )
}).annotations({ identifier: "Buckets" })

/** Returns true if an event reports a refusal or a failure. */
export const isErrorType = (type: string): boolean => type === "access.refused" || type.endsWith(".failed")

/**
 * Rates the health of the caller's own calls from the numbers of events and errors in the last minutes. The thresholds
 * are those that clients of this API expect.
 */
export const healthOf = (
  events: number,
  errors: number
): { readonly health: DashboardMetrics["health"]; readonly throughput: DashboardMetrics["throughput"] } => {
  const errorRate = events === 0 ? 0 : errors / events
  const eventsPerSecond = events / (recentMinutes * 60)
  const isDegraded = errorRate > 0.05 || eventsPerSecond > 100
  return {
    health: { status: errorRate > 0.1 ? "critical" : isDegraded ? "degraded" : "healthy", errorRate },
    throughput: { eventsPerSecond, totalEventsLast5Min: events }
  }
}
