/** The handlers of events: they translate between the procedures and the log. */
import { Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { eventWriter } from "./EventChanger.ts"
import { EventLog } from "./EventLog.ts"
import { EventProcedures } from "./EventRpc.ts"

export const layer = implementProcedures(
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
