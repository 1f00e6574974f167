/**
 * Stores how far each consumer has read the log of a space. A consumer processes the events after its cursor, and moves
 * the cursor in the same transaction. So if the pod is killed, no work is lost or repeated.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { memoryTable, MemoryDatabase, type Rows } from "../../platform/MemoryDatabase.ts"
import { isOfProbe } from "./EventMetadata.ts"
import type { Event, EventSource } from "./Event.ts"
import { type EventNews, newsOf } from "./EventNews.ts"
import { eventTable, headTable, memoryStatements } from "./EventTable.ts"

/**
 * The part of an event that a consumer gets. This part is enough to decide whether the event concerns a person. It
 * contains no content of the event.
 */
export interface LoggedEvent {
  readonly id: string
  readonly seq: number
  readonly type: string
  readonly subjectId: string | null
  /** The person who caused the event, directly or through an agent. */
  readonly userId: string
  /** Who acted: the person, or an agent of the person. */
  readonly actorId: string
  readonly source: EventSource
  readonly correlationId: string
  readonly causationId: string | null
  readonly at: DateTime.Utc
  /**
   * The number of automation runs that led to the run that wrote the event. Null if no run wrote the event. Only the
   * pod sets this number.
   */
  readonly runDepth: number | null
}

/** The next part of the log of a space. */
export interface LogPart {
  readonly events: ReadonlyArray<LoggedEvent>
  /** How many events of the log the store read. This number includes the events of probes. */
  readonly read: number
  /** The number of the last event that the store read. Undefined if it read no event. */
  readonly lastSeq: number | undefined
}

/** The store of cursors. It gives consumers no events of probes, because these events must start no work. */
export class EventCursors extends Context.Tag("pod/EventCursors")<
  EventCursors,
  {
    /** The time at which the consumer began: the time of the first call of this function by any node. */
    readonly began: (consumer: string) => Effect.Effect<DateTime.Utc>
    /**
     * Finds spaces with events that the consumer has not read. The space that the consumer visited longest ago comes
     * first. If `types` is given, ignores events of other types. If all unread events of a space have other types,
     * moves the cursor past these events and does not return the space.
     */
    readonly spacesWithUnread: (
      consumer: string,
      limit: number,
      types?: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Returns the number of the last event that the consumer has read. A new cursor begins after the last event before
     * `since`. The cursor stays locked until the transaction ends, so no other transaction can move the cursor.
     */
    readonly lock: (consumer: string, spaceId: string, since: DateTime.Utc) => Effect.Effect<number, never, Reach>
    /** Returns at most `limit` events of one space, in order. The number of each event is higher than `seq`. */
    readonly after: (spaceId: string, seq: number, limit: number) => Effect.Effect<LogPart, never, Reach>
    /**
     * Returns the events of one person in one space, in order. Returns only events that happened between the two times
     * and whose number is higher than `seq`.
     */
    readonly listBetween: (
      spaceId: string,
      query: {
        readonly userId: string
        readonly since: DateTime.Utc
        readonly until: DateTime.Utc
        readonly seq: number
      },
      limit: number
    ) => Effect.Effect<ReadonlyArray<LoggedEvent>, never, Reach>
    /** Moves a cursor forward, and never back. */
    readonly move: (consumer: string, spaceId: string, seq: number) => Effect.Effect<void, never, Reach>
    /** Tells the readers in this process about new writes. */
    readonly news: EventNews
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      const database = yield* MemoryDatabase
      const { atomically } = database
      const logOf = (rows: Rows, spaceId: string) =>
        rows
          .all(eventTable)
          .filter((row) => row.spaceId === spaceId)
          .map(({ event, runDepth }) => ({ ...event, runDepth }))
          .toSorted((one, other) => one.seq - other.seq)
      return {
        news: newsOf(database),
        began: (consumer) =>
          atomically((rows) =>
            Effect.map(DateTime.now, (now) => {
              const known = rows.find(consumerTable, consumer)
              if (known !== undefined) return known.beganAt
              rows.put(consumerTable, { name: consumer, beganAt: now })
              return now
            })
          ),
        spacesWithUnread: (consumer, limit, types) =>
          atomically((rows) =>
            Effect.sync(() => {
              const cursorOf = (spaceId: string) => rows.find(cursorTable, keyOf({ consumer, spaceId }))
              const behind = rows
                .all(headTable)
                .filter(({ seq, spaceId }) => (cursorOf(spaceId)?.seq ?? 0) < seq)
                .slice(0, limit)
              return behind.flatMap(({ seq, spaceId }) => {
                const cursor = cursorOf(spaceId)
                const isConcerned =
                  types === undefined ||
                  cursor === undefined ||
                  logOf(rows, spaceId).some((event) => event.seq > cursor.seq && types.includes(event.type))
                if (!isConcerned) rows.put(cursorTable, { consumer, spaceId, seq })
                return isConcerned ? [spaceId] : []
              })
            })
          ),
        lock: (consumer, spaceId, since) =>
          write(({ reach, rows }) => {
            if (!reach.bounds("event", "read").spaces.includes(spaceId)) return Effect.succeed(0)
            const known = rows.find(cursorTable, keyOf({ consumer, spaceId }))
            if (known !== undefined) return Effect.succeed(known.seq)
            const seq = logOf(rows, spaceId).findLast(({ timestamp }) => DateTime.lessThan(timestamp, since))?.seq ?? 0
            rows.put(cursorTable, { consumer, spaceId, seq })
            return Effect.succeed(seq)
          }),
        after: (spaceId, seq, limit) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              logPartOf(
                reach.bounds("event", "read").spaces.includes(spaceId)
                  ? logOf(rows, spaceId)
                      .filter((event) => event.seq > seq)
                      .slice(0, limit)
                  : [],
                loggedOf
              )
            )
          ),
        listBetween: (spaceId, { seq, since, until, userId }, limit) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              reach.bounds("event", "read").spaces.includes(spaceId)
                ? logOf(rows, spaceId)
                    .filter(
                      (event) =>
                        event.seq > seq &&
                        event.userId === userId &&
                        !isOfProbe(event) &&
                        DateTime.between(event.timestamp, { minimum: since, maximum: until })
                    )
                    .slice(0, limit)
                    .map(loggedOf)
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

const loggedOf = (event: Event & Pick<LoggedEvent, "runDepth">): LoggedEvent => ({
  id: event.id,
  seq: event.seq,
  type: event.type,
  subjectId: event.subjectId ?? null,
  userId: event.userId,
  actorId: event.actorId,
  source: event.source,
  correlationId: event.correlationId,
  causationId: event.causationId ?? null,
  at: event.timestamp,
  runDepth: event.runDepth
})

/** Makes a `LogPart` from the events that the store read, in their order. */
export const logPartOf = <E extends Parameters<typeof isOfProbe>[0]>(
  read: ReadonlyArray<E>,
  loggedOf: (event: E) => LoggedEvent
): LogPart => {
  const last = read.at(-1)
  return {
    events: read.filter((event) => !isOfProbe(event)).map(loggedOf),
    read: read.length,
    lastSeq: last === undefined ? undefined : loggedOf(last).seq
  }
}

interface Cursor {
  readonly consumer: string
  readonly spaceId: string
  readonly seq: number
}

const keyOf = ({ consumer, spaceId }: Pick<Cursor, "consumer" | "spaceId">) => `${consumer} ${spaceId}`
const consumerTable = memoryTable<{ readonly name: string; readonly beganAt: DateTime.Utc }>(
  "event_consumers",
  ({ name }) => name
)
const cursorTable = memoryTable<Cursor>("event_cursors", keyOf)
