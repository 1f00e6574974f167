/** Reads the event log for callers: a page of the newest events, or the events after a position. */
import { Context, Data, DateTime, Effect, Layer } from "effect"
import { type Authority, type Bounds, inSpaces, type ReachShape, Reach } from "../../doors/Reach.ts"
import type { Page } from "../../doors/Page.ts"
import { byId, pageOfAll, type PagePlace } from "../../doors/PageOrder.ts"
import { MemoryDatabase } from "../../platform/MemoryDatabase.ts"
import type { Event, EventSource } from "./Event.ts"
import { type MetadataKind, metadataKindOf } from "./EventMetadata.ts"
import { type EventNews, newsOf } from "./EventNews.ts"
import { headTable, memoryStatements, ownEvents, type ReadContext } from "./EventTable.ts"
import type { StreamPosition } from "./StreamPosition.ts"

export interface FeedFilter {
  readonly type?: string | undefined
  readonly subjectType?: string | undefined
  readonly subjectId?: string | undefined
  readonly metadataKind?: MetadataKind | undefined
  readonly source?: EventSource | undefined
  /** Only events of the request with this correlation id. */
  readonly correlationId?: string | undefined
  /** Only events that the event with this id caused. */
  readonly causationId?: string | undefined
  /** Only events of the space with this id. */
  readonly workspaceId?: string | undefined
}

export interface PageFilter extends FeedFilter, PagePlace {
  readonly from: DateTime.Utc
  readonly until?: DateTime.Utc | undefined
  readonly actorId?: string | undefined
  readonly sessionId?: string | undefined
  readonly hasMetadata?: boolean | undefined
}

export interface FeedEvent {
  readonly spaceId: string
  readonly event: Event
}

export interface FeedResult {
  /** The events of all spaces. Within each space the events are in the order of their numbers. */
  readonly events: ReadonlyArray<FeedEvent>
  /** For each space with new events, the number of the last event that the stream has read. */
  readonly readTo: StreamPosition
  readonly isMore: boolean
}

/**
 * The failure for a position with a number that the log of the space has not reached. Such a position comes from
 * another log.
 */
export class PositionUnknown extends Data.TaggedError("PositionUnknown") {}

/**
 * What the streams of a process watch. For each space, `heads` has the number of the last event that every stream has
 * read. `authorities` has the credential of each stream, with the version (epoch) of its access rights.
 */
export interface WatchedPositions {
  readonly heads: StreamPosition
  readonly authorities: ReadonlyArray<Extract<Authority, { readonly credentialId: string }>>
}

export interface FeedChanges {
  /** The spaces with events after the known number, each with the number of its latest event. */
  readonly heads: StreamPosition
  /**
   * The watched authorities (`authorityName`) whose credential is no longer valid, or whose person has other access. A
   * credential can be watched with a stale and with its present access at the same time.
   */
  readonly lost: ReadonlySet<string>
}

/** Returns the name of an authority: its credential, with the version (epoch) of its access. */
export const authorityName = ({
  credentialId,
  epoch
}: Pick<WatchedPositions["authorities"][number], "credentialId" | "epoch">): string => `${credentialId} ${epoch}`

/**
 * Returns the bounds within which a caller reads events: all spaces where the caller is allowed to read events, or only
 * the named space.
 */
export const feedBounds = (reach: ReachShape, { workspaceId }: FeedFilter): Bounds => {
  const bounds = reach.bounds("event", "read")
  return workspaceId === undefined ? bounds : inSpaces(bounds, [workspaceId])
}

