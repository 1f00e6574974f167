/**
 * The figures about the records that a caller may see: how many there are, what happened lately, and which buckets hold
 * files.
 */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const recentMinutes = 5
export const latestMost = 20 // the most events that the dashboard shows

const count = (of: string) => described(of, Schema.Number)

export const DataPodStats = Schema.Struct({
  timestamp: described("Time of the count.", Timestamp),
  entities: count("Entities that you may read."),
  entitiesByProfile: described(
    "Entities by kind (profile slug).",
    Schema.Record({ key: Schema.String, value: Schema.Number })
  ),
  documents: count("Documents that you may read."),
  projects: count("Projects that you may read."),
  views: count("Views that you may read."),
  tracks: count("Tracks that you may read."),
  channels: count("Channels that you may read."),
  threads: count("Threads that you may read."),
  knowledgeEntries: count("Knowledge entries that you may read, without archived ones."),
  memoryFacts: count("Facts about you that are valid now."),
  attachments: count("Files of entities that you may read, up to 10,000."),
  attachmentBytes: count("Size in bytes of the newest 10,000 of these files."),
  workspaces: count("Workspaces that you belong to."),
  events24h: count("Your events of the last 24 hours, up to 10,000.")
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
      "`critical` above 10 % errors; `degraded` above 5 % or above 100 events a second.",
      Schema.Literal("healthy", "degraded", "critical")
    ),
    errorRate: described(
      "Share of refusals and failures in your events of the last five minutes, from 0 to 1.",
      Schema.Number
    )
  }).annotations({ description: "How many of your recent calls failed." }),
  throughput: Schema.Struct({
    eventsPerSecond: count("Your events in a second, on average over the last five minutes."),
    totalEventsLast5Min: count("Your events of the last five minutes, up to 10,000.")
  }).annotations({ description: "How many events you caused." }),
  connections: Schema.Struct({
    activeSSEClients: count("Event streams that you have open in this process of the pod."),
    activeHandlers: count("Calls of yours that this process of the pod runs now, including this one.")
  }).annotations({ description: "Your open streams and running calls." }),
  tools: Schema.Struct({
    totalTools: count("MCP tools of the pod."),
    totalExecutions: described("Always null: the pod does not count the calls of tools for each person.", Schema.Null)
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

/** Whether an event reports that something was refused or failed. */
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
