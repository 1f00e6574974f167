/**
 * The handlers of a person's own sign-in sessions. They pass each call of a procedure to the service and return its
 * result.
 */
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
