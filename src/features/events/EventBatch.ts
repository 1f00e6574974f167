/** Reads the next batch of events for a caller who watches events, and says when to read another batch. */
import { Effect } from "effect"
import type { Batch } from "../../doors/Batch.ts"
import { type Forbidden, type Invalid, invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { workspaceForbidden } from "../../doors/WorkspaceForbidden.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import type { Event } from "./Event.ts"
import { EventFeed, feedBounds, type FeedEvent, type FeedFilter } from "./EventFeed.ts"
import { EventWatch } from "./EventWatch.ts"
import { positionText, type StreamPosition } from "./StreamPosition.ts"

const batchMax = 20 // the maximum number of events that one batch reads
// The maximum number of characters of one batch, unless a single event has more. Each slow reader keeps one batch in
// memory.
const batchCharacters = 1_000_000

/** Returns the first events that fit into one batch, but at least one event. */
const oneBatch = (events: ReadonlyArray<FeedEvent>): ReadonlyArray<FeedEvent> => {
  let characters = 0
  const rest = events.findIndex(({ event }, at) => {
    characters += JSON.stringify(event.data).length + JSON.stringify(event.metadata ?? null).length
    return at > 0 && characters > batchCharacters
  })
  return rest === -1 ? events : events.slice(0, rest)
}

/** Fails if the request names a workspace where the caller may read no events, or a workspace that does not exist. */
export const checkWorkspace = (filter: FeedFilter): Effect.Effect<void, Forbidden, Reach> =>
  Effect.flatMap(Reach, (reach) =>
    filter.workspaceId === undefined || feedBounds(reach, filter).spaces.length > 0 ? Effect.void : workspaceForbidden
  )

const unknownPosition = (field: string) =>
  invalid(
    field,
    "This position does not belong to this log, because the log has fewer events. Open the stream without a position."
  )

/** The filter that a caller can choose when watching events. */
export interface WatchFilter extends Omit<FeedFilter, "subjectType" | "subjectId"> {
  readonly entityType?: string | undefined
}

/**
 * Makes the function that reads the events after a position, in batches. Without a position, the function returns the
 * current position and no event. `field` is the name of the input field that contains the position.
 */
export const eventBatch = Effect.gen(function* () {
  const feed = yield* EventFeed
  const watch = yield* EventWatch
  return (
    { entityType, ...chosen }: WatchFilter,
    field: "since" | "lastEventId",
    since: StreamPosition | undefined
  ): Effect.Effect<Batch<Event>, Forbidden | Invalid, Reach> =>
    Effect.gen(function* () {
      const reach = yield* Reach
      const filter = { ...chosen, subjectType: entityType }
      yield* checkWorkspace(filter)
      const mark = watch.mark(reach)
      const { events, isMore, readTo } = yield* Effect.catchTag(
        // Without a position, the code finds the current position in all spaces of the reader and does not apply the
        // filter. So a reader who later continues with another filter gets no event from before this moment.
        since === undefined
          ? feed.after({}, undefined, batchMax)
          : readFirst(batchMax, (most) => feed.after(filter, since, most)),
        "PositionUnknown",
        () => unknownPosition(field)
      )
      const known = new Map(since)
      const from = since === undefined ? readTo : since
      const sent = oneBatch(events)
      const items = sent.map(({ event, spaceId }) => {
        known.set(spaceId, event.seq)
        return { position: positionText(known), value: event }
      })
      const isCut = sent.length < events.length
      if (!isCut) for (const [spaceId, seq] of readTo) known.set(spaceId, seq)
      // A space without events has no head. The pod uses the number 0 instead, so that it finds the first event of the
      // space.
      const heads = new Map(feedBounds(reach, filter).spaces.map((spaceId) => [spaceId, known.get(spaceId) ?? 0]))
      return {
        from: positionText(from),
        items,
        position: positionText(known),
        isMore: isMore || isCut,
        news: watch.newsAfter(reach, heads, mark)
      }
    })
})
