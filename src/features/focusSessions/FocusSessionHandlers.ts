/** The handlers of focus sessions: they translate between the Hub endpoints and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { mapPage } from "../../doors/Page.ts"
import { splitFilters } from "../records/RecordType.ts"
import { toWire } from "./FocusSession.ts"
import { FocusSessionApi } from "./FocusSessionApi.ts"
import { FocusSessions } from "./FocusSessions.ts"

export const layer = implement(
  FocusSessionApi,
  Effect.map(FocusSessions, (sessions) => ({
    "focusSessions.list": ({ urlParams }) =>
      Effect.map(sessions.list(splitFilters(urlParams, ["status"])), (page) => mapPage(page, toWire)),
    "focusSessions.get": ({ path }) => Effect.map(sessions.get(path.id), toWire),
    "focusSessions.create": ({ payload: { workspaceId, userId: _caller, reasoning, sessionId, ...fields } }) =>
      Effect.map(sessions.begin({ workspaceId, fields, reasoning, sessionId }), ({ record }) => toWire(record)),
    "focusSessions.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
      Effect.map(sessions.change(path.id, fields, { reasoning, sessionId, expectedVersion }), toWire)
  }))
)
