/** The handlers of a person's own sign-ins: they translate between the procedures and the service. */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { OwnSessionProcedures } from "./OwnSessionRpc.ts"
import { OwnSessions } from "./OwnSessions.ts"

export const layer = implementProcedures(
  OwnSessionProcedures,
  Effect.map(OwnSessions, (sessions) => ({
    "sessions.list": () => sessions.list,
    "sessions.end": ({ sessionId }) => Effect.as(sessions.end(sessionId), { success: true as const }),
    "sessions.endOthers": ({ reason }) => Effect.map(sessions.endOthers(reason), (endedSessions) => ({ endedSessions }))
  }))
)