export class EventFeed extends Context.Tag("pod/EventFeed")<
  EventFeed,
  {
    /** Returns a page of the caller's own events, newest first. */
    readonly page: (filter: PageFilter) => Effect.Effect<Page<Event>, never, Reach>
    /**
     * Returns the caller's own events after a position, oldest first. Returns at most `limit` events. Without a
     * position, the answer contains no events, but only the number of the latest event in each space.
     */
    readonly after: (
      filter: FeedFilter,
      position: StreamPosition | undefined,
      limit: number
    ) => Effect.Effect<FeedResult, PositionUnknown, Reach>
    /**
     * Returns what has changed since the last call, for all streams of this process together. Uses one statement, which
     * runs with the access rights of the pod itself.
     */
    readonly changesSince: (watched: WatchedPositions) => Effect.Effect<FeedChanges, never, Reach>
    /** Tells the readers in this process about new writes. */
    readonly news: EventNews
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read } = yield* memoryStatements
      const visible = (at: ReadContext, filter: FeedFilter) => {
        const { causationId, correlationId, metadataKind, source, subjectId, subjectType, type } = filter
        return ownEvents(at, feedBounds(at.reach, filter)).filter(
          ({ event }) =>
            (type === undefined || event.type === type) &&
            (subjectId === undefined || event.subjectId === subjectId) &&
            (subjectType === undefined || event.subjectType === subjectType) &&
            (source === undefined || event.source === source) &&
            (correlationId === undefined || event.correlationId === correlationId) &&
            (causationId === undefined || event.causationId === causationId) &&
            (metadataKind === undefined || metadataKindOf(event.metadata) === metadataKind)
        )
      }
      return {
        news: newsOf(yield* MemoryDatabase),
        page: ({ actorId, cursor, from, hasMetadata, limit, offset, sessionId, until, ...filter }) =>
          read((at) =>
            Effect.succeed(
              pageOfAll(
                byId,
                visible(at, filter)
                  .map(({ event }) => event)
                  .filter(
                    ({ timestamp, ...event }) =>
                      DateTime.greaterThanOrEqualTo(timestamp, from) &&
                      (until === undefined || DateTime.lessThanOrEqualTo(timestamp, until)) &&
                      (actorId === undefined || event.actorId === actorId) &&
                      (hasMetadata !== true || event.metadata !== undefined) &&
                      (sessionId === undefined || event.sessionId === sessionId)
                  ),
                { cursor, limit, offset }
              )
            )
          ),
        after: (filter, position, limit) =>
          read((at) => {
            const { spaces } = feedBounds(at.reach, filter)
            const heads = at.rows.all(headTable).filter(({ spaceId }) => spaces.includes(spaceId))
            if (position === undefined)
              return Effect.succeed<FeedResult>({
                events: [],
                readTo: new Map(heads.map(({ seq, spaceId }) => [spaceId, seq])),
                isMore: false
              })
            const known = (spaceId: string) => position.get(spaceId) ?? 0
            if (heads.some(({ seq, spaceId }) => seq < known(spaceId))) return Effect.fail(new PositionUnknown())
            const all = visible(at, filter)
            const found = heads
              .filter(({ seq, spaceId }) => seq > known(spaceId))
              .toSorted((one, other) => (one.spaceId < other.spaceId ? -1 : 1))
              .flatMap(({ seq, spaceId }): ReadonlyArray<FoundRow> => {
                const events = all
                  .filter((row) => row.spaceId === spaceId && row.event.seq > known(spaceId))
                  .toSorted((one, other) => one.event.seq - other.event.seq)
                return events.length === 0
                  ? [{ spaceId, head: seq, event: null }]
                  : events.map(({ event }) => ({ spaceId, head: seq, event }))
              })
            return Effect.succeed(feedResultOf(found.slice(0, limit), limit))
          }),
        // With the database in memory there is only one process, and its own writes wake its streams. So this method
        // has nothing to read.
        changesSince: () => Effect.succeed({ heads: new Map(), lost: new Set() })
      }
    })
  )
}

/**
 * A space with new events, and one of these events. `event` is null if the reader is not allowed to see any new event
 * of the space, or if no new event matches the filter.
 */
export interface FoundRow {
  readonly spaceId: string
  readonly head: number
  readonly event: Event | null
}

/**
 * Makes the answer of the method `after`. There are at most `limit` rows, sorted by space and number. If there are
 * `limit` rows, the last space was read only up to its last row. Every other space was read up to its latest event.
 */
export const feedResultOf = (rows: ReadonlyArray<FoundRow>, limit: number): FeedResult => {
  const isMore = rows.length >= limit
  const last = rows.at(-1)
  const readTo = new Map(rows.map(({ head, spaceId }) => [spaceId, head]))
  if (isMore && last !== undefined && last.event !== null) readTo.set(last.spaceId, last.event.seq)
  return {
    events: rows.flatMap(({ event, spaceId }) => (event === null ? [] : [{ spaceId, event }])),
    readTo,
    isMore
  }
}
