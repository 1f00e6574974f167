/** Translates between the procedures of events and the log. */
import { Effect } from "effect"
import { Forbidden, NotFound } from "../../doors/Failure.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { GatedWrite } from "../governance/Write.ts"
import type { EventSource } from "./Event.ts"
import { EventLog } from "./EventLog.ts"
import { EventProcedures } from "./EventRpc.ts"
import { maySaySource } from "./OwnEvents.ts"

const sourceForbidden = (source: EventSource) =>
  new Forbidden({
    code: "SOURCE_FORBIDDEN",
    why:
      `Only who manages the space logs events of the source ${source}: ` +
      "signed in, or with a key of their own without limits.",
    required: ["*"],
    granted: []
  })

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
          const write: GatedWrite = {
            subject: "event",
            kind: null,
            action: "create",
            isDirect: true, // what happened happened: nobody approves it
            object: { spaceId, isPersonal: spaceId === principal.personId, objectId: null, projectIds: [] }
          }
          yield* gate.refuse(write)
          if (!maySaySource(principal, spaceId, draft.source)) return yield* sourceForbidden(draft.source)
          return yield* log.append(spaceId, draft, yield* gate.pass(write))
        }),
      "events.list": (filter) => log.list(filter),
      "events.get": ({ eventId }) =>
        Effect.catchTags(log.get(eventId), {
          EventNotFound: () => Effect.fail(new NotFound({ why: "There is no such event." }))
        })
    }
  })
)
