/**
 * The in-memory event log, and the statements of in-memory stores. Each statement writes its rows and its event
 * together, or writes nothing.
 */
import { DateTime, Effect } from "effect"
import { markConfirmed } from "../../doors/Authority.ts"
import { type Bounds, credentialIdOf, Reach, type ReachShape } from "../../doors/Reach.ts"
import { afterCommit } from "../../platform/CommitHooks.ts"
import {
  MemoryDatabase,
  type MemoryTable,
  memoryTable,
  type Rows,
  type WritableRows
} from "../../platform/MemoryDatabase.ts"
import type { Passed } from "../gate/Passed.ts"
import { actorOf, correlationOf, eventIdentity, eventOrigin } from "./AppendEvent.ts"
import { aboutOf, type Event, type EventDraft } from "./Event.ts"
import { newsOf } from "./EventNews.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"

export interface StoredEvent {
  readonly spaceId: string
  readonly event: Event
  /** The id of the credential that made the request. Null if the pod itself made the request. */
  readonly credentialId: string | null
  /** The number of automation runs that led to the run that wrote the event. Null if no run wrote the event. */
  readonly runDepth: number | null
}

export const eventTable = memoryTable<StoredEvent>("events", ({ event }) => event.id)

export const headTable = memoryTable<{ readonly spaceId: string; readonly seq: number }>(
  "stream_heads",
  ({ spaceId }) => spaceId
)

/** What a read of an in-memory store can use: the rows, the reach of the call, and the present time. */
export interface ReadContext {
  readonly rows: Rows
  readonly reach: ReachShape
  readonly now: DateTime.Utc
}

export interface WriteContext extends ReadContext {
  readonly rows: WritableRows
  /** Appends to the log the event that reports the write of this statement. */
  readonly append: (spaceId: string, draft: EventDraft, passed: Passed) => Event
}

/** Lists the events of the caller's person, in these spaces, in the order in which they were written. */
export const ownEvents = (
  { reach, rows }: Pick<ReadContext, "reach" | "rows">,
  { spaces }: Pick<Bounds, "spaces">
): ReadonlyArray<StoredEvent> =>
  rows
    .all(eventTable)
    .filter(({ event, spaceId }) => spaces.includes(spaceId) && event.userId === reach.principal.personId)

type Outcome<T> = Effect.Effect<
  T extends Effect.Effect<infer A, unknown> ? A : never,
  T extends Effect.Effect<unknown, infer E> ? E : never
>
/**
 * Casts the result of the work to one effect type. TypeScript infers a union of two effect types, because the work
 * returns either a failure or a result.
 */
const asOne = <T extends Effect.Effect<unknown, unknown>>(effect: T) => effect as unknown as Outcome<T>

/** Marks a row that a probe wrote. */
interface ProbeMark {
  readonly table: MemoryTable<never>
  readonly key: string
  readonly atMs: number
}

const markOf = (table: MemoryTable<never>, key: string) => `${table.name} ${key}`
export const probeTable = memoryTable<ProbeMark>("probes", ({ key, table }) => markOf(table, key))

/** Hides the rows that probes wrote. */
const withoutProbes = (rows: Rows): Rows => {
  if (rows.all(probeTable).length === 0) return rows
  const marks = new Set(rows.all(probeTable).map(probeTable.keyOf))
  return {
    find: (table, key) => (marks.has(markOf(table, key)) ? undefined : rows.find(table, key)),
    all: (table) => rows.all(table).filter((row) => !marks.has(markOf(table, table.keyOf(row))))
  }
}

/** Wraps the rows so that every new row is marked as written by a probe. */
const markingProbes = (rows: WritableRows, now: DateTime.Utc): WritableRows => ({
  ...rows,
  put: (table, ...added) => {
    const isNew = (row: (typeof added)[number]) => rows.find(table, table.keyOf(row)) === undefined
    const marks = added.filter(isNew).map((row) => ({ table, key: table.keyOf(row), atMs: now.epochMillis }))
    rows.put(probeTable, ...marks)
    rows.put(table, ...added)
  }
})

const seenBy = (reach: ReachShape, rows: Rows): Rows => (reach.origin.isProbe === true ? rows : withoutProbes(rows))
const writtenBy = (reach: ReachShape, rows: WritableRows, now: DateTime.Utc): WritableRows =>
  reach.origin.isProbe === true ? markingProbes(rows, now) : { ...rows, ...withoutProbes(rows) }

/**
 * The functions with which in-memory stores read and write. Each function runs its work with the access rights of the
 * call, as one unit like an SQL statement.
 */
export const memoryStatements = Effect.map(MemoryDatabase, (database) => ({
  read: <T extends Effect.Effect<unknown, unknown>>(work: (at: ReadContext) => T) =>
    Effect.flatMap(Reach, (reach) =>
      Effect.flatMap(database.rows, (rows) =>
        Effect.flatMap(DateTime.now, (now) => asOne(work({ rows: seenBy(reach, rows), reach, now })))
      )
    ),
  write: <T extends Effect.Effect<unknown, unknown>>(work: (at: WriteContext) => T) =>
    Effect.flatMap(Reach, (reach) =>
      database.atomically((rows) =>
        Effect.flatMap(DateTime.now, (now) => {
          const append: WriteContext["append"] = (spaceId, draft, passed) => {
            const row = eventOf({ rows, reach, now }, spaceId, draft, passed)
            rows.put(headTable, { spaceId, seq: row.event.seq })
            rows.put(eventTable, row)
            markConfirmed(reach)
            return row.event
          }
          return Effect.zipLeft(
            asOne(work({ rows: writtenBy(reach, rows, now), reach, now, append })),
            afterCommit(Effect.sync(() => newsOf(database).wrote(reach.principal.personId)))
          )
        })
      )
    )
}))

const eventOf = (
  { now, reach, rows }: ReadContext,
  spaceId: string,
  draft: EventDraft,
  passed: Passed
): StoredEvent => {
  const { decision, id } = eventIdentity(passed, draft)
  const { causationId, metadata, runDepth, source } = eventOrigin(reach, passed, draft)
  return {
    spaceId,
    runDepth,
    credentialId: credentialIdOf(reach.authority),
    event: {
      id,
      version: "v1",
      type: draft.type,
      ...aboutOf(draft.type, draft.subjectId),
      data: draft.data,
      ...(metadata === undefined ? {} : { metadata }),
      userId: reach.principal.personId,
      actorId: actorOf(reach),
      source,
      workspaceId: workspaceIdOf(spaceId, reach.principal.personId),
      seq: (rows.find(headTable, spaceId)?.seq ?? 0) + 1,
      timestamp: now,
      correlationId: correlationOf(reach),
      ...(causationId === null ? {} : { causationId }),
      ...(passed.sessionId === null ? {} : { sessionId: passed.sessionId }),
      ...(decision === undefined ? {} : { decision })
    }
  }
}
