/** Translates between the procedures of events and the log. */
import { Effect } from "effect"
import { NotFound } from "../../doors/Failure.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import { EventLog } from "./EventLog.ts"
import { EventProcedures } from "./EventRpc.ts"

export const layer = implementProcedures(
  EventProcedures,
  Effect.gen(function* () {
    const log = yield* EventLog
    const gate = yield* GovernanceGate
    return {
      "events.log": ({ workspaceId, ...draft }) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const spaceId = workspaceId ?? principal.personId
          const passed = yield* gate.pass({
            subject: "event",
            kind: null,
            action: "create",
            isDirect: true, // what happened happened: nobody approves it
            object: { spaceId, isPersonal: spaceId === principal.personId, objectId: null, projectIds: [] }
          })
          return yield* log.append(spaceId, draft, passed)
        }),
      "events.list": (filter) => log.list(filter),
      "events.get": ({ eventId }) =>
        Effect.catchTags(log.get(eventId), {
          EventNotFound: () => Effect.fail(new NotFound({ why: "There is no such event." }))
        })
    }
  })
)
