/**
 * How far each consumer has read the log of a space. The log is the outbox of later work: a consumer does its work for the
 * events after its cursor, and moves the cursor in the same transaction. So a kill neither loses nor repeats work.
 */
import { Context, type DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { memoryTable, MemoryDatabase } from "../../platform/MemoryDatabase.ts"
import { eventTable, headTable, memoryStatements } from "./EventTable.ts"

/** What a consumer learns of an event: enough to decide whether it concerns anybody, and none of its content. */
export interface LoggedEvent {
  readonly id: string
  readonly seq: number
  readonly type: string
  readonly subjectId: string | null
  /** The person whose event it is. */
  readonly userId: string
  readonly at: DateTime.Utc
}

export class EventCursors extends Context.Tag("pod/EventCursors")<
  EventCursors,
  {
    /** Spaces with events that the consumer has not read, those that have waited longest first. */
    readonly behind: (consumer: string, most: number) => Effect.Effect<ReadonlyArray<string>>
    /**
     * The number of the last event that the consumer has read, 0 at the beginning. Nobody else can move the cursor until
     * the transaction ends.
     */
    readonly hold: (consumer: string, spaceId: string) => Effect.Effect<number, never, Reach>
    /** The events of a space after a number, in their order. */
    readonly after: (
      spaceId: string,
      seq: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<LoggedEvent>, never, Reach>
    /** Moves a cursor forward, never back. */
    readonly move: (consumer: string, spaceId: string, seq: number) => Effect.Effect<void, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      const { rows: current } = yield* MemoryDatabase
      return {
        behind: (consumer, most) =>
          Effect.map(current, (rows) =>
            rows
              .all(headTable)
              .filter(({ seq, spaceId }) => (rows.find(cursorTable, keyOf({ consumer, spaceId }))?.seq ?? 0) < seq)
              .map(({ spaceId }) => spaceId)
              .slice(0, most)
          ),
        hold: (consumer, spaceId) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              reach.bounds("event", "read").spaces.includes(spaceId)
                ? (rows.find(cursorTable, keyOf({ consumer, spaceId }))?.seq ?? 0)
                : 0
            )
          ),
        after: (spaceId, seq, most) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              reach.bounds("event", "read").spaces.includes(spaceId)
                ? rows
                    .all(eventTable)
                    .filter((kept) => kept.spaceId === spaceId && kept.event.seq > seq)
                    .toSorted((one, other) => one.event.seq - other.event.seq)
                    .slice(0, most)
                    .map(({ event }) => ({
                      id: event.id,
                      seq: event.seq,
                      type: event.type,
                      subjectId: event.subjectId ?? null,
                      userId: event.userId,
                      at: event.timestamp
                    }))
                : []
            )
          ),
        move: (consumer, spaceId, seq) =>
          write(({ reach, rows }) => {
            if (!reach.bounds("event", "read").spaces.includes(spaceId)) return Effect.void
            const former = rows.find(cursorTable, keyOf({ consumer, spaceId }))?.seq ?? 0
            rows.put(cursorTable, { consumer, spaceId, seq: Math.max(former, seq) })
            return Effect.void
          })
      }
    })
  )
}

interface Cursor {
  readonly consumer: string
  readonly spaceId: string
  readonly seq: number
}

const keyOf = ({ consumer, spaceId }: Pick<Cursor, "consumer" | "spaceId">) => `${consumer} ${spaceId}`
const cursorTable = memoryTable<Cursor>("event_cursors", keyOf)
