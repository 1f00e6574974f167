/**
 * The handlers of focus sessions. They pass each call of an endpoint or a tool to the service and return its result.
 */
import { Effect, Layer } from "effect"
import { implement, implementTools } from "../../doors/Implement.ts"
import { mapPage } from "../../doors/Page.ts"
import { splitFilters } from "../records/RecordType.ts"
import { toWire } from "./FocusSession.ts"
import { FocusSessionApi } from "./FocusSessionApi.ts"
import { FocusSessions } from "./FocusSessions.ts"
import { FocusSessionTools } from "./FocusSessionTools.ts"

const rest = implement(
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

/** The fields that the pod adds when an agent begins a session. */
const begun = {
  status: "active" as const,
  templateId: null,
  progress: null,
  executionLog: null,
  verificationReport: null
}

const tools = implementTools(
  FocusSessionTools,
  Effect.map(FocusSessions, (sessions) => ({
    svc_start_session: ({ workspaceId, reasoning, contextReport = null, planReport = null, ...rest }) =>
      Effect.map(
        sessions.begin({ workspaceId, fields: { ...begun, ...rest, contextReport, planReport }, reasoning }),
        ({ record }) => toWire(record)
      ),
    svc_update_session: ({ sessionId: id, reasoning, ...fields }) =>
      Effect.map(sessions.change(id, fields, { reasoning }), toWire),
    svc_complete_session: ({ sessionId: id, reasoning, ...reports }) =>
      Effect.map(sessions.change(id, { ...reports, status: "closed", progress: 100 }, { reasoning }), toWire)
  }))
)

export const layer = Layer.mergeAll(rest, tools)
