/** Translates between what the Hub opens of focus sessions and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { namesCaller } from "../people/Identity.ts"
import { split } from "../records/RecordType.ts"
import { toWire } from "./FocusSession.ts"
import { FocusSessionApi } from "./FocusSessionApi.ts"
import { FocusSessions } from "./FocusSessions.ts"

export const layer = implement(
  FocusSessionApi,
  Effect.map(FocusSessions, (sessions) => ({
    "focusSessions.list": ({ urlParams }) =>
      Effect.map(sessions.list(split(urlParams, ["status"])), (found) => found.map(toWire)),
    "focusSessions.get": ({ path }) => Effect.map(sessions.get(path.id), toWire),
    "focusSessions.create": ({ payload: { workspaceId, userId, reasoning, sessionId, ...fields } }) =>
      Effect.gen(function* () {
        yield* namesCaller(userId)
        const { record } = yield* sessions.begin({ workspaceId, fields, reasoning, sessionId })
        return toWire(record)
      }),
    "focusSessions.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
      Effect.map(sessions.change(path.id, fields, { reasoning, sessionId, expectedVersion }), toWire)
  }))
)
