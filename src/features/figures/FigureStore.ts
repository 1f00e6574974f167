/**
 * The store of figures. It counts records that no other store counts. It counts only records that the caller may read.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { countedMax } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import { earliestOf } from "../../platform/RowTimes.ts"
import { attachmentTable } from "../attachments/AttachmentTable.ts"
import { DocumentHead } from "../documents/Document.ts"
import { entitiesWithin } from "../entities/EntityTable.ts"
import { memoryStatements, ownEvents } from "../events/EventTable.ts"
import { archivedStatus } from "../knowledge/KnowledgeEntry.ts"
import { entryTable, knowledgeBounds } from "../knowledge/KnowledgeTable.ts"
import { holdsAt } from "../memory/FactTimes.ts"
import { factTable, memoryBounds } from "../memory/FactTable.ts"
import { recordsWithin } from "../records/RecordTable.ts"
import { isErrorType } from "./Figures.ts"

/** The number of files, and the time when the first file was stored. */
export interface FileCount {
  readonly count: number
  readonly bytes: number
  readonly firstAt: DateTime.Utc | null
}

export interface AppliedMigration {
  readonly name: string
  readonly appliedAt: DateTime.Utc
}

export interface EventCount {
  readonly events: number
  readonly errors: number
}

export interface LastBackup {
  readonly madeAt: DateTime.Utc
  readonly sizeBytes: number
}

export class FigureStore extends Context.Tag("pod/FigureStore")<
  FigureStore,
  {
    /**
     * Counts the caller's own events of the last minutes, and how many of these events report a refusal or a failure.
     * Counts only the newest `countMax` events.
     */
    readonly recent: (minutes: number, countMax: number) => Effect.Effect<EventCount, never, Reach>
    /**
     * Counts the newest attachments of the entities that the call may read, at most `countMax`. Also returns when the
     * oldest attachment was stored, even if this attachment is not counted.
     */
    readonly attachments: (countMax: number) => Effect.Effect<FileCount, never, Reach>
    /** The time when the first document that the call may read was stored. Null if the call may read no document. */
    readonly firstDocument: Effect.Effect<DateTime.Utc | null, never, Reach>
    /**
     * The number of knowledge entries that are not archived, in all spaces that the call may read. The count stops at
     * `countedMax`.
     */
    readonly knowledge: Effect.Effect<number, never, Reach>
    /**
     * The last backup of the database in the configured folder. Null if there is no backup, or if the database is in
     * memory.
     */
    readonly lastBackup: Effect.Effect<LastBackup | null, never, Reach>
    /** The migrations of the database in their order. Empty for a database in memory. */
    readonly migrations: Effect.Effect<ReadonlyArray<AppliedMigration>, never, Reach>
    /** The size of the database on disk in bytes. Null for a database in memory. */
    readonly databaseBytes: Effect.Effect<number | null, never, Reach>
    /** The number of facts of the caller's person that are valid now. The count stops at `countedMax`. */
    readonly facts: Effect.Effect<number, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read }) => ({
      recent: (minutes, countMax) =>
        read((at) => {
          const since = DateTime.subtract(at.now, { minutes })
          const found = ownEvents(at, at.reach.bounds("event", "read"))
            .map(({ event }) => event)
            .toSorted(newestFirst)
            .slice(0, countMax)
            .filter(({ timestamp }) => DateTime.greaterThan(timestamp, since))
          const errors = found.filter(({ type }) => isErrorType(type)).length
          return Effect.succeed({ events: found.length, errors })
        }),
      attachments: (countMax) =>
        read(({ reach, rows }) => {
          const entities = new Set(entitiesWithin(rows, reach.bounds("entity", "read")).map(({ entity }) => entity.id))
          const found = rows
            .all(attachmentTable)
            .flatMap(({ attachment }) => (entities.has(attachment.entityId) ? [attachment] : []))
          const newest = found.toSorted(newestFirst).slice(0, countMax)
          return Effect.succeed({
            count: newest.length,
            bytes: newest.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
            firstAt: earliestOf(found.map(({ createdAt }) => createdAt))
          })
        }),
      firstDocument: read(({ reach, rows }) =>
        Effect.succeed(
          earliestOf(
            recordsWithin(rows, reach, DocumentHead, reach.bounds("document", "read")).map(
              ({ record }) => record.createdAt
            )
          )
        )
      ),
      knowledge: read(({ reach, rows }) => {
        const { spaces } = knowledgeBounds(reach, "read")
        const found = rows.all(entryTable)
        const active = found.filter(({ entry, spaceId }) => spaces.includes(spaceId) && entry.status !== archivedStatus)
        return Effect.succeed(Math.min(active.length, countedMax))
      }),
      lastBackup: read(() => Effect.succeed(null)),
      migrations: read(() => Effect.succeed([])),
      databaseBytes: read(() => Effect.succeed(null)),
      facts: read(({ now, reach, rows }) => {
        const { spaces } = memoryBounds(reach, "read")
        const found = rows.all(factTable).filter((fact) => spaces.includes(fact.userId))
        const holding = found.filter((fact) => holdsAt(fact, undefined, now))
        return Effect.succeed(Math.min(holding.length, countedMax))
      })
    }))
  )
}
