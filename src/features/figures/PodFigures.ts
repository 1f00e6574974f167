/**
 * The service of figures: it collects numbers from the stores. The stores count only records that the call may read.
 */
import { BackupSettings } from "../../backups/Backups.ts"
import { figureForOwner, podOwnerOnly } from "../people/PodOwner.ts"
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../../platform/Database.ts"
import { Catalog } from "../../doors/Catalog.ts"
import { countedMax } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { Revocations } from "../../doors/Revocations.ts"
import { Streams } from "../../doors/Streams.ts"
import { PodFacts } from "../adoption/PodFacts.ts"
import { Channel } from "../conversations/Channel.ts"
import { Thread } from "../conversations/Thread.ts"
import { DocumentHead } from "../documents/Document.ts"
import { Entities } from "../entities/Entities.ts"
import { EventLog } from "../events/EventLog.ts"
import { DependencyHealth } from "../health/DependencyHealth.ts"
import { featuresOf } from "../intelligence/FeatureNames.ts"
import { ModelServices } from "../intelligence/ModelServices.ts"
import { Project } from "../projects/Project.ts"
import type { Common, RecordType } from "../records/RecordType.ts"
import { Records } from "../records/Records.ts"
import { Track } from "../tracks/Track.ts"
import { View } from "../views/View.ts"
import { healthOf, isErrorType, latestMax, recentMinutes } from "./Figures.ts"
import { type AppliedMigration, FigureStore } from "./FigureStore.ts"

const minutesOfDay = 24 * 60

/**
 * Lists the migrations by their file names. For example, `0012_search_vectors.sql` gets the version `0012` and the
 * description `search vectors`.
 */
const migrationList = (
  applied: ReadonlyArray<AppliedMigration>,
  engine: "embedded" | "postgres" | "memory",
  durability: "process" | "wal-sync" | null,
  sizeBytes: number | null
) => ({
  total: applied.length,
  migrations: applied.map(({ appliedAt, name }) => {
    const [version = name, ...words] = name.replace(/\.sql$/, "").split("_")
    return { version, appliedAt, description: words.join(" ") }
  }),
  note:
    applied.length === 0
      ? "This pod keeps its data in memory, so it has no migrations."
      : "Each start of the pod applies the missing migrations. A migration is never undone.",
  engine,
  durability,
  sizeBytes
})

const gather = Effect.gen(function* () {
  const { everySeconds } = yield* BackupSettings
  const { durability, engine } = yield* Database
  const figures = yield* FigureStore
  const entities = yield* Entities
  const records = yield* Records
  const log = yield* EventLog
  const catalog = yield* Catalog
  const streams = yield* Streams
  const revocations = yield* Revocations
  const facts = yield* PodFacts
  const { report } = yield* DependencyHealth
  const { services } = yield* ModelServices

  const counted = <A extends Common>(type: RecordType<A>) => records.count(type, {})

  const stats = Effect.gen(function* () {
    const { principal } = yield* Reach
    const found = yield* Effect.all(
      {
        tally: entities.countByKind({ spaces: null }),
        documents: counted(DocumentHead),
        projects: counted(Project),
        views: counted(View),
        tracks: counted(Track),
        channels: counted(Channel),
        threads: counted(Thread),
        knowledgeEntries: figures.knowledge,
        memoryFacts: figures.facts,
        files: figures.attachments(countedMax),
        day: figures.recent(minutesOfDay, countedMax)
      },
      { concurrency: "unbounded" }
    )
    const { day, files, tally, ...counts } = found
    const entitiesByProfile: Record<string, number> = {}
    for (const { count, kind } of tally) entitiesByProfile[kind] = (entitiesByProfile[kind] ?? 0) + count
    return {
      timestamp: yield* DateTime.now,
      ...counts,
      entities: tally.reduce((sum, { count }) => sum + count, 0),
      entitiesByProfile,
      attachments: files.count,
      attachmentBytes: files.bytes,
      workspaces: principal.memberships.filter(({ spaceId }) => spaceId !== principal.personId).length,
      events24h: day.events
    }
  })

  const sizes = Effect.zipWith(
    entities.countByKind({ spaces: null }),
    figures.recent(minutesOfDay, countedMax),
    (tally, { events }) => ({ totalEntities: tally.reduce((sum, { count }) => sum + count, 0), events24h: events }),
    { concurrent: true }
  )

  const dashboard = Effect.gen(function* () {
    const { principal } = yield* Reach
    const { compiled, latest, recent } = yield* Effect.all(
      {
        compiled: catalog.compiled,
        latest: Effect.map(log.list({ limit: latestMax }), ({ items }) => items),
        recent: figures.recent(recentMinutes, countedMax)
      },
      { concurrency: "unbounded" }
    )
    const open = streams.openOf(principal.personId)
    return {
      timestamp: yield* DateTime.now,
      ...healthOf(recent.events, recent.errors),
      // `watchedBy` counts running calls and open streams, so the code subtracts the open streams here.
      connections: {
        activeSSEClients: open,
        activeHandlers: Math.max(0, revocations.watchedBy(principal.personId) - open)
      },
      tools: {
        totalTools: compiled.tools.size,
        totalExecutions: null
      },
      latestEvents: latest.map(({ id, timestamp, type, userId }) => ({
        id,
        type,
        userId,
        timestamp,
        isError: isErrorType(type)
      }))
    }
  })

  const capabilities = Effect.gen(function* () {
    const { compiled, models } = yield* Effect.all({ compiled: catalog.compiled, models: services })
    const has = (capability: "chat" | "embeddings") => models.some(({ capabilities: all }) => all.includes(capability))
    return {
      version: facts.version,
      features: featuresOf(compiled),
      surfaces: { rest: compiled.rest.length, procedures: compiled.procedures.size, tools: compiled.tools.size },
      models: { chat: has("chat"), embeddings: has("embeddings") },
      callsPerMinute: facts.rateLimitPerMinute
    }
  })

  const buckets = Effect.zipWith(figures.attachments(1), figures.firstDocument, ({ firstAt }, document) => ({
    buckets: [
      { name: "attachments" as const, createdAt: firstAt },
      { name: "documents" as const, createdAt: document }
    ]
  }))

  return {
    capabilities,
    dashboard,
    serviceHealth: report(undefined),
    sizes,
    stats,
    migrations: Effect.gen(function* () {
      const [applied, sizeBytes] = yield* Effect.all([figures.migrations, figures.databaseBytes], {
        concurrency: "unbounded"
      })
      const shownEngine = sizeBytes === null ? "memory" : engine
      return migrationList(applied, shownEngine, durability, yield* figureForOwner(sizeBytes, null))
    }),
    backups: Effect.zipRight(
      podOwnerOnly("can see the backups"),
      Effect.map(figures.lastBackup, (last) => ({ last, everySeconds }))
    ),
    buckets
  }
})

/** The service of figures about the pod, and about the records that the caller may see. */
export class PodFigures extends Context.Tag("pod/PodFigures")<PodFigures, Effect.Effect.Success<typeof gather>>() {
  static readonly layer = Layer.effect(this, gather)
}
