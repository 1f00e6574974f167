/** The handlers of events: they translate between the declarations and the log. */
import { DateTime, Duration, Effect } from "effect"
import { Forbidden, invalid } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { cutPage } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { EventApi } from "./EventApi.ts"
import { eventWriter } from "./EventChanger.ts"
import { EventFeed, feedBounds, type FedEvent } from "./EventFeed.ts"
import { EventLog } from "./EventLog.ts"
import { EventProcedures } from "./EventRpc.ts"
import { EventWatch } from "./EventWatch.ts"
import { positionText } from "./StreamPosition.ts"

const listedBefore = Duration.days(7) // compatibility reference §13.3
const batchMax = 20 // events read at once
const batchCharacters = 1_000_000 // of data in a batch, or one event; a reader that is slow holds one batch in memory

/** As many of the events, from the first on, as one batch may hold. */
const oneBatch = (events: ReadonlyArray<FedEvent>): ReadonlyArray<FedEvent> => {
  let characters = 0
  const rest = events.findIndex(({ event }, at) => {
    characters += JSON.stringify(event.data).length + JSON.stringify(event.metadata ?? null).length
    return at > 0 && characters > batchCharacters
  })
  return rest === -1 ? events : events.slice(0, rest)
}

/** Fails if the request names a workspace where the caller reads no events, whether or not the workspace exists. */
const checkWorkspace = (workspaceId: string | undefined) =>
  Effect.flatMap(Reach, (reach) =>
    workspaceId === undefined || feedBounds(reach, { workspaceId }).spaces.length > 0
      ? Effect.void
      : new Forbidden({
          code: "WORKSPACE_FORBIDDEN",
          why: "This credential has no access to this workspace.",
          required: ["workspace"],
          granted: [],
          canBeStale: true
        })
  )

const unknownPosition = invalid(
  "since",
  "This position is not of this log: a space has fewer events. Open the stream without it."
)

export const procedures = implementProcedures(
  EventProcedures,
  Effect.gen(function* () {
    const log = yield* EventLog
    const write = yield* eventWriter
    return {
      "events.log": ({ workspaceId, ...draft }) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const spaceId = workspaceId ?? principal.personId
          return yield* write({ action: "create", targetId: uuidv7(), spaceId, content: draft })
        }),
      "events.list": (filter) => log.list(filter),
      "events.get": ({ eventId }) =>
        Effect.catchTags(log.get(eventId), {
          EventNotFound: () => Effect.fail(missingRecord("event"))
        })
    }
  })
)

export const rest = implement(
  EventApi,
  Effect.gen(function* () {
    const feed = yield* EventFeed
    const watch = yield* EventWatch
    return {
      "events.list": ({ urlParams: { fromDate, ...filter } }) =>
        Effect.gen(function* () {
          yield* checkWorkspace(filter.workspaceId)
          const from = fromDate ?? DateTime.subtractDuration(yield* DateTime.now, listedBefore)
          return cutPage(yield* feed.page({ ...filter, from }), filter.limit, ({ id }) => ({ at: null, id }))
        }),
      "events.stream": ({ urlParams: { entityType, since, type, workspaceId } }) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          yield* checkWorkspace(workspaceId)
          const filter = { type, subjectType: entityType, workspaceId }
          const mark = watch.mark(reach)
          const { events, isMore, readTo } = yield* Effect.catchTag(
            feed.after(filter, since, batchMax),
            "PositionUnknown",
            () => unknownPosition
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
          // A space without events has no head yet, so its first event is found as one after number 0.
          const heads = new Map(feedBounds(reach, filter).spaces.map((spaceId) => [spaceId, known.get(spaceId) ?? 0]))
          return {
            from: positionText(from),
            items,
            position: positionText(known),
            isMore: isMore || isCut,
            news: watch.newsAfter(reach, heads, mark)
          }
        })
    }
  })
)
