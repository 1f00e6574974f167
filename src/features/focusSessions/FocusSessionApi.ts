/** The Hub endpoints of focus sessions. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/Declare.ts"
import { fullGrant, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { FocusSessionChange, FocusSessionDraft, FocusSessionQuery, FocusSessionWire } from "./FocusSession.ts"

export const FocusSessionApi = HttpApiGroup.make("focusSessions")
  .annotate(OpenApi.Description, "What a person plans to do, and how it goes. Only that person reads it.")
  .add(
    read("focusSessions.list", {
      path: "/focus-sessions",
      query: FocusSessionQuery,
      success: pageOf(FocusSessionWire),
      door: rows("hub-protocol.read", "session"),
      summary: "List the caller's own focus sessions in a workspace, latest start first."
    })
  )
  .add(
    read("focusSessions.get", {
      path: "/focus-sessions/:id",
      params: idPath,
      success: FocusSessionWire,
      errors: [NotFound],
      door: fullGrant("hub-protocol.read"),
      summary: "Read one of the caller's own focus sessions."
    })
  )
  .add(
    write("focusSessions.create", {
      method: "POST",
      path: "/focus-sessions",
      payload: FocusSessionDraft,
      success: FocusSessionWire,
      door: writes("hub-protocol.write", "session", ["create"]),
      summary: "Begin a focus session, or find the caller's own with this correlationId in that space."
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
      summary: "Change a focus session: its goal, its progress, its reports, or whether it is closed."
    })
  )
