/** The handlers of events. They pass each call of an endpoint or a procedure to the event log and return its result. */
import { DateTime, Duration, Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { EventApi } from "./EventApi.ts"
import { checkWorkspace, eventBatch } from "./EventBatch.ts"
import { eventWriter } from "./EventChanger.ts"
import { EventFeed } from "./EventFeed.ts"
import { EventLog } from "./EventLog.ts"
import { EventProcedures } from "./EventRpc.ts"

const listedBefore = Duration.days(7) // how far back a list without `fromDate` goes (compatibility reference §13.3)

export const procedures = implementProcedures(
  EventProcedures,
  Effect.gen(function* () {
    const log = yield* EventLog
    const write = yield* eventWriter
    const batch = yield* eventBatch
    return {
      "events.log": ({ workspaceId, ...content }) =>
        Effect.flatMap(Reach, ({ principal }) =>
          write({ action: "create", targetId: uuidv7(), spaceId: workspaceId ?? principal.personId, content })
        ),
      "events.list": (filter) => log.list(filter),
      "events.get": ({ eventId }) =>
        Effect.catchTags(log.get(eventId), {
          EventNotFound: () => Effect.fail(missingRecord("event"))
        }),
      "events.stream": ({ lastEventId, ...filter }) => batch(filter, "lastEventId", lastEventId ?? undefined)
    }
  })
)

export const rest = implement(
  EventApi,
  Effect.gen(function* () {
    const feed = yield* EventFeed
    const batch = yield* eventBatch
    return {
      "events.list": Effect.fnUntraced(function* ({ urlParams: { fromDate, ...filter } }) {
        yield* checkWorkspace(filter)
        const from = fromDate ?? DateTime.subtractDuration(yield* DateTime.now, listedBefore)
        return yield* feed.page({ ...filter, from })
      }),
      "events.stream": ({ urlParams: { since, ...filter } }) => batch(filter, "since", since)
    }
  })
)
