/** The Hub endpoints of focus sessions. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { FocusSessionChange, FocusSessionDraft, FocusSessionQuery, FocusSessionWire } from "./FocusSession.ts"

export const FocusSessionApi = HttpApiGroup.make("focusSessions")
  .annotate(
    OpenApi.Description,
    "Focus sessions: what a person plans to do, and the progress. Only that person can read them."
  )
  .add(
    read("focusSessions.list", {
      path: "/focus-sessions",
      query: FocusSessionQuery,
      success: pageOf(FocusSessionWire),
      door: rows("hub-protocol.read", "session"),
      summary: "List the focus sessions of the caller in a workspace, latest start first."
    })
  )
  .add(
    read("focusSessions.get", {
      path: "/focus-sessions/:id",
      params: idPath,
      success: FocusSessionWire,
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "Read one focus session of the caller."
    })
  )
  .add(
    write("focusSessions.create", {
      method: "POST",
      path: "/focus-sessions",
      payload: FocusSessionDraft,
      success: FocusSessionWire,
      door: writes("hub-protocol.write", "session", ["create"]),
      summary: "Create a focus session, or return the caller's session with the same `correlationId` in the space."
    })
  )
  .add(
    write("focusSessions.update", {
      method: "PATCH",
      path: "/focus-sessions/:id",
      params: idPath,
      payload: FocusSessionChange,
      success: FocusSessionWire,
      door: writes("hub-protocol.write", "session", ["update"]),
      summary: "Change the goal, progress and reports of a focus session, or close the session."
    })
  )
